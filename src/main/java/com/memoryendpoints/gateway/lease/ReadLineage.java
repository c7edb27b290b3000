package com.memoryendpoints.gateway.lease;

import com.memoryendpoints.gateway.db.ReadStatement;
import com.memoryendpoints.gateway.db.Sql;
import com.memoryendpoints.gateway.problem.Problem;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.Tuple;
import java.util.ArrayList;
import java.util.List;

/** A memory's ancestors by {@code read_lineage.sql}. */
final class ReadLineage implements ReadStatement<FindMemories.ById, List<Memory>> {

  @Override
  public Sql sql() {
    return Sql.READ_LINEAGE;
  }

  @Override
  public Tuple parameters(FindMemories.ById wanted) {
    return Tuple.of(wanted.memoryId(), wanted.tenantId());
  }

  @Override
  public List<Memory> answer(FindMemories.ById wanted, RowSet<Row> rows) {
    List<Memory> chain = new ArrayList<>();
    rows.forEach(row -> chain.add(Rows.memory(row)));
    if (chain.isEmpty()) {
      throw Problem.MEMORY_NOT_FOUND.because("no row");
    }
    return chain;
  }
}
