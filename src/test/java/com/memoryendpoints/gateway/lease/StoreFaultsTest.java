package com.memoryendpoints.gateway.lease;

import static com.memoryendpoints.gateway.lease.TestPod.CALLER;
import static com.memoryendpoints.gateway.lease.TestPod.STRANGER;
import static com.memoryendpoints.gateway.lease.TestPod.renewal;
import static org.assertj.core.api.Assertions.assertThat;

import com.memoryendpoints.gateway.TestDatabase;
import com.memoryendpoints.gateway.tenant.Caller;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Faults that other ways of leasing have shown: they do not happen here, or no more. */
class StoreFaultsTest {
  @RegisterExtension static final TestDatabase DATABASE = TestDatabase.migrated();

  /** Ahead of the floor, as after thousands of grants within a second. */
  private static final long AHEAD = 1_000_000;

  private static Vertx vertx;
  private static TestPod pod;
  private static TestLink link;
  private static TestLink other;
  private static int names;

  @BeforeAll
  static void start() {
    vertx = Vertx.vertx();
    pod = new TestPod(DATABASE);
    link = new TestLink(vertx, DATABASE, pod);
    other = new TestLink(vertx, DATABASE, pod);
  }

  @AfterAll
  static void stop() {
    pod.close();
    TestPod.await(vertx.close());
  }

  private static String name() {
    return "faulty" + names++;
  }

  private static void lapse(Lease... leases) {
    for (Lease lease : leases) {
      DATABASE.run(
          "UPDATE leases SET expires_at = clock_timestamp() WHERE lease_id = '"
              + lease.leaseId()
              + "'");
    }
  }

  private static Lease lapsed(String name, UUID memoryId) {
    Lease lease = link.granted(link.claim(name, memoryId));
    lapse(lease);
    return lease;
  }

  private static long token(Lease lease) {
    return lease.fencingToken().value();
  }

  private static void raiseTokens(Lease lease) {
    for (String table : List.of("leases l", "agent_names l")) {
      DATABASE.run(
          "UPDATE "
              + table
              + " SET last_token = last_token + "
              + AHEAD
              + " WHERE last_token = "
              + token(lease));
    }
  }

  @Test
  void aBatchGrantsOneMemoryOnce() {
    UUID memory = pod.memory();
    List<Claim> claims = List.of(link.claim(name(), memory), link.claim(name(), memory));
    assertThat(link.verdicts(link.claims, claims)).containsExactly("granted", "again");
    assertThat(link.verdicts(link.claims, claims)).containsExactly("replay", "memory-held");
  }

  @Test
  void aBatchGrantsOneNameOnce() {
    String name = name();
    List<Claim> claims = List.of(link.claim(name, pod.memory()), link.claim(name, pod.memory()));
    assertThat(link.verdicts(link.claims, claims)).containsExactly("granted", "again");
    assertThat(link.verdicts(link.claims, claims)).containsExactly("replay", "name-held");
  }

  @Test
  void aBatchGrantsOneKeyOnce() {
    Claim claim = link.claim(name(), pod.memory());
    Claim otherUse = new Claim(claim.key(), claim.owner(), claim.name(), pod.memory(), 30);
    assertThat(link.verdicts(link.claims, List.of(claim, claim, otherUse)))
        .containsExactly("granted", "again", "again");
    assertThat(link.verdicts(link.claims, List.of(claim, claim, otherUse)))
        .containsExactly("replay", "replay", "key-reused");
  }

  @Test
  void aTokenNeverGoesBackByARelease() {
    UUID memory = pod.memory();
    String name = name();
    Lease first = link.granted(link.claim(name, memory));
    raiseTokens(first);
    lapse(first);
    Lease second = link.granted(link.claim(name, memory));
    assertThat(token(second)).isEqualTo(token(first) + AHEAD + 1);
    assertThat(link.verdict(link.releases, TestPod.release(second))).isEqualTo("released");
    assertThat(token(link.granted(link.claim(name, memory)))).isGreaterThan(token(second));
  }

  @Test
  void aTokenNeverGoesBackWhenAMemoryMovesToAnotherName() {
    Lease first = lapsed(name(), pod.memory());
    raiseTokens(first);
    Lease moved = link.granted(link.claim(name(), first.memoryId()));
    assertThat(token(moved)).isGreaterThan(token(first) + AHEAD);
  }

  @Test
  void aTokenNeverGoesBackWhenANameMovesToAnotherMemory() {
    String name = name();
    Lease first = lapsed(name, pod.memory());
    raiseTokens(first);
    Lease moved = link.granted(link.claim(name, pod.memory()));
    assertThat(token(moved)).isGreaterThan(token(first) + AHEAD);
  }

  @Test
  void aTokenRaisedByARevocationIsNotIssuedForTheNameAgain() {
    String name = name();
    Lease first = lapsed(name, pod.memory());
    raiseTokens(first);
    Lease second = link.granted(link.claim(name, first.memoryId()));
    long raised =
        link.run(link.revocations, List.of(TestLink.revocation(second))).get(0).getLong("token");
    assertThat(raised).isGreaterThan(token(second));
    assertThat(token(link.granted(link.claim(name, pod.memory())))).isGreaterThan(raised);
  }

