package com.memoryendpoints.gateway.lease;

import com.memoryendpoints.gateway.audit.Redactor;
import com.memoryendpoints.gateway.db.BatchStatement;
import com.memoryendpoints.gateway.db.Columns;
import com.memoryendpoints.gateway.db.Sql;
import com.memoryendpoints.gateway.db.UuidV7;
import com.memoryendpoints.gateway.db.Verdicts;
import com.memoryendpoints.gateway.idempotency.KeySpan;
import com.memoryendpoints.gateway.meter.Meters;
import io.vertx.core.buffer.Buffer;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.util.List;
import java.util.UUID;

/** Many branches as one run of {@code branch_memories.sql}. */
final class BranchMemories implements BatchStatement<BranchMemories.Child, Registered> {

  /**
   * A branch and the id of its child. A branch without a key is recorded under its child's id, so
   * that a second run after a lost connection finds the first.
   */
  record Child(Branch asked, UUID memoryId) {
    UUID key() {
      return asked.key() == null ? memoryId : asked.key().value();
    }
  }

  private final Redactor redactor;
  private final UuidV7 ids;
  private final Meters meters;
  private final Verdicts verdicts;

  BranchMemories(Redactor redactor, UuidV7 ids, Meters meters) {
    this.redactor = redactor;
    this.ids = ids;
    this.meters = meters;
    this.verdicts = new Verdicts(meters);
  }

  @Override
  public Sql sql() {
    return Sql.BRANCH_MEMORIES;
  }

  @Override
  public boolean repeatable() {
    return true; // A child that was made is a replay the second time.
  }

  @Override
  public Tuple parameters(List<Child> children) {
    Columns<Child> columns = new Columns<>(children);
    KeySpan span = KeySpan.of(children.stream().map(Child::key));
    return Tuple.of(
        columns.uuids(Child::memoryId),
        columns.uuids(c -> c.asked().parentId()),
        columns.uuids(c -> c.asked().caller().tenantId()),
        columns.texts(c -> c.asked().caller().principal()),
        columns.longs(c -> c.asked().token().value()),
        columns.uuids(Child::key),
        columns.bytes(c -> Buffer.buffer(c.asked().fingerprint().bytes())),
        span.first(),
        span.last(),
        columns.uuids(c -> ids.next()),
        columns.bytes(c -> redactor.memory(c.asked().caller().tenantId(), c.memoryId())),
        redactor.keyId());
  }

  @Override
  public Registered answer(Child child, Row row) {
    boolean replayed = row.getString("verdict").equals("replay");
    if (!replayed && !row.getString("verdict").equals("branched")) {
      throw verdicts.refusal(row);
    }
    if (child.asked().key() == null) {
      return new Registered(memory(child, row), true, false);
    }
    meters.keyUsed(replayed ? Meters.Key.REPLAY : Meters.Key.NEW);
    return new Registered(memory(child, row), !replayed, replayed);
  }

  private static Memory memory(Child child, Row row) {
    return new Memory(
        row.getUUID("memory_id"),
        child.asked().parentId(),
        child.asked().token().value(),
        Rows.instant(row, "created_at"));
  }
}
