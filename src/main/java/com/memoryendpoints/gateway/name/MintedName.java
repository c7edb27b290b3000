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

  private MintedName() {}

  /** Where the suffix of a mapped name begins, or -1 when it is not of this form. */
  static int suffixAt(String mapped) {
    int at = mapped.length() - SUFFIX_LENGTH;
    boolean formed =
        at > 0
            && mapped.charAt(at) == '-'
            && SUFFIX.matcher(mapped).region(at, mapped.length()).matches();
    return formed ? at : -1;
  }

  /**
   * The minted form of a name.
   *
   * @param base an accepted canonical name
   * @param id a UUIDv7
   */
  public static AgentName mint(String base, UUID id) {
    String canonical = base + "-" + id;
    return new AgentName(canonical, canonical, NameKey.of(canonical), true);
  }
}
