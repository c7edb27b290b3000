package com.memoryendpoints.gateway.lease;

import static com.memoryendpoints.gateway.lease.Answers.answer;
import static com.memoryendpoints.gateway.lease.Answers.outcomes;
import static org.assertj.core.api.Assertions.assertThat;

import com.memoryendpoints.gateway.db.Gate;
import com.memoryendpoints.gateway.problem.Refusal;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Supplier;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Scenario 22: a connection is cut, before the commit or after it, and the key sorts it out. */
class CutLawsTest {
  @RegisterExtension static final TestGateway GATEWAY = TestGateway.ofPods(1);

  private static final int ROUNDS = 4;
  private static final int CLAIMS = 100;

  private final Actor alice = GATEWAY.alice();

  /** Ends every session of the gateway, whatever it is doing. */
  private static void cut() {
    GATEWAY
        .database()
        .rows(
            """
            SELECT pg_terminate_backend(pid) FROM pg_stat_activity
            WHERE datname = current_database() AND pid <> pg_backend_pid()
              AND application_name = 'lease-gateway'
            """);
  }

  /** Sends a call until it is not refused for an outage; anything else is for the caller. */
  private static <T> T insist(Supplier<Future<T>> call) {
    List<T> answers = new ArrayList<>();
    Awaitility.await()
        .pollDelay(Duration.ZERO)
        .until(
            () -> {
              try {
                return answers.add(answer(call.get()));
              } catch (Refusal refusal) {
                assertThat(refusal.problem().status()).isEqualTo(503);
                return false;
              }
            });
    return answers.get(0);
  }

  @Test
  void aClaimThatWasCutIsOneLeaseUnderItsKey() {
    GATEWAY.database().run("TRUNCATE idempotency_records, audit_events");
    for (int round = 0; round < ROUNDS; round++) {
      List<Claim> claims = new ArrayList<>();
      for (UUID memory : insist(() -> Future.succeededFuture(alice.memories(CLAIMS)))) {
        claims.add(alice.claim("Cut " + round + " " + claims.size(), memory));
      }
      List<Future<Claimed>> calls = new ArrayList<>();
      for (Claim claim : claims) {
        calls.add(alice.claims(claim));
        if (calls.size() % 30 == round) {
          cut();
        }
      }
      assertThat(outcomes(calls).keySet())
          .isSubsetOf(Answers.GRANTED, "OUTCOME_UNKNOWN", "UNAVAILABLE", "OVERLOADED");
      for (int i = 0; i < CLAIMS; i++) {
        Claim claim = claims.get(i);
        Lease lease = insist(() -> alice.claims(claim)).lease();
        if (calls.get(i).succeeded()) {
          assertThat(calls.get(i).result().lease()).isEqualTo(lease);
        }
      }
    }
    assertThat(
            GATEWAY
                .database()
                .rows(
                    """
                    SELECT count(*) AS leases FROM idempotency_records WHERE operation = 1
                    UNION ALL
                    SELECT count(*) FROM audit_events WHERE event_type LIKE 'LEASE%'
                    """))
        .extracting(row -> row.get("leases"))
        .containsOnly((long) ROUNDS * CLAIMS);
  }

  /** A commit that was cut is one revision, sent again with its key or without one. */
  @Test
  void aCommitThatWasCutIsOneRevision() {
    UUID memory = insist(() -> alice.registers(null, alice.key().value())).memory().memoryId();
    Lease lease = insist(() -> alice.claims("Cutting", memory)).lease();
    for (long revision = 0; revision < 8; revision++) {
      String digest = TestGateway.digest((int) revision);
      var key = revision % 2 == 0 ? alice.key() : null;
      long expected = revision;
      Supplier<Future<Committed>> commit = () -> alice.commits(key, lease, digest, expected);
      Future<Committed> first = commit.get();
      cut();
      assertThat(insist(commit).revision()).isEqualTo(revision + 1);
      assertThat(outcomes(List.of(first)).keySet())
          .isSubsetOf(Answers.GRANTED, "OUTCOME_UNKNOWN", "UNAVAILABLE");
      insist(() -> alice.renews(lease, 300));
    }
  }

  /** A pod that has one connection, and that through the gate. */
  private static TestPod behind(Gate gate) {
    String direct = ":" + GATEWAY.database().server().port() + "/";
    String uri = GATEWAY.database().uri().replace(direct, ":" + gate.port() + "/");
    return new TestPod(uri, 1, new LeaseSettings(0, false));
  }

  private static long count(String what, Object... parameters) {
    return (Long) GATEWAY.database().value("SELECT count(*) FROM " + what, parameters);
  }

  /** What the database has done is certain, and the gateway cannot know it. */
  @Test
  void aClaimThatWasCommittedUnheardIsOneLeaseUnderItsKey() {
    String events = "audit_events WHERE event_type LIKE 'LEASE%'";
    try (Gate gate = new Gate(GATEWAY.database().server().port());
        TestPod pod = behind(gate)) {
      Actor unheard = alice.on(pod);
      for (int round = 0; round < ROUNDS; round++) {
        UUID memory = insist(() -> alice.registers(null, null)).memory().memoryId();
        Claim claim = unheard.claim("Unheard " + round, memory);
        long before = count(events);
        gate.mute();
        Future<Claimed> first = unheard.claims(claim);
        Awaitility.await()
            .until(() -> count("idempotency_records WHERE key = ?", claim.key().value()) == 1);
        gate.shut();
        gate.open();
        Claimed again = insist(() -> unheard.claims(claim));
        assertThat(again.replayed()).isTrue();
        assertThat(outcomes(List.of(first)).keySet())
            .isSubsetOf(Answers.GRANTED, "OUTCOME_UNKNOWN");
        if (first.succeeded()) {
          assertThat(first.result().lease()).isEqualTo(again.lease());
        }
        assertThat(count(events)).isEqualTo(before + 1);
        assertThat(GATEWAY.lease(memory))
            .containsEntry("lease_id", again.lease().leaseId())
            .containsEntry("last_token", again.lease().fencingToken().value());
        assertThat(insist(() -> unheard.verifies(again.lease())).expiresAt())
            .isEqualTo(again.lease().expiresAt());
      }
    }
  }

  @Test
  void aCommitThatWasCommittedUnheardIsOneRevision() {
    try (Gate gate = new Gate(GATEWAY.database().server().port());
        TestPod pod = behind(gate)) {
      Actor unheard = alice.on(pod);
      UUID memory = insist(() -> alice.registers(null, null)).memory().memoryId();
      Lease lease = insist(() -> alice.claims("Unheard", memory)).lease();
      for (long revision = 1; revision <= ROUNDS; revision++) {
        String digest = TestGateway.digest((int) revision);
        var key = revision % 2 == 0 ? alice.key() : null;
        long base = revision - 1;
        Supplier<Future<Committed>> commit = () -> unheard.commits(key, lease, digest, base);
        gate.mute();
        Future<Committed> first = commit.get();
        String head = "memory_heads WHERE memory_id = ? AND revision > ?";
        Awaitility.await().until(() -> count(head, memory, base) == 1);
        gate.shut();
        gate.open();
        assertThat(insist(commit).revision()).isEqualTo(revision);
        assertThat(outcomes(List.of(first)).keySet())
            .isSubsetOf(Answers.GRANTED, "OUTCOME_UNKNOWN");
      }
    }
  }
}
