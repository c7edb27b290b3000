package com.memoryendpoints.gateway.lease;

import static com.memoryendpoints.gateway.lease.Answers.answer;
import static com.memoryendpoints.gateway.lease.Answers.problem;
import static com.memoryendpoints.gateway.lease.Answers.refusal;
import static com.memoryendpoints.gateway.lease.TestGateway.digest;
import static org.assertj.core.api.Assertions.assertThat;

import com.memoryendpoints.gateway.problem.Problem;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A lapse is a wall, and it blocks nobody else; the same whether the reaper has seen it or not
 * (Invariants 8 and 9).
 */
class LapseLawsTest {
  @RegisterExtension static final TestGateway GATEWAY = TestGateway.ofPods(1);

  private final Actor alice = GATEWAY.alice();
  private final Actor mallory = GATEWAY.mallory();

  private Lease lapsed(String name, boolean reaped) {
    Lease lease = alice.granted(name + reaped, alice.memory());
    GATEWAY.lapse(lease.memoryId(), reaped);
    return lease;
  }

  private static List<Problem> everythingRefused(Actor owner, Lease lease) {
    return List.of(
        problem(owner.renews(lease, null)),
        problem(owner.renews(lease, 300)),
        problem(owner.releases(lease)),
        problem(owner.verifies(lease)),
        problem(owner.commits(lease, digest(7))),
        problem(owner.branches(lease)));
  }

  /** Scenarios 8 and 17: lapsed is lapsed, even if nobody came. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aLapsedLeaseDoesNothingEvenIfNobodyCame(boolean reaped) {
    Lease lease = lapsed("Alone", reaped);
    List<?> before = GATEWAY.everything();
    assertThat(everythingRefused(alice, lease)).containsOnly(Problem.LEASE_LAPSED);
    assertThat(GATEWAY.everything()).isEqualTo(before);
    LeaseView view = answer(alice.finds(lease));
    assertThat(view.state()).isEqualTo(LeaseView.State.LAPSED);
    assertThat(view.ttlRemainingMs()).isZero();
    assertThat(answer(alice.finds(lease.memoryId())).lease()).isEqualTo(view);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aLapsedNameGoesToAnotherMemoryOfAnyTenant(boolean reaped) {
    Lease lease = lapsed("Wandering", reaped);
    Lease next = mallory.granted("Wandering" + reaped, mallory.memory());
    assertThat(next.fencingToken().value()).isGreaterThan(lease.fencingToken().value());
    assertThat(everythingRefused(alice, lease)).containsOnly(Problem.LEASE_LAPSED);
    assertThat(problem(alice.claims("Wandering" + reaped, lease.memoryId())))
        .isEqualTo(Problem.NAME_HELD);
    alice.granted("Settled" + reaped, lease.memoryId());
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aLapsedMemoryGoesUnderAnotherName(boolean reaped) {
    Lease lease = lapsed("Shed", reaped);
    Actor bob = alice.under("bob").as("worker-9");
    Lease next = bob.granted("Worn" + reaped, lease.memoryId());
    assertThat(next.fencingToken().value()).isGreaterThan(lease.fencingToken().value());
    assertThat(everythingRefused(alice, lease)).containsOnly(Problem.STALE_FENCING_TOKEN);
    assertThat(refusal(alice.renews(lease, null)).members())
        .containsEntry("current_token", next.fencingToken().value());
    mallory.granted("Shed" + reaped, mallory.memory());
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aLapsedPairIsTakenOverWhole(boolean reaped) {
    Lease lease = lapsed("Whole", reaped);
    Lease next = alice.as("successor").granted("Whole" + reaped, lease.memoryId());
    assertThat(next.fencingToken().value()).isGreaterThan(lease.fencingToken().value());
    assertThat(next.leaseId()).isNotEqualTo(lease.leaseId());
    assertThat(everythingRefused(alice, lease)).containsOnly(Problem.STALE_FENCING_TOKEN);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aNameAndAMemoryOfTwoLapsedLeasesAreJoined(boolean reaped) {
    Lease named = lapsed("Joined A", reaped);
    Lease leased = lapsed("Joined B", reaped);
    Lease next = alice.as("successor").granted("Joined A" + reaped, leased.memoryId());
    assertThat(next.fencingToken().value())
        .isGreaterThan(named.fencingToken().value())
        .isGreaterThan(leased.fencingToken().value());
    assertThat(everythingRefused(alice, leased)).containsOnly(Problem.STALE_FENCING_TOKEN);
    assertThat(everythingRefused(alice, named)).containsOnly(Problem.LEASE_LAPSED);
    alice.granted("Joined B" + reaped, named.memoryId());
  }

  /** The token outlives the lease: a memory that moves between names never goes back. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void tokensRiseWhateverMoves(boolean reaped) {
    List<UUID> memories = alice.memories(3);
    Map<Object, Long> last = new HashMap<>();
    Random random = new Random(20261);
    for (int i = 0; i < 30; i++) {
      UUID memory = memories.get(random.nextInt(3));
      String name = "Mover " + random.nextInt(3) + reaped;
      long token = alice.granted(name, memory).fencingToken().value();
      for (Object moved : List.of(memory, name)) {
        assertThat(token).isGreaterThan(last.getOrDefault(moved, 0L));
        last.put(moved, token);
      }
      GATEWAY.lapse(memory, reaped && i % 8 == 0);
    }
  }

  /** A lapsed lease's own owner is nobody special: it claims again like everybody. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void theOwnerOfALapsedLeaseClaimsAgainUnderAHigherToken(boolean reaped) {
    Lease lease = lapsed("Again", reaped);
    Lease next = alice.granted("Again" + reaped, lease.memoryId());
    assertThat(next.fencingToken().value()).isGreaterThan(lease.fencingToken().value());
    assertThat(everythingRefused(alice, lease)).containsOnly(Problem.STALE_FENCING_TOKEN);
    answer(alice.renews(next, null));
  }

  /** A lease id that a later claim has overwritten finds nothing; the memory shows the later. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void anOverwrittenLeaseIdFindsNothing(boolean reaped) {
    Lease lease = lapsed("Overwritten", reaped);
    Lease next = alice.granted("Overwritten" + reaped, lease.memoryId());
    assertThat(problem(alice.finds(lease))).isEqualTo(Problem.LEASE_NOT_FOUND);
    assertThat(answer(alice.finds(lease.memoryId())).lease())
        .isNotNull()
        .extracting(LeaseView::lease)
        .isEqualTo(next);
  }

  /** store.md, must 4: the clock may step back; what has ended does not come back to life. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aLapseIsForGoodEvenWhereTheClockIsSetBack(boolean reaped) {
    Lease lease = lapsed("Set Back", reaped);
    Lease next = mallory.granted("Set Back" + reaped, mallory.memory());
    GATEWAY.change(lease.memoryId(), "expires_at = clock_timestamp() + interval '1 minute'");
    assertThat(everythingRefused(alice, lease)).containsOnly(Problem.LEASE_LAPSED);
    assertThat(answer(alice.finds(lease)).state()).isEqualTo(LeaseView.State.LAPSED);
    assertThat(problem(alice.revokesMemory(lease.memoryId(), null)))
        .isEqualTo(Problem.LEASE_NOT_FOUND);
    answer(mallory.renews(next, null));
    alice.granted("Set Forth" + reaped, lease.memoryId());
  }
}
