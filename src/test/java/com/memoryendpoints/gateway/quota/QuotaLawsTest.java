package com.memoryendpoints.gateway.quota;

import static org.assertj.core.api.Assertions.assertThat;

import com.memoryendpoints.gateway.TestDatabase;
import com.memoryendpoints.gateway.idempotency.IdempotencyKey;
import com.memoryendpoints.gateway.lease.Branch;
import com.memoryendpoints.gateway.lease.Claim;
import com.memoryendpoints.gateway.lease.Claimed;
import com.memoryendpoints.gateway.lease.FencingToken;
import com.memoryendpoints.gateway.lease.Lease;
import com.memoryendpoints.gateway.lease.Owner;
import com.memoryendpoints.gateway.lease.Registered;
import com.memoryendpoints.gateway.lease.Registration;
import com.memoryendpoints.gateway.lease.Release;
import com.memoryendpoints.gateway.lease.TestPod;
import com.memoryendpoints.gateway.name.Names;
import com.memoryendpoints.gateway.problem.Problem;
import com.memoryendpoints.gateway.problem.Refusal;
import com.memoryendpoints.gateway.tenant.Caller;
import com.memoryendpoints.gateway.tenant.Term;
import com.memoryendpoints.gateway.tenant.Terms;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What quotas of leases and memories let in, and what they leave alone. */
@Timeout(60)
class QuotaLawsTest {
  @RegisterExtension static final TestDatabase DATABASE = TestDatabase.migrated();

  private static final AtomicInteger NAMES = new AtomicInteger();
  private static TestPod first;
  private static TestPod second;
  private static TestPod third;

  private final Caller caller = new Caller(UUID.randomUUID(), "crawler");
  private final Owner owner = new Owner(caller, "worker-1");

  @BeforeAll
  static void open() {
    first = new TestPod(DATABASE);
    second = new TestPod(DATABASE);
    third = new TestPod(DATABASE);
  }

  @AfterAll
  static void close() {
    first.close();
    second.close();
    third.close();
  }

  private static List<TestPod> pods() {
    return List.of(first, second, third);
  }

  /** Every pod has looked the tenant up. */
  private void agreed(Term term, long quota) {
    pods().forEach(pod -> agreed(pod, Map.of(term, quota)));
  }

  private void agreed(TestPod pod, Map<Term, Long> terms) {
    pod.tenants.learnt(caller.tenantId(), new Terms(terms), System.nanoTime());
  }

  private static void aSecondPasses() {
    pods().forEach(pod -> pod.clock.addAndGet(TimeUnit.SECONDS.toNanos(1)));
  }

  private Claim claim(IdempotencyKey key, UUID memoryId, String name) {
    return new Claim(key, owner, Names.strict().claimed(name), memoryId, 300);
  }

  private Claim claim(UUID memoryId) {
    return claim(first.key(), memoryId, "agent" + NAMES.incrementAndGet());
  }

  private List<UUID> memories(int count) {
    return IntStream.range(0, count).mapToObj(n -> first.memory(caller)).toList();
  }

  private static Claimed granted(TestPod pod, Claim claim) {
    return pod.call(() -> pod.leases.claim(claim));
  }

  private static Problem refused(TestPod pod, Claim claim) {
    return pod.refusal(() -> pod.leases.claim(claim)).problem();
  }

  /** How many of so many started together succeed; the others are beyond the quota. */
  private static <T> int served(TestPod pod, List<Supplier<Future<T>>> calls) {
    List<Future<T>> answers =
        TestPod.await(
            pod.start(
                () -> {
                  List<Future<T>> all = calls.stream().map(Supplier::get).toList();
                  return Future.join(all).transform(done -> Future.succeededFuture(all));
                }));
    for (Future<T> answer : answers) {
      if (answer.failed()) {
        assertThat(((Refusal) answer.cause()).problem()).isEqualTo(Problem.QUOTA_EXCEEDED);
      }
    }
    return (int) answers.stream().filter(Future::succeeded).count();
  }

  private int claimsServed(TestPod pod, List<UUID> memories) {
    List<Supplier<Future<Claimed>>> calls = new ArrayList<>();
    memories.forEach(memory -> calls.add(() -> pod.leases.claim(claim(memory))));
    return served(pod, calls);
  }

  private long live() {
    return (long)
        DATABASE.value(
            "SELECT count(*) FROM leases WHERE tenant_id = ? AND ended_as = 0"
                + " AND expires_at > clock_timestamp()",
            caller.tenantId());
  }

