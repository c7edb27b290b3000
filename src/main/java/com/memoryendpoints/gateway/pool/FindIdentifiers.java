package com.memoryendpoints.gateway.pool;

import com.memoryendpoints.gateway.db.BatchStatement;
import com.memoryendpoints.gateway.db.Columns;
import com.memoryendpoints.gateway.db.Sql;
import com.memoryendpoints.gateway.db.Verdicts;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.util.List;
import java.util.UUID;

/** Many look-ups of identifiers as one run of {@code find_identifiers.sql}. */
final class FindIdentifiers implements BatchStatement<FindIdentifiers.ById, IdentifierView> {
  private static final IdentifierView.State[] STATES = IdentifierView.State.values();

  /** An identifier of a pool of the tenant. */
  record ById(UUID tenantId, PoolName pool, UUID identifierId) {}

  private final Verdicts verdicts;

  FindIdentifiers(Verdicts verdicts) {
    this.verdicts = verdicts;
  }

  @Override
  public Sql sql() {
    return Sql.FIND_IDENTIFIERS;
  }

  @Override
  public boolean repeatable() {
    return true; // Reads only.
  }

  @Override
  public Tuple parameters(List<ById> wanted) {
    Columns<ById> columns = new Columns<>(wanted);
    return Tuple.of(
        columns.uuids(ById::identifierId),
        columns.uuids(ById::tenantId),
        columns.texts(w -> w.pool().text()));
  }

  @Override
  public IdentifierView answer(ById wanted, Row row) {
    verdicts.require("found", row);
    return new IdentifierView(
        wanted.identifierId(),
        row.getString("identifier"),
        STATES[row.getInteger("state")],
        row.getLong("token"),
        row.getInteger("attempts"),
        Rows.instant(row, "available_at"),
        Rows.maybeInstant(row, "claimed_at"),
        Rows.maybeInstant(row, "leased_until"),
        row.getString("owner_client_id"),
        Rows.maybeInstant(row, "consumed_at"),
        row.getString("reference"));
  }
}
