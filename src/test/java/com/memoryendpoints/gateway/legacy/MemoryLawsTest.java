package com.memoryendpoints.gateway.legacy;

import static com.memoryendpoints.gateway.legacy.TestImport.ALICE;
import static com.memoryendpoints.gateway.legacy.TestImport.MALLORY;
import static com.memoryendpoints.gateway.legacy.TestImport.memory;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.memoryendpoints.gateway.TestDatabase;
import com.memoryendpoints.gateway.audit.Redactor;
import com.memoryendpoints.gateway.config.CannotStart;
import com.memoryendpoints.gateway.lease.TestPod;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Which memory keeps its id, and that an imported one is a memory like any other. */
class MemoryLawsTest {
  private static final String EARLY = "2020-01-01T00:00:00Z";
  private static final String LATE = "2024-01-01T00:00:00.123Z";
  private static final String ID = "0190cccc-0000-7000-8000-00000000000a";
  private static final String OTHER_ID = "0190cccc-0000-7000-8000-00000000000b";

  @RegisterExtension static final TestDatabase DATABASE = TestDatabase.migrated();

  @TempDir private Path folder;
  private TestImport imports;

  @BeforeEach
  void empty() {
    imports = new TestImport(DATABASE, folder);
    imports.empty();
  }

  @Test
  void aFreeIdIsKeptAndWhatIsNoneIsMintedAtItsOwnTime() {
    List<JsonNode> report =
        imports.memories(
            memory(ALICE, ID, LATE),
            memory(ALICE, "notes.uai", LATE),
            memory(ALICE, "550e8400-e29b-41d4-a716-446655440000", LATE),
            memory(ALICE, "1969", "1969-12-31T23:59:59Z"));

    assertThat(report)
        .extracting(row -> row.path("outcome").asText())
        .containsExactly("kept", "minted", "minted", "minted");
    assertThat(id(report, 0)).isEqualTo(UUID.fromString(ID));
    for (int row : new int[] {1, 2}) {
      assertThat(id(report, row).version()).isEqualTo(7);
      assertThat(id(report, row).getMostSignificantBits() >>> 16)
          .isEqualTo(Instant.parse(LATE).toEpochMilli());
    }
    assertThat(id(report, 3).version()).isEqualTo(7);
  }

  @Test
  void ofTwoThatWantOneIdTheOlderHasItAndOneThatIsTakenIsNobodys() {
    String shout = ID.toUpperCase(Locale.ROOT);
    List<JsonNode> first =
        imports.memories(
            memory(ALICE, ID, LATE), memory(MALLORY, ID, EARLY), memory(MALLORY, shout, EARLY));
    assertThat(first)
        .extracting(row -> row.path("outcome").asText())
        .containsExactly("minted", "minted", "kept");

    List<JsonNode> later = imports.memories(memory(TestPod.CALLER.tenantId() + "", ID, LATE));
    assertThat(later.get(0)).isEqualTo(first.get(0));
  }

  /** The tenant's own is kept; another's is not, although it asks first. */
  @Test
  void anIdThatIsRegisteredBelongsToItsTenant() {
    try (TestPod pod = new TestPod(DATABASE)) {
      UUID own = pod.memory(TestPod.CALLER);
      List<Map<String, Object>> rows = DATABASE.rows("SELECT * FROM memory_instances");

      List<JsonNode> report =
          imports.memories(memory(MALLORY, own + "", EARLY), memory(ALICE, own + "", LATE));

      assertThat(report)
          .extracting(row -> row.path("outcome").asText())
          .containsExactly("minted", "kept");
      assertThat(DATABASE.rows("SELECT * FROM memory_instances WHERE memory_id = ?", own))
          .isEqualTo(rows);
    }
  }

  @Test
  void anImportedMemoryIsOneLikeAnyOther() {
    List<JsonNode> report = imports.memories(memory(ALICE, ID, LATE), memory(ALICE, "b", LATE));

    try (TestPod pod = new TestPod(DATABASE)) {
      for (int row = 0; row < 2; row++) {
        UUID id = id(report, row);
        var view = pod.call(() -> pod.memories.find(TestPod.CALLER, id));
        assertThat(view.memory().memoryId()).isEqualTo(id);
        var claim = pod.claim("agent " + row, id);
        assertThat(pod.call(() -> pod.leases.claim(claim)).lease().memoryId()).isEqualTo(id);
      }
    }
    var redactor = new Redactor(TestImport.AUDIT_KEY);
    assertThat(
            DATABASE.rows(
                "SELECT redacted_memory_hash, key_id, actor FROM audit_events"
                    + " WHERE event_type = 'MEMORY_REGISTERED'"))
        .extracting(row -> row.get("redacted_memory_hash"))
        .containsExactlyInAnyOrder(
            redactor.memory(TestPod.CALLER.tenantId(), id(report, 0)).getBytes(),
            redactor.memory(TestPod.CALLER.tenantId(), id(report, 1)).getBytes());
    assertThat(
            DATABASE.value(
                "SELECT DISTINCT key_id || actor FROM audit_events WHERE actor LIKE 'i%'"))
        .isEqualTo(redactor.keyId() + "import-legacy");
  }

  @Test
  void aMemoryWithAnotherTimeIsAContradiction() {
    imports.memories(memory(ALICE, ID, LATE));
    List<Object> before = imports.everything();

    assertThatThrownBy(
            () ->
                imports.memories(
                    memory(ALICE, OTHER_ID, LATE),
                    memory(ALICE, ID, EARLY),
                    memory(ALICE, OTHER_ID, EARLY)))
        .isInstanceOf(CannotStart.class)
        .hasMessageMatching("(?s).*line 2: .*imported before.*line 3: .*on line 1.*");
    assertThat(imports.everything()).isEqualTo(before);
  }

  private static UUID id(List<JsonNode> report, int row) {
    return UUID.fromString(report.get(row).path("memory_instance_id").asText());
  }
}