  private static double counts(TestPod pod) {
    return pod.meters
        .registry()
        .get("db.batch.rows")
        .tag("statement", "count_usage")
        .summary()
        .totalAmount();
  }

  @Test
  void aTenantWithoutAQuotaIsNeverCounted() {
    double before = counts(first);
    assertThat(claimsServed(first, memories(20))).isEqualTo(20);
    agreed(Term.POOLS, 0);
    assertThat(claimsServed(first, memories(20))).isEqualTo(20);
    assertThat(counts(first)).isEqualTo(before);
  }

  @Test
  void oneGatewayGrantsAsManyLeasesAsTheQuotaAndCountsOnceASecond() {
    agreed(Term.LEASES, 7);
    double before = counts(first);
    assertThat(claimsServed(first, memories(40))).isEqualTo(7);
    assertThat(claimsServed(first, memories(40))).isZero();
    assertThat(live()).isEqualTo(7);
    assertThat(counts(first) - before).isEqualTo(1);
  }

  @Test
  void aRefusalSaysWhichQuotaAndWhenToComeAgain() {
    agreed(Term.LEASES, 0);
    UUID memory = first.memory(caller);
    Refusal refusal = first.refusal(() -> first.leases.claim(claim(memory)));
    assertThat(refusal.members()).containsEntry("quota", "leases");
    assertThat((long) refusal.members().get("retry_after_ms")).isBetween(1L, 1_001L);
  }

  @Test
  void whatIsReleasedOrLapsesMakesRoomWithinASecond() {
    agreed(Term.LEASES, 2);
    List<UUID> memories = memories(3);
    Lease released = granted(first, claim(memories.get(0))).lease();
    granted(first, claim(memories.get(1)));
    Claim third = claim(memories.get(2));
    Release release =
        new Release(owner, released.canonicalName(), released.memoryId(), released.fencingToken());
    first.call(() -> first.leases.release(release));
    aSecondPasses();
    granted(first, third);
    assertThat(refused(first, claim(memories.get(0)))).isEqualTo(Problem.QUOTA_EXCEEDED);
    DATABASE.run(
        "UPDATE leases SET expires_at = clock_timestamp() - interval '1 ms' WHERE memory_id = '"
            + memories.get(1)
            + "'");
    aSecondPasses();
    granted(first, claim(memories.get(0)));
  }

  @Test
  void atTheQuotaOnlyWhatWouldBeGrantedAnewIsRefused() {
    agreed(Term.LEASES, 1);
    List<UUID> memories = memories(2);
    IdempotencyKey key = first.key();
    Claim held = claim(key, memories.get(0), "atthequota");
    Lease lease = granted(first, held).lease();
    assertThat(refused(first, claim(memories.get(1)))).isEqualTo(Problem.QUOTA_EXCEEDED);

    Claimed replay = granted(first, held);
    assertThat(replay.replayed()).isTrue();
    assertThat(replay.lease()).isEqualTo(lease);
    assertThat(refused(first, claim(key, memories.get(1), "another")))
        .isEqualTo(Problem.IDEMPOTENCY_KEY_REUSED);
    assertThat(refused(first, claim(UUID.randomUUID()))).isEqualTo(Problem.MEMORY_NOT_FOUND);
    assertThat(refused(first, claim(memories.get(0)))).isEqualTo(Problem.MEMORY_HELD);
    assertThat(refused(first, claim(first.key(), memories.get(1), "atthequota")))
        .isEqualTo(Problem.NAME_HELD);
    FencingToken again =
        granted(first, claim(first.key(), memories.get(0), "atthequota")).lease().fencingToken();
    assertThat(again.value()).isGreaterThan(lease.fencingToken().value());
    assertThat(refused(first, claim(memories.get(1)))).isEqualTo(Problem.QUOTA_EXCEEDED);
    assertThat(live()).isEqualTo(1);
  }

  @Test
  void severalGatewaysGoBeyondAQuotaByWhatTheOthersLetInDuringOneCountAndNoMore() {
    agreed(Term.LEASES, 10);
    List<UUID> memories = memories(60);
    granted(first, claim(memories.get(0)));
    for (TestPod pod : pods()) {
      // Each has counted one, and believes it.
      assertThat(refused(pod, claim(memories.get(0)))).isEqualTo(Problem.MEMORY_HELD);
    }
    for (int i = 0; i < 3; i++) {
      claimsServed(pods().get(i), memories.subList(1 + 15 * i, 16 + 15 * i));
    }
    assertThat(live()).isEqualTo(1 + 3 * 9);
    aSecondPasses();
    for (TestPod pod : pods()) {
      assertThat(claimsServed(pod, memories.subList(46, 60))).isZero();
    }
    assertThat(live()).isEqualTo(1 + 3 * 9);
  }

