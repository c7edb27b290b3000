package com.memoryendpoints.gateway.lease;

import static org.assertj.core.api.Assertions.assertThat;

import com.memoryendpoints.gateway.TestDatabase;
import com.memoryendpoints.gateway.problem.Problem;
import com.memoryendpoints.gateway.problem.Refusal;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What holds of a lease, from its claim to its end. */
class LeaseLawsTest {
  @RegisterExtension static final TestDatabase DATABASE = TestDatabase.migrated();
  private static TestPod pod;

  @BeforeAll
  static void start() {
    pod = new TestPod(DATABASE);
  }

  @AfterAll
  static void stop() {
    pod.close();
  }

  /** Ages a lease, as if its owner had been silent until now. */
  static void lapse(UUID memoryId) {
    DATABASE.run(
        "UPDATE leases SET expires_at = clock_timestamp() - interval '1 ms' WHERE memory_id = '"
            + memoryId
            + "'");
  }

  private Lease granted(String name, UUID memoryId) {
    return pod.call(() -> pod.leases.claim(pod.claim(name, memoryId))).lease();
  }

  @Test
  void aClaimIsGrantedRenewedVerifiedCommittedBranchedAndReleased() {
    UUID memory = pod.memory();
    Lease lease = granted("My Agent", memory);
    assertThat(lease.canonicalName()).isEqualTo("myagent");
    Renewed renewed = pod.call(() -> pod.leases.renew(TestPod.renewal(lease, 60)));
    assertThat(renewed.expiresAt()).isAfter(lease.expiresAt());
    Verified verified =
        pod.call(
            () ->
                pod.leases.verify(new Verification(TestPod.CALLER, memory, lease.fencingToken())));
    assertThat(verified.expiresAt()).isEqualTo(renewed.expiresAt());
    Commit commit =
        new Commit(
            pod.key(),
            TestPod.CALLER,
            memory,
            lease.fencingToken(),
            "sha-256:" + "0".repeat(64),
            0L);
    assertThat(pod.call(() -> pod.memories.commit(commit)).revision()).isEqualTo(1);
    assertThat(pod.call(() -> pod.memories.commit(commit)).replayed()).isTrue();
    Branch branch = new Branch(pod.key(), TestPod.CALLER, memory, lease.fencingToken());
    Registered child = pod.call(() -> pod.memories.branch(branch));
    assertThat(pod.call(() -> pod.memories.branch(branch)).memory()).isEqualTo(child.memory());
    assertThat(pod.call(() -> pod.memories.lineage(TestPod.CALLER, child.memory().memoryId())))
        .extracting(Memory::memoryId)
        .containsExactly(memory, child.memory().memoryId());
    assertThat(pod.call(() -> pod.leases.find(TestPod.CALLER, lease.leaseId())).state())
        .isEqualTo(LeaseView.State.HELD);
    pod.call(() -> pod.leases.release(TestPod.release(lease)));
    pod.call(() -> pod.leases.release(TestPod.release(lease)));
    assertThat(pod.refusal(() -> pod.leases.renew(TestPod.renewal(lease, null))).problem())
        .isEqualTo(Problem.LEASE_RELEASED);
    assertThat(
            pod.call(
                    () ->
                        pod.leases.list(TestPod.CALLER, new LeaseFilter(null, "myagent"), null, 1))
                .items())
        .hasSize(1);
    assertThat(
            pod.call(() -> pod.leases.list(TestPod.CALLER, new LeaseFilter(null, null), null, 10))
                .items())
        .hasSize(1);
    assertThat(pod.call(() -> pod.memories.list(TestPod.CALLER, null, 1)).next()).isNotNull();
  }

  @Test
  void aRevokedLeaseIsStaleAtOnce() {
    UUID memory = pod.memory();
    Lease lease = granted("Doomed", memory);
    FencingToken raised =
        pod.call(
            () ->
                pod.leases.revoke(
                    new Revocation(TestPod.CALLER, "doomed", null, null, "misbehaves")));
    assertThat(raised.value()).isGreaterThan(lease.fencingToken().value());
    Refusal stale = pod.refusal(() -> pod.leases.renew(TestPod.renewal(lease, null)));
    assertThat(stale.problem()).isEqualTo(Problem.STALE_FENCING_TOKEN);
    assertThat(
            pod.refusal(
                    () ->
                        pod.leases.revoke(
                            new Revocation(TestPod.CALLER, null, memory, null, "misbehaves")))
                .problem())
        .isEqualTo(Problem.LEASE_NOT_FOUND);
  }
}
