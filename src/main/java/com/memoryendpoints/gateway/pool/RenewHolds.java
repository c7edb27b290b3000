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

/** Many renewals as one run of {@code renew_holds.sql}; answers with the new end. */
final class RenewHolds implements BatchStatement<HoldRenewal, Instant> {
  private final boolean audited;
  private final Redactor redactor;
  private final UuidV7 ids;
  private final Verdicts verdicts;

  RenewHolds(boolean audited, Redactor redactor, UuidV7 ids, Verdicts verdicts) {
    this.audited = audited;
    this.redactor = redactor;
    this.ids = ids;
    this.verdicts = verdicts;
  }

  @Override
  public Sql sql() {
    return Sql.RENEW_HOLDS;
  }

  @Override
  public boolean repeatable() {
    return true; // The second time extends once more, by as little as the first took.
  }

  @Override
  public Tuple parameters(List<HoldRenewal> renewals) {
    Columns<HoldRenewal> columns = new Columns<>(renewals);
    // Unaudited renewals spare a hash and two columns each.
    Columns<HoldRenewal> audit = new Columns<>(audited ? renewals : List.of());
    return Tuple.of(
        columns.uuids(r -> r.hold().identifierId()),
        columns.uuids(r -> r.hold().caller().tenantId()),
        columns.texts(r -> r.hold().pool().text()),
        columns.texts(r -> r.hold().caller().principal()),
        columns.longs(r -> r.hold().token().value()),
        columns.ints(HoldRenewal::ttlSeconds),
        audited,
        redactor.keyId(),
        audit.uuids(r -> ids.next()),
        audit.bytes(r -> redactor.name(r.hold().caller().tenantId(), r.hold().pool().text())));
  }

  @Override
  public Instant answer(HoldRenewal renewal, Row row) {
    verdicts.require("renewed", row);
    return Rows.instant(row, "leased_until");
  }
}
