package com.memoryendpoints.gateway.pool;

import io.vertx.sqlclient.Row;
import java.time.Instant;
import java.time.OffsetDateTime;
import org.jspecify.annotations.Nullable;

/** Rows as the records that they stand for; the column names are those of the statements. */
final class Rows {
  private Rows() {}

  static Instant instant(Row row, String column) {
    return row.getOffsetDateTime(column).toInstant();
  }

  static @Nullable Instant maybeInstant(Row row, String column) {
    OffsetDateTime at = row.getOffsetDateTime(column);
    return at == null ? null : at.toInstant();
  }

  static Pool pool(Row row) {
    return new Pool(
        new PoolName(row.getString("pool")),
        new PoolSettings(
            row.getInteger("default_ttl_seconds"),
            row.getInteger("max_attempts"),
            row.getInteger("reclaim_grace_ms")),
        instant(row, "created_at"),
        new PoolCounts(
            row.getLong("unused"),
            row.getLong("pending"),
            row.getLong("consumed"),
            row.getLong("dead")),
        maybeInstant(row, "oldest_hold_at"));
  }
}
