package com.memoryendpoints.gateway.lease;

import com.memoryendpoints.gateway.audit.Redactor;
import com.memoryendpoints.gateway.db.BatchStatement;
import com.memoryendpoints.gateway.db.Columns;
import com.memoryendpoints.gateway.db.Sql;
import com.memoryendpoints.gateway.db.UuidV7;
import com.memoryendpoints.gateway.db.Verdicts;
import com.memoryendpoints.gateway.tenant.Caller;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.util.List;

/** Revocations of leases that were just read, as one run of {@code revoke_leases.sql}. */
final class RevokeLeases implements BatchStatement<RevokeLeases.Target, FencingToken> {

  /** The lease as read; it is revoked only while it is still that one. */
  record Target(Caller caller, Lease lease, String reason) {}

  private final int epochBase;
  private final Redactor redactor;
  private final UuidV7 ids;
  private final Verdicts verdicts;

  RevokeLeases(int epochBase, Redactor redactor, UuidV7 ids, Verdicts verdicts) {
    this.epochBase = epochBase;
    this.redactor = redactor;
    this.ids = ids;
    this.verdicts = verdicts;
  }

  @Override
  public Sql sql() {
    return Sql.REVOKE_LEASES;
  }

  @Override
  public boolean repeatable() {
    return false; // The first time raises the token, and the second would find it moved.
  }

  @Override
  public Tuple parameters(List<Target> targets) {
    Columns<Target> columns = new Columns<>(targets);
    return Tuple.of(
        columns.uuids(t -> t.lease().memoryId()),
        columns.uuids(t -> t.caller().tenantId()),
        columns.texts(t -> t.caller().principal()),
        columns.longs(t -> t.lease().fencingToken().value()),
        columns.texts(Target::reason),
        epochBase,
        redactor.keyId(),
        columns.uuids(t -> ids.next()),
        columns.bytes(t -> redactor.name(t.caller().tenantId(), t.lease().canonicalName())),
        columns.bytes(t -> redactor.memory(t.caller().tenantId(), t.lease().memoryId())));
  }

  @Override
  public FencingToken answer(Target target, Row row) {
    if (!row.getString("verdict").equals("revoked")) {
      throw verdicts.refusal(row);
    }
    return new FencingToken(row.getLong("token"));
  }
}
