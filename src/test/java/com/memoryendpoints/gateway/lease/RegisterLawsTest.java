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
import java.util.function.IntFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A memory is made once, by one tenant, and stays its own (Invariant 3). */
class RegisterLawsTest {
  @RegisterExtension static final TestGateway GATEWAY = TestGateway.ofPods(2);

  private final Actor alice = GATEWAY.alice();
  private final Actor mallory = GATEWAY.mallory();

  @Test
  void aMemoryWithoutAnIdGetsOne() {
    Registered made = answer(alice.registers(null, null));
    assertThat(made.created()).isTrue();
    assertThat(made.replayed()).isFalse();
    assertThat(made.memory().memoryId().version()).isEqualTo(7);
    assertThat(made.memory().parentId()).isNull();
    assertThat(made.memory().branchedAtToken()).isNull();
    MemoryView view = answer(alice.finds(made.memory().memoryId()));
    assertThat(view).isEqualTo(new MemoryView(made.memory(), 0, null, null));
    assertThat(answer(alice.registers(null, null)).memory().memoryId())
        .isNotEqualTo(made.memory().memoryId());
  }

  @Test
  void aMemoryWithAnIdKeepsIt() {
    UUID id = alice.key().value();
    Registered made = answer(alice.registers(null, id));
    assertThat(made.memory().memoryId()).isEqualTo(id);
    assertThat(made.created()).isTrue();
    Registered again = answer(alice.under("bob").on(GATEWAY.pod(1)).registers(null, id));
    assertThat(again).isEqualTo(new Registered(made.memory(), false, false));
  }

  @Test
  void anotherTenantsIdIsTaken() {
    UUID id = alice.memory();
    List<?> before = GATEWAY.everything();
    assertThat(problem(mallory.registers(null, id))).isEqualTo(Problem.MEMORY_ID_TAKEN);
    assertThat(problem(mallory.registers(mallory.key(), id))).isEqualTo(Problem.MEMORY_ID_TAKEN);
    assertThat(GATEWAY.everything()).isEqualTo(before);
  }

  @Test
  void aKeyMintsOneMemory() {
    IdempotencyKey key = alice.key();
    Registered made = answer(alice.registers(key, null));
    Registered again = answer(alice.on(GATEWAY.pod(1)).registers(key, null));
    assertThat(again).isEqualTo(new Registered(made.memory(), false, true));
    assertThat(problem(alice.registers(key, made.memory().memoryId())))
        .isEqualTo(Problem.IDEMPOTENCY_KEY_REUSED);
    assertThat(problem(alice.under("bob").registers(key, null)))
        .isEqualTo(Problem.IDEMPOTENCY_KEY_REUSED);
    assertThat(answer(mallory.registers(key, null)).memory().memoryId())
        .isNotEqualTo(made.memory().memoryId());
  }

  @Test
  void aRefusedKeyRegistersLater() {
    IdempotencyKey key = mallory.key();
    assertThat(problem(mallory.registers(key, alice.memory()))).isEqualTo(Problem.MEMORY_ID_TAKEN);
    assertThat(answer(mallory.registers(key, null)).created()).isTrue();
  }

  @Test
  void manyRegistrationsOfOneIdMakeOneMemory() {
    for (int round = 0; round < 10; round++) {
      UUID id = alice.key().value();
      List<Future<Registered>> calls = crowd(n -> new Registration(null, alice.caller(), id));
      assertThat(outcomes(calls)).isEqualTo(Map.of(GRANTED, 100L));
      assertThat(successes(calls)).filteredOn(Registered::created).hasSize(1);
      assertThat(successes(calls))
          .extracting(Registered::memory)
          .containsOnly(calls.get(0).result().memory());
    }
  }

  @Test
  void ofTwoTenantsOneGetsAnId() {
    for (int round = 0; round < 10; round++) {
      UUID id = alice.key().value();
      List<Future<Registered>> calls =
          crowd(n -> new Registration(null, (n % 2 == 0 ? alice : mallory).caller(), id));
      assertThat(outcomes(calls)).isEqualTo(Map.of(GRANTED, 50L, "MEMORY_ID_TAKEN", 50L));
      assertThat(successes(calls)).filteredOn(Registered::created).hasSize(1);
    }
  }

  @Test
  void manyRegistrationsUnderOneKeyMakeOneMemory() {
    IdempotencyKey key = alice.key();
    List<Future<Registered>> calls = crowd(n -> new Registration(key, alice.caller(), null));
    assertThat(outcomes(calls)).isEqualTo(Map.of(GRANTED, 100L));
    assertThat(successes(calls)).filteredOn(Registered::created).hasSize(1);
    assertThat(successes(calls))
        .extracting(Registered::memory)
        .containsOnly(calls.get(0).result().memory());
  }

  /** store.md, must 10: every insert of many rows is ordered, by id and by tenant and key. */
  @Test
  void crossedRegistrationsNeverDeadlock() {
    Random random = new Random(99);
    double failed = deadlocks();
    for (int round = 0; round < 10; round++) {
      List<IdempotencyKey> keys = Stream.generate(alice::key).limit(50).toList();
      List<List<Future<Registered>>> sides = new ArrayList<>();
      for (int pod = 0; pod < 2; pod++) {
        List<Registration> asked = new ArrayList<>();
        for (IdempotencyKey key : keys) {
          asked.add(new Registration(key, alice.caller(), null));
          asked.add(new Registration(key, mallory.caller(), null));
        }
        Collections.shuffle(asked, random);
        Actor actor = alice.on(GATEWAY.pod(pod));
        sides.add(actor.together(n -> actor.pod().memories.register(asked.get(n)), asked.size()));
      }
      assertThat(outcomes(sides.get(0))).isEqualTo(Map.of(GRANTED, 100L));
      assertThat(outcomes(sides.get(1))).isEqualTo(Map.of(GRANTED, 100L));
      assertThat(
              Stream.concat(sides.get(0).stream(), sides.get(1).stream())
                  .filter(call -> call.result().created()))
          .hasSize(100);
    }
    assertThat(deadlocks()).isEqualTo(failed);
  }

  /** Registrations that were rolled back: only a deadlock does that here, for no id is given. */
  private static double deadlocks() {
    double failed = 0;
    for (int pod = 0; pod < 2; pod++) {
      failed +=
          GATEWAY.pod(pod).meters.registry().find("db.statement.failures").counters().stream()
              .mapToDouble(counter -> counter.count())
              .sum();
    }
    return failed;
  }

  private List<Future<Registered>> crowd(IntFunction<Registration> asked) {
    List<Future<Registered>> calls = new ArrayList<>();
    for (int pod = 0; pod < 2; pod++) {
      int first = pod * 50;
      Actor actor = alice.on(GATEWAY.pod(pod));
      calls.addAll(actor.together(n -> actor.pod().memories.register(asked.apply(first + n)), 50));
    }
    return calls;
  }

  @Test
  void equalRegistrationsInOneBatchMakeOneMemory() {
    UUID id = alice.key().value();
    List<Registered> made =
        each(
            alice.together(
                n -> alice.pod().memories.register(new Registration(null, alice.caller(), id)), 5),
            answer -> answer);
    assertThat(made).extracting(Registered::created).containsOnlyOnce(true);
  }
}
