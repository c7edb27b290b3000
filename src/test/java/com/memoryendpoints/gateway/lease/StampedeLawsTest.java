package com.memoryendpoints.gateway.lease;

import static com.memoryendpoints.gateway.lease.Answers.GRANTED;
import static com.memoryendpoints.gateway.lease.Answers.answer;
import static com.memoryendpoints.gateway.lease.Answers.outcomes;
import static com.memoryendpoints.gateway.lease.Answers.successes;
import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Many claim the same at once, on two pods: one wins, and the others know at once (must 9). */
class StampedeLawsTest {
  @RegisterExtension static final TestGateway GATEWAY = TestGateway.ofPods(2);

  private static final int CLAIMERS = 300;

  /** What the contested name or memory has been through. */
  enum Past {
    FRESH,
    RELEASED,
    LAPSED,
    REAPED
  }

  private final Actor alice = GATEWAY.alice();
  private final Actor mallory = GATEWAY.mallory();

  private void live(Past past, Lease lease) {
    switch (past) {
      case FRESH -> {}
      case RELEASED -> answer(alice.releases(lease));
      case LAPSED -> GATEWAY.lapse(lease.memoryId());
      case REAPED -> GATEWAY.lapseAndReap(lease.memoryId());
    }
  }

  /** Half of the claims on each pod, in one round of either's event loop. */
  private List<Future<Claimed>> stampede(IntFunction<Claim> claim) {
    List<Claim> claims = IntStream.range(0, CLAIMERS).mapToObj(claim).toList();
    List<List<Future<Claimed>>> calls = new ArrayList<>();
    for (int pod = 0; pod < 2; pod++) {
      List<Claim> half = claims.subList(pod * CLAIMERS / 2, (pod + 1) * CLAIMERS / 2);
      TestPod at = GATEWAY.pod(pod);
      List<Future<Claimed>> mine = new ArrayList<>();
      half.forEach(each -> mine.add(at.start(() -> at.leases.claim(each))));
      calls.add(mine);
    }
    return calls.stream().flatMap(List::stream).toList();
  }

  @ParameterizedTest
  @EnumSource(Past.class)
  void oneOfManyMemoriesGetsAName(Past past) {
    String name = "Stampeded " + past;
    if (past != Past.FRESH) {
      live(past, alice.granted(name, alice.memory()));
    }
    List<UUID> own = alice.memories(CLAIMERS / 2);
    List<UUID> theirs = mallory.memories(CLAIMERS / 2);
    List<Future<Claimed>> calls =
        stampede(
            n ->
                n % 2 == 0
                    ? alice.claim(name, own.get(n / 2))
                    : mallory.claim(name, theirs.get(n / 2)));
    assertThat(outcomes(calls)).isEqualTo(Map.of(GRANTED, 1L, "NAME_HELD", CLAIMERS - 1L));
  }

  @ParameterizedTest
  @EnumSource(Past.class)
  void oneOfManyNamesGetsAMemory(Past past) {
    UUID memory = alice.memory();
    if (past != Past.FRESH) {
      live(past, alice.granted("Before " + past, memory));
    }
    List<Future<Claimed>> calls =
        stampede(n -> alice.as("w" + n).claim("Rider " + past + " " + n, memory));
    assertThat(outcomes(calls)).isEqualTo(Map.of(GRANTED, 1L, "MEMORY_HELD", CLAIMERS - 1L));
    assertThat(answer(alice.finds(memory)).fencingToken())
        .isEqualTo(successes(calls).get(0).lease().fencingToken().value());
  }

  /** Scenario 14: whoever claims a released pair at the same instant, one is granted it. */
  @ParameterizedTest
  @EnumSource(Past.class)
  void oneOfManyOwnersGetsAPair(Past past) {
    UUID memory = alice.memory();
    String name = "Paired " + past;
    if (past != Past.FRESH) {
      live(past, alice.granted(name, memory));
    }
    List<Future<Claimed>> calls = stampede(n -> alice.as("w" + n).claim(name, memory));
    assertThat(outcomes(calls)).isEqualTo(Map.of(GRANTED, 1L, "MEMORY_HELD", CLAIMERS - 1L));
  }

  /** Scenario 19: one key is one lease, however often and wherever it is sent. */
  @Test
  void manyClaimsUnderOneKeyAreOneLease() {
    Claim claim = alice.claim("Once", alice.memory());
    long before = events();
    List<Future<Claimed>> calls = stampede(n -> claim);
    assertThat(outcomes(calls)).isEqualTo(Map.of(GRANTED, (long) CLAIMERS));
    List<Claimed> answers = successes(calls);
    assertThat(answers).extracting(Claimed::lease).containsOnly(answers.get(0).lease());
    assertThat(answers).filteredOn(each -> !each.replayed()).hasSize(1);
    assertThat(events()).isEqualTo(before + 1);
  }

  private static long events() {
    return (Long) GATEWAY.database().value("SELECT count(*) FROM audit_events");
  }

  /** One key for many requests: the first effect has it, the others are told. */
  @Test
  void manyRequestsUnderOneKeyHaveOneEffect() {
    var key = alice.key();
    List<UUID> memories = alice.memories(CLAIMERS);
    List<Future<Claimed>> calls = stampede(n -> alice.claim(key, "Many " + n, memories.get(n), 30));
    assertThat(outcomes(calls))
        .isEqualTo(Map.of(GRANTED, 1L, "IDEMPOTENCY_KEY_REUSED", CLAIMERS - 1L));
  }

  /** Nobody is told that a row is busy for being one of many. */
  @Test
  void aCrowdOverFewNamesAndMemoriesIsDecidedWhole() {
    List<UUID> memories = alice.memories(6);
    List<Future<Claimed>> calls =
        stampede(n -> alice.as("w" + n).claim("Crowd " + n % 7, memories.get(n % 6)));
    Map<String, Long> outcomes = outcomes(calls);
    assertThat(outcomes.keySet()).isSubsetOf(GRANTED, "NAME_HELD", "MEMORY_HELD");
    assertThat(successes(calls))
        .extracting(claimed -> claimed.lease().canonicalName())
        .doesNotHaveDuplicates();
    assertThat(successes(calls))
        .extracting(claimed -> claimed.lease().memoryId())
        .doesNotHaveDuplicates()
        .hasSize(6);
  }
}
