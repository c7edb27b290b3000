package com.memoryendpoints.gateway.db;

import com.memoryendpoints.gateway.config.CannotStart;
import com.memoryendpoints.gateway.config.Config;
import com.memoryendpoints.gateway.config.DatabaseUri;
import com.memoryendpoints.gateway.config.SslMode;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Set;

/** Makes the embedded server's role and database when they are absent. */
final class Bootstrap {
  private static final Set<String> ALREADY_THERE = Set.of("42710", "42P04");

  /** The password is part of a statement, and the server logs those that fail. */
  private static final String UNLOGGED =
      "-c log_min_error_statement=panic -c log_statement=none -c log_min_duration_statement=-1";

  private Bootstrap() {}

  /** Where the gateway connects on the embedded server. */
  static DatabaseUri gateway(int port, String password) {
    return new DatabaseUri(EmbeddedServer.HOST, port, "lease_gateway", "gateway", password);
  }

  static void ensure(DatabaseUri superuser, String password) {
    Config.Database database =
        new Config.Database(superuser, SslMode.DISABLE, null, 1, superuser.port());
    try (Connection connection = Jdbc.connect(database, UNLOGGED);
        Statement statement = connection.createStatement()) {
      create(statement, text("create_role").formatted(password));
      create(statement, text("create_database"));
    } catch (SQLException e) {
      throw CannotStart.failed(
          "The embedded PostgreSQL does not let the gateway set up its database: " + e.getMessage(),
          e);
    }
  }

  private static void create(Statement statement, String sql) throws SQLException {
    try {
      statement.execute(sql);
    } catch (SQLException e) {
      if (!ALREADY_THERE.contains(e.getSQLState())) {
        throw e;
      }
    }
  }

  private static String text(String name) {
    String path = "/db/embedded/" + name + ".sql";
    try (InputStream file = Bootstrap.class.getResourceAsStream(path)) {
      if (file == null) {
        throw new IllegalStateException("the jar lacks " + path);
      }
      return new String(file.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
