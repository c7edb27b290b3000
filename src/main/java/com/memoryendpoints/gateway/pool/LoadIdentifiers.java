package com.memoryendpoints.gateway.pool;

import com.memoryendpoints.gateway.audit.Redactor;
import com.memoryendpoints.gateway.db.BatchStatement;
import com.memoryendpoints.gateway.db.Columns;
import com.memoryendpoints.gateway.db.Sql;
import com.memoryendpoints.gateway.db.UuidV7;
import com.memoryendpoints.gateway.db.Verdicts;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.util.List;

/** Loads as runs of {@code load_identifiers.sql}, one each. */
final class LoadIdentifiers implements BatchStatement<Load, Loaded> {
  private final Redactor redactor;
  private final UuidV7 ids;
  private final Verdicts verdicts;

  LoadIdentifiers(Redactor redactor, UuidV7 ids, Verdicts verdicts) {
    this.redactor = redactor;
    this.ids = ids;
    this.verdicts = verdicts;
  }

  @Override
  public Sql sql() {
    return Sql.LOAD_IDENTIFIERS;
  }

  @Override
  public boolean repeatable() {
    return false; // The second time would call everything a duplicate.
  }

  @Override
  public Tuple parameters(List<Load> loads) {
    Load load = loads.get(0);
    Columns<String> columns = new Columns<>(load.identifiers());
    return Tuple.tuple()
        .addUUID(load.caller().tenantId())
        .addString(load.pool().text())
        .addString(load.caller().principal())
        .addArrayOfUUID(columns.uuids(identifier -> ids.next()))
        .addArrayOfString(columns.texts(identifier -> identifier))
        .addUUID(ids.next())
        .addInteger(redactor.keyId())
        .addBuffer(redactor.name(load.caller().tenantId(), load.pool().text()));
  }

  @Override
  public Loaded answer(Load load, Row row) {
    verdicts.require("loaded", row);
    return new Loaded(row.getInteger("inserted"), row.getInteger("duplicates"));
  }
}
