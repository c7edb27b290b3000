package com.memoryendpoints.gateway.name;

/**
 * A name that may be claimed.
 *
 * @param display as given
 * @param canonical as shown, returned and compared byte for byte: {@code My Agent} is {@code
 *     myagent}; 1 to {@value #CANONICAL_CODE_POINTS_MAX} code points, a minted one up to {@value
 *     #MINTED_CODE_POINTS_MAX}
 * @param key what is unique among live leases (Invariant 1): never shown, returned or logged
 * @param minted whether it has the form of a minted name: then only the tenant that it was minted
 *     for may claim it, which the system of record knows
 */
public record AgentName(String display, String canonical, String key, boolean minted) {
  /** Longest display name, in code points. */
  public static final int DISPLAY_CODE_POINTS_MAX = 128;

  /** Longest canonical name that is not minted, in code points. */
  public static final int CANONICAL_CODE_POINTS_MAX = 64;

  /** Longest minted name, in code points: the longest base, a hyphen and a UUID. */
  public static final int MINTED_CODE_POINTS_MAX =
      CANONICAL_CODE_POINTS_MAX + MintedName.SUFFIX_LENGTH;

  /** Without the key, so that no log shows it. */
  @Override
  public String toString() {
    return "AgentName[" + canonical + "]";
  }
}
