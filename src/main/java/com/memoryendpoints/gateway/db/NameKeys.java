package com.memoryendpoints.gateway.db;

import com.fasterxml.uuid.Generators;
import com.memoryendpoints.gateway.config.CannotStart;
import com.memoryendpoints.gateway.name.AgentName;
import com.memoryendpoints.gateway.name.KeyVersion;
import com.memoryendpoints.gateway.name.MintedName;
import com.memoryendpoints.gateway.name.NameKey;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Consumer;

/**
 * The version of the name keys in a database, and the change to this gateway's. Blocking, by JDBC.
 */
public final class NameKeys {
  private static final int BATCH_ROWS = 10_000;

  private NameKeys() {}

  /** Why a gateway ends that finds keys of another version than its own. */
  static CannotStart madeByAnotherVersion() {
    return madeBy("another version");
  }

  private static CannotStart madeBy(String version) {
    return CannotStart.failed(
        "The name keys of this database were made by "
            + version
            + ", and this gateway makes them by "
            + KeyVersion.CURRENT
            + ". Stop every gateway on the database, run the subcommand rekey of this version, and"
            + " start again.",
        null);
  }

  /**
   * Makes this gateway's version the database's, where there are no keys yet. Nobody changes it
   * until the caller's transaction ends.
   *
   * @return the version
   * @throws CannotStart when there are keys, and of another version
   */
  public static String require(Connection connection) throws SQLException {
    try (PreparedStatement adopt = connection.prepareStatement(Sql.ADOPT_KEY_VERSION.text())) {
      adopt.setString(1, KeyVersion.CURRENT);
      adopt.execute();
    }
    String version = version(connection);
    if (!version.equals(KeyVersion.CURRENT)) {
      throw madeBy(version);
    }
    return version;
  }

  /**
   * Makes every key anew by this gateway's version, in one transaction: what is cut off has changed
   * nothing, and can be run again. Claims wait meanwhile. Of names that now look alike the oldest
   * keeps its place.
   *
   * @param told a line for each thing that happened to somebody, and of progress
   * @return how many keys changed; 0 when all were of this version already
   */
  static long rekey(Connection connection, Consumer<String> told) throws SQLException {
    connection.setAutoCommit(false);
    try (Statement lock = connection.createStatement()) {
      lock.execute(Sql.LOCK_NAME_KEYS.text());
    }
    if (version(connection).equals(KeyVersion.CURRENT)) {
      return 0;
    }
    long changed = stage(connection, told);
    renameAgents(connection, told);
    try (Statement rekey = connection.createStatement();
        ResultSet lost = rekey.executeQuery(Sql.REKEY_NAMES.text())) {
      while (lost.next()) {
        told.accept(
            "The lease on %s of tenant %s has ended: an older one looks alike."
                .formatted(lost.getString("canonical_name"), lost.getString("tenant_id")));
      }
    }
    try (PreparedStatement write = connection.prepareStatement(Sql.WRITE_KEY_VERSION.text())) {
      write.setString(1, KeyVersion.CURRENT);
      write.execute();
    }
    connection.commit();
    return changed;
  }

  private static String version(Connection connection) throws SQLException {
    try (Statement read = connection.createStatement();
        ResultSet row = read.executeQuery(Sql.READ_KEY_VERSION.text())) {
      return row.next() ? row.getString(1) : "";
    }
  }

  /** Notes every key that changes. */
  private static long stage(Connection connection, Consumer<String> told) throws SQLException {
    long changed = 0;
    try (Statement read = connection.createStatement();
        PreparedStatement stage = connection.prepareStatement(Sql.STAGE_REKEYED_NAME.text())) {
      read.setFetchSize(BATCH_ROWS);
      ResultSet names = read.executeQuery(Sql.READ_NAME_KEYS.text());
      for (long looked = 1; names.next(); looked++) {
        String oldKey = names.getString("name_key");
        String newKey = NameKey.of(names.getString("canonical_name"));
        if (!newKey.equals(oldKey)) {
          changed++;
          stage.setInt(1, names.getInt("source"));
          stage.setString(2, oldKey);
          stage.setString(3, newKey);
          stage.addBatch();
        }
        if (looked % BATCH_ROWS == 0) {
          stage.executeBatch();
          told.accept(looked + " names looked at, " + changed + " keys change.");
        }
      }
      stage.executeBatch();
    }
    return changed;
  }

  /** Imported agents that now look like an older one get a minted name, as at the import. */
  private static void renameAgents(Connection connection, Consumer<String> told)
      throws SQLException {
    List<Agent> agents = new ArrayList<>();
    try (Statement find = connection.createStatement();
        ResultSet rows = find.executeQuery(Sql.FIND_REKEYED_AGENTS.text())) {
      while (rows.next()) {
        agents.add(
            new Agent(
                rows.getObject("tenant_id", UUID.class),
                rows.getString("legacy_id"),
                rows.getString("canonical_name"),
                rows.getString("name_key")));
      }
    }
    try (PreparedStatement rename = connection.prepareStatement(Sql.RENAME_IMPORTED_AGENT.text())) {
      for (Agent agent : agents) {
        AgentName minted =
            MintedName.mint(agent.canonicalName, Generators.timeBasedEpochGenerator().generate());
        rename.setString(1, minted.canonical());
        rename.setString(2, minted.key());
        rename.setObject(3, agent.tenantId);
        rename.setString(4, agent.legacyId);
        rename.setString(5, agent.nameKey);
        rename.execute();
        told.accept(
            "The imported agent %s of tenant %s was to claim %s, which an older one looks like; it"
                    .formatted(agent.legacyId, agent.tenantId, agent.canonicalName)
                + " may claim "
                + minted.canonical()
                + " now.");
      }
    }
  }

  private record Agent(UUID tenantId, String legacyId, String canonicalName, String nameKey) {}
}
