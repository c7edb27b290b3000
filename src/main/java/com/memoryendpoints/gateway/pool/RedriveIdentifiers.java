package com.memoryendpoints.gateway.pool;

import com.memoryendpoints.gateway.audit.Redactor;
import com.memoryendpoints.gateway.db.BatchStatement;
import com.memoryendpoints.gateway.db.Sql;
import com.memoryendpoints.gateway.db.UuidV7;
import com.memoryendpoints.gateway.db.Verdicts;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.util.List;
import java.util.UUID;

/** Redrives as runs of {@code redrive_identifiers.sql}, one each; answers with how many. */
final class RedriveIdentifiers implements BatchStatement<Redrive, Integer> {
  /** Identifiers of one statement: some 50 ms. */
  static final int REDRIVEN_ROWS_MAX = 1_000;

  private final Redactor redactor;
  private final UuidV7 ids;
  private final Verdicts verdicts;

  RedriveIdentifiers(Redactor redactor, UuidV7 ids, Verdicts verdicts) {
    this.redactor = redactor;
    this.ids = ids;
    this.verdicts = verdicts;
  }

  @Override
  public Sql sql() {
    return Sql.REDRIVE_IDENTIFIERS;
  }

  @Override
  public boolean repeatable() {
    return false; // The second time could not tell how many the first had put back.
  }

  @Override
  public Tuple parameters(List<Redrive> redrives) {
    Redrive redrive = redrives.get(0);
    List<UUID> chosen = redrive.identifierIds();
    return Tuple.of(
        redrive.caller().tenantId(),
        redrive.pool().text(),
        redrive.caller().principal(),
        chosen == null ? null : chosen.toArray(UUID[]::new),
        REDRIVEN_ROWS_MAX,
        ids.next(),
        redactor.keyId(),
        redactor.name(redrive.caller().tenantId(), redrive.pool().text()));
  }

  @Override
  public Integer answer(Redrive redrive, Row row) {
    verdicts.require("redriven", row);
    return row.getInteger("redriven");
  }
}
