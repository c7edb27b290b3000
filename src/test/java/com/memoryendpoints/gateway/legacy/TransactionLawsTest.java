package com.memoryendpoints.gateway.legacy;

import static com.memoryendpoints.gateway.legacy.TestImport.ALICE;
import static com.memoryendpoints.gateway.legacy.TestImport.MALLORY;
import static com.memoryendpoints.gateway.legacy.TestImport.agent;
import static com.memoryendpoints.gateway.legacy.TestImport.memory;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.memoryendpoints.gateway.TestDatabase;
import com.memoryendpoints.gateway.config.CannotStart;
import com.memoryendpoints.gateway.db.DatabaseUnreachable;
import com.memoryendpoints.gateway.name.Names;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** An import is there whole or not at all, and a second one finds nothing left. */
class TransactionLawsTest {
  private static final String TIME = "2024-01-01T00:00:00Z";
  private static final List<String> AGENTS =
      List.of(
          agent(ALICE, "1", "Blue Heron", TIME),
          agent(MALLORY, "1", "blueheron", TIME),
          agent(MALLORY, "2", "no-good", TIME));
  private static final List<String> MEMORIES =
      List.of(
          memory(ALICE, "0190cccc-0000-7000-8000-00000000000a", TIME), memory(ALICE, "b", TIME));

  @RegisterExtension static final TestDatabase DATABASE = TestDatabase.migrated();

  @TempDir private Path folder;
  private TestImport imports;

  @BeforeEach
  void empty() {
    imports = new TestImport(DATABASE, folder);
    imports.empty();
  }

  @Test
  void aSecondRunChangesNothingAndReportsTheSame() {
    imports.run(AGENTS, MEMORIES, false);
    List<Object> rows = imports.everything();
    String report = imports.reportText();

    imports.run(AGENTS, MEMORIES, false);

    assertThat(imports.everything()).isEqualTo(rows).isNotEmpty();
    assertThat(imports.reportText()).isEqualTo(report);
    assertThat(imports.told)
        .containsExactly(
            "Agents: 1 kept, 1 renamed, 1 minted; 0 new, 0 repeated.",
            "Memories: 1 kept, 1 minted; 0 new, 0 repeated.",
            "The report is " + imports.reportFile() + ".");
  }

  @Test
  void aDryRunReportsEverythingAndChangesNothing() {
    List<Object> before = imports.everything();

    List<JsonNode> report = imports.run(AGENTS, MEMORIES, true);

    assertThat(imports.everything()).isEqualTo(before);
    assertThat(report)
        .extracting(row -> row.path("outcome").asText())
        .containsExactly("kept", "renamed", "minted", "kept", "minted");
    assertThat(imports.told.get(imports.told.size() - 1))
        .contains("dry run", "minted will be others");
  }

  @Test
  void theSampleOfTheReadmeIsWhatHappens() throws Exception {
    String readme = Files.readString(Path.of("README.md"));
    String section = readme.substring(readme.indexOf("\n## Bring names that exist already"));
    Path agents = imports.file("agents.csv", block(section, "csv", 0));
    Path memories = imports.file("memories.ndjson", block(section, "json", 0));

    LegacyImport sample = LegacyImport.checked(agents, memories, imports.told::add);
    imports.into(sample, Names.strict(), true);

    assertThat(withoutMinted(imports.reportText()))
        .isEqualTo(withoutMinted(block(section, "json", 1)));
    assertThat(
            String.join("\n", imports.told)
                .replace(imports.reportFile() + "", "import-report.ndjson"))
        .isEqualTo(block(section, "", 0).strip());
  }

  /** The text of the n-th block of its kind. */
  private static String block(String section, String kind, int place) {
    return Pattern.compile("(?ms)^```(\\w*)\n(.*?)^```$")
        .matcher(section)
        .results()
        .filter(block -> block.group(1).equals(kind))
        .skip(place)
        .findFirst()
        .orElseThrow()
        .group(2);
  }

  private static String withoutMinted(String report) {
    return report.replaceAll(
        "(-|\"minted\",\"memory_instance_id\":\")[0-9a-f-]{36}\"", "$1minted\"");
  }

