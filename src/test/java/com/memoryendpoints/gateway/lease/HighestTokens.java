package com.memoryendpoints.gateway.lease;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;

/**
 * The highest token ever seen of each memory and of each name, whatever server issued it and
 * whether or not that server is still heard of.
 */
final class HighestTokens {
  private final Map<String, Long> highest;

  HighestTokens() {
    this(Map.of());
  }

  private HighestTokens(Map<String, Long> highest) {
    this.highest = new HashMap<>(highest);
  }

  /** The same so far; from here on apart. */
  HighestTokens copy() {
    return new HighestTokens(highest);
  }

  /** The highest of all. */
  long highest() {
    return highest.values().stream().mapToLong(Long::longValue).max().orElse(0);
  }

  /** Takes a token that must be higher than all before it, of its memory and of its name. */
  void rise(Lease lease) {
    rise("memory " + lease.memoryId(), lease.fencingToken().value());
    rise("name " + lease.canonicalName(), lease.fencingToken().value());
  }

  private void rise(String whose, long token) {
    assertThat(token).as(whose).isGreaterThan(highest.getOrDefault(whose, 0L)).isLessThan(1L << 53);
    highest.put(whose, token);
  }
}
