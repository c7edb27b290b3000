package com.memoryendpoints.gateway.lease;

import io.vertx.sqlclient.Row;
import java.time.Instant;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Rows as the records that they stand for; the column names are those of the statements. */
final class Rows {
  private Rows() {}

  static Instant instant(Row row, String column) {
    return row.getOffsetDateTime(column).toInstant();
  }

  static Lease lease(Row row) {
    return new Lease(
        row.getUUID("lease_id"),
        row.getString("canonical_name"),
        row.getUUID("memory_id"),
        new FencingToken(row.getLong("token")),
        instant(row, "granted_at"),
        instant(row, "expires_at"),
        row.getInteger("ttl_seconds"));
  }

  static LeaseView leaseView(Row row) {
    return new LeaseView(
        lease(row),
        LeaseView.State.valueOf(row.getString("state").toUpperCase(Locale.ROOT)),
        row.getString("owner_client_id"),
        row.getLong("ttl_remaining_ms"));
  }

  static Memory memory(Row row) {
    return new Memory(
        row.getUUID("memory_id"),
        row.getUUID("parent_memory_id"),
        row.getLong("branched_at_token"),
        instant(row, "created_at"));
  }

  static MemoryView memoryView(Row row) {
    return new MemoryView(
        memory(row),
        row.getLong("token"),
        row.getUUID("lease_id") == null ? null : leaseView(row),
        head(row));
  }

  private static @Nullable Head head(Row row) {
    long revision = row.getLong("revision");
    return revision == 0
        ? null
        : new Head(revision, row.getString("content_digest"), instant(row, "committed_at"));
  }
}