  @Test
  void aQuotaThatIsChangedOrLiftedHoldsAtOnceOnceItIsKnown() {
    agreed(Term.LEASES, 1);
    List<UUID> memories = memories(20);
    assertThat(claimsServed(first, memories.subList(0, 5))).isEqualTo(1);
    agreed(Term.LEASES, 3);
    aSecondPasses();
    assertThat(claimsServed(first, memories.subList(5, 10))).isEqualTo(2);
    agreed(first, Map.of());
    assertThat(claimsServed(first, memories.subList(10, 15))).isEqualTo(5);
    agreed(Term.LEASES, 2);
    assertThat(claimsServed(first, memories.subList(15, 20))).isZero();
  }

  @Test
  void anAnswerThatWasAskedForEarlierDoesNotBringOldTermsBack() {
    long now = System.nanoTime();
    first.tenants.learnt(caller.tenantId(), new Terms(Map.of(Term.LEASES, 0L)), now);
    first.tenants.learnt(caller.tenantId(), Terms.NONE, now - 1);
    assertThat(refused(first, claim(first.memory(caller)))).isEqualTo(Problem.QUOTA_EXCEEDED);
  }

  @Test
  void theLiveLeasesOfAnyNumberOfMemoriesAreCounted() {
    int many = 2 * CountUsage.MEMORIES_LOOKED_AT_MAX + 10;
    DATABASE.run(
        """
        WITH made AS (
          INSERT INTO memory_instances (memory_id, tenant_id, created_at)
          SELECT lpad(to_hex(n), 32, '0')::uuid, '%s', now() FROM generate_series(1, %d) n
          RETURNING memory_id, tenant_id)
        INSERT INTO leases (memory_id, tenant_id) SELECT memory_id, tenant_id FROM made
        """
            .formatted(caller.tenantId(), many));
    agreed(Term.LEASES, 3);
    for (int n : new int[] {1, many / 2, many}) {
      granted(second, claim(new UUID(0, n)));
      aSecondPasses();
    }
    assertThat(refused(second, claim(new UUID(0, 2)))).isEqualTo(Problem.QUOTA_EXCEEDED);
  }

  private Future<Registered> registering(UUID memoryId, IdempotencyKey key) {
    return first.memories.register(new Registration(key, caller, memoryId));
  }

  @Test
  void oneGatewayRegistersAsManyMemoriesAsTheQuota() {
    agreed(Term.MEMORIES, 4);
    List<Supplier<Future<Registered>>> calls = new ArrayList<>();
    for (int i = 0; i < 15; i++) {
      calls.add(() -> registering(null, first.key()));
    }
    assertThat(served(first, calls)).isEqualTo(4);
    aSecondPasses();
    assertThat(served(first, calls)).isZero();
  }

  @Test
  void atTheQuotaAMemoryThatIsThereAlreadyIsAnsweredAsEver() {
    IdempotencyKey key = first.key();
    UUID memory = first.call(() -> registering(null, key)).memory().memoryId();
    agreed(Term.MEMORIES, 2);
    Lease lease = granted(first, claim(memory)).lease();
    Branch branch = new Branch(first.key(), caller, memory, lease.fencingToken());
    UUID child = first.call(() -> first.memories.branch(branch)).memory().memoryId();

    assertThat(first.call(() -> registering(memory, null)).created()).isFalse();
    assertThat(first.call(() -> registering(null, key)).replayed()).isTrue();
    assertThat(first.call(() -> first.memories.branch(branch)).memory().memoryId())
        .isEqualTo(child);
    UUID others = first.memory();
    assertThat(first.refusal(() -> registering(others, null)).problem())
        .isEqualTo(Problem.MEMORY_ID_TAKEN);
    Branch stale = new Branch(first.key(), caller, memory, new FencingToken(1));
    assertThat(first.refusal(() -> first.memories.branch(stale)).problem())
        .isEqualTo(Problem.STALE_FENCING_TOKEN);
    Branch more = new Branch(first.key(), caller, memory, lease.fencingToken());
    assertThat(first.refusal(() -> first.memories.branch(more)).problem())
        .isEqualTo(Problem.QUOTA_EXCEEDED);
    assertThat(first.refusal(() -> registering(null, null)).problem())
        .isEqualTo(Problem.QUOTA_EXCEEDED);
  }
}
