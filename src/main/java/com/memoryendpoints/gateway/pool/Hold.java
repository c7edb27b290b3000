package com.memoryendpoints.gateway.pool;

import java.time.Instant;
import java.util.UUID;

/**
 * An identifier, held.
 *
 * @param token to be shown by whoever goes on with it, and wherever it is used
 * @param attempt which one this is: 1, and one more for every hold of it that lapsed
 */
public record Hold(
    UUID identifierId, String identifier, HoldToken token, Instant leasedUntil, int attempt) {}
