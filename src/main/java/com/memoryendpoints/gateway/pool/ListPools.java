package com.memoryendpoints.gateway.pool;

import com.memoryendpoints.gateway.db.ReadStatement;
import com.memoryendpoints.gateway.db.Sql;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.Tuple;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** One page of pools by {@code list_pools.sql}. */
final class ListPools implements ReadStatement<ListPools.Wanted, PoolPage> {
  /** Holds of one pool looked at for its oldest. */
  static final int HOLDS_LOOKED_AT_MAX = 50;

  /**
   * A page of the tenant's pools.
   *
   * @param after a name or nothing, which is before all names
   */
  record Wanted(UUID tenantId, String after, int limit) {}

  @Override
  public Sql sql() {
    return Sql.LIST_POOLS;
  }

  @Override
  public Tuple parameters(Wanted wanted) {
    // One more tells whether there is a next page.
    return Tuple.of(wanted.tenantId(), wanted.after(), wanted.limit() + 1, HOLDS_LOOKED_AT_MAX);
  }

  @Override
  public PoolPage answer(Wanted wanted, RowSet<Row> rows) {
    List<Pool> items = new ArrayList<>(wanted.limit());
    PoolName next = null;
    for (Row row : rows) {
      if (items.size() == wanted.limit()) {
        next = items.get(items.size() - 1).name();
      } else {
        items.add(Rows.pool(row));
      }
    }
    return new PoolPage(items, next);
  }
}
