package com.memoryendpoints.gateway.name;

/**
 * Which of ASCII {@code -} and {@code _} may stand between letters and digits, singly; none unless
 * an operator allows them.
 */
public record Connectors(boolean hyphen, boolean lowLine) {
  /** None at all. */
  public static final Connectors NONE = new Connectors(false, false);

  /**
   * Those among some characters.
   *
   * @param characters of {@code -} and {@code _} only
   */
  public static Connectors of(String characters) {
    return new Connectors(characters.indexOf('-') >= 0, characters.indexOf('_') >= 0);
  }

  /**
   * Whether this character at this place connects what is on its left with what is on its right.
   */
  boolean connectAt(String mapped, int at) {
    char c = mapped.charAt(at);
    boolean allowed = (c == '-' && hyphen) || (c == '_' && lowLine);
    if (!allowed || at == 0 || at + 1 == mapped.length()) {
      return false;
    }
    int right = mapped.codePointAt(at + 1);
    return Alphabet.accepts(mapped.codePointBefore(at))
        && Alphabet.accepts(right)
        && !Mapping.isMark(right);
  }
}
