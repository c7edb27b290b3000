package com.memoryendpoints.gateway.lease;

import static org.assertj.core.api.Assertions.assertThat;

import com.memoryendpoints.gateway.TestDatabase;
import com.memoryendpoints.gateway.TestServer;
import com.memoryendpoints.gateway.config.Limits;
import com.memoryendpoints.gateway.problem.Refusal;
import io.vertx.core.Future;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What was acknowledged is there when a durable database comes back, and the rest is free. */
class LostServerTest {
  private static final int CLAIMS = 1_000;
  private static final int IN_FLIGHT_MAX = 64;
  private static final int TTL_SECONDS = 300;

  /** The gateway's own deadline, and the way to it on a busy machine. */
  private static final long ANSWERED_MS_MAX = Limits.REQUEST_MS_MAX + 200;

  private static final String STORED =
      """
      SELECT memory_id, lease_id, last_token,
        (extract(epoch FROM expires_at) * 1000000)::bigint AS expires_at_us
      FROM leases
      """;

  private static TestServer server;
  private static TestDatabase database;
  private static TestPod pod;

  @BeforeAll
  static void start() {
    server =
        TestServer.start(
            Map.of("fsync", "on", "synchronous_commit", "on", "full_page_writes", "on"));
    database = TestDatabase.on(server);
    pod = new TestPod(database);
  }

  @AfterAll
  static void stop() {
    pod.close();
    server.close();
  }

  /** Claims of as many names and fresh memories, not sent yet. */
  private static List<Claim> claims(String name, int count) {
    List<Future<Registered>> memories =
        IntStream.range(0, count)
            .mapToObj(
                i ->
                    pod.start(
                        () -> pod.memories.register(new Registration(null, TestPod.CALLER, null))))
            .toList();
    List<Claim> claims = new ArrayList<>();
    for (Future<Registered> memory : memories) {
      UUID memoryId = TestPod.await(memory).memory().memoryId();
      claims.add(TestPod.claim(pod.key(), name + claims.size(), memoryId, TTL_SECONDS));
    }
    return claims;
  }

  /** Sends every claim, and kills the server when half of them are on their way. */
  private static Map<Claim, Lease> acknowledgedThroughACrash(List<Claim> claims) {
    Map<Claim, Lease> acknowledged = new ConcurrentHashMap<>();
    List<Throwable> failures = new CopyOnWriteArrayList<>();
    Semaphore inFlight = new Semaphore(IN_FLIGHT_MAX);
    for (int i = 0; i < CLAIMS; i++) {
      Claim claim = claims.get(i);
      inFlight.acquireUninterruptibly();
      pod.start(() -> pod.leases.claim(claim))
          .onSuccess(claimed -> acknowledged.put(claim, claimed.lease()))
          .onFailure(failures::add)
          .onComplete(answer -> inFlight.release());
      if (i == CLAIMS / 2) {
        server.kill();
      }
    }
    inFlight.acquireUninterruptibly(IN_FLIGHT_MAX);
    assertThat(failures).isNotEmpty().allSatisfy(LostServerTest::assertTryLater);
    return acknowledged;
  }

  private static void assertTryLater(Throwable failure) {
    assertThat(failure)
        .isInstanceOfSatisfying(
            Refusal.class, refusal -> assertThat(refusal.problem().status()).isEqualTo(503));
  }

  private static List<Claimed> claimAll(List<Claim> claims) {
    return claims.stream().map(claim -> pod.start(() -> pod.leases.claim(claim))).toList().stream()
        .map(TestPod::await)
        .toList();
  }

  private static void assertStored(Collection<Lease> acknowledged) {
    Map<Object, Map<String, Object>> rows = new HashMap<>();
    database.rows(STORED).forEach(row -> rows.put(row.get("memory_id"), row));
    for (Lease lease : acknowledged) {
      assertThat(rows.get(lease.memoryId()))
          .containsEntry("lease_id", lease.leaseId())
          .containsEntry("last_token", lease.fencingToken().value())
          .containsEntry(
              "expires_at_us", ChronoUnit.MICROS.between(Instant.EPOCH, lease.expiresAt()));
    }
  }

