package com.memoryendpoints.gateway.db;

import io.vertx.core.buffer.Buffer;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * The members of a batch, column by column: one array a member keeps one statement text for every
 * batch size.
 *
 * @param <Q> the request
 */
public record Columns<Q>(List<Q> requests) {

  /** The UUIDs of all requests; null where one has none. */
  public @Nullable UUID[] uuids(Function<Q, @Nullable UUID> member) {
    return of(member, UUID[]::new);
  }

  /** The texts of all requests; null where one has none. */
  public @Nullable String[] texts(Function<Q, @Nullable String> member) {
    return of(member, String[]::new);
  }

  /** Whether it is so, of each request. */
  public @Nullable Boolean[] flags(Function<Q, @Nullable Boolean> member) {
    return of(member, Boolean[]::new);
  }

  /** The 32 bit numbers of all requests; null where one has none. */
  public @Nullable Integer[] ints(Function<Q, @Nullable Integer> member) {
    return of(member, Integer[]::new);
  }

  /** The 64 bit numbers of all requests; null where one has none. */
  public @Nullable Long[] longs(Function<Q, @Nullable Long> member) {
    return of(member, Long[]::new);
  }

  /** The byte strings of all requests; null where one has none. */
  public @Nullable Buffer[] bytes(Function<Q, @Nullable Buffer> member) {
    return of(member, Buffer[]::new);
  }

  private <T> @Nullable T[] of(Function<Q, @Nullable T> member, IntFunction<@Nullable T[]> array) {
    @Nullable T[] column = array.apply(requests.size());
    for (int i = 0; i < column.length; i++) {
      column[i] = member.apply(requests.get(i));
    }
    return column;
  }
}
