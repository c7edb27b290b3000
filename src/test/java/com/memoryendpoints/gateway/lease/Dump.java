package com.memoryendpoints.gateway.lease;

import com.memoryendpoints.gateway.TestDatabase;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.postgresql.PGConnection;
import org.postgresql.copy.CopyManager;

/** The rows of a database at one moment, as a dump of it holds them. */
final class Dump {
  private static final String TABLES =
      """
      SELECT relname FROM pg_class
      WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition
        AND relname NOT LIKE 'flyway%'
      """;

  private final Map<String, byte[]> rows = new LinkedHashMap<>();

  private Dump() {}

  /** Reads every table. */
  static Dump of(TestDatabase database) {
    Dump dump = new Dump();
    List<String> tables =
        database.rows(TABLES).stream().map(row -> String.valueOf(row.get("relname"))).toList();
    copy(
        database,
        (connection, copies) -> {
          for (String table : tables) {
            ByteArrayOutputStream content = new ByteArrayOutputStream();
            copies.copyOut("COPY (SELECT * FROM " + table + ") TO STDOUT", content);
            dump.rows.put(table, content.toByteArray());
          }
        });
    return dump;
  }

  /** Replaces what the tables of another, equally migrated database hold. */
  void restore(TestDatabase database) {
    copy(
        database,
        (connection, copies) -> {
          try (Statement statement = connection.createStatement()) {
            // In any order of the tables.
            statement.execute("SET session_replication_role = replica");
            statement.execute("TRUNCATE " + String.join(", ", rows.keySet()));
          }
          for (Map.Entry<String, byte[]> table : rows.entrySet()) {
            copies.copyIn(
                "COPY " + table.getKey() + " FROM STDIN",
                new ByteArrayInputStream(table.getValue()));
          }
        });
  }

  private interface Work {
    void on(Connection connection, CopyManager copies) throws SQLException, IOException;
  }

  private static void copy(TestDatabase database, Work work) {
    try (Connection connection = database.connect()) {
      work.on(connection, connection.unwrap(PGConnection.class).getCopyAPI());
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