  /** A key either took effect or it did not: it replays, or it is granted now. */
  private static List<Claimed> claimAgain(List<Claim> claims, Map<Claim, Lease> acknowledged) {
    List<Claimed> again = claimAll(claims);
    for (int i = 0; i < CLAIMS; i++) {
      Lease lease = acknowledged.get(claims.get(i));
      if (lease != null) {
        assertThat(again.get(i).replayed()).isTrue();
        assertThat(again.get(i).lease()).isEqualTo(lease);
      }
    }
    return again;
  }

  private static Claim byAnother(Claim claim) {
    Owner another = new Owner(TestPod.CALLER, "worker-2");
    return new Claim(pod.key(), another, claim.name(), claim.memoryId(), TTL_SECONDS);
  }

  @Test
  void everyAcknowledgedLeaseSurvivesAKilledServer() {
    List<Claim> claims = claims("crashed", CLAIMS);
    Map<Claim, Lease> acknowledged = acknowledgedThroughACrash(claims);
    assertThat(acknowledged).isNotEmpty();
    server.restart();
    pod.awaitUp();
    assertStored(acknowledged.values());
    HighestTokens seen = new HighestTokens();
    claimAgain(claims, acknowledged).forEach(claimed -> seen.rise(claimed.lease()));
    // When their time is over, all are anybody's.
    database.run("UPDATE leases SET expires_at = clock_timestamp() - interval '1 ms'");
    claimAll(claims.stream().map(LostServerTest::byAnother).toList())
        .forEach(claimed -> seen.rise(claimed.lease()));
  }

  /** Scenario 5: nothing that is restarted gives time, or takes it. */
  @Test
  void restartsOfTheDatabaseAndOfGatewaysLeaveEveryLeaseAsItWas() {
    List<Claim> claims = claims("restarted", 20);
    List<Lease> leases = claimAll(claims).stream().map(Claimed::lease).toList();
    for (int round = 0; round < 2; round++) {
      server.kill();
      server.restart();
      pod.awaitUp();
      assertUnchanged(pod, claims, leases);
      try (TestPod next = new TestPod(database)) {
        assertUnchanged(next, claims, leases);
      }
      server.stop();
      try (TestPod both = TestPod.trying(database)) {
        server.restart();
        both.awaitUp();
        assertUnchanged(both, claims, leases);
      }
      pod.awaitUp();
    }
  }

  /** To the microsecond, in the database and in what a gateway says. */
  private static void assertUnchanged(TestPod by, List<Claim> claims, List<Lease> leases) {
    assertStored(leases);
    for (int i = 0; i < leases.size(); i++) {
      Lease lease = leases.get(i);
      Claim claim = claims.get(i);
      Verification asked = new Verification(TestPod.CALLER, lease.memoryId(), lease.fencingToken());
      assertThat(by.call(() -> by.leases.verify(asked)).expiresAt()).isEqualTo(lease.expiresAt());
      assertThat(by.call(() -> by.leases.claim(claim))).isEqualTo(new Claimed(lease, true));
    }
  }

  @Test
  void everyClaimIsAnsweredWhileTheServerIsFrozenAndServedAfterwards() {
    List<Claim> claims = claims("frozen", 200);
    List<Long> tookMs = new CopyOnWriteArrayList<>();
    server.freeze();
    try {
      claims.stream()
          .map(
              claim -> {
                long sent = System.nanoTime();
                return pod.start(() -> pod.leases.claim(claim))
                    .onComplete(answer -> tookMs.add((System.nanoTime() - sent) / 1_000_000));
              })
          .toList()
          .forEach(answer -> assertTryLater(pod.refusal(() -> answer)));
    } finally {
      server.thaw();
    }
    assertThat(tookMs).hasSameSizeAs(claims).allMatch(took -> took <= ANSWERED_MS_MAX);
    // What was in flight may hold its rows for a moment longer.
    Awaitility.await()
        .ignoreExceptionsInstanceOf(Refusal.class)
        .until(() -> claimAll(claims).size() == claims.size());
  }
}
