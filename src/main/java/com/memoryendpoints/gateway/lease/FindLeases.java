package com.memoryendpoints.gateway.lease;

import com.memoryendpoints.gateway.db.BatchStatement;
import com.memoryendpoints.gateway.db.Columns;
import com.memoryendpoints.gateway.db.Sql;
import com.memoryendpoints.gateway.db.Verdicts;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.util.List;
import java.util.UUID;

/** Look-ups by lease id as one run of {@code find_leases.sql}. */
final class FindLeases implements BatchStatement<FindLeases.ById, LeaseView> {

  /** A lease by its id, as far as the tenant may see. */
  record ById(UUID tenantId, UUID leaseId) {}

  private final Verdicts verdicts;

  FindLeases(Verdicts verdicts) {
    this.verdicts = verdicts;
  }

  @Override
  public Sql sql() {
    return Sql.FIND_LEASES;
  }

  @Override
  public boolean repeatable() {
    return true; // Reads only.
  }

  @Override
  public Tuple parameters(List<ById> wanted) {
    Columns<ById> columns = new Columns<>(wanted);
    return Tuple.from(List.of(columns.uuids(ById::leaseId), columns.uuids(ById::tenantId)));
  }

  @Override
  public LeaseView answer(ById wanted, Row row) {
    if (!row.getString("verdict").equals("found")) {
      throw verdicts.refusal(row);
    }
    return Rows.leaseView(row);
  }
}
