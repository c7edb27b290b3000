package com.memoryendpoints.gateway.pool;

import com.memoryendpoints.gateway.db.BatchStatement;
import com.memoryendpoints.gateway.db.Columns;
import com.memoryendpoints.gateway.db.Sql;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.util.List;

/** How many identifiers a load would add, as a run of {@code find_new_identifiers.sql}. */
final class FindNewIdentifiers implements BatchStatement<Load, Integer> {
  @Override
  public Sql sql() {
    return Sql.FIND_NEW_IDENTIFIERS;
  }

  @Override
  public boolean repeatable() {
    return true; // Reads only.
  }

  @Override
  public Tuple parameters(List<Load> loads) {
    Load load = loads.get(0);
    return Tuple.tuple()
        .addUUID(load.caller().tenantId())
        .addString(load.pool().text())
        .addArrayOfString(new Columns<>(load.identifiers()).texts(identifier -> identifier));
  }

  @Override
  public Integer answer(Load load, Row row) {
    return row.getInteger("news");
  }
}
