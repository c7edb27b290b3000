package com.memoryendpoints.gateway.pool;

import static org.assertj.core.api.Assertions.assertThat;

import com.memoryendpoints.gateway.TestDatabase;
import com.memoryendpoints.gateway.lease.TestPod;
import com.memoryendpoints.gateway.problem.Problem;
import com.memoryendpoints.gateway.tenant.Caller;
import com.memoryendpoints.gateway.tenant.Term;
import com.memoryendpoints.gateway.tenant.Terms;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What quotas of pools and identifiers let in. */
@Timeout(60)
class PoolQuotaLawsTest {
  @RegisterExtension static final TestDatabase DATABASE = TestDatabase.migrated();

  private static TestPod pod;

  private final Caller caller = new Caller(UUID.randomUUID(), "crawler");
  private final TestPool pool = pool("one");

  @BeforeAll
  static void open() {
    pod = new TestPod(DATABASE);
  }

  @AfterAll
  static void close() {
    pod.close();
  }

  private TestPool pool(String name) {
    return new TestPool(pod, DATABASE, caller, new PoolName(name));
  }

  private void agreed(Term term, long quota) {
    pod.tenants.learnt(caller.tenantId(), new Terms(Map.of(term, quota)), System.nanoTime());
  }

  private static void aSecondPasses() {
    pod.clock.addAndGet(TimeUnit.SECONDS.toNanos(1));
  }

  private void isBeyond(TestPool which, List<String> identifiers) {
    assertThat(
            pod.refusal(() -> pod.pools.load(new Load(caller, which.name(), identifiers)))
                .problem())
        .isEqualTo(Problem.QUOTA_EXCEEDED);
  }

  @Test
  void poolsAreMadeUpToTheQuotaAndChangedAtIt() {
    agreed(Term.POOLS, 2);
    assertThat(pool.put(TestPool.NO_GRACE).created()).isTrue();
    assertThat(pool("two").put(TestPool.NO_GRACE).created()).isTrue();
    PutPool third = new PutPool(caller, new PoolName("three"), TestPool.NO_GRACE);
    assertThat(pod.refusal(() -> pod.pools.put(third)).problem()).isEqualTo(Problem.QUOTA_EXCEEDED);
    assertThat(pool.put(new PoolSettings(60, null, 0)).created()).isFalse();
    pod.call(() -> pod.pools.delete(caller, new PoolName("two"), false));
    aSecondPasses();
    assertThat(pod.call(() -> pod.pools.put(third)).created()).isTrue();
  }

  @Test
  void aLoadThatWouldGoBeyondTheQuotaAddsNothing() {
    pool.put(TestPool.NO_GRACE);
    agreed(Term.IDENTIFIERS, 100);
    assertThat(pool.loads("a", 60).inserted()).isEqualTo(60);
    isBeyond(pool, TestPool.identifiers("b", 41));
    assertThat(pool.found().counts().unused()).isEqualTo(60);
    assertThat(pool.loads("b", 40).inserted()).isEqualTo(40);
    isBeyond(pool, List.of("one more"));
  }

  @Test
  void whatIsThereAlreadyTakesNoRoom() {
    pool.put(TestPool.NO_GRACE);
    agreed(Term.IDENTIFIERS, 100);
    pool.loads("a", 90);
    assertThat(pool.loads("a", 100)).isEqualTo(new Loaded(10, 90));
    assertThat(pool.loads("a", 100)).isEqualTo(new Loaded(0, 100));
    assertThat(pool.loads(List.of("a-000001", "a-000001"))).isEqualTo(new Loaded(0, 2));
    assertThat(
            pod.refusal(() -> pod.pools.load(new Load(caller, new PoolName("none"), List.of("a"))))
                .problem())
        .isEqualTo(Problem.POOL_NOT_FOUND);
  }

  @Test
  void everyStateCountsAndADeletedPoolDoesNot() {
    pool.put(TestPool.NO_GRACE);
    TestPool other = pool("other");
    other.put(TestPool.NO_GRACE);
    agreed(Term.IDENTIFIERS, 10);
    pool.loads("a", 5);
    other.loads("b", 5);
    pool.consumes(pool.claimsOne());
    pool.claimsOne();
    aSecondPasses();
    isBeyond(pool, List.of("one more"));
    pod.call(() -> pod.pools.delete(caller, other.name(), true));
    aSecondPasses();
    assertThat(pool.loads("c", 5).inserted()).isEqualTo(5);
  }
}
