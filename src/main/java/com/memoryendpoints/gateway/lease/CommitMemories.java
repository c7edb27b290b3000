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

/** Many fenced commits as one run of {@code commit_memories.sql}. */
final class CommitMemories implements BatchStatement<Commit, Committed> {
  private final Redactor redactor;
  private final UuidV7 ids;
  private final Meters meters;
  private final Verdicts verdicts;

  CommitMemories(Redactor redactor, UuidV7 ids, Meters meters) {
    this.redactor = redactor;
    this.ids = ids;
    this.meters = meters;
    this.verdicts = new Verdicts(meters);
  }

  @Override
  public Sql sql() {
    return Sql.COMMIT_MEMORIES;
  }

  @Override
  public boolean repeatable() {
    return true; // The head's own token and digest again are that commit.
  }

  @Override
  public Tuple parameters(List<Commit> commits) {
    Columns<Commit> columns = new Columns<>(commits);
    KeySpan span = KeySpan.of(commits.stream().map(CommitMemories::key));
    return Tuple.of(
        columns.uuids(Commit::memoryId),
        columns.uuids(c -> c.caller().tenantId()),
        columns.texts(c -> c.caller().principal()),
        columns.longs(c -> c.token().value()),
        columns.texts(Commit::digest),
        columns.longs(Commit::expectedRevision),
        columns.uuids(CommitMemories::key),
        span.first(),
        span.last(),
        columns.bytes(c -> Buffer.buffer(c.fingerprint().bytes())),
        columns.uuids(c -> ids.next()),
        columns.bytes(c -> redactor.memory(c.caller().tenantId(), c.memoryId())),
        redactor.keyId());
  }

  @Override
  public Committed answer(Commit commit, Row row) {
    return switch (row.getString("verdict")) {
      case "committed" -> {
        if (commit.key() != null) {
          meters.keyUsed(Meters.Key.NEW);
        }
        yield committed(row, false);
      }
      case "same" -> committed(row, false);
      case "replay" -> {
        meters.keyUsed(Meters.Key.REPLAY);
        yield committed(row, true);
      }
      default -> throw verdicts.refusal(row);
    };
  }

  private static Committed committed(Row row, boolean replayed) {
    return new Committed(row.getLong("revision"), Rows.instant(row, "committed_at"), replayed);
  }

  private static @Nullable UUID key(Commit commit) {
    return commit.key() == null ? null : commit.key().value();
  }
}
