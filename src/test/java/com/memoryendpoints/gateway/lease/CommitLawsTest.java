package com.memoryendpoints.gateway.lease;

import static com.memoryendpoints.gateway.lease.Answers.GRANTED;
import static com.memoryendpoints.gateway.lease.Answers.answer;
import static com.memoryendpoints.gateway.lease.Answers.each;
import static com.memoryendpoints.gateway.lease.Answers.outcomes;
import static com.memoryendpoints.gateway.lease.Answers.problem;
import static com.memoryendpoints.gateway.lease.Answers.successes;
import static com.memoryendpoints.gateway.lease.TestGateway.digest;
import static org.assertj.core.api.Assertions.assertThat;

import com.memoryendpoints.gateway.idempotency.IdempotencyKey;
import com.memoryendpoints.gateway.problem.Problem;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The fenced write of a memory's head: check and write are one (Invariant 9; store.md, must 7). */
class CommitLawsTest {
  @RegisterExtension static final TestGateway GATEWAY = TestGateway.ofPods(2);

  private final Actor alice = GATEWAY.alice();

  private Lease granted(String name) {
    return alice.granted(name, alice.memory());
  }

  @Test
  void revisionsCountFromOne() {
    Lease lease = granted("Counting");
    assertThat(answer(alice.finds(lease.memoryId())).head()).isNull();
    for (int n = 1; n <= 5; n++) {
      Committed committed = answer(alice.commits(lease, digest(n)));
      assertThat(committed.revision()).isEqualTo(n);
      assertThat(committed.replayed()).isFalse();
      assertThat(answer(alice.finds(lease.memoryId())).head())
          .isEqualTo(new Head(n, digest(n), committed.committedAt()));
    }
  }

  @Test
  void anExpectedRevisionMustBeTheHeads() {
    Lease lease = granted("Expecting");
    assertThat(problem(alice.commits(null, lease, digest(1), 1L)))
        .isEqualTo(Problem.REVISION_CONFLICT);
    assertThat(answer(alice.commits(null, lease, digest(1), 0L)).revision()).isEqualTo(1);
    assertThat(problem(alice.commits(null, lease, digest(2), 0L)))
        .isEqualTo(Problem.REVISION_CONFLICT);
    assertThat(answer(alice.commits(null, lease, digest(2), 1L)).revision()).isEqualTo(2);
    assertThat(problem(alice.commits(null, lease, digest(3), 7L)))
        .isEqualTo(Problem.REVISION_CONFLICT);
    assertThat(answer(alice.finds(lease.memoryId())).head())
        .isNotNull()
        .extracting(Head::digest)
        .isEqualTo(digest(2));
  }

  /** A commit whose answer was lost is sent again without a key, and does nothing twice. */
  @Test
  void theSameCommitAgainIsTheSameRevision() {
    Lease lease = granted("Repeating");
    Committed first = answer(alice.commits(null, lease, digest(1), 0L));
    List<?> before = GATEWAY.everything();
    assertThat(answer(alice.commits(null, lease, digest(1), 0L))).isEqualTo(first);
    assertThat(answer(alice.commits(null, lease, digest(1), null))).isEqualTo(first);
    assertThat(GATEWAY.everything()).isEqualTo(before);
    // Expecting the head that it made is another commit, even of the same digest.
    assertThat(answer(alice.commits(null, lease, digest(1), 1L)).revision()).isEqualTo(2);
    assertThat(problem(alice.commits(null, lease, digest(1), 0L)))
        .isEqualTo(Problem.REVISION_CONFLICT);
  }

  /** A later holder that commits the same digest commits: the head is its own from then on. */
  @Test
  void theSameDigestUnderALaterTokenIsAnotherRevision() {
    Lease first = granted("Inheriting");
    answer(alice.commits(first, digest(1)));
    Lease second = alice.granted("Inheriting", first.memoryId());
    assertThat(answer(alice.commits(second, digest(1))).revision()).isEqualTo(2);
  }

  @Test
  void aCommitUnderAKeyIsMadeOnce() {
    Lease lease = granted("Keyed");
    IdempotencyKey key = alice.key();
    Committed first = answer(alice.commits(key, lease, digest(1), null));
    answer(alice.commits(lease, digest(2)));
    Committed replay = answer(alice.on(GATEWAY.pod(1)).commits(key, lease, digest(1), null));
    assertThat(replay).isEqualTo(new Committed(1, first.committedAt(), true));
    assertThat(answer(alice.finds(lease.memoryId())).head())
        .isNotNull()
        .extracting(Head::revision)
        .isEqualTo(2L);
    assertThat(problem(alice.commits(key, lease, digest(3), null)))
        .isEqualTo(Problem.IDEMPOTENCY_KEY_REUSED);
    assertThat(problem(alice.commits(key, lease, digest(1), 0L)))
        .isEqualTo(Problem.IDEMPOTENCY_KEY_REUSED);
  }

  /** History, not ownership: what was committed stays so, and nothing new is. */
  @Test
  void theReplayOfACommitOutlivesTheLease() {
    Lease lease = granted("Outliving");
    IdempotencyKey key = alice.key();
    Committed first = answer(alice.commits(key, lease, digest(1), null));
    Lease next = alice.granted("Outliving", lease.memoryId());
    answer(alice.commits(next, digest(2)));
    assertThat(answer(alice.commits(key, lease, digest(1), null)))
        .isEqualTo(new Committed(1, first.committedAt(), true));
    assertThat(problem(alice.commits(lease, digest(1)))).isEqualTo(Problem.STALE_FENCING_TOKEN);
  }

