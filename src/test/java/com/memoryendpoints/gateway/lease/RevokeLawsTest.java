package com.memoryendpoints.gateway.lease;

import static com.memoryendpoints.gateway.lease.Answers.GRANTED;
import static com.memoryendpoints.gateway.lease.Answers.answer;
import static com.memoryendpoints.gateway.lease.Answers.outcomes;
import static com.memoryendpoints.gateway.lease.Answers.problem;
import static com.memoryendpoints.gateway.lease.Answers.refusal;
import static com.memoryendpoints.gateway.lease.Answers.successes;
import static com.memoryendpoints.gateway.lease.TestGateway.digest;
import static org.assertj.core.api.Assertions.assertThat;

import com.memoryendpoints.gateway.problem.Problem;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** An administrator ends a live lease at once, and fences its holder (Invariant 9). */
class RevokeLawsTest {
  @RegisterExtension static final TestGateway GATEWAY = TestGateway.ofPods(2);

  private final Actor alice = GATEWAY.alice();
  private final Actor admin = GATEWAY.alice().under("admin").on(GATEWAY.pod(1));

  private void assertFenced(Lease lease, FencingToken raised) {
    assertThat(raised.value()).isGreaterThan(lease.fencingToken().value());
    assertThat(
            List.of(
                problem(alice.renews(lease, null)),
                problem(alice.releases(lease)),
                problem(alice.verifies(lease)),
                problem(alice.commits(lease, digest(1))),
                problem(alice.branches(lease))))
        .containsOnly(Problem.STALE_FENCING_TOKEN);
    assertThat(refusal(alice.renews(lease, null)).members())
        .containsEntry("current_token", raised.value());
  }

  @Test
  void aLeaseIsRevokedByItsName() {
    Lease lease = alice.granted("By Name", alice.memory());
    assertFenced(lease, answer(admin.revokesName("byname", null)));
  }

  @Test
  void aLeaseIsRevokedByItsMemory() {
    Lease lease = alice.granted("By Memory", alice.memory());
    assertFenced(lease, answer(admin.revokesMemory(lease.memoryId(), null)));
  }

  @Test
  void aLeaseIsRevokedByTheTokenThatWasRead() {
    Lease lease = alice.granted("By Token", alice.memory());
    assertFenced(lease, answer(admin.revokesName("bytoken", lease.fencingToken())));
  }

  @Test
  void anotherTokenThanTheLeasesRevokesNothing() {
    UUID memory = alice.memory();
    Lease older = alice.granted("Wrong Token", memory);
    Lease lease = alice.granted("Wrong Token", memory);
    for (FencingToken wrong : List.of(older.fencingToken(), new FencingToken(FencingToken.MAX))) {
      for (var call :
          List.of(admin.revokesName("wrongtoken", wrong), admin.revokesMemory(memory, wrong))) {
        assertThat(problem(call)).isEqualTo(Problem.STALE_FENCING_TOKEN);
        assertThat(refusal(call).members())
            .containsEntry("current_token", lease.fencingToken().value());
      }
    }
    answer(alice.verifies(lease));
  }

  @Test
  void whereNothingIsLiveNothingIsRevoked() {
    Lease released = alice.granted("Dead Released", alice.memory());
    answer(alice.releases(released));
    Lease lapsed = alice.granted("Dead Lapsed", alice.memory());
    GATEWAY.lapse(lapsed.memoryId());
    Lease reaped = alice.granted("Dead Reaped", alice.memory());
    GATEWAY.lapseAndReap(reaped.memoryId());
    Lease revoked = alice.granted("Dead Revoked", alice.memory());
    FencingToken raised = answer(admin.revokesName("deadrevoked", null));
    UUID unleased = alice.memory();
    List<?> before = GATEWAY.everything();
    for (Lease dead : List.of(released, lapsed, reaped, revoked)) {
      for (FencingToken token : new FencingToken[] {null, dead.fencingToken(), raised}) {
        assertThat(problem(admin.revokesName(dead.canonicalName(), token)))
            .isEqualTo(Problem.LEASE_NOT_FOUND);
        assertThat(problem(admin.revokesMemory(dead.memoryId(), token)))
            .isEqualTo(Problem.LEASE_NOT_FOUND);
      }
    }
    assertThat(problem(admin.revokesName("neverclaimed", null))).isEqualTo(Problem.LEASE_NOT_FOUND);
    assertThat(problem(admin.revokesMemory(unleased, null))).isEqualTo(Problem.LEASE_NOT_FOUND);
    assertThat(GATEWAY.everything()).isEqualTo(before);
  }

