package com.memoryendpoints.gateway.auth;

import com.fasterxml.uuid.Generators;
import com.memoryendpoints.gateway.config.CannotStart;
import com.memoryendpoints.gateway.config.Config;
import com.memoryendpoints.gateway.db.DatabaseUnreachable;
import com.memoryendpoints.gateway.db.Schema;
import com.memoryendpoints.gateway.db.Sql;
import com.memoryendpoints.gateway.tenant.Caller;
import com.memoryendpoints.gateway.tenant.Scope;
import com.memoryendpoints.gateway.tenant.Term;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.StringJoiner;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The tenants and the tokens in the database, as subcommands change them. Blocking, by JDBC; every
 * method throws {@link DatabaseUnreachable} when the database does not answer, and {@link
 * CannotStart} when what is asked for cannot be done.
 */
public final class Register {
  private final Config.Database database;

  /** The register in a database, whose schema is brought forward first. */
  public Register(Config.Database database) throws DatabaseUnreachable {
    this.database = database;
    Schema.migrate(database);
  }

  /** Makes a tenant; refused when the id or the name is taken. */
  public void createTenant(UUID tenantId, String name) throws DatabaseUnreachable {
    boolean made =
        change(
            Sql.CREATE_TENANT,
            statement -> {
              statement.setObject(1, tenantId);
              statement.setString(2, name);
              statement.setObject(3, eventId());
            });
    require(made, "A tenant of this id or this name is there already.");
  }

  /** Tells every tenant, one a line, below a line of titles; tabs stand between the columns. */
  public void listTenants(Consumer<String> told) throws DatabaseUnreachable {
    list(Sql.LIST_TENANTS, statement -> {}, told);
  }

  /** Makes every token of a tenant bad, or good again; refused when there is no such tenant. */
  public void suspendTenant(UUID tenantId, boolean suspended) throws DatabaseUnreachable {
    boolean found =
        change(
            Sql.SUSPEND_TENANT,
            statement -> {
              statement.setBoolean(1, suspended);
              statement.setObject(2, tenantId);
              statement.setObject(3, eventId());
            });
    require(found, noTenant(tenantId));
  }

  /**
   * Changes what was agreed with a tenant; refused when there is no such tenant.
   *
   * @param changes what changes; empty for what is agreed no longer
   */
  public void setTerms(UUID tenantId, Map<Term, OptionalLong> changes) throws DatabaseUnreachable {
    Term[] terms = Term.values();
    Boolean[] which = new Boolean[terms.length];
    @Nullable Long[] values = new Long[terms.length];
    for (int i = 0; i < terms.length; i++) {
      OptionalLong value = changes.get(terms[i]);
      which[i] = value != null;
      values[i] = value != null && value.isPresent() ? value.getAsLong() : null;
    }
    boolean found =
        change(
            Sql.SET_TERMS,
            statement -> {
              statement.setArray(1, statement.getConnection().createArrayOf("boolean", which));
              statement.setArray(2, statement.getConnection().createArrayOf("bigint", values));
              statement.setObject(3, tenantId);
              statement.setObject(4, eventId());
            });
    require(found, noTenant(tenantId));
  }

  /**
   * Issues a token; refused when there is no such tenant.
   *
   * @param days 1 to {@link com.memoryendpoints.gateway.config.Limits#TOKEN_DAYS_MAX} until it
   *     expires; null for never
   * @return the token, which is kept nowhere
   */
  public String createToken(Caller caller, Set<Scope> scopes, @Nullable Integer days)
      throws DatabaseUnreachable {
    String token = BearerToken.mint();
    String[] wire = scopes.stream().map(Scope::wire).toArray(String[]::new);
    boolean made =
        change(
            Sql.CREATE_TOKEN,
            statement -> {
              statement.setBytes(1, BearerToken.sha256(token));
              statement.setString(2, caller.principal());
              statement.setArray(3, statement.getConnection().createArrayOf("text", wire));
              statement.setObject(4, days, Types.INTEGER);
              statement.setObject(5, caller.tenantId());
              statement.setObject(6, eventId());
            });
    require(made, noTenant(caller.tenantId()));
    return token;
  }

  /** Tells every token of a tenant, or of all tenants, as {@link #listTenants} does. */
  public void listTokens(@Nullable UUID tenantId, Consumer<String> told)
      throws DatabaseUnreachable {
    list(Sql.LIST_TOKENS, statement -> statement.setObject(1, tenantId, Types.OTHER), told);
  }

  /** Makes a token bad for ever; refused when there is none with this digest. */
  public void revokeToken(byte[] sha256) throws DatabaseUnreachable {
    boolean found =
        change(
            Sql.REVOKE_TOKEN,
            statement -> {
              statement.setBytes(1, sha256);
              statement.setObject(2, eventId());
            });
    require(found, "There is no token with this SHA-256 in the database. See token list.");
  }

  /** Of the event that a change leaves in its tenant's audit trail, in the same transaction. */
  private static UUID eventId() {
    return Generators.timeBasedEpochGenerator().generate();
  }

  /** What stands for the question marks of a statement. */
  @FunctionalInterface
  private interface Parameters {
    void set(PreparedStatement statement) throws SQLException;
  }

  private boolean change(Sql sql, Parameters parameters) throws DatabaseUnreachable {
    return on(connection -> run(connection, sql, parameters, ResultSet::next));
  }

  private void list(Sql sql, Parameters parameters, Consumer<String> told)
      throws DatabaseUnreachable {
    on(connection -> run(connection, sql, parameters, rows -> tell(rows, told)));
  }

  private <T> T on(Schema.Work<T> work) throws DatabaseUnreachable {
    return Schema.withConnection(
        database, "The tenants and tokens of " + database.uri() + " cannot be used", work);
  }

  /** What is read from the rows of a statement. */
  @FunctionalInterface
  private interface Reading {
    boolean of(ResultSet rows) throws SQLException;
  }

  private static boolean run(Connection connection, Sql sql, Parameters parameters, Reading reading)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql.text())) {
      parameters.set(statement);
      try (ResultSet rows = statement.executeQuery()) {
        return reading.of(rows);
      }
    }
  }

  private static boolean tell(ResultSet rows, Consumer<String> told) throws SQLException {
    int columns = rows.getMetaData().getColumnCount();
    StringJoiner titles = new StringJoiner("\t");
    for (int i = 1; i <= columns; i++) {
      titles.add(rows.getMetaData().getColumnLabel(i));
    }
    told.accept(titles.toString());
    while (rows.next()) {
      StringJoiner line = new StringJoiner("\t");
      for (int i = 1; i <= columns; i++) {
        line.add(rows.getString(i));
      }
      told.accept(line.toString());
    }
    return true;
  }

  private static String noTenant(UUID tenantId) {
    return "There is no tenant " + tenantId + " in the database. See tenant list.";
  }

  private static void require(boolean holds, String otherwise) {
    if (!holds) {
      throw CannotStart.misconfigured(otherwise);
    }
  }
}
