package com.memoryendpoints.gateway.quota;

import com.memoryendpoints.gateway.db.BatchStatement;
import com.memoryendpoints.gateway.db.Columns;
import com.memoryendpoints.gateway.db.Sql;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Many counts as one run of {@code count_usage.sql}. */
final class CountUsage implements BatchStatement<CountUsage.Wanted, CountUsage.Part> {
  /** Memories whose leases one request looks at: a few milliseconds. */
  static final int MEMORIES_LOOKED_AT_MAX = 5_000;

  /**
   * What to count.
   *
   * @param most where counting may stop
   * @param after the memory to begin behind
   */
  record Wanted(Estimates.Key what, long most, UUID after) {}

  /**
   * What was found.
   *
   * @param next the memory to go on behind; null at the end
   */
  record Part(long used, @Nullable UUID next) {}

  @Override
  public Sql sql() {
    return Sql.COUNT_USAGE;
  }

  @Override
  public boolean repeatable() {
    return true; // Reads only.
  }

  /** A statement counts for sixteen. */
  @Override
  public int weight(Wanted wanted) {
    return 8;
  }

  @Override
  public Tuple parameters(List<Wanted> wanted) {
    Columns<Wanted> columns = new Columns<>(wanted);
    return Tuple.of(
        columns.uuids(w -> w.what().tenantId()),
        columns.texts(w -> w.what().resource().wire()),
        columns.longs(Wanted::most),
        columns.uuids(Wanted::after),
        MEMORIES_LOOKED_AT_MAX);
  }

  @Override
  public Part answer(Wanted wanted, Row row) {
    return new Part(row.getLong("used"), row.getUUID("next"));
  }
}
