package com.memoryendpoints.gateway.name;

import com.ibm.icu.lang.UCharacter;
import com.ibm.icu.util.VersionInfo;

/**
 * Which rules name keys are made by. Keys of two versions never stand in one database: acceptance
 * and skeletons change between releases, canonical names do not.
 */
public final class KeyVersion {
  private static final String MADE_FOR = "ICU 78.3, Unicode 17.0.0";

  /** The version that this gateway makes keys by; it is stored with the keys. */
  public static final String CURRENT = checked();

  private KeyVersion() {}

  // ICU4J tells its own version only here.
  @SuppressWarnings("deprecation")
  private static String checked() {
    VersionInfo icu = VersionInfo.ICU_VERSION;
    String found =
        "ICU "
            + icu.getVersionString(2, 2)
            + ", Unicode "
            + UCharacter.getUnicodeVersion().getVersionString(3, 3);
    if (!found.equals(MADE_FOR)) {
      throw new IllegalStateException(
          "The rules for names were made for " + MADE_FOR + ", but the jar has " + found + ".");
    }
    return found;
  }
}
