package com.memoryendpoints.gateway.auth;

import org.jspecify.annotations.Nullable;

/**
 * What comes of the check of a JWT.
 *
 * @param verdict why it is not good, for the log; nothing of it is the caller's
 * @param claims null where it is not good
 */
record Checked(String verdict, @Nullable JwtClaims claims) {
  /** Its key is none of those that it was checked by; later ones may have it. */
  static final Checked KEY_UNKNOWN = new Checked("unknown key's", null);
}
