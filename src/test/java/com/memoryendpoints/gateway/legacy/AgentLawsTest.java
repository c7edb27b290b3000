package com.memoryendpoints.gateway.legacy;

import static com.memoryendpoints.gateway.legacy.TestImport.ALICE;
import static com.memoryendpoints.gateway.legacy.TestImport.MALLORY;
import static com.memoryendpoints.gateway.legacy.TestImport.agent;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import com.fasterxml.jackson.databind.JsonNode;
import com.memoryendpoints.gateway.TestDatabase;
import com.memoryendpoints.gateway.config.CannotStart;
import com.memoryendpoints.gateway.lease.Claim;
import com.memoryendpoints.gateway.lease.Owner;
import com.memoryendpoints.gateway.lease.TestPod;
import com.memoryendpoints.gateway.name.Connectors;
import com.memoryendpoints.gateway.name.Names;
import com.memoryendpoints.gateway.problem.Problem;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Which agent keeps its name, what the others are called, and who may claim it. */
class AgentLawsTest {
  private static final String UUID_V7 = "[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f-]{16}";
  private static final String EARLY = "2020-01-01T00:00:00Z";
  private static final String LATE = "2024-01-01T00:00:00Z";

  @RegisterExtension static final TestDatabase DATABASE = TestDatabase.migrated();

  @TempDir private Path folder;
  private TestImport imports;

  private record Agent(String tenant, String id, String name, Instant createdAt) {
    String line() {
      return agent(tenant, id, name, createdAt.toString());
    }

    String key() {
      return Names.strict().of(name).key();
    }
  }

  @BeforeEach
  void empty() {
    imports = new TestImport(DATABASE, folder);
    imports.empty();
  }

  @Test
  void theOldestKeepsThePlainNameInWhateverOrderTheLinesAre() {
    Random random = new Random(1);
    List<Agent> agents = agents(random, 400);
    Map<String, Agent> oldest = new HashMap<>();
    agents.stream()
        .sorted(
            Comparator.comparing(Agent::createdAt)
                .thenComparing(Agent::id)
                .thenComparing(Agent::tenant))
        .forEach(agent -> oldest.putIfAbsent(agent.key(), agent));

    for (int round = 0; round < 4; round++) {
      imports.empty();
      Collections.shuffle(agents, random);
      List<JsonNode> report = imports.agents(agents.stream().map(Agent::line).toList());

      assertThat(report).hasSize(agents.size());
      for (int i = 0; i < agents.size(); i++) {
        Agent agent = agents.get(i);
        JsonNode row = report.get(i);
        String plain = Names.strict().of(agent.name).canonical();
        assertThat(row.path("line").asInt()).isEqualTo(i + 1);
        assertThat(row.path("legacy_id").asText()).isEqualTo(agent.id);
        assertThat(row.path("display_name").asText()).isEqualTo(agent.name);
        if (agent.equals(oldest.get(agent.key()))) {
          assertThat(row.path("outcome").asText()).isEqualTo("kept");
          assertThat(row.path("canonical_name").asText()).isEqualTo(plain);
        } else {
          assertThat(row.path("outcome").asText()).isEqualTo("renamed");
          assertThat(row.path("canonical_name").asText()).matches(plain + "-" + UUID_V7);
        }
      }
    }
  }

