package com.memoryendpoints.gateway.name;

import java.util.UUID;
import java.util.regex.Pattern;

/**
 * Names of the form {@code base-<uuidv7>}, which the import of legacy names makes where a plain
 * name is taken. The form is reserved: nobody else can claim such a name, connectors or not.
 */
public final class MintedName {
  /** The hyphen and the UUID: a minted name is this much longer than its base, in code points. */
  public static final int SUFFIX_LENGTH = 37;

  private static final Pattern SUFFIX =
      Pattern.compile("-[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}");

  /** What becomes of the suffix in a key, where 1 is l and 0 is o. */
  private static final Pattern SUFFIX_OF_KEY =
      Pattern.compile(SUFFIX.pattern().replace("[0-9a-f]", "[2-9a-flo]"));

  private MintedName() {}

  /** Where the suffix of a mapped name begins, or -1 when it is not of this form. */
  static int suffixAt(String mapped) {
    int at = mapped.length() - SUFFIX_LENGTH;
    return at > 0 && endsWith(mapped, SUFFIX) ? at : -1;
  }

  /**
   * Whether a name that is not of this form could be taken for one that is, and so hold its key.
   * Looked at as stored, because the key of a name from right to left has another order.
   */
  static boolean isLookalike(String mapped, String key) {
    return key.indexOf('-') >= 0 && endsWith(NameKey.asStored(mapped), SUFFIX_OF_KEY);
  }

  private static boolean endsWith(String text, Pattern suffix) {
    int at = text.length() - SUFFIX_LENGTH;
    return at >= 0
        && text.charAt(at) == '-'
        && suffix.matcher(text).region(at, text.length()).matches();
  }

  /**
   * The minted form of a name.
   *
   * @param base an accepted canonical name, or a minted one, whose suffix is replaced
   * @param id a UUIDv7
   */
  public static AgentName mint(String base, UUID id) {
    int suffixAt = suffixAt(base);
    String canonical = (suffixAt < 0 ? base : base.substring(0, suffixAt)) + "-" + id;
    return new AgentName(canonical, canonical, NameKey.of(canonical), true);
  }
}
