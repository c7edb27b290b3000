package com.memoryendpoints.gateway.lease;

import static com.memoryendpoints.gateway.lease.Answers.answer;
import static com.memoryendpoints.gateway.lease.Answers.problem;
import static com.memoryendpoints.gateway.lease.TestGateway.digest;
import static org.assertj.core.api.Assertions.assertThat;

import com.memoryendpoints.gateway.audit.Redactor;
import com.memoryendpoints.gateway.tenant.Caller;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Every effect leaves one event, redacted; what has no effect leaves none (Invariant 11). */
class AuditLawsTest {
  @RegisterExtension static final TestGateway GATEWAY = TestGateway.ofPods(1);

  @RegisterExtension
  static final TestGateway AUDITED = TestGateway.ofPods(1, new LeaseSettings(0, true));

  // The key of every test pod.
  private static final Redactor REDACTOR =
      new Redactor(new SecretKeySpec(new byte[32], "HmacSHA256"));

  private final Actor alice = GATEWAY.alice();

  @BeforeEach
  void begin() {
    GATEWAY.database().run("TRUNCATE audit_events");
    AUDITED.database().run("TRUNCATE audit_events");
  }

  private record Event(
      String type, @Nullable Long token, @Nullable String nameHash, String memoryHash) {}

  private static Event event(
      String type, @Nullable Long token, @Nullable String name, UUID memory) {
    UUID tenant = TestPod.CALLER.tenantId();
    return new Event(
        type,
        token,
        name == null ? null : hex(REDACTOR.name(tenant, name).getBytes()),
        hex(REDACTOR.memory(tenant, memory).getBytes()));
  }

  private static Event event(String type, Lease lease) {
    return event(type, lease.fencingToken().value(), lease.canonicalName(), lease.memoryId());
  }

  private static String hex(byte[] bytes) {
    return HexFormat.of().formatHex(bytes);
  }

  private static List<Event> events(TestGateway gateway) {
    return gateway
        .database()
        .rows(
            """
            SELECT event_type, fencing_token, encode(redacted_name_hash, 'hex') AS name,
              encode(redacted_memory_hash, 'hex') AS memory
            FROM audit_events ORDER BY xid, event_id
            """)
        .stream()
        .map(
            row ->
                new Event(
                    (String) row.get("event_type"),
                    (Long) row.get("fencing_token"),
                    (String) row.get("name"),
                    (String) row.get("memory")))
        .toList();
  }

  @Test
  void aLifeLeavesOneEventForEachEffect() {
    UUID memory = alice.memory();
    Lease first = alice.granted("Audited", memory);
    answer(alice.commits(first, digest(1)));
    UUID child = answer(alice.branches(first)).memory().memoryId();
    answer(alice.renews(first, 60));
    answer(alice.releases(first));
    Lease second = alice.granted("Audited", memory);
    Lease third = alice.granted("Audited", memory);
    GATEWAY.lapse(memory);
    Lease fourth = alice.granted("Audited", memory);
    FencingToken raised = answer(alice.revokesMemory(memory, null));
    assertThat(events(GATEWAY))
        .containsExactly(
            event("MEMORY_REGISTERED", null, null, memory),
            event("LEASE_ACQUIRED", first),
            event("MEMORY_COMMITTED", first.fencingToken().value(), null, memory),
            event("MEMORY_BRANCHED", first.fencingToken().value(), null, child),
            event("LEASE_RELEASED", first),
            event("LEASE_ACQUIRED", second),
            event("LEASE_TAKEN_OVER", third),
            event("LEASE_TAKEN_OVER", fourth),
            event("LEASE_REVOKED", raised.value(), "audited", memory));
  }

  @Test
  void aRenewalLeavesAnEventOnlyWhereConfigured() {
    Actor auditedAlice = AUDITED.alice();
    Lease lease = auditedAlice.granted("Renewing", auditedAlice.memory());
    AUDITED.database().run("TRUNCATE audit_events");
    answer(auditedAlice.renews(lease, 60));
    answer(auditedAlice.renews(lease, null));
    assertThat(problem(auditedAlice.as("other").renews(lease, null))).isNotNull();
    assertThat(events(AUDITED))
        .containsExactly(event("LEASE_RENEWED", lease), event("LEASE_RENEWED", lease));
  }

  /** The lapsed holder of the name has its own lapse, which the reaper tells once. */
  @Test
  void aNameThatMovedLeavesTheLapseToItsFormerTenant() {
    Lease former = alice.granted("Moving", alice.memory());
    GATEWAY.database().run("TRUNCATE audit_events");
    GATEWAY.lapse(former.memoryId());
    Lease next = alice.granted("Moving", memoryWithoutEvent());
    assertThat(events(GATEWAY)).containsExactly(event("LEASE_TAKEN_OVER", next));
    GATEWAY.lapseAndReap(former.memoryId());
    assertThat(events(GATEWAY))
        .containsExactly(event("LEASE_TAKEN_OVER", next), event("LEASE_LAPSED", former));
  }

