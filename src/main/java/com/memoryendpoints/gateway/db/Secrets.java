package com.memoryendpoints.gateway.db;

import java.security.SecureRandom;
import java.util.Base64;

/** Secrets that nobody has to remember. */
final class Secrets {
  private static final int BYTES = 32;

  private Secrets() {}

  /** 32 random bytes, as text that any file and any URL can hold. */
  static String mint() {
    byte[] random = new byte[BYTES];
    new SecureRandom().nextBytes(random);
    return Base64.getUrlEncoder().withoutPadding().encodeToString(random);
  }
}
