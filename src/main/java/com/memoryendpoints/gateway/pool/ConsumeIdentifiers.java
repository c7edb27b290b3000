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

/** Many fenced commits as one run of {@code consume_identifiers.sql}; answers with their time. */
final class ConsumeIdentifiers implements BatchStatement<Consumption, Instant> {
  private final Redactor redactor;
  private final UuidV7 ids;
  private final Verdicts verdicts;

  ConsumeIdentifiers(Redactor redactor, UuidV7 ids, Verdicts verdicts) {
    this.redactor = redactor;
    this.ids = ids;
    this.verdicts = verdicts;
  }

  @Override
  public Sql sql() {
    return Sql.CONSUME_IDENTIFIERS;
  }

  @Override
  public boolean repeatable() {
    return true; // The same token again is the same commit.
  }

  @Override
  public Tuple parameters(List<Consumption> consumptions) {
    Columns<Consumption> columns = new Columns<>(consumptions);
    return Tuple.of(
        columns.uuids(c -> c.hold().identifierId()),
        columns.uuids(c -> c.hold().caller().tenantId()),
        columns.texts(c -> c.hold().pool().text()),
        columns.texts(c -> c.hold().caller().principal()),
        columns.longs(c -> c.hold().token().value()),
        columns.texts(Consumption::reference),
        redactor.keyId(),
        columns.uuids(c -> ids.next()),
        columns.bytes(c -> redactor.name(c.hold().caller().tenantId(), c.hold().pool().text())));
  }

  @Override
  public Instant answer(Consumption consumption, Row row) {
    verdicts.require("consumed", row);
    return Rows.instant(row, "consumed_at");
  }
}
