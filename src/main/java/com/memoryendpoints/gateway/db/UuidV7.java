package com.memoryendpoints.gateway.db;

import com.fasterxml.uuid.Generators;
import com.fasterxml.uuid.NoArgGenerator;
import com.fasterxml.uuid.UUIDClock;
import java.security.SecureRandom;
import java.util.UUID;

/**
 * Mints UUIDv7s (RFC 9562 section 5.7) by the database's clock: a pod whose own clock is days off
 * still mints ids that fall into the partitions of today.
 */
public final class UuidV7 {
  private final NoArgGenerator generator;

  /**
   * A mint for one event loop.
   *
   * @param clock must be known before the first id is minted
   */
  public UuidV7(DatabaseClock clock) {
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
}
