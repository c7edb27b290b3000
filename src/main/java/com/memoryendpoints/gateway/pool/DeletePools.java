package com.memoryendpoints.gateway.pool;

import com.memoryendpoints.gateway.audit.Redactor;
import com.memoryendpoints.gateway.db.BatchStatement;
import com.memoryendpoints.gateway.db.Columns;
import com.memoryendpoints.gateway.db.Sql;
import com.memoryendpoints.gateway.db.UuidV7;
import com.memoryendpoints.gateway.db.Verdicts;
import com.memoryendpoints.gateway.tenant.Caller;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.util.List;

/** Deletions of pools by {@code delete_pools.sql}; answers with what was deleted. */
final class DeletePools implements BatchStatement<DeletePools.Deletion, PoolName> {

  /** A pool to be deleted, whatever is in it if it is to be drained. */
  record Deletion(Caller caller, PoolName pool, boolean drain) {}

  private final Redactor redactor;
  private final UuidV7 ids;
  private final Verdicts verdicts;

  DeletePools(Redactor redactor, UuidV7 ids, Verdicts verdicts) {
    this.redactor = redactor;
    this.ids = ids;
    this.verdicts = verdicts;
  }

  @Override
  public Sql sql() {
    return Sql.DELETE_POOLS;
  }

  @Override
  public boolean repeatable() {
    return false; // The second time would not find it.
  }

  @Override
  public Tuple parameters(List<Deletion> deletions) {
    Columns<Deletion> columns = new Columns<>(deletions);
    return Tuple.of(
        columns.uuids(d -> d.caller().tenantId()),
        columns.texts(d -> d.caller().principal()),
        columns.texts(d -> d.pool().text()),
        deletions.stream().map(Deletion::drain).toArray(Boolean[]::new),
        redactor.keyId(),
        columns.uuids(d -> ids.next()),
        columns.bytes(d -> redactor.name(d.caller().tenantId(), d.pool().text())));
  }

  @Override
  public PoolName answer(Deletion deletion, Row row) {
    verdicts.require("deleted", row);
    return deletion.pool();
  }
}
