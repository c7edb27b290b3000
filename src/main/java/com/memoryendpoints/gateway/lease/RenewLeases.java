package com.memoryendpoints.gateway.lease;

import com.memoryendpoints.gateway.audit.Redactor;
import com.memoryendpoints.gateway.db.BatchStatement;
import com.memoryendpoints.gateway.db.Columns;
import com.memoryendpoints.gateway.db.Sql;
import com.memoryendpoints.gateway.db.UuidV7;
import com.memoryendpoints.gateway.db.Verdicts;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.util.List;

/** Many renewals as one run of {@code renew_leases.sql}. */
final class RenewLeases implements BatchStatement<Renewal, Renewed> {
  private final boolean audited;
  private final Redactor redactor;
  private final UuidV7 ids;
  private final Verdicts verdicts;

  RenewLeases(boolean audited, Redactor redactor, UuidV7 ids, Verdicts verdicts) {
    this.audited = audited;
    this.redactor = redactor;
    this.ids = ids;
    this.verdicts = verdicts;
  }

  @Override
  public Sql sql() {
    return Sql.RENEW_LEASES;
  }

  @Override
  public boolean repeatable() {
    return true; // The second time extends once more, by as little as the first took.
  }

  @Override
  public Tuple parameters(List<Renewal> renewals) {
    Columns<Renewal> columns = new Columns<>(renewals);
    // Unaudited renewals spare two hashes and three columns each.
    Columns<Renewal> audit = new Columns<>(audited ? renewals : List.of());
    return Tuple.of(
        columns.uuids(Renewal::memoryId),
        columns.uuids(r -> r.owner().caller().tenantId()),
        columns.texts(r -> r.owner().caller().principal()),
        columns.texts(r -> r.owner().clientId()),
        columns.texts(Renewal::canonicalName),
        columns.longs(r -> r.token().value()),
        columns.ints(Renewal::ttlSeconds),
        audited,
        redactor.keyId(),
        audit.uuids(r -> ids.next()),
        audit.bytes(r -> redactor.name(r.owner().caller().tenantId(), r.canonicalName())),
        audit.bytes(r -> redactor.memory(r.owner().caller().tenantId(), r.memoryId())));
  }

  @Override
  public Renewed answer(Renewal renewal, Row row) {
    if (!row.getString("verdict").equals("renewed")) {
      throw verdicts.refusal(row);
    }
    return new Renewed(Rows.instant(row, "expires_at"), row.getInteger("ttl_seconds"));
  }
}
