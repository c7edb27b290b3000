package com.memoryendpoints.gateway.name;

import com.memoryendpoints.gateway.problem.Problem;
import com.memoryendpoints.gateway.problem.Refusal;

/**
 * A name that may be claimed.
 *
 * @param display as given
 * @param canonical as shown, returned and compared byte for byte: {@code My Agent} is {@code
 *     myagent}; 1 to {@value #CANONICAL_CODE_POINTS_MAX} code points
 * @param key what is unique among live leases (Invariant 1); never shown
 */
public record AgentName(String display, String canonical, String key) {
  /** Longest display name, in code points. */
  public static final int DISPLAY_CODE_POINTS_MAX = 128;

  /** Longest canonical name, in code points. */
  public static final int CANONICAL_CODE_POINTS_MAX = 64;

  /**
   * Canonicalizes a display name.
   *
   * @throws Refusal {@link Problem#INVALID_NAME} with {@code reason} and, where one code point is
   *     to blame, {@code code_point}
   */
  public static AgentName of(String display) {
    if (display.codePointCount(0, display.length()) > DISPLAY_CODE_POINTS_MAX) {
      throw invalid("NAME_TOO_LONG");
    }
    if (display.chars().allMatch(c -> c == ' ')) {
      throw invalid("NAME_EMPTY");
    }
    if (display.startsWith(" ") || display.endsWith(" ")) {
      throw invalid("NAME_EDGE_SPACE");
    }
    String canonical = joined(display);
    if (canonical.length() > CANONICAL_CODE_POINTS_MAX) {
      throw invalid("NAME_TOO_LONG");
    }
    return new AgentName(display, canonical, canonical);
  }

  /**
   * The key of a name that came back from the gateway; for a text that never was a canonical name,
   * a key that no name has.
   */
  public static String keyOf(String canonical) {
    return canonical;
  }

  private static String joined(String display) {
    StringBuilder canonical = new StringBuilder(display.length());
    for (int i = 0; i < display.length(); i++) {
      char c = display.charAt(i);
      if (c >= 'A' && c <= 'Z') {
        canonical.append((char) (c | 0x20));
      } else if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9')) {
        canonical.append(c);
      } else if (c != ' ' || display.charAt(i - 1) == ' ') {
        throw invalid("NAME_NOT_IDENTIFIER")
            .with("code_point", String.format("U+%04X", display.codePointAt(i)));
      }
    }
    return canonical.toString();
  }

  private static Refusal invalid(String reason) {
    return Problem.INVALID_NAME.because(reason).with("reason", reason);
  }
}