  @Test
  void aRevokedNameAndMemoryAreClaimableAtOnce() {
    Lease lease = alice.granted("Reused", alice.memory());
    FencingToken raised = answer(admin.revokesName("reused", null));
    Lease next = alice.granted("Reused", lease.memoryId());
    assertThat(next.fencingToken().value()).isGreaterThan(raised.value());
    assertThat(problem(alice.finds(lease))).isEqualTo(Problem.LEASE_NOT_FOUND);
  }

  /** store.md, must 2: a name's tokens rise too, and the raised one is one of them. */
  @Test
  void aRevokedNameGoesToAnotherMemoryAboveTheRaisedToken() {
    for (int i = 0; i < 5; i++) {
      alice.granted("Climbing", alice.memory());
      FencingToken raised = answer(admin.revokesName("climbing", null));
      Lease next = alice.granted("Climbing", alice.memory());
      assertThat(next.fencingToken().value()).isGreaterThan(raised.value());
      assertThat(answer(admin.revokesName("climbing", null)).value())
          .isGreaterThan(next.fencingToken().value());
    }
  }

  @Test
  void theReasonIsKeptUntilTheNextGrant() {
    Lease lease = alice.granted("Reasoned", alice.memory());
    answer(admin.revokesName("reasoned", null));
    assertThat(GATEWAY.lease(lease.memoryId())).containsEntry("revoke_reason", "misbehaves");
    alice.granted("Reasoned", lease.memoryId());
    assertThat(GATEWAY.lease(lease.memoryId())).containsEntry("revoke_reason", null);
  }

  /** Of many revocations at once one ends the lease; no other can hit what comes after. */
  @Test
  void aLeaseIsRevokedOnce() {
    Lease lease = alice.granted("Once", alice.memory());
    List<Future<FencingToken>> calls =
        new ArrayList<>(admin.together(n -> admin.pod().leases.revoke(revocation(lease, n)), 40));
    Actor here = admin.on(GATEWAY.pod(0));
    calls.addAll(here.together(n -> here.pod().leases.revoke(revocation(lease, n)), 40));
    assertThat(outcomes(calls).keySet())
        .isSubsetOf(GRANTED, "LEASE_NOT_FOUND", "STALE_FENCING_TOKEN");
    assertThat(successes(calls)).hasSize(1);
    assertFenced(lease, successes(calls).get(0));
  }

  private Revocation revocation(Lease lease, int n) {
    FencingToken token = n % 2 == 0 ? lease.fencingToken() : null;
    return n % 3 == 0
        ? new Revocation(admin.caller(), lease.canonicalName(), null, token, "misbehaves")
        : new Revocation(admin.caller(), null, lease.memoryId(), token, "misbehaves");
  }

  /** While the owner restarts again and again, a revocation ends whatever is live, or says why. */
  @Test
  void aRevocationThatRacesClaimsEndsALeaseOrSaysWhy() {
    UUID memory = alice.memory();
    Lease lease = alice.granted("Racing", memory);
    for (int round = 0; round < 20; round++) {
      Future<Claimed> again = alice.claims("Racing", memory);
      Future<FencingToken> revocation = admin.revokesName("racing", null);
      Future<FencingToken> aimed = admin.revokesMemory(memory, lease.fencingToken());
      Lease claimed = answer(again).lease();
      assertThat(outcomes(List.of(revocation, aimed)).keySet())
          .isSubsetOf(GRANTED, "LEASE_NOT_FOUND", "STALE_FENCING_TOKEN", "BUSY");
      List<FencingToken> raised = successes(List.of(revocation, aimed));
      assertThat(raised).allMatch(token -> token.value() > lease.fencingToken().value());
      long current = answer(alice.finds(memory)).fencingToken();
      assertThat(current).isGreaterThanOrEqualTo(claimed.fencingToken().value());
      assertThat(raised).allMatch(token -> token.value() <= current);
      if (outcomes(List.of(alice.verifies(claimed))).containsKey(GRANTED)) {
        assertThat(current).isEqualTo(claimed.fencingToken().value());
      }
    }
    assertThat(problem(alice.renews(lease, null))).isEqualTo(Problem.STALE_FENCING_TOKEN);
  }
}
