package com.memoryendpoints.gateway.lease;

import static com.memoryendpoints.gateway.lease.Answers.answer;
import static com.memoryendpoints.gateway.lease.Answers.problem;
import static com.memoryendpoints.gateway.lease.Answers.refusal;
import static org.assertj.core.api.Assertions.assertThat;

import com.memoryendpoints.gateway.problem.Problem;
import com.memoryendpoints.gateway.problem.Refusal;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A key's second use tells what became of the first: history, not ownership (scenario 23). */
class ReplayLawsTest {
  @RegisterExtension static final TestGateway GATEWAY = TestGateway.ofPods(2);

  private final Actor alice = GATEWAY.alice();

  private Refusal replay(Claim claim, Lease original) {
    List<?> before = GATEWAY.everything();
    Refusal refusal = refusal(alice.on(GATEWAY.pod(1)).claims(claim));
    assertThat(refusal.replayed()).isTrue();
    assertThat(refusal.members()).containsEntry("grant", original);
    assertThat(GATEWAY.everything()).isEqualTo(before);
    return refusal;
  }

  @Test
  void theReplayOfALiveGrantIsTheGrant() {
    Claim claim = alice.claim("Live", alice.memory());
    Claimed first = answer(alice.claims(claim));
    assertThat(first.replayed()).isFalse();
    List<?> before = GATEWAY.everything();
    for (int pod : new int[] {0, 1, 0, 1}) {
      assertThat(answer(alice.on(GATEWAY.pod(pod)).claims(claim)))
          .isEqualTo(new Claimed(first.lease(), true));
    }
    assertThat(GATEWAY.everything()).isEqualTo(before);
  }

  /** The same bytes: what has happened to the lease since is not in them. */
  @Test
  void theReplayOfARenewedGrantIsStillTheGrant() {
    Claim claim = alice.claim("Renewed", alice.memory());
    Lease lease = answer(alice.claims(claim)).lease();
    answer(alice.renews(lease, 300));
    assertThat(answer(alice.claims(claim))).isEqualTo(new Claimed(lease, true));
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void theReplayOfALapsedGrantIsLapsed(boolean reaped) {
    Claim claim = alice.claim("Lapsed" + reaped, alice.memory());
    Lease lease = answer(alice.claims(claim)).lease();
    GATEWAY.lapse(claim.memoryId(), reaped);
    assertThat(replay(claim, lease).problem()).isEqualTo(Problem.LEASE_LAPSED);
    // A fresh key is a fresh claim.
    alice.granted("Lapsed" + reaped, claim.memoryId());
    assertThat(replay(claim, lease).problem()).isEqualTo(Problem.STALE_FENCING_TOKEN);
  }

  @Test
  void theReplayOfAReleasedGrantIsReleased() {
    Claim claim = alice.claim("Released", alice.memory());
    Lease lease = answer(alice.claims(claim)).lease();
    answer(alice.releases(lease));
    assertThat(replay(claim, lease).problem()).isEqualTo(Problem.LEASE_RELEASED);
  }

  @Test
  void theReplayOfAMemoryTakenOverIsStale() {
    Claim claim = alice.claim("Taken", alice.memory());
    Lease lease = answer(alice.claims(claim)).lease();
    GATEWAY.lapse(claim.memoryId());
    Lease next = alice.as("successor").granted("Taker", claim.memoryId());
    Refusal stale = replay(claim, lease);
    assertThat(stale.problem()).isEqualTo(Problem.STALE_FENCING_TOKEN);
    assertThat(stale.members()).containsEntry("current_token", next.fencingToken().value());
  }

  /** The name went to another memory: the lease itself has lapsed, and no later one replaced it. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void theReplayOfANameTakenOverIsLapsed(boolean reaped) {
    Claim claim = alice.claim("Moved" + reaped, alice.memory());
    Lease lease = answer(alice.claims(claim)).lease();
    GATEWAY.lapse(claim.memoryId(), reaped);
    GATEWAY.mallory().granted("Moved" + reaped, GATEWAY.mallory().memory());
    Refusal lapsed = replay(claim, lease);
    assertThat(lapsed.problem()).isEqualTo(Problem.LEASE_LAPSED);
    assertThat(lapsed.members()).containsOnlyKeys("grant");
  }

  @Test
  void theReplayOfARevokedGrantIsStale() {
    Claim claim = alice.claim("Revoked", alice.memory());
    Lease lease = answer(alice.claims(claim)).lease();
    FencingToken raised = answer(alice.revokesName("revoked", null));
    Refusal stale = replay(claim, lease);
    assertThat(stale.problem()).isEqualTo(Problem.STALE_FENCING_TOKEN);
    assertThat(stale.members()).containsEntry("current_token", raised.value());
  }

  @Test
  void aReplayFencesNobodyAndRevivesNothing() {
    Claim claim = alice.claim("Ghost", alice.memory());
    Lease lease = answer(alice.claims(claim)).lease();
    GATEWAY.lapse(claim.memoryId());
    replay(claim, lease);
    assertThat(problem(alice.renews(lease, null))).isEqualTo(Problem.LEASE_LAPSED);
    Lease next = GATEWAY.alice().as("successor").granted("Ghost", claim.memoryId());
    replay(claim, lease);
    answer(alice.as("successor").renews(next, null));
  }
}
