package com.memoryendpoints.gateway.db;

import com.memoryendpoints.gateway.config.CannotStart;
import com.memoryendpoints.gateway.config.Config;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;
import java.util.OptionalInt;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;
import org.flywaydb.core.api.MigrationInfo;
import org.flywaydb.core.api.MigrationState;
import org.jspecify.annotations.Nullable;

/**
 * The shape of the system of record: brought forward, never back. Blocking, by JDBC; two processes
 * that migrate at once wait for each other.
 */
public final class Schema {
  private static final String MIGRATIONS = "classpath:db/migration";

  /**
   * Connection lost (08), no room (53), shut down or starting (57P), a standby or set read-only
   * (25006, 55000): later is another matter.
   */
  private static final Pattern PASSING = Pattern.compile("08...|53...|57P..|25006|55000");

  private Schema() {}

  /**
   * Applies the migrations of this jar that the database lacks.
   *
   * @return how many were applied
   * @throws DatabaseUnreachable when the database does not answer, which may pass
   * @throws CannotStart when the schema is newer than this jar, or a migration fails
   */
  public static int migrate(Config.Database database) throws DatabaseUnreachable {
    return migrate(database, MIGRATIONS);
  }

  static int migrate(Config.Database database, String location) throws DatabaseUnreachable {
    probe(database);
    Flyway flyway =
        Flyway.configure()
            .dataSource(Jdbc.url(database), null, null)
            .jdbcProperties(Jdbc.properties(database))
            .locations(location)
            .load();
    try {
      refuseNewer(database, flyway);
      return flyway.migrate().migrationsExecuted;
    } catch (FlywayException e) {
      SQLException cause = sqlCause(e);
      if (cause != null && isPassing(cause)) {
        throw unreachable(database, cause);
      }
      throw CannotStart.failed(
          "The schema of "
              + database.uri()
              + " cannot be migrated: "
              + firstLine(cause == null ? e : cause)
              + ". Nothing of the migration that failed was kept. The role needs the right to"
              + " create tables and functions; migrations that were applied must not be edited.",
          e);
    }
  }

  /**
   * Accepts the cluster that the database is in now as the one to grant in, well ahead of every
   * token of this copy (store.md, must 3).
   *
   * @return the new epoch, or nothing when the anchor was right as it was
   * @throws DatabaseUnreachable when the database does not answer
   * @throws CannotStart when the schema is not there yet
   */
  public static OptionalInt anchorEpoch(Config.Database database) throws DatabaseUnreachable {
    probe(database);
    try (Connection connection = Jdbc.connect(database);
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(Sql.ANCHOR_FENCING_EPOCH.text())) {
      rows.next();
      int epoch = rows.getInt(1);
      return rows.wasNull() ? OptionalInt.empty() : OptionalInt.of(epoch);
    } catch (SQLException e) {
      if (isPassing(e)) {
        throw unreachable(database, e);
      }
      throw CannotStart.failed(
          "The fencing epoch of "
              + database.uri()
              + " cannot be anchored: "
              + firstLine(e)
              + ". Run the subcommand migrate first, on the primary.",
          e);
    }
  }

  /**
   * Sees to it that the name keys are of this gateway's version; after {@link #migrate}.
   *
   * @throws DatabaseUnreachable when the database does not answer
   * @throws CannotStart when they were made by another version; it says what to do
   */
  public static void requireNameKeys(Config.Database database) throws DatabaseUnreachable {
    withConnection(database, keysOf(database) + "cannot be looked at", NameKeys::require);
  }

  /**
   * Makes every name key anew by this gateway's version; after {@link #migrate}.
   *
   * @param told a line for each thing that happened to somebody, and of progress
   * @return how many keys changed; 0 also when all were of this version already
   * @throws DatabaseUnreachable when the database does not answer
   * @throws CannotStart when they cannot be made; then nothing has changed
   */
  public static long rekey(Config.Database database, Consumer<String> told)
      throws DatabaseUnreachable {
    return withConnection(
        database,
        keysOf(database) + "cannot be made anew",
        connection -> NameKeys.rekey(connection, told));
  }

  private static String keysOf(Config.Database database) {
    return "The name keys of " + database.uri() + " ";
  }

  /** What is done by a connection. */
  @FunctionalInterface
  public interface Work<T> {
    /** Does it; what is left uncommitted is rolled back. */
    T on(Connection connection) throws SQLException;
  }

  /**
   * Does something by a connection of its own.
   *
   * @param failed what to say, before the reason, when it fails
   * @throws DatabaseUnreachable when the database does not answer
   * @throws CannotStart when it fails for any other reason
   */
  public static <T> T withConnection(Config.Database database, String failed, Work<T> work)
      throws DatabaseUnreachable {
    try (Connection connection = Jdbc.connect(database)) {
      return work.on(connection);
    } catch (SQLException e) {
      if (isPassing(e)) {
        throw unreachable(database, e);
      }
      throw CannotStart.failed(failed + ": " + firstLine(e) + ".", e);
    }
  }

  /** Connects once, so that what is down is told from what is wrong. */
  private static void probe(Config.Database database) throws DatabaseUnreachable {
    try (Connection connection = Jdbc.connect(database)) {
      connection.getMetaData().getDatabaseMajorVersion();
    } catch (SQLException e) {
      throw unreachable(database, e);
    }
  }

  private static void refuseNewer(Config.Database database, Flyway flyway) {
    String newer =
        Arrays.stream(flyway.info().applied())
            .filter(migration -> migration.getState() == MigrationState.FUTURE_SUCCESS)
            .map(MigrationInfo::getVersion)
            .map(String::valueOf)
            .reduce((earlier, later) -> later)
            .orElse("");
    if (!newer.isEmpty()) {
      throw CannotStart.failed(
          "The schema of "
              + database.uri()
              + " is at version "
              + newer
              + ", newer than this gateway knows. Run the one that migrated it, or a later one.",
          null);
    }
  }

  private static DatabaseUnreachable unreachable(Config.Database database, SQLException e) {
    return new DatabaseUnreachable(
        "The database " + database.uri() + " cannot be reached: " + firstLine(e) + ".",
        e,
        isPassing(e));
  }

  private static boolean isPassing(SQLException e) {
    return e.getSQLState() != null && PASSING.matcher(e.getSQLState()).matches();
  }

  private static @Nullable SQLException sqlCause(Throwable e) {
    for (Throwable cause = e; cause != null; cause = cause.getCause()) {
      if (cause instanceof SQLException sql) {
        return sql;
      }
    }
    return null;
  }

  private static String firstLine(Throwable e) {
    String text = String.valueOf(e.getMessage()).strip();
    return text.lines().findFirst().orElse(text).replaceAll("\\.$", "");
  }
}
