package com.memoryendpoints.gateway.lease;

import static org.assertj.core.api.Assertions.assertThat;

import com.memoryendpoints.gateway.TestServer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/**
 * No token is issued twice or goes back, whatever copy of the database goes on (store.md, must 3),
 * though every copy here lacks the last grants of the primary that it was copied from.
 */
class FencingEpochTest {
  private static final PrimaryImage IMAGE = PrimaryImage.shared();

  private static int timeline(TestServer on) {
    return (int) IMAGE.on(on).value("SELECT current_timeline()");
  }

  private static long floor(TestServer on, int epochBase) {
    return (long) IMAGE.on(on).value("SELECT fencing_floor(?, clock_timestamp())", epochBase);
  }

  /** What the clock is to order must not happen within one second. */
  private static void awaitTheClock(TestServer on, HighestTokens seen, int epochBase) {
    Awaitility.await().until(() -> floor(on, epochBase) > seen.highest());
  }

  @Test
  void tokensRiseThroughTwoPromotionsThatLoseCommits() {
    HighestTokens seen = IMAGE.seen();
    try (TestServer first = IMAGE.promoted()) {
      IMAGE.grant(first, seen, 0);
      first.stop();
      try (TestServer second = first.standby()) {
        first.restart();
        IMAGE.grant(first, seen, 0);
        second.promote();
        IMAGE.grant(second, seen, 0);
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
    HighestTokens seen = IMAGE.seen();
    try (TestServer one = IMAGE.promoted();
        TestServer other = IMAGE.promoted()) {
      assertThat(timeline(one)).isEqualTo(2);
      assertThat(timeline(other)).isEqualTo(2);
      String sameInstant = "SELECT fencing_floor(0, '2026-01-01T00:00:00Z')";
      assertThat(IMAGE.on(one).value(sameInstant)).isEqualTo(IMAGE.on(other).value(sameInstant));
      IMAGE.grant(one, seen, 0);
      awaitTheClock(other, seen, 0);
      IMAGE.grant(other, seen, 0);
    }
  }

  /** A volume is put back, and the server comes up by crash recovery on its old timeline. */
  @Test
  void aRestoredCopyIsOrderedByTheClock() {
    HighestTokens seen = IMAGE.seen();
    try (TestServer restored = IMAGE.primary()) {
      assertThat(timeline(restored)).isEqualTo(1);
      awaitTheClock(restored, seen, 0);
      IMAGE.grant(restored, seen, 0);
    }
  }

  /** The one restore that nothing in the copy can tell of: {@code fencing.epoch_base} does. */
  @Test
  void aCopyRestoredFromBeforeAPromotionNeedsTheEpochBaseRaised() {
    HighestTokens seen = IMAGE.seen();
    try (TestServer promoted = IMAGE.promoted()) {
      IMAGE.grant(promoted, seen, 0);
    }
    try (TestServer restored = IMAGE.primary()) {
      assertThat(floor(restored, 0)).isLessThan(seen.highest());
      awaitTheClock(restored, seen, 1);
      IMAGE.grant(restored, seen, 1);
    }
  }
}
