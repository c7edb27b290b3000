package com.memoryendpoints.gateway.idempotency;

import com.memoryendpoints.gateway.problem.Problem;
import java.util.UUID;

/**
 * One UUIDv7 that names a request across its retries.
 *
 * @param value version 7, variant 2 (RFC 9562 section 5.7)
 */
public record IdempotencyKey(UUID value) {
  /** How far a key's own time may lie from the database's, in milliseconds, either way. */
  public static final long WINDOW_MS = 24L * 60 * 60 * 1000;

  /** Checks version and variant. */
  public IdempotencyKey {
    if (value.version() != 7 || value.variant() != 2) {
      throw Problem.IDEMPOTENCY_KEY_INVALID.because("not version 7");
    }
  }

  /**
   * Reads a key as a header or a member carries it: bare, or quoted as a structured-field string.
   *
   * @throws com.memoryendpoints.gateway.problem.Refusal {@link Problem#IDEMPOTENCY_KEY_INVALID}
   */
  public static IdempotencyKey parse(String text) {
    int length = text.length();
    boolean quoted = length == 38 && text.charAt(0) == '"' && text.charAt(37) == '"';
    return new IdempotencyKey(uuid(quoted ? text.substring(1, 37) : text));
  }

  private static UUID uuid(String text) {
    try {
      UUID uuid = UUID.fromString(text);
      // UUID.fromString also takes signs, and groups of other lengths.
      if (uuid.toString().equalsIgnoreCase(text)) {
        return uuid;
      }
    } catch (IllegalArgumentException notHex) {
      // Falls through to the refusal.
    }
    throw Problem.IDEMPOTENCY_KEY_INVALID.because("not a UUID");
  }

  /** When the key was made, by its own account, in milliseconds since 1970. */
  public long madeAtMs() {
    return value.getMostSignificantBits() >>> 16;
  }

  /**
   * Refuses a key whose own time is more than {@link #WINDOW_MS} from the database's.
   *
   * @param databaseNowMs the database's clock, in milliseconds since 1970
   */
  public void requireWithinWindow(long databaseNowMs) {
    if (Math.abs(madeAtMs() - databaseNowMs) > WINDOW_MS) {
      throw Problem.IDEMPOTENCY_KEY_INVALID.because("out of its window");
    }
  }
}
