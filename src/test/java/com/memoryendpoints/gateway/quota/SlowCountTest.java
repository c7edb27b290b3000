package com.memoryendpoints.gateway.quota;

import static org.assertj.core.api.Assertions.assertThat;

import com.memoryendpoints.gateway.TestDatabase;
import com.memoryendpoints.gateway.lease.TestPod;
import com.memoryendpoints.gateway.problem.Problem;
import com.memoryendpoints.gateway.tenant.Caller;
import com.memoryendpoints.gateway.tenant.Term;
import com.memoryendpoints.gateway.tenant.Terms;
import io.vertx.core.Future;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Who waits for a count, and for how long. A count that lasts is one whose server stands still. */
@Timeout(60)
class SlowCountTest {
  @RegisterExtension static final TestDatabase DATABASE = TestDatabase.migrated();

  private final UUID tenantId = UUID.randomUUID();
  private TestPod pod;
  private Quotas quotas;
  private List<Map<String, Object>> stopped = List.of();

  @BeforeEach
  void open() {
    pod = new TestPod(DATABASE);
    quotas =
        pod.run(
            () ->
                new Quotas(pod.database, pod.tenants, new Estimates(), pod.meters, pod.clock::get));
  }

  @AfterEach
  void close() throws Exception {
    goOn();
    pod.close();
  }

  private void has(int memories) {
    IntStream.range(0, memories).forEach(n -> pod.memory(new Caller(tenantId, "crawler")));
  }

  private void agreed(long quota) {
    pod.tenants.learnt(tenantId, new Terms(Map.of(Term.MEMORIES, quota)), System.nanoTime());
  }

  /** Comes to nothing in the end: what there is stays as it was. */
  private Future<Integer> asking(int news) {
    return quotas.within(
        tenantId,
        Term.MEMORIES,
        new Quotas.Making<Integer>(1, () -> Future.succeededFuture(news), made -> made),
        () -> Future.succeededFuture(0));
  }

  private Problem refused() {
    return pod.refusal(() -> asking(1)).problem();
  }

  private boolean isServedAtOnce(int news) {
    return pod.run(() -> asking(news).succeeded());
  }

  private void aSecondPasses() {
    pod.clock.addAndGet(TimeUnit.SECONDS.toNanos(1));
  }

  private void standStill() throws Exception {
    stopped =
        DATABASE.rows(
            "SELECT pid FROM pg_stat_activity WHERE datname = current_database()"
                + " AND backend_type = 'client backend' AND pid <> pg_backend_pid()");
    signal("-STOP");
  }

  private void goOn() throws Exception {
    signal("-CONT");
    stopped = List.of();
  }

  private void signal(String name) throws Exception {
    for (Map<String, Object> server : stopped) {
      String pid = server.get("pid").toString();
      assertThat(new ProcessBuilder("kill", name, pid).start().waitFor()).isZero();
    }
  }

  @Test
  void whatTheLastCountLeavesRoomForWaitsForNoOther() throws Exception {
    has(1);
    agreed(2);
    pod.call(() -> asking(1));
    aSecondPasses();
    standStill();
    assertThat(isServedAtOnce(1)).isTrue();
  }

  @Test
  void onlyACountThatIsBelievedRefusesAndNobodyWaitsForItForLong() throws Exception {
    has(1);
    agreed(1);
    assertThat(refused()).isEqualTo(Problem.QUOTA_EXCEEDED);
    aSecondPasses();
    standStill();
    assertThat(refused()).isEqualTo(Problem.OVERLOADED);
    goOn();
    Awaitility.await().until(() -> refused() == Problem.QUOTA_EXCEEDED);
  }

  @Test
  void theFirstCountIsWaitedForButNotForLong() throws Exception {
    agreed(1);
    standStill();
    assertThat(refused()).isEqualTo(Problem.OVERLOADED);
    assertThat(isServedAtOnce(0)).isTrue();
    goOn();
    Awaitility.await().ignoreExceptions().until(() -> pod.call(() -> asking(1)) == 0);
  }

  /** A count goes no further than the quota: of a higher one it does not tell. */
  @Test
  void aCountForALowQuotaLetsNothingInByAHighOne() {
    has(2);
    agreed(0);
    assertThat(refused()).isEqualTo(Problem.QUOTA_EXCEEDED);
    agreed(9);
    assertThat(isServedAtOnce(1)).isFalse();
    pod.call(() -> asking(1));
  }
}
