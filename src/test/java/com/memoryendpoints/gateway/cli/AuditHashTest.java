package com.memoryendpoints.gateway.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.memoryendpoints.gateway.GatewayProcess;
import com.memoryendpoints.gateway.TestDatabase;
import com.memoryendpoints.gateway.audit.AuditPosition;
import com.memoryendpoints.gateway.audit.AuditRecord;
import com.memoryendpoints.gateway.lease.Claim;
import com.memoryendpoints.gateway.lease.Lease;
import com.memoryendpoints.gateway.lease.TestPod;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Who has the key finds a known name in the trail, and nobody else does. */
class AuditHashTest {
  @RegisterExtension static final TestDatabase DATABASE = TestDatabase.migrated();

  private static final String TENANT = TestPod.CALLER.tenantId().toString();

  /** The key of every test pod. */
  private static final Map<String, String> KEY = key(new byte[32]);

  @TempDir private Path scratch;

  private static Map<String, String> key(byte[] bytes) {
    return Map.of("GATEWAY_AUDIT_KEY", Base64.getEncoder().encodeToString(bytes));
  }

  private GatewayProcess run(Map<String, String> variables, String... arguments) {
    return GatewayProcess.start(
        scratch,
        variables,
        Stream.concat(Stream.of("audit-hash"), Stream.of(arguments)).toArray(String[]::new));
  }

  private static AuditRecord granted(Lease lease, TestPod pod) {
    List<AuditRecord> trail =
        Awaitility.await()
            .until(
                () -> pod.call(() -> pod.trail.read(TestPod.CALLER, AuditPosition.START, 10)),
                page -> page.records().size() == 2)
            .records();
    assertThat(trail.get(1).fencingToken()).isEqualTo(lease.fencingToken().value());
    return trail.get(1);
  }

  @Test
  void aKnownNameIsFoundByTheKeyAndTheTenantOnly() {
    try (TestPod pod = new TestPod(DATABASE)) {
      Claim claim = pod.claim("My Agent", pod.memory());
      Lease lease = pod.call(() -> pod.leases.claim(claim)).lease();
      AuditRecord event = granted(lease, pod);
      String name = HexFormat.of().formatHex(Objects.requireNonNull(event.nameHash()).getBytes());
      String memory =
          HexFormat.of().formatHex(Objects.requireNonNull(event.memoryHash()).getBytes());

      String[] known = {
        "--tenant", TENANT, "--name", "MY agent", "--memory", lease.memoryId().toString()
      };
      GatewayProcess owner = run(KEY, known);
      assertThat(owner.exitCode()).as(owner.err()).isZero();
      assertThat(owner.out()).contains("myagent", name, memory, "" + event.keyId());

      GatewayProcess otherKey =
          run(key("another key of thirty-two bytes.".getBytes(StandardCharsets.UTF_8)), known);
      assertThat(otherKey.exitCode()).as(otherKey.err()).isZero();
      assertThat(otherKey.out()).doesNotContain(name, memory, "" + event.keyId());

      known[1] = TestPod.STRANGER.tenantId().toString();
      GatewayProcess otherTenant = run(KEY, known);
      assertThat(otherTenant.exitCode()).isZero();
      assertThat(otherTenant.out()).contains("" + event.keyId()).doesNotContain(name, memory);
    }
  }

  @Test
  void withoutAKeyNoneIsMadeAndAnImpossibleNameIsTold() {
    Path state = scratch.resolve("state");
    GatewayProcess keyless =
        run(GatewayProcess.embeddedIn(state), "--tenant", TENANT, "--name", "Owl");
    GatewayProcess impossible = run(KEY, "--tenant", TENANT, "--name", "not/one");
    GatewayProcess noPool = run(KEY, "--tenant", TENANT, "--pool", "BAD POOL");
    GatewayProcess nothing = run(KEY, "--tenant", TENANT);

    assertThat(keyless.exitCode()).isEqualTo(2);
    assertThat(keyless.err()).contains("no audit key").doesNotContain("Exception");
    assertThat(state).doesNotExist();
    assertThat(impossible.exitCode()).isEqualTo(2);
    assertThat(impossible.err()).contains("NAME_PUNCTUATION").doesNotContain("Exception");
    assertThat(noPool.exitCode()).isEqualTo(2);
    assertThat(noPool.err()).contains("No pool can have this name").doesNotContain("Exception");
    assertThat(noPool.out()).isEmpty();
    assertThat(nothing.exitCode()).isEqualTo(2);
    assertThat(nothing.err()).contains("Name --name, --memory or --pool.");
  }
}
