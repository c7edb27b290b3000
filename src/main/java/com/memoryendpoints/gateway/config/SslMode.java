package com.memoryendpoints.gateway.config;

import java.util.Locale;

/** How a connection to the database is encrypted; the words are libpq's. */
public enum SslMode {
  /** Never. */
  DISABLE,
  /** When the server offers it; without any check of who the server is. */
  PREFER,
  /** Always; without any check of who the server is. */
  REQUIRE,
  /** Always, and the server's certificate must come from a trusted authority. */
  VERIFY_CA,
  /** Always, and the trusted certificate must be for the host that was dialled. */
  VERIFY_FULL;

  /** As written in the configuration, in JDBC URLs and in libpq: {@code verify-full}. */
  public String text() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** Whether the server has to prove who it is, for which a root certificate is needed. */
  public boolean verifies() {
    return this == VERIFY_CA || this == VERIFY_FULL;
  }
}
