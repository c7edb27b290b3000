package com.memoryendpoints.gateway;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.uuid.Generators;
import com.memoryendpoints.gateway.db.EmbeddedDatabase;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Starting it, as an operator does: what is told, and with which code it ends. */
class MainTest {
  /** The token is {@code secret}. */
  static final String TOKENS =
      """
      [{sha256 = "2bb80d537b1da3e38bd30361aa855686bde0eacd7162fef6a25fe97bf527a25b",
        tenant_id = "0198c0de-0000-7000-8000-000000000001", principal = p,
        scopes = [leases, memories]}]""";

  @TempDir private Path scratch;
  private final List<GatewayProcess> processes = new ArrayList<>();

  @AfterEach
  void end() {
    processes.forEach(GatewayProcess::close);
  }

  @Test
  void helpAndVersionAreToldAndEndWithZero() {
    GatewayProcess help = run(Map.of(), "--help");
    GatewayProcess version = run(Map.of(), "--version");

    assertThat(help.exitCode()).isZero();
    assertThat(help.out())
        .contains(
            "serve",
            "migrate",
            "anchor-epoch",
            "rekey",
            "import-legacy",
            "audit-hash",
            "config",
            "tenant",
            "token",
            "--config=FILE");
    assertThat(version.exitCode()).isZero();
    assertThat(version.out()).startsWith("lease-gateway ");
  }

  @Test
  void aMisspeltCommandEndsWithTwoAndTheUsage() {
    GatewayProcess gateway = run(Map.of(), "migrat");

    assertThat(gateway.exitCode()).isEqualTo(2);
    assertThat(gateway.err()).contains("migrat", "Usage: lease-gateway");
  }

  @Test
  void everyFaultOfTheConfigurationIsToldAtOnceAndEndsWithTwo() throws IOException {
    Path file =
        Files.writeString(scratch.resolve("bad.json"), "{\"http\":{\"host\":\"\"},\"a\":1}");

    GatewayProcess gateway =
        run(Map.of("GATEWAY_AUDIT_KEY", "c2VjcmV0"), "serve", "--config", file.toString());

    assertThat(gateway.exitCode()).isEqualTo(2);
    assertThat(gateway.err())
        .contains("3 faults", "http.host", "a is not a known key", "audit.key")
        .doesNotContain("c2VjcmV0", "at com.memoryendpoints", "Exception");
  }

  @Test
  void aPortInUseIsNamedAndNoDatabaseIsStarted() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      Map<String, String> variables = new HashMap<>(GatewayProcess.embeddedIn(data()));
      variables.put("GATEWAY_MANAGEMENT_PORT", "" + socket.getLocalPort());

      GatewayProcess gateway = run(variables);

