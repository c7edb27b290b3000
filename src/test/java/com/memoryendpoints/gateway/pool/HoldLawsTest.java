package com.memoryendpoints.gateway.pool;

import static com.memoryendpoints.gateway.lease.TestPod.CALLER;
import static org.assertj.core.api.Assertions.assertThat;

import com.memoryendpoints.gateway.TestDatabase;
import com.memoryendpoints.gateway.idempotency.IdempotencyKey;
import com.memoryendpoints.gateway.lease.TestPod;
import com.memoryendpoints.gateway.problem.Problem;
import com.memoryendpoints.gateway.problem.Refusal;
import com.memoryendpoints.gateway.reaper.TestReaper;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The life of a hold (Laws 5 and 6): borrowed for a time, by a token, finished once. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class HoldLawsTest {
  @RegisterExtension static final TestDatabase DATABASE = TestDatabase.migrated();

  private TestPod pod;
  private TestReaper reaper;

  @BeforeAll
  void start() {
    pod = new TestPod(DATABASE);
    reaper = new TestReaper(DATABASE);
  }

  @AfterAll
  void stop() {
    reaper.close();
    pod.close();
  }

  private TestPool pool(String name, int identifiers) {
    return pool(name, identifiers, TestPool.NO_GRACE);
  }

  private TestPool pool(String name, int identifiers, PoolSettings settings) {
    TestPool pool = TestPool.made(pod, DATABASE, name, settings);
    pool.loads("id", identifiers);
    return pool;
  }

  private Instant now() {
    return ((java.sql.Timestamp) DATABASE.value("SELECT clock_timestamp()")).toInstant();
  }

  @Test
  void identifiersAreBorrowedInTheOrderOfTheirLoad() {
    TestPool pool = pool("order", 10);
    pool.loads(List.of("z", "a"));
    assertThat(pool.claims(11).stream().map(Hold::identifier))
        .containsExactly(
            "id-000000",
            "id-000001",
            "id-000002",
            "id-000003",
            "id-000004",
            "id-000005",
            "id-000006",
            "id-000007",
            "id-000008",
            "id-000009",
            "z");
    assertThat(pool.claims(5)).singleElement().extracting(Hold::identifier).isEqualTo("a");
  }

  @Test
  void aHoldLastsAsLongAsItsClaimSaysOrItsPool() {
    TestPool pool = pool("ttl", 2, new PoolSettings(120, null, 0));
    Instant before = now();
    Hold byDefault = pool.claimsOne();
    Hold said = pool.claims(pool.claim(pod.key(), 1, 5)).holds().get(0);
    Instant after = now();
    assertThat(byDefault.leasedUntil()).isBetween(before.plusSeconds(120), after.plusSeconds(120));
    assertThat(said.leasedUntil()).isBetween(before.plusSeconds(5), after.plusSeconds(5));
    assertThat(byDefault.attempt()).isEqualTo(1);
  }

  @Test
  void aClaimGetsWhatIsFreeAndNoMore() {
    TestPool pool = pool("short", 3);
    assertThat(pool.claims(1_000)).hasSize(3);
    assertThat(pool.claimProblem(1)).isEqualTo(Problem.POOL_EXHAUSTED);
    assertThat(pool.found().counts()).isEqualTo(new PoolCounts(0, 3, 0, 0));
  }

  @Test
  void aClaimOfAnEmptyPoolIsToldWhenAHoldCanLapse() {
    TestPool pool = pool("when", 1, new PoolSettings(30, null, 5_000));
    pool.claims(pool.claim(pod.key(), 1, 100));
    assertRetryIn(pool, 95_000, 105_000);
    TestPool nothing = pool("nothing", 0);
    Refusal other = pod.refusal(() -> pod.pools.claim(nothing.claim(1)));
    assertThat(other.members().get("retry_after_ms"))
        .isEqualTo((long) ClaimIdentifiers.EXHAUSTED_RETRY_MS);
  }

  /** At once, unless the machine is so slow that the head is not looked at for every claim. */
  private void assertRetryIn(TestPool pool, long leastMs, long mostMs) {
    Awaitility.await()
        .atMost(Duration.ofSeconds(20))
        .untilAsserted(
            () -> {
              Refusal refusal = pod.refusal(() -> pod.pools.claim(pool.claim(1)));
              assertThat(refusal.problem()).isEqualTo(Problem.POOL_EXHAUSTED);
              assertThat((long) refusal.members().get("retry_after_ms")).isBetween(leastMs, mostMs);
            });
  }

  @Test
  void aReleasedIdentifierIsClaimableAgainAtTheTail() {
    TestPool pool = pool("tail", 3);
    Hold first = pool.claimsOne();
    Instant availableAt = pool.releases(first);
    assertThat(pool.releases(first)).isEqualTo(availableAt);
    assertThat(pool.claims(3).stream().map(Hold::identifier))
        .containsExactly("id-000001", "id-000002", "id-000000");
    assertThat(pool.problem(pool.releasing(first, 0))).isEqualTo(Problem.STALE_FENCING_TOKEN);
  }

  @Test
  void aReleaseIsNoAttemptAndTheNextTokenIsHigher() {
    TestPool pool = pool("attempts", 1, new PoolSettings(30, 1, 0));
    Hold before = pool.claimsOne();
    for (int i = 0; i < 5; i++) {
      pool.releases(before);
      Hold next = pool.claimsOne();
      assertThat(next.attempt()).isEqualTo(1);
      assertThat(next.token().value()).isGreaterThan(before.token().value());
      before = next;
    }
  }

  @Test
  void aReleasedIdentifierCanBeDelayed() {
    TestPool pool = pool("delay", 1);
    Hold hold = pool.claimsOne();
    Instant before = now();
    Instant availableAt = TestPod.await(pool.releasing(hold, 3_600));
    assertThat(availableAt).isBetween(before.plusSeconds(3_600), now().plusSeconds(3_600));
    assertRetryIn(pool, 3_500_000, 3_600_000);
    pool.age(hold, "available_at = available_at - interval '1 hour'");
    assertThat(pool.claims(1)).hasSize(1);
  }

  @Test
  void aRenewalExtendsAndNeverShortens() {
    TestPool pool = pool("renew", 1);
    Hold hold = pool.claims(pool.claim(pod.key(), 1, 200)).holds().get(0);
    assertThat(pool.renews(hold, 1)).isEqualTo(hold.leasedUntil());
    Instant longer = pool.renews(hold, 300);
    assertThat(longer).isAfter(hold.leasedUntil().plusSeconds(90));
    pool.age(hold, "leased_until = leased_until - interval '290 seconds'");
    // The granted ttl.
    assertThat(Duration.between(now(), pool.renews(hold, null)).toSeconds()).isBetween(195L, 200L);
  }

  @Test
  void whatIsConsumedIsConsumedForEverAndNoted() {
    TestPool pool = pool("final", 1);
    Hold hold = pool.claimsOne();
    Instant consumedAt = TestPod.await(pool.consuming(hold, "order 7"));
    assertThat(pool.consumes(hold)).isEqualTo(consumedAt);
    assertThat(TestPod.await(pool.consuming(hold, "order 8"))).isEqualTo(consumedAt);
    assertThat(pool.problem(pool.renewing(hold, null))).isEqualTo(Problem.IDENTIFIER_CONSUMED);
    assertThat(pool.problem(pool.releasing(hold, 0))).isEqualTo(Problem.IDENTIFIER_CONSUMED);
    // Neither time nor the reaper nor a claim brings it back.
    pool.lapse(hold);
    reaper.pass();
    assertThat(pool.consumes(hold)).isEqualTo(consumedAt);
    assertThat(pool.claimProblem(1)).isEqualTo(Problem.POOL_EXHAUSTED);
    IdentifierView view = pool.view(hold);
    assertThat(view.state()).isEqualTo(IdentifierView.State.CONSUMED);
    assertThat(view.reference()).isEqualTo("order 7");
    assertThat(view.consumedAt()).isEqualTo(consumedAt);
    assertThat(DATABASE.rows("SELECT * FROM consumed_identifiers WHERE pool_id = ?", pool.id()))
        .singleElement()
        .satisfies(
            row ->
                assertThat(row)
                    .containsEntry("identifier_id", hold.identifierId())
                    .containsEntry("tenant_id", CALLER.tenantId())
                    .containsEntry("fencing_token", hold.token().value())
                    .containsEntry("principal", CALLER.principal())
                    .containsEntry("owner_client_id", "worker-1")
                    .containsEntry("reference", "order 7"));
  }

  @Test
  void aTokenThatIsNotTheLastIsStaleAndToldTheCurrentOne() {
    TestPool pool = pool("stale", 1);
    Hold old = pool.claimsOne();
    pool.releases(old);
    Hold current = pool.claimsOne();
    assertThat(pool.problems(old)).containsOnly(Problem.STALE_FENCING_TOKEN);
    Hold never =
        new Hold(
            old.identifierId(),
            old.identifier(),
            new HoldToken(HoldToken.MAX),
            old.leasedUntil(),
            1);
    assertThat(pool.problems(never)).containsOnly(Problem.STALE_FENCING_TOKEN);
    Refusal refusal = pod.refusal(() -> pod.pools.consume(new Consumption(pool.ref(old), null)));
    assertThat(refusal.members()).containsEntry("current_token", current.token().value());
    // Also when it is consumed: whose token is stale learns that first.
    pool.consumes(current);
    assertThat(pool.problems(old)).containsOnly(Problem.STALE_FENCING_TOKEN);
  }

  /** Law 5: time is a wall, even if nobody came. */
  @Test
  void aLapsedHoldIsAWallBeforeTheReaperCame() {
    TestPool pool = pool("wall", 1);
    Hold hold = pool.claimsOne();
    pool.age(hold, "leased_until = clock_timestamp()");
    assertThat(pool.problems(hold)).containsOnly(Problem.HOLD_LAPSED);
    assertThat(pool.noted()).isZero();
    assertThat(pool.view(hold).state()).isEqualTo(IdentifierView.State.PENDING);
  }

  /** The seed's first fault: its token is still the last one after the reset. */
  @Test
  void aZombieIsRefusedAfterTheResetAndBeforeTheNextClaim() {
    TestPool pool = pool("zombie", 1);
    Hold hold = pool.claimsOne();
    pool.lapse(hold);
    reaper.pass();
    assertThat(pool.view(hold).state()).isEqualTo(IdentifierView.State.UNUSED);
    assertThat(pool.view(hold).token()).isEqualTo(hold.token().value());
    assertThat(pool.problems(hold)).containsOnly(Problem.HOLD_LAPSED);
    Hold next = pool.claimsOne();
    assertThat(next.attempt()).isEqualTo(2);
    assertThat(next.token().value()).isGreaterThan(hold.token().value());
    assertThat(pool.problems(hold)).containsOnly(Problem.STALE_FENCING_TOKEN);
    pool.consumes(next);
    assertThat(pool.noted()).isEqualTo(1);
  }

  /** No lease-released here: who gave it back has nothing left, as if it had lapsed. */
  @Test
  void whoGaveAnIdentifierBackCanNeitherRenewNorConsumeIt() {
    TestPool pool = pool("given", 1);
    Hold hold = pool.claimsOne();
    pool.releases(hold);
    assertThat(pool.problem(pool.renewing(hold, null))).isEqualTo(Problem.HOLD_LAPSED);
    assertThat(pool.problem(pool.consuming(hold, null))).isEqualTo(Problem.HOLD_LAPSED);
  }

  @Test
  void aLapsedHoldIsClaimableAtOnceWithoutTheReaper() {
    TestPool pool = pool("inline", 2, new PoolSettings(30, 3, 0));
    List<Hold> holds = pool.claims(2);
    holds.forEach(pool::lapse);
    List<Hold> again = pool.claims(5);
    assertThat(again).hasSize(2).allSatisfy(hold -> assertThat(hold.attempt()).isEqualTo(2));
    assertThat(holds)
        .allSatisfy(
            hold -> assertThat(pool.problems(hold)).containsOnly(Problem.STALE_FENCING_TOKEN));
    assertThat(pool.counted()).isEqualTo(new PoolCounts(0, 2, 0, 0));
    assertThat(pool.found().counts()).isEqualTo(pool.counted());
  }

  @Test
  void theGraceIsKeptByClaimersToo() {
    TestPool pool = pool("grace", 1, new PoolSettings(30, null, 60_000));
    Hold hold = pool.claimsOne();
    pool.age(hold, "leased_until = clock_timestamp() - interval '1 second'");
    assertThat(pool.claimProblem(1)).isEqualTo(Problem.POOL_EXHAUSTED);
    assertThat(pool.problems(hold)).containsOnly(Problem.HOLD_LAPSED);
    pool.lapse(hold);
    assertThat(pool.claims(1)).hasSize(1);
  }

  @Test
  void anIdentifierThatLapsedTooOftenIsDeadUntilItIsRedriven() {
    TestPool pool = pool("dead", 1, new PoolSettings(30, 2, 0));
    Hold first = pool.claimsOne();
    pool.lapse(first);
    Hold second = pool.claimsOne();
    pool.lapse(second);
    // The claimer leaves it to the reaper, which alone makes it dead.
    assertThat(pool.claimProblem(1)).isEqualTo(Problem.POOL_EXHAUSTED);
    reaper.pass();
    assertThat(pool.found().counts()).isEqualTo(new PoolCounts(0, 0, 0, 1));
    assertThat(pool.view(second).state()).isEqualTo(IdentifierView.State.DEAD);
    assertThat(pool.view(second).attempts()).isEqualTo(2);
    assertThat(pool.problems(second)).containsOnly(Problem.HOLD_LAPSED);
    assertThat(pool.redrives(List.of())).isZero();
    assertThat(pool.redrives(List.of(second.identifierId()))).isEqualTo(1);
    assertThat(pool.redrives(null)).isZero();
    Hold third = pool.claimsOne();
    assertThat(third.attempt()).isEqualTo(1);
    assertThat(third.token().value()).isGreaterThan(second.token().value());
    assertThat(pool.problems(second)).containsOnly(Problem.STALE_FENCING_TOKEN);
  }

  @Test
  void aReplayTakesNothingMoreAndAnswersTheSameHolds() {
    TestPool pool = pool("replay", 10);
    IdempotencyKey key = pod.key();
    Held first = pool.claims(pool.claim(key, 3, null));
    Held again = pool.claims(pool.claim(key, 3, null));
    Held withTheDefault = pool.claims(pool.claim(key, 3, 30));
    assertThat(first.replayed()).isFalse();
    assertThat(again).isEqualTo(new Held(first.holds(), true)).isEqualTo(withTheDefault);
    pool.consumes(first.holds().get(0));
    pool.lapse(first.holds().get(1));
    assertThat(pool.claims(pool.claim(key, 3, null))).isEqualTo(again);
    assertThat(pool.counted().unused()).isEqualTo(7);
    // Also after the pool's default has changed.
    pool.put(new PoolSettings(60, null, 0));
    assertThat(pool.claims(pool.claim(key, 3, null))).isEqualTo(again);
  }

  @Test
  void anotherRequestUnderTheKeyIsRefused() {
    TestPool pool = pool("reused", 10);
    IdempotencyKey key = pod.key();
    pool.claims(pool.claim(key, 1, null));
    assertThat(pool.problem(pool.start(pool.claim(key, 2, null))))
        .isEqualTo(Problem.IDEMPOTENCY_KEY_REUSED);
    assertThat(pool.problem(pool.start(pool.claim(key, 1, 31))))
        .isEqualTo(Problem.IDEMPOTENCY_KEY_REUSED);
    // A key's space is one pool.
    assertThat(pool.claims(pool.claim(key, 1, null)).replayed()).isTrue();
    TestPool other = pool("reused-too", 1);
    assertThat(other.claims(other.claim(key, 1, null)).replayed()).isFalse();
  }

  /** A refusal is not remembered. */
  @Test
  void theKeyOfARefusedClaimWorksLater() {
    TestPool pool = pool("later", 0);
    IdempotencyKey key = pod.key();
    assertThat(pool.problem(pool.start(pool.claim(key, 1, null))))
        .isEqualTo(Problem.POOL_EXHAUSTED);
    pool.loads("id", 1);
    assertThat(pool.claims(pool.claim(key, 1, null)).replayed()).isFalse();
  }

  @Test
  void whatHappenedIsAuditedAndRedacted() {
    TestPool pool = pool("audited", 3, new PoolSettings(30, 1, 0));
    List<Hold> holds = pool.claims(3);
    pool.consumes(holds.get(0));
    pool.releases(holds.get(1));
    pool.lapse(holds.get(2));
    reaper.pass();
    pool.redrives(null);
    pool.put(PoolSettings.DEFAULT);
    pool.deletes(true);
    List<java.util.Map<String, Object>> events =
        DATABASE.rows(
            "SELECT * FROM audit_events WHERE redacted_name_hash = ? ORDER BY xid, event_type",
            new com.memoryendpoints.gateway.audit.Redactor(
                    new javax.crypto.spec.SecretKeySpec(new byte[32], "HmacSHA256"))
                .name(CALLER.tenantId(), "audited")
                .getBytes());
    assertThat(events.stream().map(event -> event.get("event_type")))
        .containsExactly(
            "POOL_CREATED",
            "IDENTIFIERS_LOADED",
            "IDENTIFIERS_CLAIMED",
            "IDENTIFIERS_CONSUMED",
            "HOLDS_RELEASED",
            "HOLDS_RECLAIMED",
            "IDENTIFIERS_DEAD",
            "IDENTIFIERS_REDRIVEN",
            "POOL_CHANGED",
            "POOL_DELETED");
    assertThat(events)
        .extracting(event -> event.get("actor"))
        .filteredOn(actor -> !actor.equals("reaper"))
        .containsOnly(CALLER.principal())
        .hasSize(8);
    assertThat(events.get(3)).containsEntry("fencing_token", holds.get(0).token().value());
  }
}
