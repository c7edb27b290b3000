package com.memoryendpoints.gateway.legacy;

import com.memoryendpoints.gateway.config.CannotStart;
import com.memoryendpoints.gateway.config.Config;
import com.memoryendpoints.gateway.db.DatabaseUnreachable;
import com.memoryendpoints.gateway.db.NameKeys;
import com.memoryendpoints.gateway.db.Schema;
import com.memoryendpoints.gateway.db.Sql;
import com.memoryendpoints.gateway.name.Names;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import javax.crypto.SecretKey;
import org.jspecify.annotations.Nullable;

/**
 * The import of an earlier system's agents and memories: everything in one transaction, so that one
 * that is cut off has changed nothing. Run again it changes nothing and reports the same.
 */
public final class LegacyImport {
  private final List<LegacyFile> files;
  private final Consumer<String> told;

  private LegacyImport(List<LegacyFile> files, Consumer<String> told) {
    this.files = files;
    this.told = told;
  }

  /**
   * An import of files whose every line has been looked at.
   *
   * @param agents CSV or NDJSON, or null
   * @param memories CSV or NDJSON, or null
   * @param told a line for the operator, now and then
   * @throws CannotStart when a file cannot be read or a line of it cannot be imported; it says
   *     which, and what to do
   */
  public static LegacyImport checked(
      @Nullable Path agents, @Nullable Path memories, Consumer<String> told) {
    List<LegacyFile> files = new ArrayList<>();
    if (agents != null) {
      files.add(new LegacyFile(agents, Kind.AGENT, told));
    }
    if (memories != null) {
      files.add(new LegacyFile(memories, Kind.MEMORY, told));
    }
    Faults faults = new Faults();
    files.forEach(file -> file.check(faults));
    faults.refuseAny();
    return new LegacyImport(files, told);
  }

  /**
   * Imports into a database, whose schema is brought forward first; waits for another import.
   *
   * @param names the rules, enforced
   * @param auditKey null where there are no memories
   * @param report is filled and put in its place
   * @param dryRun to change nothing, and report what would be
   * @throws DatabaseUnreachable when the database does not answer
   * @throws CannotStart when nothing could be imported; or when the report could not be put in its
   *     place, which it says
   */
  public void into(
      Config.Database database,
      Names names,
      @Nullable SecretKey auditKey,
      Report report,
      boolean dryRun)
      throws DatabaseUnreachable {
    Schema.migrate(database);
    Schema.requireNameKeys(database);
    Staging staging = new Staging(names, auditKey);
    List<String> summary =
        Schema.withConnection(
            database,
            "The import into " + database.uri() + " failed; it can be run again",
            connection -> {
              connection.setAutoCommit(false);
              List<String> tallies = importAll(connection, staging, report);
              if (dryRun) {
                connection.rollback();
              } else {
                connection.commit();
              }
              return tallies;
            });
    publish(report);
    summary.forEach(told);
    told.accept("The report is " + report.target() + ".");
    if (dryRun) {
      told.accept(
          "This was a dry run: nothing was imported. Names and ids that are minted will be others"
              + " when it is run without --dry-run.");
    }
  }

  private List<String> importAll(Connection connection, Staging staging, Report report)
      throws SQLException {
    lock(connection);
    NameKeys.require(connection);
    execute(connection, Sql.MAKE_GIVEN_TABLES);
    for (LegacyFile file : files) {
      stage(connection, file, staging);
    }
    execute(connection, Sql.MEASURE_GIVEN_TABLES);
    refuseContradictions(connection);
    List<String> tallies = new ArrayList<>();
    for (LegacyFile file : files) {
      long imported = insert(connection, file.kind(), staging);
      tallies.add(report(connection, file, report).told(file, imported));
    }
    return tallies;
  }

  private void lock(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(Sql.TRY_IMPORT_LOCK.text())) {
      row.next();
      if (row.getBoolean("ours")) {
        return;
      }
    }
    told.accept("Another import runs on this database; this one waits until it has ended.");
    execute(connection, Sql.AWAIT_IMPORT_LOCK);
  }

  private static void stage(Connection connection, LegacyFile file, Staging staging)
      throws SQLException {
    try (PreparedStatement rows = connection.prepareStatement(file.kind().giving.text())) {
      file.read(
          row -> {
            if (file.kind() == Kind.AGENT) {
              staging.give(GivenAgent.of(row), rows);
            } else {
              staging.give(GivenMemory.of(row), rows);
            }
          });
      rows.executeBatch();
    }
  }

  /** The same row twice is one row; the same id with something else is nobody's to decide here. */
  private void refuseContradictions(Connection connection) throws SQLException {
    Faults faults = new Faults();
    for (LegacyFile file : files) {
      try (Statement statement = connection.createStatement()) {
        statement.setFetchSize(Staging.BATCH_ROWS);
        ResultSet rows = statement.executeQuery(file.kind().contradicting.text());
        while (rows.next()) {
          long contradicts = rows.getLong("contradicts");
          String other = rows.wasNull() ? "was imported before" : "is on line " + contradicts;
          faults.add(
              file,
              new BadLine(
                  rows.getLong("line"),
                  "the same %s of the same tenant %s with other content; give it once, as it was"
                      .formatted(file.kind().columns.get(0), other)));
        }
      }
    }
    faults.refuseAny();
  }

  private static long insert(Connection connection, Kind kind, Staging staging)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(kind.importing.text())) {
      if (kind == Kind.MEMORY) {
        statement.setInt(1, staging.keyId());
      }
      return statement.executeLargeUpdate();
    }
  }

  private static Tally report(Connection connection, LegacyFile file, Report report)
      throws SQLException {
    Tally tally = new Tally();
    try (Statement statement = connection.createStatement()) {
      statement.setFetchSize(Staging.BATCH_ROWS);
      ResultSet rows = statement.executeQuery(file.kind().reporting.text());
      while (rows.next()) {
        tally.count(rows);
        if (file.kind() == Kind.AGENT) {
          report.agent(rows);
        } else {
          report.memory(rows);
        }
      }
      report.complete();
      return tally;
    } catch (IOException e) {
      throw CannotStart.failed(
          "The report "
              + report.target()
              + " cannot be written: "
              + e.getMessage()
              + ". Nothing was imported. Make room, or name another file by --report.",
          e);
    }
  }

  private static void publish(Report report) {
    try {
      report.publish();
    } catch (IOException e) {
      throw CannotStart.failed(
          "Everything was imported, but the report cannot be put at "
              + report.target()
              + ". Name another file by --report and run it again: that changes nothing else.",
          e);
    }
  }

  private static void execute(Connection connection, Sql sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql.text());
    }
  }
}
