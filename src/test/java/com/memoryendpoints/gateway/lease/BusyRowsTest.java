package com.memoryendpoints.gateway.lease;

import static com.memoryendpoints.gateway.lease.TestPod.CALLER;
import static com.memoryendpoints.gateway.lease.TestPod.STRANGER;
import static com.memoryendpoints.gateway.lease.TestPod.renewal;
import static org.assertj.core.api.Assertions.assertThat;

import com.memoryendpoints.gateway.TestDatabase;
import com.memoryendpoints.gateway.idempotency.IdempotencyKey;
import com.memoryendpoints.gateway.name.Names;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.sqlclient.Row;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Somebody holds a row, or inserts it: only who needs that very row is told to come again. */
class BusyRowsTest {
  @RegisterExtension static final TestDatabase DATABASE = TestDatabase.migrated();

  private static final int BATCH = 128;
  private static int names;

  private Vertx vertx;
  private TestPod pod;
  private TestLink link;
  private TestLink other;

  @BeforeEach
  void start() {
    vertx = Vertx.vertx();
    pod = new TestPod(DATABASE);
    link = new TestLink(vertx, DATABASE, pod);
    other = new TestLink(vertx, DATABASE, pod);
    DATABASE.run("UPDATE leases SET expires_at = clock_timestamp()");
  }

  @AfterEach
  void stop() {
    pod.close();
    TestPod.await(vertx.close());
  }

  private static String name() {
    return "busy" + names++;
  }

  private List<Claim> claims() {
    List<UUID> memories = IntStream.range(0, BATCH).mapToObj(n -> link.id()).toList();
    link.run(link.registrations, memories.stream().map(link::newborn).toList());
    return memories.stream().map(memory -> link.claim(name(), memory)).toList();
  }

  private void lock(String table, String column, Object value) {
    other.run("BEGIN");
    other.run("SELECT 1 FROM " + table + " WHERE " + column + " = '" + value + "' FOR UPDATE");
  }

  private void onlyTheBusyOneComesAgain(List<Claim> claims, int busy) {
    List<String> verdicts = new ArrayList<>(link.verdicts(link.claims, claims));
    assertThat(verdicts.remove(busy)).isEqualTo("again");
    assertThat(verdicts).containsOnly("granted");
    other.run("ROLLBACK");
    assertThat(link.verdict(link.claims, claims.get(busy))).isEqualTo("granted");
  }

  @Test
  void aBusyMemoryDelaysItsOwnClaimOnly() {
    List<Claim> claims = claims();
    lock("leases", "memory_id", claims.get(77).memoryId());
    onlyTheBusyOneComesAgain(claims, 77);
  }

  @Test
  void aBusyNameDelaysItsOwnClaimOnly() {
    List<Claim> claims = claims();
    Claim known = claims.get(42);
    Lease earlier = link.granted(link.claim(known.name().display(), pod.memory()));
    link.run(link.releases, List.of(TestPod.release(earlier)));
    lock("agent_names", "name_key", known.name().key());
    onlyTheBusyOneComesAgain(claims, 42);
  }

  @Test
  void aNameThatIsBeingMadeDelaysItsOwnClaimOnly() {
    List<Claim> claims = claims();
    other.run("BEGIN");
    other.granted(other.claim(claims.get(99).name().display(), pod.memory()));
    onlyTheBusyOneComesAgain(claims, 99);
  }

  /** Its batch has recorded others already when it finds the key taken, and does so once more. */
  @Test
  void aKeyThatIsUsedElsewhereMeanwhileDelaysItsOwnClaimOnly() {
    List<Claim> claims = claims();
    Claim late = claims.get(55);
    other.run("BEGIN");
    other.granted(claim(late.key(), CALLER, pod.memory(CALLER)));
    long recorded = count("idempotency_records");
    long audited = count("audit_events");
    link.run("SET lock_timeout = 0");
    Future<List<Row>> call = link.start(link.claims, claims);
    Awaitility.await().until(BusyRowsTest::somebodyWaits);
    other.run("COMMIT");
    List<String> verdicts =
        new ArrayList<>(TestPod.await(call).stream().map(row -> row.getString("verdict")).toList());
    assertThat(verdicts.remove(55)).isEqualTo("again");
    assertThat(verdicts).containsOnly("granted");
    assertThat(count("idempotency_records")).isEqualTo(recorded + BATCH);
    assertThat(count("audit_events")).isEqualTo(audited + BATCH);
    assertThat(link.verdict(link.claims, late)).isEqualTo("key-reused");
  }

  private static long count(String table) {
    return (long) DATABASE.value("SELECT count(*) FROM " + table);
  }

  private static boolean somebodyWaits() {
    return (boolean)
        DATABASE.value(
            "SELECT count(*) > 0 FROM pg_stat_activity"
                + " WHERE datname = current_database() AND wait_event_type = 'Lock'");
  }

  @Test
  void anIdThatIsBeingRegisteredDelaysItsOwnRegistrationOnly() {
    List<RegisterMemories.Newborn> newborns =
        IntStream.range(0, BATCH).mapToObj(n -> link.newborn(link.id())).toList();
    other.run("BEGIN");
    assertThat(other.verdict(other.registrations, newborns.get(5))).isEqualTo("registered");
    List<String> verdicts = new ArrayList<>(link.verdicts(link.registrations, newborns));
    assertThat(verdicts.remove(5)).isEqualTo("again");
    assertThat(verdicts).containsOnly("registered");
    other.run("COMMIT");
    assertThat(link.verdict(link.registrations, newborns.get(5))).isEqualTo("exists");
  }

