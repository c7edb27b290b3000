package com.memoryendpoints.gateway.lease;

import static com.memoryendpoints.gateway.lease.TestPod.CALLER;
import static org.assertj.core.api.Assertions.assertThat;

import com.memoryendpoints.gateway.TestDatabase;
import com.memoryendpoints.gateway.TestServer;
import com.memoryendpoints.gateway.problem.Problem;
import com.memoryendpoints.gateway.tenant.Term;
import com.memoryendpoints.gateway.tenant.Terms;
import io.micrometer.core.instrument.Counter;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What an alert reads of claims is what their callers were told, whoever told them. */
class ClaimCountsTest {
  private TestServer server;
  private TestDatabase database;
  private TestPod pod;

  @BeforeEach
  void start() {
    server = TestServer.start();
    database = TestDatabase.on(server);
    pod = new TestPod(database);
  }

  @AfterEach
  void stop() {
    pod.close();
    server.close();
  }

  private Problem refused(Claim claim) {
    return pod.refusal(() -> pod.leases.claim(claim)).problem();
  }

  private Map<String, Double> counted() {
    Map<String, Double> counted = new TreeMap<>();
    for (Counter outcome : pod.meters.registry().get("lease.claims").counters()) {
      if (outcome.count() > 0) {
        counted.put(Objects.requireNonNull(outcome.getId().getTag("outcome")), outcome.count());
      }
    }
    return counted;
  }

  private static String outcome(Problem problem) {
    return problem.name().toLowerCase(Locale.ROOT);
  }

  @Test
  void aClaimThatTheDatabaseDecidesIsCountedOnce() {
    UUID memory = pod.memory();
    Claim first = pod.claim("first", memory);
    pod.call(() -> pod.leases.claim(first));
    pod.call(() -> pod.leases.claim(first));
    Owner late = new Owner(CALLER, "late");
    Claim second = new Claim(pod.key(), late, first.name(), memory, 30);
    assertThat(refused(second)).isEqualTo(Problem.MEMORY_HELD);
    database.run("UPDATE leases SET expires_at = clock_timestamp() - interval '1 ms'");
    pod.call(() -> pod.leases.claim(second));
    pod.tenants.learnt(CALLER.tenantId(), new Terms(Map.of(Term.LEASES, 1L)), System.nanoTime());
    assertThat(refused(pod.claim("second", pod.memory()))).isEqualTo(Problem.QUOTA_EXCEEDED);
    assertThat(counted())
        .isEqualTo(
            Map.of(
                "granted", 1.0,
                "replayed", 1.0,
                "memory_held", 1.0,
                "taken_over", 1.0,
                "quota_exceeded", 1.0));
  }

  @Test
  void aClaimThatNeverCameToARowIsCountedAsWhatItsCallerWasTold() {
    Claim claim = pod.claim("unlucky", pod.memory());
    server.freeze();
    Problem frozen;
    try {
      frozen = refused(claim);
    } finally {
      server.thaw();
    }
    assertThat(frozen).isEqualTo(Problem.OUTCOME_UNKNOWN);
    server.stop();
    assertThat(refused(claim)).isEqualTo(Problem.UNAVAILABLE);
    assertThat(refused(claim)).isEqualTo(Problem.UNAVAILABLE);
    assertThat(counted()).isEqualTo(Map.of(outcome(frozen), 1.0, "unavailable", 2.0));
  }
}
