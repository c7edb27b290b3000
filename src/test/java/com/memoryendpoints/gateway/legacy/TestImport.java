package com.memoryendpoints.gateway.legacy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.memoryendpoints.gateway.TestDatabase;
import com.memoryendpoints.gateway.config.Config;
import com.memoryendpoints.gateway.config.DatabaseUri;
import com.memoryendpoints.gateway.config.SslMode;
import com.memoryendpoints.gateway.db.DatabaseUnreachable;
import com.memoryendpoints.gateway.name.Names;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import javax.crypto.spec.SecretKeySpec;

/** Imports into a test's database, from files that it writes first. */
final class TestImport {
  static final String ALICE = "0190aaaa-0000-7000-8000-000000000001";
  static final String MALLORY = "0190bbbb-0000-7000-8000-000000000002";
  static final SecretKeySpec AUDIT_KEY = new SecretKeySpec(new byte[32], "HmacSHA256");

  final List<String> told = Collections.synchronizedList(new ArrayList<>());
  private final TestDatabase database;
  private final Path folder;

  TestImport(TestDatabase database, Path folder) {
    this.database = database;
    this.folder = folder;
  }

  /** A line of a file of agents. */
  static String agent(String tenant, String id, String name, String createdAt) {
    ObjectMapper json = new ObjectMapper();
    return json.createObjectNode()
        .put("legacy_id", id)
        .put("tenant_id", tenant)
        .put("display_name", name)
        .put("created_at", createdAt)
        .toString();
  }

  /** A line of a file of memories. */
  static String memory(String tenant, String id, String createdAt) {
    ObjectMapper json = new ObjectMapper();
    return json.createObjectNode()
        .put("legacy_memory_id", id)
        .put("tenant_id", tenant)
        .put("created_at", createdAt)
        .toString();
  }

  /** Forgets everything that was imported or registered. */
  void empty() {
    database.run(
        "TRUNCATE imported_agents, imported_memories, memory_instances, leases, memory_heads,"
            + " agent_names, audit_events, idempotency_records");
  }

  List<JsonNode> agents(String... lines) {
    return agents(List.of(lines));
  }

  List<JsonNode> agents(List<String> lines) {
    return run(lines, null, false);
  }

  List<JsonNode> memories(String... lines) {
    return run(null, List.of(lines), false);
  }

  /** Imports the lines; null for no file. Answers the report. */
  List<JsonNode> run(List<String> agents, List<String> memories, boolean dryRun) {
    return run(agents, memories, dryRun, Names.strict());
  }

  List<JsonNode> run(List<String> agents, List<String> memories, boolean dryRun, Names names) {
    told.clear();
    Path givenAgents = agents == null ? null : file("agents", String.join("\n", agents));
    Path givenMemories = memories == null ? null : file("memories", String.join("\n", memories));
    LegacyImport checked = LegacyImport.checked(givenAgents, givenMemories, told::add);
    into(checked, names, dryRun);
    return report();
  }

  /** The second half of an import. */
  void into(LegacyImport checked, Names names, boolean dryRun) {
    try (Report report = Report.beside(reportFile(), List.of())) {
      checked.into(
          new Config.Database(DatabaseUri.parse(database.uri()), SslMode.DISABLE, null, 1, 0),
          names,
          AUDIT_KEY,
          report,
          dryRun);
    } catch (DatabaseUnreachable e) {
      throw new IllegalStateException(e);
    }
  }

  Path file(String name, String content) {
    try {
      return Files.writeString(folder.resolve(name), content);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  Path reportFile() {
    return folder.resolve("report.ndjson");
  }

  /** The report as bytes of UTF-8. */
  String reportText() {
    try {
      return Files.readString(reportFile());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  List<JsonNode> report() {
    List<JsonNode> rows = new ArrayList<>();
    try {
      for (String line : reportText().lines().toList()) {
        rows.add(new ObjectMapper().readTree(line));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return rows;
  }

  /** The names of what is in the folder. */
  List<String> files() {
    try (Stream<Path> files = Files.list(folder)) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Everything that an import can change. */
  List<Object> everything() {
    return database
        .rows(
            """
            SELECT i::text AS row FROM imported_agents i
            UNION ALL SELECT i::text FROM imported_memories i
            UNION ALL SELECT m::text FROM memory_instances m
            UNION ALL SELECT l::text FROM leases l
            UNION ALL SELECT h::text FROM memory_heads h
            UNION ALL SELECT n::text FROM agent_names n
            UNION ALL SELECT e::text FROM audit_events e
            ORDER BY 1
            """)
        .stream()
        .map(row -> row.get("row"))
        .toList();
  }
}
