package com.memoryendpoints.gateway.legacy;

import static com.memoryendpoints.gateway.legacy.TestImport.ALICE;
import static com.memoryendpoints.gateway.legacy.TestImport.agent;
import static com.memoryendpoints.gateway.legacy.TestImport.memory;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.memoryendpoints.gateway.GatewayProcess;
import com.memoryendpoints.gateway.TestDatabase;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** The subcommand, as an operator runs it. */
class ImportLegacyTest {
  private static final String TIME = "2024-01-01T00:00:00Z";

  @RegisterExtension static final TestDatabase DATABASE = TestDatabase.migrated();

  @TempDir private Path folder;

  @Test
  void whatIsWrongWithTheCallOrAFileEndsWithTwo() throws IOException {
    Path agents = Files.writeString(folder.resolve("agents"), "{}");

    GatewayProcess without = run(Map.of(), "--dry-run");
    GatewayProcess bad = run(Map.of(), "--agents", agents + "");
    assertThat(without.exitCode()).isEqualTo(2);
    assertThat(without.err()).contains("Name --agents, --memories or both.", "Usage:");
    assertThat(bad.exitCode()).isEqualTo(2);
    assertThat(bad.err()).contains("agents, line 1: lacks legacy_id").doesNotContain("Exception");
    assertThat(folder.resolve("report")).doesNotExist();
  }

  @Test
  void aDatabaseThatDoesNotAnswerEndsItWithOne() throws IOException {
    Path agents = Files.writeString(folder.resolve("agents"), agent(ALICE, "1", "Owl", TIME));

    GatewayProcess cut =
        run(
            Map.of("GATEWAY_DATABASE_URI", "postgresql://u@127.0.0.1:1/d"),
            "--agents",
            agents + "");

    assertThat(cut.exitCode()).isEqualTo(1);
    assertThat(cut.err()).contains("postgresql://u@127.0.0.1:1/d cannot be reached");
  }

  /** Killed when the agents are in the database and the memories are not. */
  @Test
  void anImportThatWasKilledHasChangedNothingAndTheNextOneCompletesIt() throws Exception {
    String[] files = files(300, 200);
    try (Connection blocker = DATABASE.connect();
        Statement statement = blocker.createStatement()) {
      blocker.setAutoCommit(false);
      statement.execute("LOCK TABLE imported_memories IN ACCESS EXCLUSIVE MODE");
      GatewayProcess half = run(external(), files);
      await().atMost(90, SECONDS).until(ImportLegacyTest::waits);
      half.kill();
    }
    assertThat(folder.resolve("report")).doesNotExist();

    GatewayProcess again = run(external(), files);
    assertThat(again.exitCode()).withFailMessage(() -> again.out() + again.err()).isZero();
    assertThat(again.out())
        .contains(
            "Agents: 150 kept, 150 renamed, 0 minted; 300 new, 0 repeated.",
            "Memories: 0 kept, 200 minted; 200 new, 0 repeated.");
    assertThat(DATABASE.value("SELECT count(*) FROM leases")).isEqualTo(200L);
  }

  @Test
  void twoHundredThousandRowsPassThroughASmallHeap() throws Exception {
    String[] files = files(140_000, 60_000);
    Map<String, String> variables = new HashMap<>(external());
    variables.put("_JAVA_OPTIONS", "-Xmx64m");

    GatewayProcess imports = run(variables, files);

    assertThat(imports.exitCode()).withFailMessage(() -> imports.out() + imports.err()).isZero();
    assertThat(imports.out())
        .contains(
            "agents: 100000 rows checked.",
            "agents: 100000 rows read.",
            "Agents: 70000 kept, 70000 renamed, 0 minted; 140000 new, 0 repeated.",
            "Memories: 0 kept, 60000 minted; 60000 new, 0 repeated.");
    try (Stream<String> report = Files.lines(folder.resolve("report"))) {
      assertThat(report.count()).isEqualTo(200_000);
    }
  }

  /** Files in which every name comes twice. */
  private String[] files(int agents, int memories) throws IOException {
    DATABASE.run(
        "TRUNCATE imported_agents, imported_memories, memory_instances, leases," + " memory_heads");
    Path given = folder.resolve("agents");
    try (BufferedWriter lines = Files.newBufferedWriter(given)) {
      for (int i = 0; i < agents; i++) {
        lines.write(agent(ALICE, "agent-" + i, "Owl " + i % (agents / 2), TIME) + "\n");
      }
    }
    Path alsoGiven = folder.resolve("memories");
    try (BufferedWriter lines = Files.newBufferedWriter(alsoGiven)) {
      for (int i = 0; i < memories; i++) {
        lines.write(memory(ALICE, "memory-" + i, TIME) + "\n");
      }
    }
    return new String[] {"--agents", given + "", "--memories", alsoGiven + ""};
  }

  private static Map<String, String> external() {
    return Map.of(
        "GATEWAY_DATABASE_URI",
        DATABASE.uri(),
        "GATEWAY_AUDIT_KEY",
        "MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE=");
  }

  private static boolean waits() {
    return DATABASE
        .value(
            "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
                + " AND wait_event_type = 'Lock' AND wait_event = 'relation'")
        .equals(1L);
  }

  private GatewayProcess run(Map<String, String> variables, String... arguments) {
    List<String> all = new ArrayList<>(List.of("import-legacy", "--report", folder + "/report"));
    Collections.addAll(all, arguments);
    return GatewayProcess.start(folder, variables, all.toArray(String[]::new));
  }
}
