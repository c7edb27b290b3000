package com.memoryendpoints.gateway.pool;

import com.memoryendpoints.gateway.audit.Redactor;
import com.memoryendpoints.gateway.db.BatchStatement;
import com.memoryendpoints.gateway.db.Columns;
import com.memoryendpoints.gateway.db.Sql;
import com.memoryendpoints.gateway.db.UuidV7;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.util.List;

/** Puts as runs of {@code put_pools.sql}, one each; answers whether a pool was made. */
final class PutPools implements BatchStatement<PutPool, Boolean> {
  private final Redactor redactor;
  private final UuidV7 ids;

  PutPools(Redactor redactor, UuidV7 ids) {
    this.redactor = redactor;
    this.ids = ids;
  }

  @Override
  public Sql sql() {
    return Sql.PUT_POOLS;
  }

  @Override
  public boolean repeatable() {
    return false; // The second time could not tell whether the first made it.
  }

  @Override
  public Tuple parameters(List<PutPool> puts) {
    Columns<PutPool> columns = new Columns<>(puts);
    return Tuple.of(
        columns.uuids(p -> ids.next()),
        columns.uuids(p -> p.caller().tenantId()),
        columns.texts(p -> p.caller().principal()),
        columns.texts(p -> p.pool().text()),
        columns.ints(p -> p.settings().defaultTtlSeconds()),
        columns.ints(p -> p.settings().maxAttempts()),
        columns.ints(p -> p.settings().reclaimGraceMs()),
        redactor.keyId(),
        columns.uuids(p -> ids.next()),
        columns.bytes(p -> redactor.name(p.caller().tenantId(), p.pool().text())));
  }

  @Override
  public Boolean answer(PutPool put, Row row) {
    return row.getString("verdict").equals("created");
  }
}