  private UUID memoryWithoutEvent() {
    UUID memory = alice.memory();
    GATEWAY.database().run("TRUNCATE audit_events");
    return memory;
  }

  /** A recorded lapse is an event of its own, and the claim after it found nobody. */
  @Test
  void aClaimAfterARecordedLapseAcquires() {
    Lease former = alice.granted("Reaped", memoryWithoutEvent());
    GATEWAY.lapseAndReap(former.memoryId());
    Lease next = alice.granted("Reaped", former.memoryId());
    assertThat(events(GATEWAY))
        .containsExactly(
            event("LEASE_ACQUIRED", former),
            event("LEASE_LAPSED", former),
            event("LEASE_ACQUIRED", next));
  }

  @Test
  void whatHasNoEffectLeavesNoEvent() {
    Claim claim = alice.claim("Silent", alice.memory());
    Lease lease = answer(alice.claims(claim)).lease();
    answer(alice.commits(lease, digest(1)));
    var key = alice.key();
    UUID minted = answer(alice.registers(key, null)).memory().memoryId();
    answer(alice.branches(key, lease.memoryId(), lease.fencingToken()));
    UUID free = alice.memory();
    List<Event> before = events(GATEWAY);
    answer(alice.claims(claim));
    problem(alice.claims("Silent", free));
    problem(alice.claims("Other", lease.memoryId()));
    problem(alice.claims("Other", alice.key().value()));
    answer(alice.renews(lease, 60));
    answer(alice.commits(lease, digest(1)));
    problem(alice.commits(null, lease, digest(2), 9L));
    answer(alice.registers(key, null));
    answer(alice.registers(null, minted));
    answer(alice.branches(key, lease.memoryId(), lease.fencingToken()));
    problem(alice.revokesName("nobody", null));
    problem(alice.as("other").releases(lease));
    problem(GATEWAY.mallory().verifies(lease));
    assertThat(events(GATEWAY)).isEqualTo(before);
    answer(alice.releases(lease));
    answer(alice.releases(lease));
    assertThat(events(GATEWAY)).hasSize(before.size() + 1);
  }

  @Test
  void nothingThatNamesAnAgentOrAMemoryIsInAnEvent() {
    UUID memory = alice.memory();
    Lease lease = alice.granted("Secret Agent", memory);
    UUID child = answer(alice.branches(lease)).memory().memoryId();
    answer(alice.commits(lease, digest(1)));
    answer(alice.revokesName("secretagent", null));
    List<Map<String, Object>> rows =
        GATEWAY.database().rows("SELECT e::text AS event FROM audit_events e");
    assertThat(rows).hasSize(5);
    for (Map<String, Object> row : rows) {
      assertThat(Objects.toString(row.get("event")).toLowerCase(Locale.ROOT))
          .doesNotContain(
              "secret",
              memory.toString(),
              memory.toString().replace("-", ""),
              child.toString(),
              child.toString().replace("-", ""),
              lease.leaseId().toString(),
              "worker-1",
              "misbehaves",
              digest(1).substring(8));
    }
  }

  @Test
  void anEventTellsWhoseKeyAndWhoDidIt() {
    Actor bob = alice.under("bob");
    Lease lease = bob.granted("Bobs Agent", bob.memory());
    answer(bob.releases(lease));
    assertThat(
            GATEWAY.database().rows("SELECT DISTINCT tenant_id, actor, key_id FROM audit_events"))
        .containsExactly(
            Map.of(
                "tenant_id",
                TestPod.CALLER.tenantId(),
                "actor",
                "bob",
                "key_id",
                REDACTOR.keyId()));
  }

  /** The same name and memory of two tenants cannot be told to be the same. */
  @Test
  void equalNamesOfTwoTenantsHaveDifferentHashes() {
    Lease own = alice.granted("Common", alice.memory());
    answer(alice.releases(own));
    Actor mallory = GATEWAY.mallory();
    mallory.granted("Common", mallory.memory());
    assertThat(
            GATEWAY
                .database()
                .rows(
                    """
                    SELECT DISTINCT redacted_name_hash FROM audit_events
                    WHERE event_type = 'LEASE_ACQUIRED'
                    """))
        .hasSize(2);
    Caller stranger = mallory.caller();
    assertThat(REDACTOR.name(stranger.tenantId(), "common"))
        .isNotEqualTo(REDACTOR.name(TestPod.CALLER.tenantId(), "common"));
  }
}
