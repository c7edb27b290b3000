package com.memoryendpoints.gateway.pool;

import java.util.regex.Pattern;

/**
 * What a tenant calls one of its pools.
 *
 * @param text a lower-case letter or a digit, then up to 62 of these, dots, underscores and hyphens
 */
public record PoolName(String text) {
  private static final Pattern FORM = Pattern.compile("[a-z0-9][a-z0-9._-]{0,62}");

  /** Checks the form. */
  public PoolName {
    if (!isPoolName(text)) {
      throw new IllegalArgumentException("not a pool name");
    }
  }

  /** Whether a pool can be called so. */
  public static boolean isPoolName(String text) {
    return FORM.matcher(text).matches();
  }
}
