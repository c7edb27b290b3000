package com.memoryendpoints.gateway.auth;

import com.memoryendpoints.gateway.db.BatchStatement;
import com.memoryendpoints.gateway.db.Sql;
import com.memoryendpoints.gateway.tenant.Terms;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.util.List;
import java.util.UUID;

/** Many look-ups of tenants as one run of {@code find_tenants.sql}. */
final class FindTenants implements BatchStatement<UUID, TenantState> {
  @Override
  public Sql sql() {
    return Sql.FIND_TENANTS;
  }

  @Override
  public boolean repeatable() {
    return true; // It only reads.
  }

  @Override
  public Tuple parameters(List<UUID> tenantIds) {
    return Tuple.of(tenantIds.toArray(UUID[]::new));
  }

  @Override
  public TenantState answer(UUID tenantId, Row row) {
    return new TenantState(
        row.getString("verdict"), Terms.of(row.getArrayOfLongs("terms")), row.getLong("now_ms"));
  }
}
