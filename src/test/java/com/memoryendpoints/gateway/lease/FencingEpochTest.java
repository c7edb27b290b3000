package com.memoryendpoints.gateway.lease;

import static org.assertj.core.api.Assertions.assertThat;

import com.memoryendpoints.gateway.TestDatabase;
import com.memoryendpoints.gateway.TestServer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * No token is issued twice or goes back, whatever copy of the database goes on (store.md, must 3).
 *
 * <p>The image is a primary's data as a lost machine leaves it. That primary has granted more
 * since: to every copy of the image those grants are lost, though their holders still hold the
 * tokens.
 */
class FencingEpochTest {
  private static final int PAIRS = 5;
  private static final HighestTokens SEEN = new HighestTokens();
  private static TestServer image;
  private static TestDatabase database;
  private static Round round;

  @BeforeAll
  static void makeTheImage() {
    image = TestServer.start();
    database = TestDatabase.on(image);
    try (TestPod pod = new TestPod(database)) {
      round = Round.of(pod, PAIRS);
      round.run(pod, 0).forEach(SEEN::rise);
    }
    image.kill();
    try (TestServer primary = image.copy()) {
      grant(primary, SEEN, 0);
    }
  }

  @AfterAll
  static void close() {
    image.close();
  }

  /** Grants every name with every memory. */
  private static void grant(TestServer on, HighestTokens seen, int epochBase) {
    String uri = database.copiedTo(on).uri();
    try (TestPod pod = new TestPod(uri, 1, new LeaseSettings(epochBase, false))) {
      for (int shift = 0; shift < PAIRS; shift++) {
        round.run(pod, shift).forEach(seen::rise);
      }
    }
  }

  private static TestServer promoted(TestServer from) {
    TestServer server = from.standby(null);
    server.promote();
    return server;
  }

  private static int timeline(TestServer on) {
    return (int) database.copiedTo(on).value("SELECT current_timeline()");
  }

  private static long floor(TestServer on, int epochBase) {
    return (long)
        database.copiedTo(on).value("SELECT fencing_floor(?, clock_timestamp())", epochBase);
  }

  /** What the clock is to order must not happen within one second. */
  private static void awaitTheClock(TestServer on, HighestTokens seen, int epochBase) {
    Awaitility.await().until(() -> floor(on, epochBase) > seen.highest());
  }

  @Test
  void tokensRiseThroughTwoPromotionsThatLoseCommits() {
    HighestTokens seen = SEEN.copy();
    try (TestServer first = promoted(image)) {
      grant(first, seen, 0);
      first.stop();
      try (TestServer second = first.standby(null)) {
        first.restart();
        grant(first, seen, 0);
        second.promote();
        grant(second, seen, 0);
        assertThat(timeline(first)).isEqualTo(2);
        assertThat(timeline(second)).isEqualTo(3);
      }
    }
  }

  /**
   * What is not covered is that both grant in the same second, or that a memory was granted more
   * than 256 times a second on the one, or that the other's clock is behind.
   */
  @Test
  void copiesPromotedToOneTimelineAreOrderedByTheClockAlone() {
    HighestTokens seen = SEEN.copy();
    try (TestServer one = promoted(image);
        TestServer other = promoted(image)) {
      assertThat(timeline(one)).isEqualTo(2);
      assertThat(timeline(other)).isEqualTo(2);
      String sameInstant = "SELECT fencing_floor(0, '2026-01-01T00:00:00Z')";
      assertThat(database.copiedTo(one).value(sameInstant))
          .isEqualTo(database.copiedTo(other).value(sameInstant));
      grant(one, seen, 0);
      awaitTheClock(other, seen, 0);
      grant(other, seen, 0);
    }
  }

  /** A volume is put back, and the server comes up by crash recovery on its old timeline. */
  @Test
  void aRestoredCopyIsOrderedByTheClock() {
    HighestTokens seen = SEEN.copy();
    try (TestServer restored = image.copy()) {
      assertThat(timeline(restored)).isEqualTo(1);
      awaitTheClock(restored, seen, 0);
      grant(restored, seen, 0);
    }
  }

  /** The one restore that nothing in the copy can tell of: {@code fencing.epoch_base} does. */
  @Test
  void aCopyRestoredFromBeforeAPromotionNeedsTheEpochBaseRaised() {
    HighestTokens seen = SEEN.copy();
    try (TestServer promoted = promoted(image)) {
      grant(promoted, seen, 0);
    }
    try (TestServer restored = image.copy()) {
      assertThat(floor(restored, 0)).isLessThan(seen.highest());
      awaitTheClock(restored, seen, 1);
      grant(restored, seen, 1);
    }
  }
}
