package com.memoryendpoints.gateway.db;

import com.memoryendpoints.gateway.config.Config;
import com.memoryendpoints.gateway.config.DatabaseUri;
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
 * Connections for what is not served: migrations, and the set-up of the embedded database. They go
 * to the same place with the same encryption as those of {@link SessionOptions}. Blocking.
 */
final class Jdbc {
  /** What a failed statement was given is not told in the server's log. */
  private static final String SILENT = "-c log_parameter_max_length_on_error=0";

  private static final String CONNECT_SECONDS_MAX = "5";

  private Jdbc() {}

  /** A connection, the caller's to close. */
  static Connection connect(Config.Database database) throws SQLException {
    return connect(database, SILENT);
  }

  /**
   * The same with settings of the session's own.
   *
   * @param settings as the command line of the server takes them
   */
  static Connection connect(Config.Database database, String settings) throws SQLException {
    Properties properties = new Properties();
    properties.putAll(properties(database));
    properties.put("options", settings);
    return DriverManager.getConnection(url(database), properties);
  }

  static String url(Config.Database database) {
    DatabaseUri uri = uri(database);
    String host = uri.host().indexOf(':') < 0 ? uri.host() : "[" + uri.host() + "]";
    String name = URLEncoder.encode(uri.database(), StandardCharsets.UTF_8).replace("+", "%20");
    return "jdbc:postgresql://" + host + ":" + uri.port() + "/" + name;
  }

  static Map<String, String> properties(Config.Database database) {
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
    // Flyway would try for ten seconds to write to a standby.
    properties.put("targetServerType", "primary");
    properties.put("connectTimeout", CONNECT_SECONDS_MAX);
    properties.put("loginTimeout", CONNECT_SECONDS_MAX);
    properties.put("gssEncMode", "disable");
    properties.put("tcpKeepAlive", "true");
    properties.put("ApplicationName", "lease-gateway migrate");
    return properties;
  }

  private static DatabaseUri uri(Config.Database database) {
    return Objects.requireNonNull(database.uri(), "the embedded database has not started");
  }
}