  /** Few names, of which many look alike; few times, so that ids decide too. */
  private static List<Agent> agents(Random random, int count) {
    List<String> names =
        List.of("login", "l0gin", "LOGIN", "Log in", "coco", "\u0441\u043E\u0441\u043E", "strasse");
    List<Agent> agents = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      agents.add(
          new Agent(
              i % 2 == 0 ? ALICE : MALLORY,
              "id-" + i / 2,
              names.get(random.nextInt(names.size())) + random.nextInt(5),
              Instant.parse(LATE).plusSeconds(random.nextInt(3))));
    }
    return agents;
  }

  @Test
  void namesThatOnlyLookAlikeCollide() {
    List<JsonNode> report =
        imports.agents(
            agent(ALICE, "1", "coco", LATE),
            agent(MALLORY, "1", "\u0441\u043E\u0441\u043E", EARLY),
            agent(ALICE, "2", "Straße", LATE),
            agent(MALLORY, "2", "strasse", EARLY),
            agent(ALICE, "3", "rnodern", LATE),
            agent(MALLORY, "3", "modern", EARLY));

    assertThat(report)
        .extracting(row -> row.path("outcome").asText())
        .containsExactly("renamed", "kept", "renamed", "kept", "renamed", "kept");
  }

  @Test
  void aLaterImportDoesNotTakeAKeptNameHoweverOldItsAgentIs() {
    imports.agents(agent(ALICE, "1", "Blue Heron", LATE));
    List<JsonNode> report =
        imports.agents(
            agent(ALICE, "1", "Blue Heron", LATE), agent(MALLORY, "7", "blueheron", EARLY));

    assertThat(report)
        .extracting(row -> row.path("outcome").asText())
        .containsExactly("kept", "renamed");
    assertThat(imports.told).contains("Agents: 1 kept, 1 renamed, 0 minted; 1 new, 0 repeated.");
  }

  /** "Keeps" holds nothing: a name is held by a live lease alone. */
  @Test
  void aRenamedNameIsItsTenantsToClaimAndNobodyElses() {
    List<JsonNode> report =
        imports.agents(
            agent(MALLORY, "1", "Grey Owl", EARLY),
            agent(ALICE, "2", "greyowl", LATE),
            agent(ALICE, "3", "No-good!", LATE));
    String renamed = report.get(1).path("canonical_name").asText();
    String minted = report.get(2).path("canonical_name").asText();

    try (TestPod pod = new TestPod(DATABASE)) {
      assertThat(DATABASE.value("SELECT count(*) FROM agent_names")).isEqualTo(0L);
      for (String name : List.of(renamed, minted)) {
        Claim strangers = byStranger(pod, name);
        assertThat(pod.refusal(() -> pod.leases.claim(strangers)).problem())
            .isEqualTo(Problem.INVALID_NAME);
        var claim = pod.claim(name, pod.memory());
        assertThat(pod.call(() -> pod.leases.claim(claim)).lease().canonicalName()).isEqualTo(name);
      }
      var plain = pod.claim("Grey Owl", pod.memory());
      assertThat(pod.call(() -> pod.leases.claim(plain)).lease().canonicalName())
          .isEqualTo("greyowl");
    }
  }

  private static Claim byStranger(TestPod pod, String name) {
    return new Claim(
        pod.key(),
        new Owner(TestPod.STRANGER, "worker-1"),
        Names.strict().claimed(name),
        pod.memory(TestPod.STRANGER),
        30);
  }

  @Test
  void aNameThatTheRulesRefuseIsReplacedAndKeepsItsText() {
    List<JsonNode> report =
        imports.agents(
            agent(ALICE, "1", "No-good!", LATE),
            agent(ALICE, "2", "", LATE),
            agent(ALICE, "3", "a\tb\\N\nc\u202E \uD83D\uDE00", LATE),
            agent(ALICE, "4", "nul\u0000", LATE),
            agent(ALICE, "5", "half", LATE).replace("half", "half\\ud800"),
            agent(ALICE, "6", "x".repeat(60_000), LATE),
            agent(ALICE, "7", "agent-01890a5d-ac96-774b-bcce-b302099a8057", LATE));

    assertThat(report)
        .extracting(row -> row.path("outcome").asText(), row -> row.path("reason").asText())
        .containsExactly(
            tuple("minted", "NAME_PUNCTUATION"),
            tuple("minted", "NAME_EMPTY"),
            tuple("minted", "NAME_CONTROL"),
            tuple("minted", "NAME_CONTROL"),
            tuple("minted", "NAME_ILL_FORMED"),
            tuple("minted", "NAME_TOO_LONG"),
            tuple("minted", "NAME_PUNCTUATION"));
    assertThat(report)
        .allSatisfy(
            row -> assertThat(row.path("canonical_name").asText()).matches("agent-" + UUID_V7));
    assertThat(DATABASE.rows("SELECT display_name FROM imported_agents ORDER BY legacy_id"))
        .extracting(row -> row.get("display_name"))
        .containsExactly(
            "No-good!",
            "",
            "a\tb\\N\nc\u202E \uD83D\uDE00",
            "nul\uFFFD",
            "half\uFFFD",
            "x".repeat(60_000),
            "agent-01890a5d-ac96-774b-bcce-b302099a8057");
    assertThat(report)
        .extracting(row -> row.path("display_name_altered").asBoolean())
        .containsExactly(false, false, false, true, true, false, false);
  }

  @Test
  void connectorsThatTheOperatorAllowsAreKept() {
    Names names = new Names(Connectors.of("-"), null);

    List<JsonNode> report =
        imports.run(List.of(agent(ALICE, "1", "Blue-Heron", LATE)), null, false, names);

    assertThat(report.get(0).path("canonical_name").asText()).isEqualTo("blue-heron");
  }

  @Test
  void theSameLineTwiceIsOneAgent() {
    String line = agent(ALICE, "1", "Blue Heron", "2024-01-01T00:00:00Z");
    String sameTime = agent(ALICE, "1", "Blue Heron", "2024-01-01T02:00:00.0000009+02:00");

    List<JsonNode> report = imports.agents(line, sameTime, line);

    assertThat(report).extracting(row -> row.path("line").asInt()).containsExactly(1, 2, 3);
    assertThat(report)
        .extracting(row -> row.path("outcome").asText())
        .containsExactly("kept", "kept", "kept");
    assertThat(imports.told).contains("Agents: 1 kept, 0 renamed, 0 minted; 1 new, 2 repeated.");
  }

  @Test
  void contradictionsAreToldByTheirLinesAndChangeNothing() {
    imports.agents(agent(ALICE, "1", "Blue Heron", LATE), agent(ALICE, "2", "Owl", LATE));
    List<Object> before = imports.everything();
    String report = imports.reportText();

    assertThatThrownBy(
            () ->
                imports.agents(
                    agent(ALICE, "3", "New", LATE),
                    agent(ALICE, "1", "Blue Herons", LATE),
                    agent(MALLORY, "2", "Owl", LATE),
                    agent(ALICE, "2", "Owl", EARLY),
                    agent(ALICE, "3", "New", EARLY),
                    agent(ALICE, "3", "nEw", LATE)))
        .isInstanceOf(CannotStart.class)
        .hasMessageMatching(
            "(?s)Nothing was imported.*line 2: .*imported before.*line 4: .*imported before"
                + ".*line 5: .*on line 1 .*line 6: .*on line 1 .*run it again\\.")
        .extracting(e -> ((CannotStart) e).exitCode())
        .isEqualTo(2);
    assertThat(imports.everything()).isEqualTo(before);
    assertThat(imports.reportText()).isEqualTo(report);
    assertThat(imports.files()).containsExactly("agents", "report.ndjson");
  }
}
