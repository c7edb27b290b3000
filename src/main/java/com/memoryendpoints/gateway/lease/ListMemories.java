package com.memoryendpoints.gateway.lease;

import com.memoryendpoints.gateway.db.ReadStatement;
import com.memoryendpoints.gateway.db.Sql;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.Tuple;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** One page of memories by {@code list_memories.sql}. */
final class ListMemories implements ReadStatement<ListMemories.Wanted, Page<MemoryView>> {

  /** A page of the tenant's memories, after one of them. */
  record Wanted(UUID tenantId, UUID after, int limit) {}

  @Override
  public Sql sql() {
    return Sql.LIST_MEMORIES;
  }

  @Override
  public Tuple parameters(Wanted wanted) {
    // One more than wanted tells whether there is a next page.
    return Tuple.of(wanted.tenantId(), wanted.after(), wanted.limit() + 1);
  }

  @Override
  public Page<MemoryView> answer(Wanted wanted, RowSet<Row> rows) {
    List<MemoryView> items = new ArrayList<>();
    rows.forEach(row -> items.add(Rows.memoryView(row)));
    if (items.size() <= wanted.limit()) {
      return new Page<>(items, null);
    }
    items.remove(wanted.limit());
    return new Page<>(items, items.get(wanted.limit() - 1).memory().memoryId());
  }
}
