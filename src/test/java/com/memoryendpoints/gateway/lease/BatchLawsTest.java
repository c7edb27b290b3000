package com.memoryendpoints.gateway.lease;

import static com.memoryendpoints.gateway.lease.Answers.GRANTED;
import static com.memoryendpoints.gateway.lease.Answers.answer;
import static com.memoryendpoints.gateway.lease.Answers.each;
import static com.memoryendpoints.gateway.lease.Answers.outcomes;
import static com.memoryendpoints.gateway.lease.Answers.problem;
import static com.memoryendpoints.gateway.lease.Answers.successes;
import static org.assertj.core.api.Assertions.assertThat;

import com.memoryendpoints.gateway.idempotency.IdempotencyKey;
import com.memoryendpoints.gateway.problem.Problem;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Claims that share a statement: equal ones, crossed ones, and those that swap places. */
class BatchLawsTest {
  @RegisterExtension static final TestGateway GATEWAY = TestGateway.ofPods(2);

  private final Actor alice = GATEWAY.alice();
  private final Actor mallory = GATEWAY.mallory();

  private static double failedStatements(TestPod pod) {
    return pod.meters.registry().find("db.statement.failures").counters().stream()
        .mapToDouble(counter -> counter.count())
        .sum();
  }

  @Test
  void theSameKeyTwiceInOneBatchIsOneGrantAndItsReplay() {
    Claim claim = alice.claim("Same Key", alice.memory());
    List<Claimed> answers =
        each(alice.claimsTogether(List.of(claim, claim, claim)), answer -> answer);
    assertThat(answers).extracting(Claimed::lease).containsOnly(answers.get(0).lease());
    assertThat(answers).extracting(Claimed::replayed).containsOnlyOnce(false);
  }

  @Test
  void aKeyTwiceInOneBatchForTwoRequestsIsOneEffect() {
    IdempotencyKey key = alice.key();
    List<Future<Claimed>> calls =
        alice.claimsTogether(
            List.of(
                alice.claim(key, "Key First", alice.memory(), 30),
                alice.claim(key, "Key Second", alice.memory(), 30)));
    assertThat(outcomes(calls)).isEqualTo(Map.of(GRANTED, 1L, "IDEMPOTENCY_KEY_REUSED", 1L));
  }

  /** Scenario 34: a bad member is refused alone, the same name twice is held once. */
  @Test
  void aBadMemberIsRefusedAlone() {
    List<Future<Claimed>> calls =
        alice.claimsTogether(
            List.of(
                alice.claim("Mate One", alice.memory()),
                alice.claim("Twin Name", alice.memory()),
                alice.claim("No Memory", alice.key().value()),
                alice.claim("Twin Name", alice.memory()),
                alice.claim("Strangers", mallory.memory()),
                alice.claim("Mate Two", alice.memory())));
    assertThat(outcomes(calls))
        .isEqualTo(Map.of(GRANTED, 3L, "NAME_HELD", 1L, "MEMORY_NOT_FOUND", 2L));
    answer(calls.get(0));
    assertThat(problem(calls.get(2))).isEqualTo(Problem.MEMORY_NOT_FOUND);
    assertThat(problem(calls.get(4))).isEqualTo(Problem.MEMORY_NOT_FOUND);
    answer(calls.get(5));
  }

  /** store.md, must 1: no constraint sees two grants of one memory inside one statement. */
  @Test
  void aMemoryTwiceInOneBatchIsGrantedOnce() {
    UUID memory = alice.memory();
    List<Future<Claimed>> calls =
        alice.claimsTogether(
            IntStream.range(0, 20).mapToObj(n -> alice.claim("Name " + n, memory)).toList());
    assertThat(outcomes(calls)).isEqualTo(Map.of(GRANTED, 1L, "MEMORY_HELD", 19L));
  }

