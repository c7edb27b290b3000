package com.memoryendpoints.gateway.lease;

import static com.memoryendpoints.gateway.lease.Answers.GRANTED;
import static com.memoryendpoints.gateway.lease.Answers.answer;
import static com.memoryendpoints.gateway.lease.Answers.outcomes;
import static com.memoryendpoints.gateway.lease.Answers.successes;
import static org.assertj.core.api.Assertions.assertThat;

import com.memoryendpoints.gateway.problem.Refusal;
import io.vertx.core.Future;
import java.sql.Timestamp;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Scenario 10: around the very instant of a lapse, `>` and `<=` leave no gap and no overlap. */
class LapseInstantLawsTest {
  @RegisterExtension static final TestGateway GATEWAY = TestGateway.ofPods(2);

  private static final int CLAIMERS = 1_000;
  private static final int ROUNDS = 8;

  private final Actor alice = GATEWAY.alice();

  /** Lets the lease end so many milliseconds from now, and tells when that is. */
  private static Instant endsIn(UUID memory, int ms) {
    return ((Timestamp)
            GATEWAY
                .database()
                .value(
                    """
                    UPDATE leases SET expires_at = clock_timestamp() + ? * interval '1 ms'
                    WHERE memory_id = ? RETURNING expires_at
                    """,
                    ms,
                    memory))
        .toInstant();
  }

  /** Whether the call was refused for the lease that ended then. */
  private static boolean cameBefore(Future<Claimed> call, Instant end) {
    return call.cause() instanceof Refusal refusal
        && end.equals(refusal.members().get("held_until"));
  }

  /** So many rounds in which some came before the lapse and one was granted after it. */
  @Test
  void atTheInstantOfALapseOneOfAThousandClaimersWins() {
    Random random = new Random(7_001);
    UUID memory = alice.memory();
    Lease held = alice.granted("Instant", memory);
    List<UUID> others = alice.memories(CLAIMERS);
    int straddling = 0;
    long spanMs = 30;
    for (int round = 0; straddling < ROUNDS; round++) {
      assertThat(round).isLessThan(ROUNDS * 10);
      List<Claim> claims = new ArrayList<>();
      for (int n = 0; n < CLAIMERS; n++) {
        // For the name alone, and for the name with the first holder's memory.
        UUID claimed = n % 3 == 0 ? memory : others.get((n + round) % CLAIMERS);
        claims.add(alice.as("w" + round + "." + n).claim("Instant", claimed));
      }
      // Some time within a round, as long as the last one took.
      long begunNanos = System.nanoTime();
      Instant end = endsIn(held.memoryId(), random.nextInt((int) spanMs));
      List<Future<Claimed>> calls = new ArrayList<>();
      for (int n = 0; n < CLAIMERS; n++) {
        calls.add(alice.on(GATEWAY.pod(n % 2)).claims(claims.get(n)));
      }
      Map<String, Long> outcomes = outcomes(calls);
      spanMs = 1 + (System.nanoTime() - begunNanos) / 1_000_000;
      assertThat(outcomes.keySet()).isSubsetOf(GRANTED, "NAME_HELD", "MEMORY_HELD");
      if (outcomes.containsKey(GRANTED) && calls.stream().anyMatch(call -> cameBefore(call, end))) {
        straddling++;
      }
      if (!outcomes.containsKey(GRANTED)) {
        // All came before the lapse; nobody comes after it but this one.
        endsIn(held.memoryId(), -1);
        calls = List.of(alice.claims("Instant", memory));
      }
      assertThat(successes(calls)).hasSize(1);
      Lease next = successes(calls).get(0).lease();
      assertThat(next.fencingToken().value()).isGreaterThan(held.fencingToken().value());
      assertThat(next.grantedAt())
          .isAfterOrEqualTo(outcomes.containsKey(GRANTED) ? end : held.grantedAt());
      held = next;
    }
  }

  /** The owner's own renewal, at that instant: it goes on, or somebody else does, never both. */
  @Test
  void atTheInstantOfALapseEitherTheOwnerOrAClaimerGoesOn() {
    Random random = new Random(7_002);
    for (int round = 0; round < 40; round++) {
      UUID memory = alice.memory();
      Lease lease = alice.granted("Edge " + round, memory);
      Claim claim = alice.as("rival").claim("Edge " + round, memory);
      endsIn(memory, random.nextInt(4));
      Actor rival = alice.on(GATEWAY.pod(1));
      Future<Renewed> renewal = alice.renews(lease, 30);
      Future<Claimed> takeover = rival.claims(claim);
      Map<String, Long> renewed = outcomes(List.of(renewal));
      Map<String, Long> taken = outcomes(List.of(takeover));
      if (renewed.containsKey(GRANTED)) {
        assertThat(taken).containsOnlyKeys("MEMORY_HELD");
        assertThat(answer(alice.verifies(lease)).expiresAt())
            .isEqualTo(renewal.result().expiresAt());
      } else {
        // Lapsed while the rival came too early, or taken over.
        assertThat(renewed.keySet()).isSubsetOf("LEASE_LAPSED", "STALE_FENCING_TOKEN");
        assertThat(taken.keySet()).isSubsetOf(GRANTED, "MEMORY_HELD");
      }
    }
  }
}
