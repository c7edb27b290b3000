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

/** Many releases as one run of {@code release_leases.sql}; answers with the token released. */
final class ReleaseLeases implements BatchStatement<Release, FencingToken> {
  private final Redactor redactor;
  private final UuidV7 ids;
  private final Verdicts verdicts;

  ReleaseLeases(Redactor redactor, UuidV7 ids, Verdicts verdicts) {
    this.redactor = redactor;
    this.ids = ids;
    this.verdicts = verdicts;
  }

  @Override
  public Sql sql() {
    return Sql.RELEASE_LEASES;
  }

  @Override
  public boolean repeatable() {
    return true; // The last token again, already released, is released.
  }

  @Override
  public Tuple parameters(List<Release> releases) {
    Columns<Release> columns = new Columns<>(releases);
    return Tuple.of(
        columns.uuids(Release::memoryId),
        columns.uuids(r -> r.owner().caller().tenantId()),
        columns.texts(r -> r.owner().caller().principal()),
        columns.texts(r -> r.owner().clientId()),
        columns.texts(Release::canonicalName),
        columns.longs(r -> r.token().value()),
        redactor.keyId(),
        columns.uuids(r -> ids.next()),
        columns.bytes(r -> redactor.name(r.owner().caller().tenantId(), r.canonicalName())),
        columns.bytes(r -> redactor.memory(r.owner().caller().tenantId(), r.memoryId())));
  }

  @Override
  public FencingToken answer(Release release, Row row) {
    if (!row.getString("verdict").equals("released")) {
      throw verdicts.refusal(row);
    }
    return release.token();
  }
}