  @Test
  void aRefusedCommitLeavesItsKeyFree() {
    Lease lease = granted("Freeing");
    IdempotencyKey key = alice.key();
    assertThat(problem(alice.commits(key, lease, digest(1), 5L)))
        .isEqualTo(Problem.REVISION_CONFLICT);
    assertThat(answer(alice.commits(key, lease, digest(9), 0L)).revision()).isEqualTo(1);
  }

  /** Scenario 2: the owner that slept through its lease writes nothing over its successor. */
  @Test
  void aStaleOwnersCommitLeavesItsSuccessorsHead() {
    Lease sleeper = granted("Sleeping");
    answer(alice.commits(sleeper, digest(1)));
    GATEWAY.lapse(sleeper.memoryId());
    Lease successor = alice.as("b").granted("Sleeping", sleeper.memoryId());
    answer(alice.commits(successor, digest(2)));
    assertThat(problem(alice.commits(sleeper, digest(3)))).isEqualTo(Problem.STALE_FENCING_TOKEN);
    assertThat(answer(alice.finds(sleeper.memoryId())).head())
        .isNotNull()
        .extracting(Head::digest)
        .isEqualTo(digest(2));
  }

  /** Scenario 12: the highest token granted counts, not the highest that has written. */
  @Test
  void aStaleOwnerIsFencedBeforeItsSuccessorHasWritten() {
    Lease older = granted("Unwritten");
    alice.granted("Unwritten", older.memoryId());
    assertThat(problem(alice.commits(older, digest(1)))).isEqualTo(Problem.STALE_FENCING_TOKEN);
    assertThat(answer(alice.finds(older.memoryId())).head()).isNull();
  }

  @Test
  void ofManyCommitsOnOneRevisionOneIsMade() {
    Lease lease = granted("Contended");
    List<Future<Committed>> calls = new ArrayList<>();
    for (int pod = 0; pod < 2; pod++) {
      TestPod at = GATEWAY.pod(pod);
      int first = pod * 50;
      calls.addAll(
          alice.on(at).together(n -> at.memories.commit(commit(null, lease, first + n, 0L)), 50));
    }
    assertThat(outcomes(calls)).isEqualTo(Map.of(GRANTED, 1L, "REVISION_CONFLICT", 99L));
    assertThat(answer(alice.finds(lease.memoryId())).head())
        .isNotNull()
        .extracting(Head::revision)
        .isEqualTo(1L);
  }

  /** Without an expectation each of them counts, and no revision is told twice. */
  @Test
  void commitsAtOnceAreRevisionsInARow() {
    Lease lease = granted("Rowing");
    List<Future<Committed>> calls = new ArrayList<>();
    for (int n = 0; n < 6; n++) {
      calls.add(alice.on(GATEWAY.pod(n % 2)).commits(lease, digest(n)));
    }
    assertThat(outcomes(calls)).isEqualTo(Map.of(GRANTED, 6L));
    assertThat(successes(calls))
        .extracting(Committed::revision)
        .containsExactlyInAnyOrderElementsOf(LongStream.rangeClosed(1, 6).boxed().toList());
  }

  @Test
  void equalCommitsInOneBatchAreOneRevision() {
    Lease lease = granted("Echoing");
    IdempotencyKey key = alice.key();
    TestPod pod = alice.pod();
    assertThat(
            each(
                alice.together(n -> pod.memories.commit(commit(key, lease, 1, null)), 10),
                Committed::revision))
        .containsOnly(1L);
    assertThat(
            each(
                alice.together(n -> pod.memories.commit(commit(null, lease, 2, 1L)), 10),
                Committed::revision))
        .containsOnly(2L);
  }

  @Test
  void aBatchOfManyMemoriesCommitsEach() {
    List<UUID> memories = alice.memories(50);
    List<Lease> leases =
        each(
            alice.claimsTogether(
                memories.stream().map(m -> alice.claim("Mass " + memories.indexOf(m), m)).toList()),
            Claimed::lease);
    TestPod pod = alice.pod();
    assertThat(
            each(
                alice.together(n -> pod.memories.commit(commit(null, leases.get(n), n, 0L)), 50),
                Committed::revision))
        .containsOnly(1L);
  }

  /** A commit that races the takeover is before it or not at all. */
  @Test
  void aCommitThatRacesATakeoverIsBeforeItOrRefused() {
    UUID memory = alice.memory();
    Lease lease = alice.granted("Raced", memory);
    Actor rival = alice.on(GATEWAY.pod(1));
    for (int round = 0; round < 30; round++) {
      Future<Committed> commit = alice.commits(lease, digest(round));
      Lease next = answer(rival.claims(alice.claim("Raced", memory))).lease();
      if (outcomes(List.of(commit)).containsKey(GRANTED)) {
        assertThat(commit.result().committedAt()).isBeforeOrEqualTo(next.grantedAt());
      } else {
        assertThat(problem(commit)).isEqualTo(Problem.STALE_FENCING_TOKEN);
      }
      lease = next;
    }
  }

  private Commit commit(IdempotencyKey key, Lease lease, int digest, Long expected) {
    return new Commit(
        key, alice.caller(), lease.memoryId(), lease.fencingToken(), digest(digest), expected);
  }
}
