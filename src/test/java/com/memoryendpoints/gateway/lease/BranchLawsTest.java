package com.memoryendpoints.gateway.lease;

import static com.memoryendpoints.gateway.lease.Answers.GRANTED;
import static com.memoryendpoints.gateway.lease.Answers.answer;
import static com.memoryendpoints.gateway.lease.Answers.each;
import static com.memoryendpoints.gateway.lease.Answers.outcomes;
import static com.memoryendpoints.gateway.lease.Answers.problem;
import static com.memoryendpoints.gateway.lease.Answers.refusal;
import static com.memoryendpoints.gateway.lease.Answers.successes;
import static org.assertj.core.api.Assertions.assertThat;

import com.memoryendpoints.gateway.idempotency.IdempotencyKey;
import com.memoryendpoints.gateway.problem.Problem;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A branch is made under its parent's live lease, and is a memory like any other from then on. */
class BranchLawsTest {
  @RegisterExtension static final TestGateway GATEWAY = TestGateway.ofPods(2);

  private final Actor alice = GATEWAY.alice();

  @Test
  void aBranchUnderAKeyIsMadeOnce() {
    Lease lease = alice.granted("Keyed Parent", alice.memory());
    IdempotencyKey key = alice.key();
    Registered made = answer(alice.branches(key, lease.memoryId(), lease.fencingToken()));
    assertThat(made.created()).isTrue();
    assertThat(made.replayed()).isFalse();
    Registered again =
        answer(alice.on(GATEWAY.pod(1)).branches(key, lease.memoryId(), lease.fencingToken()));
    assertThat(again).isEqualTo(new Registered(made.memory(), false, true));
    assertThat(children(lease.memoryId())).isOne();
    Lease other = alice.granted("Other Parent", alice.memory());
    assertThat(problem(alice.branches(key, other.memoryId(), other.fencingToken())))
        .isEqualTo(Problem.IDEMPOTENCY_KEY_REUSED);
  }

  @Test
  void branchesWithoutAKeyAreOneEach() {
    Lease lease = alice.granted("Keyless Parent", alice.memory());
    Registered first = answer(alice.branches(lease));
    Registered second = answer(alice.branches(lease));
    assertThat(first.created()).isTrue();
    assertThat(first.memory().memoryId()).isNotEqualTo(second.memory().memoryId());
    assertThat(children(lease.memoryId())).isEqualTo(2);
  }

  /** The child was made; that the parent's lease ended since does not unmake it. */
  @Test
  void theReplayOfABranchOutlivesTheParentsLease() {
    Lease lease = alice.granted("Short Parent", alice.memory());
    IdempotencyKey key = alice.key();
    Registered made = answer(alice.branches(key, lease.memoryId(), lease.fencingToken()));
    GATEWAY.lapse(lease.memoryId());
    assertThat(problem(alice.branches(lease))).isEqualTo(Problem.LEASE_LAPSED);
    assertThat(answer(alice.branches(key, lease.memoryId(), lease.fencingToken())))
        .isEqualTo(new Registered(made.memory(), false, true));
    alice.as("successor").granted("Next Parent", lease.memoryId());
    assertThat(problem(alice.branches(lease))).isEqualTo(Problem.STALE_FENCING_TOKEN);
    assertThat(answer(alice.branches(key, lease.memoryId(), lease.fencingToken())).memory())
        .isEqualTo(made.memory());
  }

  @Test
  void aRefusedBranchLeavesItsKeyFree() {
    UUID memory = alice.memory();
    Lease lapsed = alice.granted("Refused Parent", memory);
    GATEWAY.lapse(memory);
    IdempotencyKey key = alice.key();
    assertThat(problem(alice.branches(key, memory, lapsed.fencingToken())))
        .isEqualTo(Problem.LEASE_LAPSED);
    Lease lease = alice.granted("Refused Parent", memory);
    assertThat(problem(alice.branches(key, memory, lapsed.fencingToken())))
        .isEqualTo(Problem.STALE_FENCING_TOKEN);
    assertThat(refusal(alice.branches(key, memory, lapsed.fencingToken())).members())
        .containsEntry("current_token", lease.fencingToken().value());
    assertThat(answer(alice.branches(key, memory, lease.fencingToken())).created()).isTrue();
  }

