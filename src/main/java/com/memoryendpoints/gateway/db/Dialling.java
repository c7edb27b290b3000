package com.memoryendpoints.gateway.db;

import com.memoryendpoints.gateway.config.Config;
import com.memoryendpoints.gateway.config.DatabaseUri;
import com.memoryendpoints.gateway.config.SslMode;
import io.vertx.core.net.ClientSSLOptions;
import io.vertx.core.net.PemTrustOptions;
import io.vertx.pgclient.PgConnectOptions;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;

/**
 * How the database is dialled: to the same place with the same encryption by the reactive client,
 * which serves requests, and by JDBC, which only migrates.
 */
public final class Dialling {
  private static final String CONNECT_SECONDS_MAX = "5";

  private Dialling() {}

  /** For the reactive client; a fresh copy on every call. */
  public static PgConnectOptions reactive(Config.Database database) {
    DatabaseUri uri = uri(database);
    PgConnectOptions options =
        new PgConnectOptions()
            .setHost(uri.host())
            .setPort(uri.port())
            .setDatabase(uri.database())
            .setUser(uri.user())
            .setSslMode(io.vertx.pgclient.SslMode.of(database.sslMode().text()))
            .setSslOptions(trust(database));
    return uri.password() == null ? options : options.setPassword(uri.password());
  }

  /** A JDBC connection, the caller's to close. Blocking. */
  static Connection jdbc(Config.Database database) throws SQLException {
    Properties properties = new Properties();
    properties.putAll(jdbcProperties(database));
    return DriverManager.getConnection(jdbcUrl(database), properties);
  }

  static String jdbcUrl(Config.Database database) {
    DatabaseUri uri = uri(database);
    String host = uri.host().indexOf(':') < 0 ? uri.host() : "[" + uri.host() + "]";
    String name = URLEncoder.encode(uri.database(), StandardCharsets.UTF_8).replace("+", "%20");
    return "jdbc:postgresql://" + host + ":" + uri.port() + "/" + name;
  }

  static Map<String, String> jdbcProperties(Config.Database database) {
    DatabaseUri uri = uri(database);
    Map<String, String> properties = new HashMap<>();
    properties.put("user", uri.user());
    if (uri.password() != null) {
      properties.put("password", uri.password());
    }
    properties.put("sslmode", database.sslMode().text());
    Path rootCert = database.sslRootCert();
    if (rootCert != null) {
      properties.put("sslrootcert", rootCert.toString());
    }
    properties.put("connectTimeout", CONNECT_SECONDS_MAX);
    properties.put("loginTimeout", CONNECT_SECONDS_MAX);
    properties.put("gssEncMode", "disable");
    properties.put("tcpKeepAlive", "true");
    properties.put("ApplicationName", "lease-gateway migrate");
    return properties;
  }

  /** Who is believed to be the server: an authority's, or anybody, as {@code ssl_mode} says. */
  private static ClientSSLOptions trust(Config.Database database) {
    ClientSSLOptions options = new ClientSSLOptions();
    if (!database.sslMode().verifies()) {
      return options.setTrustAll(true).setHostnameVerificationAlgorithm("");
    }
    String rootCert = Objects.requireNonNull(database.sslRootCert()).toString();
    return options
        .setTrustOptions(new PemTrustOptions().addCertPath(rootCert))
        .setHostnameVerificationAlgorithm(database.sslMode() == SslMode.VERIFY_FULL ? "HTTPS" : "");
  }

  private static DatabaseUri uri(Config.Database database) {
    return Objects.requireNonNull(database.uri(), "the embedded database has not started");
  }
}
