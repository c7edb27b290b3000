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
  private static final int AGENTS = 140_000;
  private static final int MEMORIES = 60_000;

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

  /** Killed when half of it is in the database, then run again, in a heap that holds no file. */
  @Test
  void twoHundredThousandRowsPassThroughASmallHeapAndAreWholeAfterAKill() throws Exception {
    Path agents = folder.resolve("agents");
    Path memories = folder.resolve("memories");
    try (BufferedWriter lines = Files.newBufferedWriter(agents)) {
      for (int i = 0; i < AGENTS; i++) {
        lines.write(agent(ALICE, "agent-" + i, "Owl " + i % (AGENTS / 2), TIME) + "\n");
      }
    }
    try (BufferedWriter lines = Files.newBufferedWriter(memories)) {
      for (int i = 0; i < MEMORIES; i++) {
        lines.write(memory(ALICE, "memory-" + i, TIME) + "\n");
      }
    }
    Map<String, String> variables = new HashMap<>();
    variables.put("GATEWAY_DATABASE_URI", DATABASE.uri());
    variables.put("GATEWAY_AUDIT_KEY", "MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE=");
    variables.put("_JAVA_OPTIONS", "-Xmx64m");
    String[] files = {"--agents", agents + "", "--memories", memories + ""};

    try (Connection blocker = DATABASE.connect();
        Statement statement = blocker.createStatement()) {
      blocker.setAutoCommit(false);
      statement.execute("LOCK TABLE imported_memories IN ACCESS EXCLUSIVE MODE");
      GatewayProcess half = run(variables, files);
      await().atMost(90, SECONDS).until(ImportLegacyTest::waits);
      half.kill();
    }
    assertThat(folder.resolve("report")).doesNotExist();

    GatewayProcess again = run(variables, files);
    assertThat(again.exitCode()).withFailMessage(() -> again.out() + again.err()).isZero();
    assertThat(again.out())
        .contains(
            "agents: 100000 rows checked.",
            "agents: 100000 rows read.",
            "Agents: 70000 kept, 70000 renamed, 0 minted; 140000 new, 0 repeated.",
            "Memories: 0 kept, 60000 minted; 60000 new, 0 repeated.");
    try (Stream<String> report = Files.lines(folder.resolve("report"))) {
      assertThat(report.count()).isEqualTo(AGENTS + MEMORIES);
    }
    assertThat(DATABASE.value("SELECT count(*) FROM imported_agents")).isEqualTo((long) AGENTS);
    assertThat(DATABASE.value("SELECT count(*) FROM leases")).isEqualTo((long) MEMORIES);
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
