package com.memoryendpoints.gateway.db;

import com.fasterxml.uuid.Generators;
import com.fasterxml.uuid.NoArgGenerator;
import com.fasterxml.uuid.UUIDClock;
import java.security.SecureRandom;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Mints UUIDv7s (RFC 9562 section 5.7) by the database's clock: a pod whose own clock is days off
 * still mints ids that fall into the partitions of today.
 */
public final class UuidV7 {
  private static final long TAIL = (1L << 40) - 1;
  private static final long RANDOM_22 = (1L << 22) - 1;

  private final DatabaseClock clock;
  private final NoArgGenerator generator;

  /**
   * A mint for one event loop.
   *
   * @param clock must be known before the first id is minted
   */
  public UuidV7(DatabaseClock clock) {
    this.clock = clock;
    this.generator =
        Generators.timeBasedEpochGenerator(
            new SecureRandom(),
            new UUIDClock() {
              @Override
              public long currentTimeMillis() {
                return clock.nowMs();
              }
            });
  }

  /** A fresh id, later than the ones before. */
  public UUID next() {
    return generator.generate();
  }

  /**
   * A fresh id whose last 40 bits are another's, so that what it names is found through the other
   * without an index of its own; 34 bits are random.
   */
  public UUID nextBeside(UUID other) {
    long random = ThreadLocalRandom.current().nextLong();
    long high = (clock.nowMs() << 16) | 0x7000 | (random >>> 52);
    long tail = other.getLeastSignificantBits() & TAIL;
    long low = Long.MIN_VALUE | ((random & RANDOM_22) << 40) | tail;
    return new UUID(high, low);
  }
}
