package com.memoryendpoints.gateway.lease;

import com.memoryendpoints.gateway.db.BatchStatement;
import com.memoryendpoints.gateway.db.Columns;
import com.memoryendpoints.gateway.db.Sql;
import com.memoryendpoints.gateway.idempotency.KeySpan;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** How many memories requests would add, 0 or 1 each: {@code find_new_memories.sql}. */
final class FindNewMemories implements BatchStatement<FindNewMemories.Asked, Integer> {

  /**
   * A registration or a branch.
   *
   * @param memoryId of a branch the parent
   * @param token of a branch the parent's
   */
  record Asked(
      UUID tenantId, boolean branch, @Nullable UUID key, UUID memoryId, @Nullable Long token) {}

  static Asked of(RegisterMemories.Newborn newborn) {
    return new Asked(
        newborn.asked().caller().tenantId(), false, newborn.key(), newborn.memoryId(), null);
  }

  static Asked of(BranchMemories.Child child) {
    Branch branch = child.asked();
    return new Asked(
        branch.caller().tenantId(), true, child.key(), branch.parentId(), branch.token().value());
  }

  @Override
  public Sql sql() {
    return Sql.FIND_NEW_MEMORIES;
  }

  @Override
  public boolean repeatable() {
    return true; // Reads only.
  }

  @Override
  public Tuple parameters(List<Asked> asked) {
    Columns<Asked> columns = new Columns<>(asked);
    KeySpan span = KeySpan.of(asked.stream().map(Asked::key));
    return Tuple.tuple()
        .addUUID(span.first())
        .addUUID(span.last())
        .addArrayOfUUID(columns.uuids(Asked::tenantId))
        .addArrayOfBoolean(columns.flags(Asked::branch))
        .addArrayOfUUID(columns.uuids(Asked::key))
        .addArrayOfUUID(columns.uuids(Asked::memoryId))
        .addArrayOfLong(columns.longs(Asked::token));
  }

  @Override
  public Integer answer(Asked asked, Row row) {
    return row.getString("verdict").equals("new") ? 1 : 0;
  }
}