  @Test
  void aLostConnectionChangesNothingAndTheNextRunCompletesIt() throws Exception {
    List<Object> before = imports.everything();
    CompletableFuture<List<JsonNode>> cut;
    try (Connection blocker = DATABASE.connect();
        Statement statement = blocker.createStatement()) {
      blocker.setAutoCommit(false);
      statement.execute("LOCK TABLE imported_memories IN ACCESS EXCLUSIVE MODE");
      cut = CompletableFuture.supplyAsync(() -> imports.run(AGENTS, MEMORIES, false));
      awaitWaiting("relation");
      DATABASE.run(
          "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
              + " WHERE datname = current_database() AND wait_event_type = 'Lock'");
      assertThatThrownBy(cut::get)
          .isInstanceOf(ExecutionException.class)
          .rootCause()
          .isInstanceOf(SQLException.class);
      assertThatThrownBy(cut::get).cause().hasCauseInstanceOf(DatabaseUnreachable.class);
    }
    assertThat(imports.everything()).isEqualTo(before);
    assertThat(imports.files()).containsExactly("agents", "memories");

    assertThat(imports.run(AGENTS, MEMORIES, false)).hasSize(5);
    assertThat(imports.told)
        .contains("Agents: 1 kept, 1 renamed, 1 minted; 3 new, 0 repeated.")
        .contains("Memories: 1 kept, 1 minted; 2 new, 0 repeated.");
  }

  @Test
  void twoImportsGoOneAfterTheOther() throws Exception {
    CompletableFuture<List<JsonNode>> second;
    try (Connection first = DATABASE.connect();
        Statement statement = first.createStatement()) {
      statement.execute(
          "SELECT pg_advisory_lock(hashtextextended('lease-gateway legacy import', 0))");
      second = CompletableFuture.supplyAsync(() -> imports.run(AGENTS, null, false));
      awaitWaiting("advisory");
      assertThat(imports.told)
          .containsExactly(
              "Another import runs on this database; this one waits until it has ended.");
    }
    assertThat(second.get(30, SECONDS)).hasSize(3);
  }

  private static void awaitWaiting(String lock) {
    await()
        .atMost(30, SECONDS)
        .until(
            () ->
                DATABASE
                    .value(
                        "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
                            + " AND wait_event_type = 'Lock' AND wait_event = ?",
                        lock)
                    .equals(1L));
  }

  @Test
  void keysOfAnotherVersionAreLeftAlone() {
    Object version = DATABASE.value("SELECT version FROM name_key_version");
    DATABASE.run("UPDATE name_key_version SET version = 'ICU 1'");
    try {
      assertThatThrownBy(() -> imports.run(AGENTS, null, false))
          .isInstanceOf(CannotStart.class)
          .hasMessageContainingAll("ICU 1", "rekey");
    } finally {
      DATABASE.run("UPDATE name_key_version SET version = '" + version + "'");
    }
    assertThat(DATABASE.value("SELECT count(*) FROM imported_agents")).isEqualTo(0L);
  }

  @Test
  void aFileThatChangesBetweenTheTwoLooksIsNotImported() {
    Path file = imports.file("agents", AGENTS.get(0));
    LegacyImport checked = LegacyImport.checked(file, null, imports.told::add);
    imports.file("agents", AGENTS.get(1));

    assertThatThrownBy(() -> imports.into(checked, Names.strict(), false))
        .isInstanceOf(CannotStart.class)
        .hasMessageContaining("was changed while it was read");
    assertThat(DATABASE.value("SELECT count(*) FROM imported_agents")).isEqualTo(0L);
  }

  @Test
  void aReportThatCannotBePutInItsPlaceIsToldBeforeAnythingIsDone() {
    assertThatThrownBy(() -> Report.beside(folder, List.of()))
        .isInstanceOf(CannotStart.class)
        .hasMessageContaining("is no file");
    assertThatThrownBy(() -> Report.beside(folder.resolve("absent/report"), List.of()))
        .isInstanceOf(CannotStart.class)
        .hasMessageContaining("cannot be written");
  }

  @Test
  void aReportReplacesNeitherWhatIsImportedNorWhatIsNoFile() throws IOException {
    Path file = imports.file("agents", AGENTS.get(0));
    Path link = Files.createSymbolicLink(folder.resolve("link"), file);

    assertThatThrownBy(() -> Report.beside(file, List.of(file)))
        .isInstanceOf(CannotStart.class)
        .hasMessageContaining("is a file to be imported");
    assertThatThrownBy(() -> Report.beside(link, List.of()))
        .isInstanceOf(CannotStart.class)
        .hasMessageContaining("is no file");
    assertThat(file).hasContent(AGENTS.get(0));
  }
}
