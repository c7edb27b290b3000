package com.memoryendpoints.gateway.lease;

import com.memoryendpoints.gateway.db.BatchStatement;
import com.memoryendpoints.gateway.db.Columns;
import com.memoryendpoints.gateway.db.Sql;
import com.memoryendpoints.gateway.db.Verdicts;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.util.List;

/** Many verifications as one run of {@code verify_leases.sql}. */
final class VerifyLeases implements BatchStatement<Verification, Verified> {
  private final Verdicts verdicts;

  VerifyLeases(Verdicts verdicts) {
    this.verdicts = verdicts;
  }

  @Override
  public Sql sql() {
    return Sql.VERIFY_LEASES;
  }

  @Override
  public boolean repeatable() {
    return true; // Reads only.
  }

  @Override
  public Tuple parameters(List<Verification> verifications) {
    Columns<Verification> columns = new Columns<>(verifications);
    return Tuple.of(
        columns.uuids(Verification::memoryId),
        columns.uuids(v -> v.caller().tenantId()),
        columns.longs(v -> v.token().value()));
  }

  @Override
  public Verified answer(Verification verification, Row row) {
    if (!row.getString("verdict").equals("current")) {
      throw verdicts.refusal(row);
    }
    return new Verified(
        row.getString("canonical_name"),
        Rows.instant(row, "expires_at"),
        row.getLong("ttl_remaining_ms"));
  }
}
