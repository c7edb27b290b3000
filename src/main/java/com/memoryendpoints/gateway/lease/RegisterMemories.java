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
import org.jspecify.annotations.Nullable;

/** Many registrations as one run of {@code register_memories.sql}. */
final class RegisterMemories implements BatchStatement<RegisterMemories.Newborn, Registered> {

  /**
   * A registration and the id that it is for; minted once, so that a second run finds the first.
   */
  record Newborn(Registration asked, UUID memoryId) {
    @Nullable UUID key() {
      return asked.key() == null ? null : asked.key().value();
    }
  }

  private final Redactor redactor;
  private final UuidV7 ids;
  private final Meters meters;
  private final Verdicts verdicts;

  RegisterMemories(Redactor redactor, UuidV7 ids, Meters meters) {
    this.redactor = redactor;
    this.ids = ids;
    this.meters = meters;
    this.verdicts = new Verdicts(meters);
  }

  @Override
  public Sql sql() {
    return Sql.REGISTER_MEMORIES;
  }

  @Override
  public boolean repeatable() {
    return true; // The second time finds the memory of the first.
  }

  @Override
  public Tuple parameters(List<Newborn> newborns) {
    Columns<Newborn> columns = new Columns<>(newborns);
    KeySpan span = KeySpan.of(newborns.stream().map(Newborn::key));
    return Tuple.of(
        columns.uuids(Newborn::memoryId),
        columns.uuids(n -> n.asked().caller().tenantId()),
        columns.texts(n -> n.asked().caller().principal()),
        columns.uuids(Newborn::key),
        columns.bytes(n -> Buffer.buffer(n.asked().fingerprint().bytes())),
        span.first(),
        span.last(),
        columns.uuids(n -> ids.next()),
        columns.bytes(n -> redactor.memory(n.asked().caller().tenantId(), n.memoryId())),
        redactor.keyId());
  }

  @Override
  public Registered answer(Newborn newborn, Row row) {
    return switch (row.getString("verdict")) {
      case "registered" -> {
        if (newborn.key() != null) {
          meters.keyUsed(Meters.Key.NEW);
        }
        yield new Registered(Rows.memory(row), true, false);
      }
      case "exists" -> new Registered(Rows.memory(row), false, false);
      case "replay" -> {
        meters.keyUsed(Meters.Key.REPLAY);
        yield new Registered(Rows.memory(row), false, true);
      }
      default -> throw verdicts.refusal(row);
    };
  }
}
