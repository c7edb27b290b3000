package com.memoryendpoints.gateway.legacy;

import java.time.Instant;
import java.util.UUID;

/** A memory as its file gives it. */
record GivenMemory(long line, UUID tenantId, String legacyId, Instant createdAt) {
  static GivenMemory of(Row row) throws BadLine {
    return new GivenMemory(
        row.line(),
        Values.tenantId(row),
        Values.legacyId(row, "legacy_memory_id"),
        Values.createdAt(row));
  }
}
