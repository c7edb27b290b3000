package com.memoryendpoints.gateway.lease;

import com.memoryendpoints.gateway.db.ReadStatement;
import com.memoryendpoints.gateway.db.Sql;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.Tuple;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** One page of leases by {@code list_leases.sql}. */
final class ListLeases implements ReadStatement<ListLeases.Wanted, Page<LeaseView>> {
  /** Memories that one page looks at, however few of them the filter lets through. */
  static final int LOOKED_AT_MAX = 10_000;

  /** A page of the tenant's leases, after a memory, of one owner or of all. */
  record Wanted(UUID tenantId, UUID after, int limit, @Nullable String ownerClientId) {}

  @Override
  public Sql sql() {
    return Sql.LIST_LEASES;
  }

  @Override
  public Tuple parameters(Wanted wanted) {
    return Tuple.of(
        wanted.tenantId(), wanted.after(), wanted.limit(), wanted.ownerClientId(), LOOKED_AT_MAX);
  }

  @Override
  public Page<LeaseView> answer(Wanted wanted, RowSet<Row> rows) {
    List<LeaseView> items = new ArrayList<>();
    UUID next = null;
    for (Row row : rows) {
      next = row.getUUID("next");
      if (row.getUUID("lease_id") != null) {
        items.add(Rows.leaseView(row));
      }
    }
    return new Page<>(items, next);
  }
}
