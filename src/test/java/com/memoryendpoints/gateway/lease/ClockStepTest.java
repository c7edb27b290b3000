package com.memoryendpoints.gateway.lease;

import static com.memoryendpoints.gateway.lease.TestPod.renewal;
import static org.assertj.core.api.Assertions.assertThat;

import com.memoryendpoints.gateway.TestDatabase;
import com.memoryendpoints.gateway.db.Sql;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.time.OffsetDateTime;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * The database's clock steps back. A test cannot set it, but to a lease it is the same to have its
 * end moved ahead.
 */
class ClockStepTest {
  @RegisterExtension static final TestDatabase DATABASE = TestDatabase.migrated();

  private static Vertx vertx;
  private static TestPod pod;
  private static TestLink link;
  private static int names;

  @BeforeAll
  static void start() {
    vertx = Vertx.vertx();
    pod = new TestPod(DATABASE);
    link = new TestLink(vertx, DATABASE, pod);
  }

  @AfterAll
  static void stop() {
    pod.close();
    TestPod.await(vertx.close());
  }

  private static Lease granted() {
    return link.granted(link.claim("stepped" + names++, pod.memory()));
  }

  private static void end(Lease lease, String when) {
    DATABASE.run(
        "UPDATE leases SET expires_at = clock_timestamp() + interval '"
            + when
            + "' WHERE memory_id = '"
            + lease.memoryId()
            + "'");
  }

  private static Row seen(Lease lease) {
    return link.run(Sql.FIND_LAPSED_LEASES.text(), Tuple.of(0L, 1_000L, 0, 300, 1_000)).stream()
        .filter(row -> row.getUUID("memory_id").equals(lease.memoryId()))
        .findFirst()
        .orElseThrow();
  }

  private static Row reap(Lease lease) {
    Row seen = seen(lease);
    Buffer[] hash = {Buffer.buffer(new byte[32])};
    Tuple parameters =
        Tuple.tuple()
            .addArrayOfUUID(new UUID[] {lease.memoryId()})
            .addArrayOfLong(new Long[] {lease.fencingToken().value()})
            .addArrayOfOffsetDateTime(new OffsetDateTime[] {seen.getOffsetDateTime("expires_at")})
            .addArrayOfBuffer(hash)
            .addArrayOfBuffer(hash)
            .addArrayOfUUID(new UUID[] {link.id()})
            .addInteger(1)
            .addInteger(0)
            .addInteger(300);
    return link.run(Sql.RECORD_LAPSED_LEASES.text(), parameters).get(0);
  }

  @Test
  void aRenewalBringsALeaseBackToTheLongestThatIsAllowed() {
    Lease lease = granted();
    end(lease, "1 day");
    Row renewed = link.run(link.renewals, java.util.List.of(renewal(lease, 30))).get(0);
    assertThat(renewed.getString("verdict")).isEqualTo("renewed");
    assertThat(Rows.instant(renewed, "expires_at")).isBefore(link.now().plusSeconds(301));
    assertThat(
            DATABASE.value(
                "SELECT expires_at < clock_timestamp() + interval '301 s' FROM leases"
                    + " WHERE memory_id = ?",
                lease.memoryId()))
        .isEqualTo(true);
  }

  @Test
  void theReaperShortensALeaseToTheLongestThatIsAllowed() {
    Lease lease = granted();
    end(lease, "1 day");
    assertThat(reap(lease).getInteger("shortened")).isEqualTo(1);
    assertThat(
            DATABASE.value(
                "SELECT expires_at < clock_timestamp() + interval '301 s' FROM leases"
                    + " WHERE memory_id = ?",
                lease.memoryId()))
        .isEqualTo(true);
    assertThat(link.verdict(link.verifications, TestLink.verification(lease))).isEqualTo("current");
  }

  @Test
  void aRecordedLapseIsFinal() {
    Lease lease = granted();
    end(lease, "-1 second");
    assertThat(reap(lease).getInteger("recorded")).isEqualTo(1);
    end(lease, "1 minute");
    assertThat(link.verdictsOn(lease)).containsOnly("lease-lapsed");
    assertThat(link.verdict(link.revocations, TestLink.revocation(lease)))
        .isEqualTo("lease-not-found");
    blocksNobody(lease);
  }

  @Test
  void aReleaseIsFinal() {
    Lease lease = granted();
    assertThat(link.verdict(link.releases, TestPod.release(lease))).isEqualTo("released");
    end(lease, "1 minute");
    assertThat(link.verdict(link.renewals, renewal(lease, 30))).isEqualTo("lease-released");
    assertThat(link.verdict(link.verifications, TestLink.verification(lease)))
        .isEqualTo("lease-released");
    blocksNobody(lease);
  }

  /** Else two owners would hold one name, each with a live lease. */
  @Test
  void aLeaseWhoseNameWasTakenIsLapsedForGood() {
    Lease lease = granted();
    end(lease, "-1 second");
    Lease successor = link.granted(link.claim(lease.canonicalName(), pod.memory()));
    end(lease, "1 minute");
    assertThat(link.verdictsOn(lease)).containsOnly("lease-lapsed");
    assertThat(link.verdict(link.revocations, TestLink.revocation(lease)))
        .isEqualTo("lease-not-found");
    assertThat(link.verdict(link.renewals, renewal(successor, 30))).isEqualTo("renewed");
    link.granted(link.claim("stepped" + names++, lease.memoryId()));
  }

  private static void blocksNobody(Lease ended) {
    Owner other = new Owner(TestPod.CALLER, "another");
    link.granted(link.claim(other, ended.canonicalName(), pod.memory()));
    link.granted(link.claim(other, "stepped" + names++, ended.memoryId()));
  }
}