  @Test
  void aNameThatMovedLeavesItsLapsedHolderNothing() {
    String name = name();
    Lease first = lapsed(name, pod.memory());
    Lease second = link.granted(link.claim(name, pod.memory()));
    assertThat(link.verdictsOn(first)).containsOnly("lease-lapsed");
    assertThat(link.verdict(link.renewals, renewal(second, 30))).isEqualTo("renewed");
    link.granted(link.claim(name(), first.memoryId()));
    assertThat(link.verdictsOn(first)).containsOnly("stale-fencing-token");
  }

  /** Under another name or another memory, and both at once: no 23505, no reaper needed. */
  @Test
  void aLapsedLeaseBlocksNobody() {
    String name = name();
    Lease first = lapsed(name, pod.memory());
    Lease second = lapsed(name(), pod.memory());
    assertThat(link.verdict(link.claims, link.claim(name, second.memoryId())))
        .isEqualTo("taken-over");
    assertThat(link.verdict(link.claims, link.claim(name(), first.memoryId())))
        .isEqualTo("taken-over");
  }

  @Test
  void lapsedNamesAreSwappedInOneBatch() {
    List<String> swapped = List.of(name(), name(), name(), name(), name());
    List<Lease> before = swapped.stream().map(n -> lapsed(n, pod.memory())).toList();
    assertThat(
            link.verdicts(
                link.claims,
                List.of(
                    link.claim(swapped.get(1), before.get(0).memoryId()),
                    link.claim(swapped.get(0), before.get(1).memoryId()),
                    link.claim(swapped.get(3), before.get(2).memoryId()),
                    link.claim(swapped.get(4), before.get(3).memoryId()),
                    link.claim(swapped.get(2), before.get(4).memoryId()))))
        .containsOnly("taken-over");
  }

  @Test
  void theOwnerStringOfAnotherTenantOwnsNothing() {
    Owner owner = TestPod.owner();
    Owner stranger = new Owner(STRANGER, owner.clientId());
    UUID memory = pod.memory();
    Lease lease = link.granted(link.claim(owner, name(), memory));
    String name = lease.canonicalName();
    assertThat(link.verdict(link.claims, link.claim(stranger, name, pod.memory(STRANGER))))
        .isEqualTo("name-held");
    assertThat(link.verdict(link.claims, link.claim(stranger, name, memory)))
        .isEqualTo("memory-not-found");
    assertThat(link.verdict(link.renewals, renewalBy(stranger, lease)))
        .isEqualTo("memory-not-found");
    Owner colleague = new Owner(new Caller(CALLER.tenantId(), "bob"), owner.clientId());
    assertThat(link.verdict(link.claims, link.claim(colleague, name, memory)))
        .isEqualTo("memory-held");
    assertThat(link.verdict(link.renewals, renewalBy(colleague, lease)))
        .isEqualTo("owner-mismatch");
    assertThat(link.verdict(link.renewals, renewal(lease, 30))).isEqualTo("renewed");
  }

  private static Renewal renewalBy(Owner owner, Lease lease) {
    return new Renewal(owner, lease.canonicalName(), lease.memoryId(), lease.fencingToken(), 30);
  }

  /** The fence that is read, thought about and then written. */
  @Test
  void whoVerifiedAndWasTakenOverCannotWrite() {
    Lease stale = link.granted(link.claim(name(), pod.memory()));
    assertThat(link.verdict(link.verifications, TestLink.verification(stale))).isEqualTo("current");
    other.run("BEGIN");
    Lease current = other.granted(other.claim(stale.canonicalName(), stale.memoryId()));
    assertThat(link.verdict(link.commits, TestLink.commit(stale))).isEqualTo("again");
    assertThat(link.verdict(link.renewals, renewal(stale, 30))).isEqualTo("again");
    other.run("COMMIT");
    assertThat(link.verdictsOn(stale)).containsOnly("stale-fencing-token");
    assertThat(
            DATABASE.value(
                "SELECT revision FROM memory_heads WHERE memory_id = ?", stale.memoryId()))
        .isEqualTo(0L);
    assertThat(link.verdict(link.commits, TestLink.commit(current))).isEqualTo("committed");
  }

  @Test
  void aLateOriginalCannotFenceItsSuccessor() {
    UUID memory = pod.memory();
    String name = name();
    Claim late = link.claim(name, memory);
    Lease successor = link.granted(link.claim(name, memory));
    assertThat(link.verdict(link.claims, late)).isEqualTo("memory-held");
    assertThat(link.verdict(link.renewals, renewal(successor, 30))).isEqualTo("renewed");
    Lease restarted = link.granted(link.claim(name, memory));
    assertThat(link.verdictsOn(successor)).containsOnly("stale-fencing-token");
    assertThat(link.verdict(link.renewals, renewal(restarted, 30))).isEqualTo("renewed");
  }

  /** The clock is read after the last lock, not when the statement began. */
  @Test
  void aClaimThatWasHeldUpIsNotGrantedLapsed() {
    try (TestDatabase slow = TestDatabase.on(DATABASE.server());
        TestPod slowPod = new TestPod(slow);
        TestLink slowLink = new TestLink(vertx, slow, slowPod)) {
      UUID memory = slowPod.memory();
      Pauses.before(2, slow, "1.2");
      Claim claim = TestPod.claim(slowLink.key(), name(), memory, 1);
      var asked = slowLink.now();
      Lease lease = slowLink.granted(claim);
      assertThat(lease.grantedAt()).isAfter(asked.plusMillis(1_200));
      assertThat(lease.expiresAt()).isEqualTo(lease.grantedAt().plusSeconds(1));
    }
  }
}
