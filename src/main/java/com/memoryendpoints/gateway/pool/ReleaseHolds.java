package com.memoryendpoints.gateway.pool;

import com.memoryendpoints.gateway.audit.Redactor;
import com.memoryendpoints.gateway.db.BatchStatement;
import com.memoryendpoints.gateway.db.Columns;
import com.memoryendpoints.gateway.db.Sql;
import com.memoryendpoints.gateway.db.UuidV7;
import com.memoryendpoints.gateway.db.Verdicts;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.time.Instant;
import java.util.List;

/** Many releases as one run of {@code release_holds.sql}; answers with when each can be claimed. */
final class ReleaseHolds implements BatchStatement<HoldRelease, Instant> {
  private final Redactor redactor;
  private final UuidV7 ids;
  private final Verdicts verdicts;

  ReleaseHolds(Redactor redactor, UuidV7 ids, Verdicts verdicts) {
    this.redactor = redactor;
    this.ids = ids;
    this.verdicts = verdicts;
  }

  @Override
  public Sql sql() {
    return Sql.RELEASE_HOLDS;
  }

  @Override
  public boolean repeatable() {
    return true; // The last token again, already released, is released.
  }

  @Override
  public Tuple parameters(List<HoldRelease> releases) {
    Columns<HoldRelease> columns = new Columns<>(releases);
    return Tuple.of(
        columns.uuids(r -> r.hold().identifierId()),
        columns.uuids(r -> r.hold().caller().tenantId()),
        columns.texts(r -> r.hold().pool().text()),
        columns.texts(r -> r.hold().caller().principal()),
        columns.longs(r -> r.hold().token().value()),
        columns.ints(HoldRelease::delaySeconds),
        redactor.keyId(),
        columns.uuids(r -> ids.next()),
        columns.bytes(r -> redactor.name(r.hold().caller().tenantId(), r.hold().pool().text())));
  }

  @Override
  public Instant answer(HoldRelease release, Row row) {
    verdicts.require("released", row);
    return Rows.instant(row, "available_at");
  }
}
