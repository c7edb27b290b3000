package com.memoryendpoints.gateway.pool;

import com.memoryendpoints.gateway.db.BatchStatement;
import com.memoryendpoints.gateway.db.Columns;
import com.memoryendpoints.gateway.db.Sql;
import com.memoryendpoints.gateway.db.Verdicts;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.util.List;
import java.util.UUID;

/** Many look-ups of pools as one run of {@code find_pools.sql}. */
final class FindPools implements BatchStatement<FindPools.ByName, Pool> {
  /** Holds looked at for the oldest: a few milliseconds. */
  static final int HOLDS_LOOKED_AT_MAX = 2_000;

  /** A pool of the tenant. */
  record ByName(UUID tenantId, PoolName pool) {}

  private final Verdicts verdicts;

  FindPools(Verdicts verdicts) {
    this.verdicts = verdicts;
  }

  @Override
  public Sql sql() {
    return Sql.FIND_POOLS;
  }

  @Override
  public boolean repeatable() {
    return true; // Reads only.
  }

  @Override
  public Tuple parameters(List<ByName> wanted) {
    Columns<ByName> columns = new Columns<>(wanted);
    return Tuple.of(
        columns.uuids(ByName::tenantId), columns.texts(w -> w.pool().text()), HOLDS_LOOKED_AT_MAX);
  }

  @Override
  public Pool answer(ByName wanted, Row row) {
    verdicts.require("found", row);
    return Rows.pool(row);
  }
}
