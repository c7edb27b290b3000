package com.memoryendpoints.gateway.lease;

import static com.memoryendpoints.gateway.lease.Answers.answer;
import static com.memoryendpoints.gateway.lease.Answers.problem;
import static com.memoryendpoints.gateway.lease.Answers.refusal;
import static com.memoryendpoints.gateway.lease.TestGateway.digest;
import static org.assertj.core.api.Assertions.assertThat;

import com.memoryendpoints.gateway.idempotency.IdempotencyKey;
import com.memoryendpoints.gateway.problem.Problem;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A restarted owner claims its own live pair again and fences its own zombie. */
class ReclaimLawsTest {
  @RegisterExtension static final TestGateway GATEWAY = TestGateway.ofPods(2);

  private final Actor alice = GATEWAY.alice();

  @Test
  void theExactPairUnderALaterKeyGetsAHigherToken() {
    UUID memory = alice.memory();
    Lease zombie = alice.granted("Restarted", memory);
    Lease lease = alice.granted("Restarted", memory);
    assertThat(lease.fencingToken().value()).isGreaterThan(zombie.fencingToken().value());
    assertThat(lease.leaseId()).isNotEqualTo(zombie.leaseId());
    assertThat(
            List.of(
                problem(alice.renews(zombie, null)),
                problem(alice.releases(zombie)),
                problem(alice.verifies(zombie)),
                problem(alice.commits(zombie, digest(1))),
                problem(alice.branches(zombie))))
        .containsOnly(Problem.STALE_FENCING_TOKEN);
    answer(alice.renews(lease, null));
  }

  @Test
  void aDisplayNameOfTheSameCanonicalNameIsTheSamePair() {
    UUID memory = alice.memory();
    Lease first = alice.granted("My Agent", memory);
    Lease second = alice.granted("MYAGENT", memory);
    assertThat(second.canonicalName()).isEqualTo(first.canonicalName());
    assertThat(second.fencingToken().value()).isGreaterThan(first.fencingToken().value());
  }

  @Test
  void theNewGrantHasItsOwnTtl() {
    UUID memory = alice.memory();
    answer(alice.claims(alice.claim(alice.key(), "Shorter", memory, 300)));
    Lease second = answer(alice.claims(alice.claim(alice.key(), "Shorter", memory, 5))).lease();
    assertThat(second.expiresAt()).isEqualTo(second.grantedAt().plusSeconds(5));
    assertThat(answer(alice.verifies(second)).expiresAt()).isEqualTo(second.expiresAt());
  }

  /** store.md, must 8: a late original cannot fence its successor. */
  @Test
  void theExactPairUnderAnEarlierKeyIsHeld() {
    UUID memory = alice.memory();
    IdempotencyKey early = alice.key();
    Lease lease = alice.granted("Overtaken", memory);
    Claim late = alice.claim(early, "Overtaken", memory, 30);
    assertThat(problem(alice.claims(late))).isEqualTo(Problem.MEMORY_HELD);
    assertThat(problem(alice.on(GATEWAY.pod(1)).claims(late))).isEqualTo(Problem.MEMORY_HELD);
    answer(alice.verifies(lease));
  }

  /** Each re-claim moves the mark that the next key must pass. */
  @Test
  void aKeyBetweenTwoGrantsIsHeldToo() {
    UUID memory = alice.memory();
    alice.granted("Marked", memory);
    IdempotencyKey between = alice.key();
    Lease second = alice.granted("Marked", memory);
    assertThat(problem(alice.claims(alice.claim(between, "Marked", memory, 30))))
        .isEqualTo(Problem.MEMORY_HELD);
    answer(alice.verifies(second));
  }

  @Test
  void theReplayOfAGrantThatItsOwnerOvertookIsStale() {
    UUID memory = alice.memory();
    Claim first = alice.claim("Replaced", memory);
    Lease original = answer(alice.claims(first)).lease();
    Lease second = alice.granted("Replaced", memory);
    var replay = refusal(alice.claims(first));
    assertThat(replay.problem()).isEqualTo(Problem.STALE_FENCING_TOKEN);
    assertThat(replay.replayed()).isTrue();
    assertThat(replay.members())
        .containsEntry("grant", original)
        .containsEntry("current_token", second.fencingToken().value());
    answer(alice.verifies(second));
  }

  @Test
  void theSameOwnerWithAnotherPartnerIsHeld() {
    UUID memory = alice.memory();
    Lease lease = alice.granted("Faithful", memory);
    assertThat(problem(alice.claims("Unfaithful", memory))).isEqualTo(Problem.MEMORY_HELD);
    assertThat(problem(alice.claims("Faithful", alice.memory()))).isEqualTo(Problem.NAME_HELD);
    UUID second = alice.memory();
    alice.granted("Other", second);
    assertThat(problem(alice.claims("Faithful", second))).isEqualTo(Problem.MEMORY_HELD);
    assertThat(problem(alice.claims("Other", memory))).isEqualTo(Problem.MEMORY_HELD);
    answer(alice.verifies(lease));
  }

  @Test
  void aReleasedPairIsClaimedUnderAnyKey() {
    UUID memory = alice.memory();
    IdempotencyKey early = alice.key();
    Lease first = alice.granted("Freed", memory);
    answer(alice.releases(first));
    Lease second = answer(alice.claims(alice.claim(early, "Freed", memory, 30))).lease();
    assertThat(second.fencingToken().value()).isGreaterThan(first.fencingToken().value());
  }

  /** Two restarts of one agent at once: both may win, one after the other, never side by side. */
  @Test
  void concurrentRestartsLeaveOneCurrentToken() {
    UUID memory = alice.memory();
    alice.granted("Twins", memory);
    for (int round = 0; round < 10; round++) {
      Actor twin = alice.on(GATEWAY.pod(1));
      var calls = List.of(alice.claims("Twins", memory), twin.claims("Twins", memory));
      assertThat(Answers.outcomes(calls).keySet()).isSubsetOf("GRANTED", "MEMORY_HELD");
      List<Claimed> won = Answers.successes(calls);
      assertThat(won).isNotEmpty();
      assertThat(won).extracting(claimed -> claimed.lease().fencingToken()).doesNotHaveDuplicates();
      long current = answer(alice.finds(memory)).fencingToken();
      assertThat(won.stream().mapToLong(claimed -> claimed.lease().fencingToken().value()).max())
          .hasValue(current);
    }
  }
}
