package com.memoryendpoints.gateway.lease;

import com.memoryendpoints.gateway.db.BatchStatement;
import com.memoryendpoints.gateway.db.Columns;
import com.memoryendpoints.gateway.db.Sql;
import com.memoryendpoints.gateway.db.Verdicts;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.util.List;
import java.util.UUID;

/** Look-ups by canonical name as one run of {@code find_named_leases.sql}. */
final class FindNamedLeases implements BatchStatement<FindNamedLeases.ByName, LeaseView> {

  /** The lease that the name was last granted with, as far as the tenant may see. */
  record ByName(UUID tenantId, String nameKey, String canonicalName) {}

  private final Verdicts verdicts;

  FindNamedLeases(Verdicts verdicts) {
    this.verdicts = verdicts;
  }

  @Override
  public Sql sql() {
    return Sql.FIND_NAMED_LEASES;
  }

  @Override
  public boolean repeatable() {
    return true; // Reads only.
  }

  @Override
  public Tuple parameters(List<ByName> wanted) {
    Columns<ByName> columns = new Columns<>(wanted);
    return Tuple.of(
        columns.uuids(ByName::tenantId),
        columns.texts(ByName::nameKey),
        columns.texts(ByName::canonicalName));
  }

  @Override
  public LeaseView answer(ByName wanted, Row row) {
    if (!row.getString("verdict").equals("found")) {
      throw verdicts.refusal(row);
    }
    return Rows.leaseView(row);
  }
}
