package com.memoryendpoints.gateway;

import com.memoryendpoints.gateway.config.DatabaseUri;
import com.memoryendpoints.gateway.config.SslMode;
import com.memoryendpoints.gateway.db.SessionOptions;
import io.vertx.pgclient.PgConnectOptions;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * A database of its own for a test class, migrated, on the embedded PostgreSQL that all tests of
 * the JVM share:
 *
 * <pre>{@code
 * @RegisterExtension static final TestDatabase DATABASE = TestDatabase.migrated();
 * }</pre>
 *
 * <p>It is made before the class and dropped after it; making it copies a template, which takes
 * some 50 ms. {@link #run}, {@link #rows} and {@link #value} are a test's own blocking look at it,
 * as the superuser and past the gateway.
 */
public final class TestDatabase implements BeforeAllCallback, AfterAllCallback, AutoCloseable {
  private final boolean migrated;
  private TestServer server;
  private String name;

  private TestDatabase(boolean migrated) {
    this.migrated = migrated;
  }

  /** A copy of the migrated schema. */
  public static TestDatabase migrated() {
    return new TestDatabase(true);
  }

  /** An empty database. */
  public static TestDatabase empty() {
    return new TestDatabase(false);
  }

  /** A copy of the migrated schema on a server of the caller's own, made now. */
  public static TestDatabase on(TestServer server) {
    TestDatabase database = new TestDatabase(true);
    database.create(server);
    return database;
  }

  /** An empty database on a server of the caller's own, made now. */
  public static TestDatabase emptyOn(TestServer server) {
    TestDatabase database = new TestDatabase(false);
    database.create(server);
    return database;
  }

  /** The database of the same name on a copy of its server. */
  public TestDatabase copiedTo(TestServer copy) {
    TestDatabase database = new TestDatabase(migrated);
    database.server = copy;
    database.name = name;
    return database;
  }

  @Override
  public void beforeAll(ExtensionContext context) {
    create(TestServer.shared());
  }

  @Override
  public void afterAll(ExtensionContext context) {
    close();
  }

  /** Drops it, whoever is connected. */
  @Override
  public void close() {
    server.drop(name);
  }

  /** The server that it is on. */
  public TestServer server() {
    return server;
  }

  /** Its name. */
  public String name() {
    return name;
  }

  /** As {@code database.uri} spells it. */
  public String uri() {
    return "postgresql://postgres@127.0.0.1:" + server.port() + "/" + name;
  }

  /** For the reactive client, set as the gateway sets it; a fresh copy on every call. */
  public PgConnectOptions options() {
    return SessionOptions.of(DatabaseUri.parse(uri()), SslMode.DISABLE, null);
  }

  /** A JDBC connection, the caller's to close. */
  public Connection connect() {
    return server.connect(name);
  }

  /** Runs statements without parameters. */
  public void run(String sql) {
    server.run(name, sql);
  }

  /** The rows of a query, each by column name. */
  public List<Map<String, Object>> rows(String sql, Object... parameters) {
    try (Connection connection = connect();
        PreparedStatement statement = connection.prepareStatement(sql)) {
      for (int i = 0; i < parameters.length; i++) {
        statement.setObject(i + 1, parameters[i]);
      }
      try (ResultSet rows = statement.executeQuery()) {
        return rows(rows);
      }
    } catch (SQLException e) {
      throw new IllegalStateException("failed: " + sql, e);
    }
  }

  /** The first column of the only row. */
  public Object value(String sql, Object... parameters) {
    List<Map<String, Object>> rows = rows(sql, parameters);
    if (rows.size() != 1) {
      throw new IllegalStateException(rows.size() + " rows: " + sql);
    }
    return rows.get(0).values().iterator().next();
  }

  private void create(TestServer on) {
    server = on;
    name = on.create(migrated);
  }

  private static List<Map<String, Object>> rows(ResultSet rows) throws SQLException {
    List<Map<String, Object>> all = new ArrayList<>();
    while (rows.next()) {
      Map<String, Object> row = new LinkedHashMap<>();
      for (int i = 1; i <= rows.getMetaData().getColumnCount(); i++) {
        row.put(rows.getMetaData().getColumnLabel(i), rows.getObject(i));
      }
      all.add(row);
    }
    return all;
  }
}