      assertThat(gateway.exitCode()).isEqualTo(2);
      assertThat(gateway.err())
          .contains("127.0.0.1 port " + socket.getLocalPort(), "management.port")
          .doesNotContain("Exception");
      assertThat(data()).doesNotExist();
    }
  }

  @Test
  void aCertificateThatIsNotGoodEndsWithTwoAndNoDatabaseIsStarted() throws Exception {
    TestCertificates.Identity expired = TestCertificates.makeExpired(scratch, "expired");
    Map<String, String> variables = new HashMap<>(GatewayProcess.embeddedIn(data()));
    variables.put("GATEWAY_HTTP_HOST", "0.0.0.0");
    GatewayProcess plain = run(variables);
    variables.put("GATEWAY_TLS_CERTIFICATE", expired.certificate().toString());
    variables.put("GATEWAY_TLS_PRIVATE_KEY", expired.privateKey().toString());
    GatewayProcess late = run(variables);

    assertThat(plain.exitCode()).isEqualTo(2);
    assertThat(plain.err()).contains("http.host", "tls.certificate", "http.plaintext_allowed");
    assertThat(late.exitCode()).isEqualTo(2);
    assertThat(late.err()).contains("expired at").doesNotContain("Exception");
    assertThat(data()).doesNotExist();
  }

  @Test
  void dataOfAnotherMajorEndsWithTwo() throws IOException {
    Files.createDirectories(data().resolve("data"));
    Files.writeString(data().resolve("data/PG_VERSION"), "15\n");

    GatewayProcess gateway = run(GatewayProcess.embeddedIn(data()));

    assertThat(gateway.exitCode()).isEqualTo(2);
    assertThat(gateway.err()).contains("made by PostgreSQL 15");
  }

  @Test
  void aDatabaseThatDoesNotAnswerEndsAMigrationWithOneAndNoSecretIsTold() {
    GatewayProcess gateway =
        run(Map.of("GATEWAY_DATABASE_URI", "postgresql://u:hunter2@127.0.0.1:1/d"), "migrate");

    assertThat(gateway.exitCode()).isEqualTo(1);
    assertThat(gateway.err())
        .contains("postgresql://u@127.0.0.1:1/d cannot be reached")
        .doesNotContain("hunter2");
  }

  @Test
  void withoutConfigurationItBringsItsDatabaseAndATokenAndKeepsBoth() throws IOException {
    GatewayProcess first = run(GatewayProcess.embeddedIn(data()));
    first.awaitWelcome();
    String token = Files.readString(data().resolve("dev-token")).strip();

    assertThat(token).matches("lgw_dev_[A-Za-z0-9_-]{43}");
    assertThat(first.out()).contains("Bearer " + token, data().toString());
    for (String secret : List.of("dev-token", "audit-key", "database-password")) {
      assertThat(
              PosixFilePermissions.toString(Files.getPosixFilePermissions(data().resolve(secret))))
          .isEqualTo("rw-------");
    }

    GatewayProcess second = run(GatewayProcess.embeddedIn(data()));
    assertThat(second.exitCode()).isEqualTo(2);
    assertThat(second.err()).contains("is used by another gateway, process");

    GatewayProcess migration = run(GatewayProcess.embeddedIn(data()), "migrate");
    assertThat(migration.exitCode()).isZero();
    assertThat(migration.out()).contains("is up to date; migrations applied now: 0.");
    GatewayProcess anchoring = run(GatewayProcess.embeddedIn(data()), "anchor-epoch");
    assertThat(anchoring.exitCode()).isZero();
    assertThat(anchoring.out()).contains("anchored here already");

    assertThat(first.terminate()).isEqualTo(143);
    assertThat(EmbeddedDatabase.attach(data())).isEmpty();

    GatewayProcess again = run(GatewayProcess.embeddedIn(data()));
    again.awaitWelcome();
    assertThat(again.out()).contains(token);
    again.kill();
    assertThat(EmbeddedDatabase.attach(data())).isPresent();

    run(GatewayProcess.embeddedIn(data())).awaitWelcome();
  }

  /** Also while the lease of the first start is still live: the line is its own owner's. */
  @Test
  void theLineThatIsPrintedHoldsALeaseAtOnceAndAfterARestart() throws Exception {
    GatewayProcess first = run(GatewayProcess.embeddedIn(data()));
    first.awaitWelcome();
    assertThat(pasted(first.out())).containsExactly(201, 201);
    assertThat(pasted(first.out())).containsExactly(200, 200);
    first.kill();

    GatewayProcess again = run(GatewayProcess.embeddedIn(data()));
    again.awaitWelcome();
    assertThat(pasted(again.out())).containsExactly(200, 201);
  }

  /** What the calls of the printed line are answered. */
  private static List<Integer> pasted(String out) throws Exception {
    Matcher calls =
        Pattern.compile("Bearer (\\S+)'.*?(?:Idempotency-Key: (\\S+)' )?-d '([^']+)' (\\S+)")
            .matcher(out);
    List<Integer> statuses = new ArrayList<>();
    while (calls.find()) {
      HttpRequest.Builder request =
          HttpRequest.newBuilder(URI.create(calls.group(4)))
              .header("Authorization", "Bearer " + calls.group(1))
              .header("Content-Type", "application/json")
              .POST(HttpRequest.BodyPublishers.ofString(calls.group(3)));
      if (calls.group(2) != null) {
        request.header("Idempotency-Key", calls.group(2));
      }
      statuses.add(
          HttpClient.newHttpClient()
              .send(request.build(), HttpResponse.BodyHandlers.discarding())
              .statusCode());
    }
    return statuses;
  }

  @Test
  void aSchemaThatIsNewerThanTheGatewayEndsItWithOne() {
    TestDatabase database = TestDatabase.migrated();
    database.beforeAll(null);
    try {
      database.run(
          "INSERT INTO flyway_schema_history (installed_rank, version, description, type, script,"
              + " installed_by, execution_time, success)"
              + " VALUES (9000, '9000', 'later', 'SQL', 'V9000__later.sql', 'later', 0, true)");

      GatewayProcess gateway = run(external(database));

      assertThat(gateway.exitCode()).isEqualTo(1);
      assertThat(gateway.err()).contains("at version 9000, newer than this gateway knows");
    } finally {
      database.close();
    }
  }

  @Test
  void anExternalDatabaseThatIsDownIsWaitedForWithThePortsOpen() throws Exception {
    try (TestServer server = TestServer.start();
        TestDatabase database = TestDatabase.on(server)) {
      Map<String, String> variables = new HashMap<>(external(database));
      variables.put("GATEWAY_AUTH_TOKENS", TOKENS);
      server.stop();

      GatewayProcess gateway = run(variables).awaitOut("The API listens");
      URI api = address(gateway, "API listens on ");
      URI management = address(gateway, "health and metrics on ");
      assertThat(get(management.resolve("/health/live")).statusCode()).isEqualTo(200);
      assertThat(get(management.resolve("/health/ready")).statusCode()).isEqualTo(503);
      HttpResponse<String> refused = get(api.resolve("/v1/memories"));
      assertThat(refused.statusCode()).isEqualTo(503);
      assertThat(refused.headers().firstValue("Retry-After")).isPresent();

      server.restart();
      await()
          .atMost(60, SECONDS)
          .until(() -> get(management.resolve("/health/ready")).statusCode() == 200);
      assertThat(get(api.resolve("/v1/memories")).statusCode()).isEqualTo(200);
      server.kill();
      server.restart();
      await().atMost(60, SECONDS).until(() -> get(api.resolve("/v1/memories")).statusCode() == 200);
      assertThat(gateway.terminate()).isEqualTo(143);
    }
  }

  @Test
  void keysOfAnotherVersionEndItUntilTheyAreMadeAnew() throws Exception {
    TestDatabase database = TestDatabase.migrated();
    database.beforeAll(null);
    try {
      Map<String, String> variables = new HashMap<>(external(database));
      variables.put("GATEWAY_AUTH_TOKENS", TOKENS);
      database.run("UPDATE name_key_version SET version = 'ICU 70.1, Unicode 14.0.0'");

      GatewayProcess refused = run(variables);
      assertThat(refused.exitCode()).isEqualTo(1);
      assertThat(refused.err()).contains("made by ICU 70.1", "run the subcommand rekey");

      GatewayProcess rekey = run(variables, "rekey");
      assertThat(rekey.exitCode()).isZero();
      assertThat(rekey.out()).contains("The name keys are of this version");

      GatewayProcess gateway = run(variables).awaitOut("The gateway is ready");
      // Somebody makes the keys anew by another version while this one serves.
      database.run("UPDATE name_key_version SET version = 'ICU 99.1, Unicode 99.0.0'");
      URI api = address(gateway, "API listens on ");
      assertThat(claim(api).statusCode()).isEqualTo(503);
      assertThat(gateway.exitCode()).isEqualTo(1);
      assertThat(gateway.err()).contains("run the subcommand rekey");
      assertThat(database.value("SELECT count(*) FROM agent_names")).isEqualTo(0L);
    } finally {
      database.close();
    }
  }

  @Test
  void aStatementThatDoesNotPrepareEndsItWithOneAndItsName() {
    TestDatabase database = TestDatabase.migrated();
    database.beforeAll(null);
    try {
      database.run("ALTER TABLE memory_heads RENAME COLUMN revision TO edition");

      GatewayProcess gateway = run(external(database));

      assertThat(gateway.exitCode()).isEqualTo(1);
      assertThat(gateway.err())
          .contains("does not prepare", "Its schema is not what this version migrated")
          .doesNotContain("at com.memoryendpoints");
    } finally {
      database.close();
    }
  }

  static URI address(GatewayProcess gateway, String before) {
    Matcher found = Pattern.compile(before + "([0-9.]+:[0-9]+)").matcher(gateway.out());
    assertThat(found.find()).isTrue();
    return URI.create("http://" + found.group(1));
  }

  private static HttpResponse<String> claim(URI api) throws Exception {
    String body =
        "{\"display_name\":\"Any\",\"owner_client_id\":\"o\",\"memory_instance_id\":\"%s\"}"
            .formatted(Generators.timeBasedEpochGenerator().generate());
    HttpRequest request =
        HttpRequest.newBuilder(api.resolve("/v1/leases"))
            .header("Authorization", "Bearer secret")
            .header("Content-Type", "application/json")
            .header("Idempotency-Key", Generators.timeBasedEpochGenerator().generate().toString())
            .POST(HttpRequest.BodyPublishers.ofString(body))
            .build();
    return HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
  }

  private static HttpResponse<String> get(URI uri) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(uri).header("Authorization", "Bearer secret").build();
    return HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
  }

  private Map<String, String> external(TestDatabase database) {
    return Map.of(
        "GATEWAY_DATABASE_URI",
        database.uri(),
        "GATEWAY_AUDIT_KEY",
        "MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE=");
  }

  private Path data() {
    return scratch.resolve("state");
  }

  private GatewayProcess run(Map<String, String> variables, String... arguments) {
    GatewayProcess process = GatewayProcess.start(scratch, variables, arguments);
    processes.add(process);
    return process;
  }
}
