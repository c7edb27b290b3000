package com.memoryendpoints.gateway.idempotency;

import java.util.Comparator;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The first and the last of a batch's keys, in the database's order: scalar bounds let it leave out
 * the partitions of other days.
 *
 * @param first null where the batch has no key
 * @param last null where the batch has no key
 */
public record KeySpan(@Nullable UUID first, @Nullable UUID last) {
  // PostgreSQL compares UUIDs byte by byte; UUID.compareTo compares signed halves.
  private static final Comparator<UUID> BYTE_ORDER =
      (a, b) -> {
        int high = Long.compareUnsigned(a.getMostSignificantBits(), b.getMostSignificantBits());
        return high != 0
            ? high
            : Long.compareUnsigned(a.getLeastSignificantBits(), b.getLeastSignificantBits());
      };

  /** The span of these keys; absent ones do not count. */
  public static KeySpan of(Stream<@Nullable UUID> keys) {
    UUID first = null;
    UUID last = null;
    for (UUID key : (Iterable<@Nullable UUID>) keys::iterator) {
      if (key != null) {
        first = first == null || BYTE_ORDER.compare(key, first) < 0 ? key : first;
        last = last == null || BYTE_ORDER.compare(key, last) > 0 ? key : last;
      }
    }
    return new KeySpan(first, last);
  }
}
