package com.memoryendpoints.gateway.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.memoryendpoints.gateway.TestDatabase;
import com.memoryendpoints.gateway.TestLog;
import com.memoryendpoints.gateway.TestServer;
import com.memoryendpoints.gateway.db.Database;
import com.memoryendpoints.gateway.db.Standing;
import com.memoryendpoints.gateway.idempotency.IdempotencyKey;
import com.memoryendpoints.gateway.problem.Problem;
import com.memoryendpoints.gateway.problem.Refusal;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Nothing is granted in a history that the epoch is not anchored in, until it is; and what a token
 * is made of (store.md, must 3).
 */
class FencingAnchorTest {
  @RegisterExtension static final TestDatabase DATABASE = TestDatabase.migrated();
  private static final long SECONDS_TO_2026 = Duration.ofDays(365).toSeconds();
  private static final String FLOOR = "SELECT fencing_floor(?, '2026-01-01T00:00:00Z')";

  /** Later than every other, so that it may claim what its owner holds; never granted. */
  private static final IdempotencyKey KEY =
      new IdempotencyKey(UUID.fromString("ffffffff-ffff-7fff-bfff-ffffffffffff"));

  private final TestLog log = TestLog.of(Database.class);

  @BeforeEach
  void forgetAllTokens() {
    DATABASE.run("TRUNCATE memory_instances, agent_names CASCADE");
    DATABASE.run(
        "UPDATE fencing_epoch SET epoch = 0, timeline = current_timeline(),"
            + " system_identifier = (SELECT system_identifier FROM pg_control_system())");
  }

  @AfterEach
  void stopListening() {
    log.close();
  }

  private static int epoch() {
    return (int) DATABASE.value("SELECT epoch FROM fencing_epoch");
  }

  private static Lease granted(TestPod pod, UUID memory) {
    return pod.call(() -> pod.leases.claim(pod.claim("anchored", memory))).lease();
  }

  private static void assertUnavailable(TestPod pod, UUID memory) {
    Claim claim = TestPod.claim(KEY, "anchored", memory, 30);
    Refusal refusal = pod.refusal(() -> pod.leases.claim(claim));
    assertThat(refusal.problem()).isEqualTo(Problem.UNAVAILABLE);
    assertThat(refusal.members()).containsKey("retry_after_ms");
  }

  private void assertAdvised(String advice) {
    assertThat(log.lines()).anyMatch(line -> line.contains(advice));
  }

  /** The cluster that was dumped goes on granting; those grants are not in the dump. */
  @Test
  void aDumpInAFreshClusterGrantsNothingUntilItIsAnchored() {
    PrimaryImage image = PrimaryImage.shared();
    HighestTokens seen = image.seen();
    try (TestServer old = image.promoted()) {
      image.grant(old, seen, 0);
      Dump.of(image.on(old)).restore(DATABASE);
      image.grant(old, seen, 0);
    }
    try (TestPod pod = TestPod.trying(DATABASE)) {
      pod.await(Standing.UNANCHORED);
      assertUnavailable(pod, UUID.randomUUID());
      assertAdvised("run the subcommand anchor-epoch");
      // Two timelines of the old cluster, and 64.
      assertThat(DATABASE.value("SELECT anchor_fencing_epoch()")).isEqualTo(1 + 64);
      pod.awaitUp();
      image.grant(pod, seen);
    }
  }

  /** As pg_upgrade leaves it: the timeline begins again, the rows are all there. */
  @Test
  void aLowerTimelineGrantsNothingUntilItIsAnchored() {
    try (TestPod pod = new TestPod(DATABASE)) {
      HighestTokens seen = new HighestTokens();
      UUID memory = pod.memory();
      seen.rise(granted(pod, memory));
      int before = epoch();
      DATABASE.run("UPDATE fencing_epoch SET timeline = timeline + 1");
      assertUnavailable(pod, memory);
      pod.await(Standing.UNANCHORED);
      assertAdvised("run the subcommand anchor-epoch");
      assertThat((int) DATABASE.value("SELECT anchor_fencing_epoch()"))
          .isGreaterThanOrEqualTo(before + 64);
      pod.awaitUp();
      seen.rise(granted(pod, memory));
    }
  }

  @Test
  void anchoringWhatIsAnchoredChangesNothing() {
    assertThat(DATABASE.value("SELECT anchor_fencing_epoch()")).isNull();
    DATABASE.run("UPDATE fencing_epoch SET system_identifier = 1");
    assertThat(DATABASE.value("SELECT anchor_fencing_epoch()")).isEqualTo(epoch());
    assertThat(DATABASE.value("SELECT anchor_fencing_epoch()")).isNull();
  }

  /** Renewals go on: they issue no token. */
  @Test
  void usedUpEpochsGrantNothingAndSaySo() {
    DATABASE.run("UPDATE fencing_epoch SET epoch = 8191");
    try (TestPod pod = new TestPod(DATABASE);
        TestPod raised = new TestPod(DATABASE.uri(), 1, new LeaseSettings(1, false))) {
      UUID memory = pod.memory();
      Lease last = granted(pod, memory);
      assertThat(last.fencingToken().value()).isBetween(8191L << 40, (1L << 53) - 1);
      assertUnavailable(raised, memory);
      raised.await(Standing.USED_UP);
      assertAdvised("fencing epochs are used up");
      assertThat(raised.call(() -> raised.leases.renew(TestPod.renewal(last, 60))).expiresAt())
          .isAfter(last.expiresAt());
    }
  }

  @Test
  void anAnchorThatWouldUseUpTheEpochsIsRefused() {
    DATABASE.run("UPDATE fencing_epoch SET epoch = 8128, system_identifier = 1");
    assertThatThrownBy(() -> DATABASE.run("SELECT anchor_fencing_epoch()"))
        .rootCause()
        .hasMessageContaining("fencing_epochs_are_used_up");
  }

  @Test
  void aTokenIsAnEpochAClockAndACounter() {
    long clock = SECONDS_TO_2026 << 8;
    assertThat(DATABASE.value(FLOOR, 0)).isEqualTo(clock);
    assertThat(DATABASE.value(FLOOR, 3)).isEqualTo((3L << 40) + clock);
    DATABASE.run("UPDATE fencing_epoch SET epoch = 5");
    assertThat(DATABASE.value(FLOOR, 3)).isEqualTo((8L << 40) + clock);
    assertThat(DATABASE.value("SELECT fencing_floor(8186, '2161-02-07T06:28:15Z')"))
        .isEqualTo((1L << 53) - 256);
  }

  /** The counter then runs ahead of the clock, and the rows keep it. */
  @Test
  void moreThan256GrantsOfASecondStillRise() {
    try (TestPod pod = new TestPod(DATABASE)) {
      HighestTokens seen = new HighestTokens();
      UUID memory = pod.memory();
      seen.rise(granted(pod, memory));
      DATABASE.run(
          "UPDATE leases SET last_token = last_token + 1000000 WHERE memory_id = '" + memory + "'");
      Lease ahead = granted(pod, memory);
      assertThat(ahead.fencingToken().value()).isGreaterThan(seen.highest() + 1_000_000);
      pod.call(() -> pod.leases.release(TestPod.release(ahead)));
      assertThat(granted(pod, pod.memory()).fencingToken().value())
          .isEqualTo(ahead.fencingToken().value() + 1);
    }
  }
}