  /** A row that is skipped is not one that is not there: never a 404, never stale, never lapsed. */
  @Test
  void aBusyLeaseIsNeverTakenForAnAbsentOne() {
    Lease lease = link.granted(link.claim(name(), pod.memory()));
    lock("leases", "memory_id", lease.memoryId());
    assertThat(link.verdict(link.claims, link.claim(lease.canonicalName(), lease.memoryId())))
        .isEqualTo("again");
    assertThat(link.verdict(link.renewals, renewal(lease, 30))).isEqualTo("again");
    assertThat(link.verdict(link.releases, TestPod.release(lease))).isEqualTo("again");
    assertThat(link.verdict(link.revocations, TestLink.revocation(lease))).isEqualTo("again");
    assertThat(link.verdict(link.commits, TestLink.commit(lease))).isEqualTo("again");
    assertThat(link.verdict(link.branches, link.branch(lease))).isEqualTo("again");
    assertThat(link.verdict(link.verifications, TestLink.verification(lease))).isEqualTo("current");
    other.run("ROLLBACK");
    assertThat(link.verdict(link.renewals, renewal(lease, 30))).isEqualTo("renewed");
  }

  /** Whoever held the row without changing it: time went on all the same. */
  @Test
  void aRenewalThatHadToWaitIsNotRenewedIntoThePast() {
    Lease lease = link.granted(link.claim(name(), pod.memory()));
    DATABASE.run(
        "UPDATE leases SET expires_at = clock_timestamp() + interval '300 ms' WHERE memory_id = '"
            + lease.memoryId()
            + "'");
    lock("leases", "memory_id", lease.memoryId());
    String verdict = "again";
    while (verdict.equals("again")) {
      if (!link.now().isBefore(lease.expiresAt().minusSeconds(28))) {
        other.run("ROLLBACK");
      }
      verdict = link.verdict(link.renewals, renewal(lease, 30));
    }
    assertThat(verdict).isEqualTo("lease-lapsed");
  }

  @Test
  void batchesWithCrossedNamesAndMemoriesDoNotDeadlock() {
    List<Claim> forth = claims();
    List<Claim> back = new ArrayList<>();
    for (int i = 0; i < BATCH; i++) {
      back.add(link.claim(forth.get(i).name().display(), forth.get(BATCH - 1 - i).memoryId()));
    }
    Collections.reverse(back);
    for (int round = 0; round < 20; round++) {
      Future<List<Row>> one = link.start(link.claims, again(link, forth));
      Future<List<Row>> two = other.start(other.claims, again(other, back));
      TestPod.await(one);
      TestPod.await(two);
      DATABASE.run("UPDATE leases SET expires_at = clock_timestamp()");
    }
  }

  private static List<Claim> again(TestLink link, List<Claim> claims) {
    return claims.stream().map(c -> link.claim(c.name().display(), c.memoryId())).toList();
  }

  @Test
  void equalKeysOfTwoTenantsDoNotDeadlock() {
    List<List<UUID>> memories =
        List.of(
            IntStream.range(0, 4).mapToObj(n -> pod.memory(CALLER)).toList(),
            IntStream.range(0, 4).mapToObj(n -> pod.memory(STRANGER)).toList());
    for (int round = 0; round < 50; round++) {
      List<Claim> forth = new ArrayList<>();
      List<Claim> back = new ArrayList<>();
      for (int n = 0; n < 2; n++) {
        IdempotencyKey key = link.key();
        forth.add(claim(key, CALLER, memories.get(0).get(n)));
        forth.add(claim(key, STRANGER, memories.get(1).get(n)));
        back.add(claim(key, STRANGER, memories.get(1).get(n + 2)));
        back.add(claim(key, CALLER, memories.get(0).get(n + 2)));
      }
      Future<List<Row>> one = link.start(link.claims, forth);
      Future<List<Row>> two = other.start(other.claims, back);
      TestPod.await(one);
      TestPod.await(two);
      DATABASE.run("UPDATE leases SET expires_at = clock_timestamp()");
    }
  }

  private static Claim claim(
      IdempotencyKey key, com.memoryendpoints.gateway.tenant.Caller caller, UUID memoryId) {
    return new Claim(key, new Owner(caller, "equal"), Names.strict().claimed(name()), memoryId, 30);
  }

  @Test
  void unsortedRegistrationsOfTheSameIdsAreAllAnswered() {
    try (TestPod second = new TestPod(DATABASE);
        TestPod third = new TestPod(DATABASE)) {
      List<TestPod> pods = List.of(pod, second, third);
      for (int round = 0; round < 10; round++) {
        List<UUID> ids = IntStream.range(0, 200).mapToObj(n -> link.id()).toList();
        List<Future<Registered>> answers = new ArrayList<>();
        for (TestPod each : pods) {
          List<UUID> shuffled = new ArrayList<>(ids);
          Collections.shuffle(shuffled, new Random(round));
          for (UUID id : shuffled) {
            answers.add(
                each.start(() -> each.memories.register(new Registration(each.key(), CALLER, id))));
          }
        }
        assertThat(answers.stream().map(TestPod::await).filter(Registered::created)).hasSize(200);
      }
    }
  }
}
