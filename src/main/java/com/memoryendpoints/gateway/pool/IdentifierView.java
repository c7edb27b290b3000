package com.memoryendpoints.gateway.pool;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * An identifier as it is.
 *
 * @param state as last written: a PENDING one whose {@code leasedUntil} is past has lapsed
 * @param token the last issued; 0 when none was
 * @param attempts holds that lapsed and were taken back, since the load or a redrive
 * @param availableAt from when it can be claimed, while it is UNUSED
 * @param claimedAt when the last hold began, as are the other two of the last hold
 */
public record IdentifierView(
    UUID identifierId,
    String identifier,
    State state,
    long token,
    int attempts,
    Instant availableAt,
    @Nullable Instant claimedAt,
    @Nullable Instant leasedUntil,
    @Nullable String ownerClientId,
    @Nullable Instant consumedAt,
    @Nullable String reference) {

  /** Where an identifier is; the order is that of the codes in the database. */
  public enum State {
    UNUSED,
    PENDING,
    CONSUMED,
    DEAD
  }
}
