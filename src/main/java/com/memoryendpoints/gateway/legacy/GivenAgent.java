package com.memoryendpoints.gateway.legacy;

import java.time.Instant;
import java.util.UUID;

/**
 * An agent as its file gives it.
 *
 * @param displayName whatever it is called, well-formed or not
 */
record GivenAgent(
    long line, UUID tenantId, String legacyId, Instant createdAt, String displayName) {
  static GivenAgent of(Row row) throws BadLine {
    return new GivenAgent(
        row.line(),
        Values.tenantId(row),
        Values.legacyId(row, "legacy_id"),
        Values.createdAt(row),
        row.value("display_name"));
  }
}
