package com.memoryendpoints.gateway.config;

import java.util.Locale;

/** Whether a caller shows a certificate of its own, beside its token. */
public enum ClientAuth {
  /** It is not asked for one. */
  NONE,
  /** It may; one that is shown must come from a trusted authority. */
  REQUEST,
  /** It must. */
  REQUIRED;

  /** As written in the configuration. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }
}
