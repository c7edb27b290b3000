package com.memoryendpoints.gateway.audit;

import io.vertx.core.buffer.Buffer;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One event as it was written.
 *
 * @param type an {@link AuditEvent} by name, or one that only a later version knows
 * @param nameHash of the agent's name or the pool's, by {@link Redactor#name}
 * @param memoryHash by {@link Redactor#memory}
 * @param keyId {@link Redactor#keyId} of the key that the hashes were made under
 * @param fencingToken the highest that the event is about, where it is about one
 * @param actor the principal who did it, or the gateway's own part that did
 */
public record AuditRecord(
    AuditPosition position,
    String type,
    @Nullable Buffer nameHash,
    @Nullable Buffer memoryHash,
    int keyId,
    @Nullable Long fencingToken,
    String actor,
    Instant createdAt) {

  /** How it came to be. */
  public AuditEvent.Outcome outcome() {
    return AuditEvent.outcomeOf(type);
  }
}