  @Test
  void aParentThatIsNotThereIsNotFound() {
    assertThat(problem(alice.branches(null, alice.key().value(), new FencingToken(1))))
        .isEqualTo(Problem.MEMORY_NOT_FOUND);
  }

  @Test
  void aLineageGoesDownFromItsRoot() {
    UUID memory = alice.memory();
    List<UUID> chain = new ArrayList<>(List.of(memory));
    for (int i = 0; i < 10; i++) {
      Lease lease = alice.granted("Generation " + i, memory);
      memory = answer(alice.branches(lease)).memory().memoryId();
      chain.add(memory);
    }
    List<Memory> lineage = answer(alice.traces(memory));
    assertThat(lineage).extracting(Memory::memoryId).containsExactlyElementsOf(chain);
    for (int i = 1; i < lineage.size(); i++) {
      assertThat(lineage.get(i).parentId()).isEqualTo(lineage.get(i - 1).memoryId());
    }
    assertThat(answer(alice.traces(chain.get(0)))).hasSize(1);
    assertThat(problem(alice.traces(alice.key().value()))).isEqualTo(Problem.MEMORY_NOT_FOUND);
  }

  /** Invariant 5: child and parent do not stand in each other's way, whatever one does. */
  @Test
  void parentAndChildrenRunAtTheSameTime() {
    Lease parent = alice.granted("Busy Parent", alice.memory());
    List<UUID> children =
        each(
            alice.together(
                n ->
                    alice
                        .pod()
                        .memories
                        .branch(
                            new Branch(
                                null, alice.caller(), parent.memoryId(), parent.fencingToken())),
                20),
            made -> made.memory().memoryId());
    assertThat(children).doesNotHaveDuplicates();
    List<Future<?>> calls = new ArrayList<>();
    for (int i = 0; i < children.size(); i++) {
      calls.add(alice.as("w" + i).on(GATEWAY.pod(i % 2)).claims("Kid " + i, children.get(i)));
      calls.add(alice.renews(parent, 60));
      calls.add(alice.verifies(parent));
    }
    assertThat(outcomes(calls)).isEqualTo(Map.of(GRANTED, 60L));
    answer(alice.releases(parent));
    assertThat(answer(alice.finds(children.get(0))).lease()).isNotNull();
  }

  @Test
  void manyBranchesUnderOneKeyMakeOneChild() {
    Lease lease = alice.granted("One Child", alice.memory());
    IdempotencyKey key = alice.key();
    Branch branch = new Branch(key, alice.caller(), lease.memoryId(), lease.fencingToken());
    List<Future<Registered>> calls = new ArrayList<>();
    for (int pod = 0; pod < 2; pod++) {
      TestPod at = GATEWAY.pod(pod);
      calls.addAll(alice.on(at).together(n -> at.memories.branch(branch), 50));
    }
    assertThat(outcomes(calls)).isEqualTo(Map.of(GRANTED, 100L));
    assertThat(successes(calls)).filteredOn(Registered::created).hasSize(1);
    assertThat(children(lease.memoryId())).isOne();
  }

  /** No takeover comes between the check of the parent's token and the child. */
  @Test
  void aBranchThatRacesATakeoverIsMadeUnderACurrentTokenOrNotAtAll() {
    UUID memory = alice.memory();
    Lease lease = alice.granted("Raced Parent", memory);
    Actor rival = alice.on(GATEWAY.pod(1));
    for (int round = 0; round < 20; round++) {
      Future<Registered> branch = alice.branches(lease);
      Future<Claimed> again = rival.claims(alice.claim("Raced Parent", memory));
      Lease next = answer(again).lease();
      if (outcomes(List.of(branch)).containsKey(GRANTED)) {
        Memory child = branch.result().memory();
        assertThat(child.branchedAtToken()).isEqualTo(lease.fencingToken().value());
        assertThat(child.createdAt()).isBeforeOrEqualTo(next.grantedAt());
      } else {
        assertThat(problem(branch)).isEqualTo(Problem.STALE_FENCING_TOKEN);
      }
      lease = next;
    }
  }

  private static long children(UUID parent) {
    return (Long)
        GATEWAY
            .database()
            .value("SELECT count(*) FROM memory_instances WHERE parent_memory_id = ?", parent);
  }
}
