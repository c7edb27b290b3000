package com.memoryendpoints.gateway.db;

import com.memoryendpoints.gateway.config.Config;
import com.memoryendpoints.gateway.config.DatabaseUri;
import com.memoryendpoints.gateway.config.Limits;
import io.vertx.core.net.ClientSSLOptions;
import io.vertx.core.net.PemTrustOptions;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.pgclient.SslMode;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Where a connection leads, how it is encrypted, and what its session is set to. */
public final class SessionOptions {
  private SessionOptions() {}

  /**
   * For a database that is configured, or embedded and started.
   *
   * @throws NullPointerException when the configuration has no uri
   */
  public static PgConnectOptions of(Config.Database database) {
    return of(Objects.requireNonNull(database.uri()), database.sslMode(), database.sslRootCert());
  }

  /**
   * For an address.
   *
   * @param rootCert PEM; needed when {@code sslMode} verifies
   */
  public static PgConnectOptions of(
      DatabaseUri uri,
      com.memoryendpoints.gateway.config.SslMode sslMode,
      @Nullable Path rootCert) {
    PgConnectOptions options =
        new PgConnectOptions()
            .setHost(uri.host())
            .setPort(uri.port())
            .setDatabase(uri.database())
            .setUser(uri.user())
            .setPassword(Objects.requireNonNullElse(uri.password(), ""))
            .setSslMode(SslMode.valueOf(sslMode.name()))
            .setSslOptions(encryption(sslMode, rootCert))
            // One statement in flight: nothing may hide behind another in the client either.
            .setPipeliningLimit(1);
    settings().forEach(options::addProperty);
    return options;
  }

  /** Start-up parameters, so that no statement ever runs without them. */
  private static Map<String, String> settings() {
    String statementMs = Integer.toString(Limits.STATEMENT_MS_MAX);
    return Map.ofEntries(
        Map.entry("application_name", "lease-gateway"),
        Map.entry("TimeZone", "UTC"),
        // The statements' isolation arguments begin with it.
        Map.entry("default_transaction_isolation", "read committed"),
        // Planning a claim costs more than ten times what running it does.
        Map.entry("plan_cache_mode", "force_generic_plan"),
        // A generic plan made while a table was nearly empty must not scan it when it is full; and
        // a scan made dear by that must not look worth compiling.
        Map.entry("enable_seqscan", "off"),
        Map.entry("jit", "off"),
        Map.entry("statement_timeout", statementMs),
        Map.entry("lock_timeout", Integer.toString(Limits.BUSY_ROW_MS_MAX)),
        Map.entry("idle_in_transaction_session_timeout", statementMs),
        // What callers said is in no log of the server's either. The same for statements that do
        // not fail is a superuser's to set.
        Map.entry("log_parameter_max_length_on_error", "0"));
  }

  private static ClientSSLOptions encryption(
      com.memoryendpoints.gateway.config.SslMode sslMode, @Nullable Path rootCert) {
    ClientSSLOptions encryption = new ClientSSLOptions();
    if (!sslMode.verifies() || rootCert == null) {
      return encryption.setTrustAll(true);
    }
    return encryption
        .setTrustOptions(new PemTrustOptions().addCertPath(rootCert.toString()))
        .setHostnameVerificationAlgorithm(
            sslMode == com.memoryendpoints.gateway.config.SslMode.VERIFY_FULL ? "HTTPS" : "");
  }
}