  /** Scenario 33: two pods send the same keys in opposite order. */
  @Test
  void crossedBatchesNeverDeadlock() {
    double failed = failedStatements(GATEWAY.pod(0)) + failedStatements(GATEWAY.pod(1));
    for (int round = 0; round < 10; round++) {
      List<Claim> claims = new ArrayList<>();
      for (UUID memory : alice.memories(100)) {
        claims.add(alice.claim("Crossed " + round + " " + claims.size(), memory));
      }
      List<Claim> reversed = new ArrayList<>(claims);
      Collections.reverse(reversed);
      List<Future<Claimed>> there = alice.claimsTogether(claims);
      List<Future<Claimed>> back = alice.on(GATEWAY.pod(1)).claimsTogether(reversed);
      assertThat(outcomes(there)).isEqualTo(Map.of(GRANTED, 100L));
      assertThat(outcomes(back)).isEqualTo(Map.of(GRANTED, 100L));
      for (int i = 0; i < claims.size(); i++) {
        assertThat(back.get(99 - i).result().lease()).isEqualTo(there.get(i).result().lease());
      }
    }
    assertThat(failedStatements(GATEWAY.pod(0)) + failedStatements(GATEWAY.pod(1)))
        .isEqualTo(failed);
  }

  /** Two restarts of many agents at once, whose names nobody has claimed before. */
  @Test
  void crossedRestartsUnderFreshNamesNeverFail() {
    double failed = failedStatements(GATEWAY.pod(0)) + failedStatements(GATEWAY.pod(1));
    for (int round = 0; round < 20; round++) {
      List<UUID> memories = alice.memories(60);
      List<List<Claim>> sides = List.of(new ArrayList<>(), new ArrayList<>());
      for (List<Claim> side : sides) {
        memories.forEach(
            memory -> side.add(alice.claim("Fresh " + memory.toString().substring(24), memory)));
      }
      Collections.reverse(sides.get(1));
      List<Future<Claimed>> there = alice.claimsTogether(sides.get(0));
      List<Future<Claimed>> back = alice.on(GATEWAY.pod(1)).claimsTogether(sides.get(1));
      // The later keys win; the earlier ones only where they came first. BUSY is an honest answer
      // where the machine itself stalls for longer than a busy row is waited for.
      assertThat(outcomes(back).keySet()).isSubsetOf(GRANTED, "BUSY");
      assertThat(outcomes(there).keySet()).isSubsetOf(GRANTED, "MEMORY_HELD", "BUSY");
    }
    assertThat(failedStatements(GATEWAY.pod(0)) + failedStatements(GATEWAY.pod(1)))
        .isEqualTo(failed);
  }

  /** The same, with each key used by two tenants: equal keys must not leave the order open. */
  @Test
  void keysThatTwoTenantsShareNeverDeadlock() {
    double failed = failedStatements(GATEWAY.pod(0)) + failedStatements(GATEWAY.pod(1));
    Random random = new Random(40);
    for (int round = 0; round < 10; round++) {
      List<List<Claim>> sides = List.of(new ArrayList<>(), new ArrayList<>());
      List<IdempotencyKey> keys = Stream.generate(alice::key).limit(60).toList();
      for (int side = 0; side < 2; side++) {
        for (Actor actor : List.of(alice, mallory)) {
          int n = 0;
          for (UUID memory : actor.memories(60)) {
            String name = "Shared " + round + side + " " + n + (actor.equals(alice) ? "a" : "m");
            sides.get(side).add(actor.claim(keys.get(n++), name, memory, 30));
          }
        }
        Collections.shuffle(sides.get(side), random);
      }
      List<Future<Claimed>> calls = new ArrayList<>(alice.claimsTogether(sides.get(0)));
      calls.addAll(alice.on(GATEWAY.pod(1)).claimsTogether(sides.get(1)));
      assertThat(outcomes(calls)).isEqualTo(Map.of(GRANTED, 120L, "IDEMPOTENCY_KEY_REUSED", 120L));
    }
    assertThat(failedStatements(GATEWAY.pod(0)) + failedStatements(GATEWAY.pod(1)))
        .isEqualTo(failed);
  }

