package com.memoryendpoints.gateway.lease;

import com.memoryendpoints.gateway.db.BatchStatement;
import com.memoryendpoints.gateway.db.Columns;
import com.memoryendpoints.gateway.db.Sql;
import com.memoryendpoints.gateway.idempotency.KeySpan;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.util.List;

/** How many live leases claims would add, 0 or 1 each: {@code find_new_claims.sql}. */
final class FindNewClaims implements BatchStatement<Claim, Integer> {
  @Override
  public Sql sql() {
    return Sql.FIND_NEW_CLAIMS;
  }

  @Override
  public boolean repeatable() {
    return true; // Reads only.
  }

  @Override
  public Tuple parameters(List<Claim> claims) {
    Columns<Claim> columns = new Columns<>(claims);
    KeySpan span = KeySpan.of(claims.stream().map(c -> c.key().value()));
    return Tuple.tuple()
        .addUUID(span.first())
        .addUUID(span.last())
        .addArrayOfUUID(columns.uuids(c -> c.owner().caller().tenantId()))
        .addArrayOfUUID(columns.uuids(c -> c.key().value()))
        .addArrayOfString(columns.texts(c -> c.name().key()))
        .addArrayOfString(columns.texts(c -> c.name().canonical()))
        .addArrayOfUUID(columns.uuids(Claim::memoryId))
        .addArrayOfBoolean(columns.flags(c -> c.name().minted()));
  }

  @Override
  public Integer answer(Claim claim, Row row) {
    return row.getString("verdict").equals("new") ? 1 : 0;
  }
}
