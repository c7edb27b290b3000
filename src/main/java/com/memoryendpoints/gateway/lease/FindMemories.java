package com.memoryendpoints.gateway.lease;

import com.memoryendpoints.gateway.db.BatchStatement;
import com.memoryendpoints.gateway.db.Columns;
import com.memoryendpoints.gateway.db.Sql;
import com.memoryendpoints.gateway.db.Verdicts;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.util.List;
import java.util.UUID;

/** Look-ups of memories as one run of {@code find_memories.sql}. */
final class FindMemories implements BatchStatement<FindMemories.ById, MemoryView> {

  /** A memory by its id, as far as the tenant may see. */
  record ById(UUID tenantId, UUID memoryId) {}

  private final Verdicts verdicts;

  FindMemories(Verdicts verdicts) {
    this.verdicts = verdicts;
  }

  @Override
  public Sql sql() {
    return Sql.FIND_MEMORIES;
  }

  @Override
  public boolean repeatable() {
    return true; // Reads only.
  }

  @Override
  public Tuple parameters(List<ById> wanted) {
    Columns<ById> columns = new Columns<>(wanted);
    return Tuple.from(List.of(columns.uuids(ById::memoryId), columns.uuids(ById::tenantId)));
  }

  @Override
  public MemoryView answer(ById wanted, Row row) {
    if (!row.getString("verdict").equals("found")) {
      throw verdicts.refusal(row);
    }
    return Rows.memoryView(row);
  }
}