  /** store.md: uniqueness is checked row by row, so plain SQL fails at this every time. */
  @Test
  void twoLapsedNamesSwapMemoriesInOneBatch() {
    assertMoved(List.of(1, 0));
  }

  @Test
  void lapsedNamesMoveRoundInOneBatch() {
    assertMoved(List.of(1, 2, 3, 4, 5, 6, 7, 0));
    assertMoved(List.of(7, 0, 1, 2, 3, 4, 5, 6));
    assertMoved(List.of(3, 0, 1, 2, 5, 4));
  }

  /** A chain ends at a memory that had no name, and leaves one without a name. */
  @Test
  void lapsedNamesMoveUpAChainInOneBatch() {
    List<UUID> memories = alice.memories(9);
    List<Lease> before = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      before.add(alice.granted("Chained " + i, memories.get(i)));
    }
    memories.forEach(GATEWAY::lapse);
    List<Claim> claims =
        IntStream.range(0, 8)
            .mapToObj(i -> alice.claim("Chained " + i, memories.get(i + 1)))
            .toList();
    List<Lease> after = each(alice.claimsTogether(claims), Claimed::lease);
    for (int i = 0; i < 8; i++) {
      assertThat(after.get(i).memoryId()).isEqualTo(memories.get(i + 1));
      assertThat(after.get(i).fencingToken().value())
          .isGreaterThan(before.get(i).fencingToken().value());
    }
    assertThat(GATEWAY.lease(memories.get(0)).get("name_key")).isNull();
    assertThat(problem(alice.renews(before.get(0), null))).isEqualTo(Problem.LEASE_LAPSED);
  }

  private void assertMoved(List<Integer> to) {
    String names = "Swap " + to.toString().replaceAll("[^0-9]", "") + " ";
    List<UUID> memories = alice.memories(to.size());
    List<Lease> before = new ArrayList<>();
    for (int i = 0; i < to.size(); i++) {
      before.add(alice.granted(names + i, memories.get(i)));
    }
    memories.forEach(GATEWAY::lapse);
    List<Claim> claims =
        IntStream.range(0, to.size())
            .mapToObj(i -> alice.as("mover").claim(names + i, memories.get(to.get(i))))
            .toList();
    List<Future<Claimed>> calls = alice.claimsTogether(claims);
    List<Lease> after = each(calls, Claimed::lease);
    for (int i = 0; i < to.size(); i++) {
      assertThat(after.get(i).memoryId()).isEqualTo(memories.get(to.get(i)));
      assertThat(after.get(i).fencingToken().value())
          .isGreaterThan(before.get(i).fencingToken().value())
          .isGreaterThan(before.get(to.get(i)).fencingToken().value());
      assertThat(problem(alice.renews(before.get(i), null))).isEqualTo(Problem.STALE_FENCING_TOKEN);
    }
  }

  /** A swap of which one half is still live: that half is refused, and the other waits with it. */
  @Test
  void aSwapWithALiveLeaseLeavesItAlone() {
    List<UUID> memories = alice.memories(2);
    alice.granted("Swap Lapsed", memories.get(0));
    Lease live = alice.granted("Swap Live", memories.get(1));
    GATEWAY.lapse(memories.get(0));
    List<Future<Claimed>> calls =
        alice.claimsTogether(
            List.of(
                alice.as("mover").claim("Swap Lapsed", memories.get(1)),
                alice.as("mover").claim("Swap Live", memories.get(0))));
    assertThat(problem(calls.get(0))).isEqualTo(Problem.MEMORY_HELD);
    assertThat(problem(calls.get(1))).isEqualTo(Problem.NAME_HELD);
    answer(alice.verifies(live));
    assertThat(successes(calls)).isEmpty();
  }
}
