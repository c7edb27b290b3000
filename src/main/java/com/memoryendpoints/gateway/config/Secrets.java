package com.memoryendpoints.gateway.config;

import java.security.SecureRandom;
import java.util.Base64;

/** Secrets that nobody has to remember. */
public final class Secrets {
  private static final int BYTES = 32;

  private Secrets() {}

  /** 32 random bytes, as text that any file and any URL can hold. */
  public static String mint() {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes());
  }

  /** 32 random bytes. */
  public static byte[] bytes() {
    byte[] random = new byte[BYTES];
    new SecureRandom().nextBytes(random);
    return random;
  }
}
