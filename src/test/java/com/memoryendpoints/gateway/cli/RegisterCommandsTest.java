package com.memoryendpoints.gateway.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.memoryendpoints.gateway.GatewayProcess;
import com.memoryendpoints.gateway.TestDatabase;
import com.memoryendpoints.gateway.auth.BearerToken;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** {@code tenant} and {@code token}, as an operator runs them. */
class RegisterCommandsTest {
  @RegisterExtension static final TestDatabase DATABASE = TestDatabase.migrated();

  @TempDir private Path scratch;

  /** Beside a gateway that runs with its own database. */
  @Test
  void aTokenIsIssuedServedListedAndRevoked() throws Exception {
    Map<String, String> own = GatewayProcess.embeddedIn(scratch.resolve("state"));
    try (GatewayProcess gateway = GatewayProcess.start(scratch, own)) {
      URI memories = URI.create(gateway.awaitWelcome() + "/v1/memories");
      String tenant = done(own, "tenant", "create", "Herons").strip();
      String token = issue(own, tenant);
      String revoked = issue(own, tenant);
      assertThat(done(own, "token", "revoke", sha256(revoked))).isEmpty();
      assertThat(get(memories, token)).isEqualTo(200);
      assertThat(get(memories.resolve("/v1/pools"), token)).isEqualTo(403);
      assertThat(get(memories, revoked)).isEqualTo(401);

      List<String> listed = done(own, "token", "list", "--tenant", tenant).lines().toList();
      assertThat(listed).hasSize(3);
      assertThat(listed.get(1))
          .startsWith(sha256(token) + "\t" + tenant + "\tgood\t")
          .matches(".*\t-\t\\d{4}-\\d\\d-\\d\\d\tmemories\tp");
      assertThat(listed.get(2))
          .startsWith(sha256(revoked) + "\t" + tenant + "\trevoked\t")
          .endsWith("\t-\t-\tmemories\tp");
      assertThat(done(own, "token", "list").lines()).containsExactlyElementsOf(listed);
      assertThat(gateway.out() + gateway.err()).doesNotContain(token, revoked);
      try (Stream<Path> logs = Files.list(scratch.resolve("state/log"))) {
        assertThat(logs)
            .isNotEmpty()
            .allSatisfy(log -> assertThat(log).content().doesNotContain(token, revoked));
      }
    }
  }

  /** On an embedded database that it has to make first, and tells so in its log. */
  @Test
  void whatACommandAnswersIsAllOfItsOutput() {
    Map<String, String> own = GatewayProcess.embeddedIn(scratch.resolve("fresh"));
    GatewayProcess process = run(own, "tenant", "create", "Herons");
    assertThat(process.exitCode()).as(process.err()).isZero();
    assertThat(process.out()).matches("[0-9a-f-]{36}\n");
    assertThat(process.err()).contains("Making a new database");
  }

  private String issue(Map<String, String> variables, String tenant) {
    return done(
            variables,
            "token",
            "create",
            "--tenant",
            tenant,
            "--principal",
            "p",
            "--scopes",
            "memories")
        .strip();
  }

  private static String sha256(String token) {
    return HexFormat.of().formatHex(BearerToken.sha256(token));
  }

  @Test
  void aTenantIsMadeListedSuspendedAndResumed() {
    Map<String, String> external = Map.of("GATEWAY_DATABASE_URI", DATABASE.uri());
    String id = UUID.randomUUID().toString();
    assertThat(done(external, "tenant", "create", "Night watch", "--id", id)).isEqualTo(id + "\n");
    done(external, "tenant", "suspend", id);
    assertThat(done(external, "tenant", "list"))
        .startsWith("tenant_id\tcreated_at\tsuspended_at\ttokens\tquotas\tlimits\tname\n")
        .containsPattern(id + "\t[^\t]+Z\t[^\t]+Z\t0\t-\t-\tNight watch\n");
    done(external, "tenant", "resume", id);
    assertThat(done(external, "tenant", "list")).containsPattern(id + "\t[^\t]+Z\t-\t0\t");

    GatewayProcess again = run(external, "tenant", "create", "Night watch");
    assertThat(again.exitCode()).isEqualTo(2);
    assertThat(again.err()).contains("is there already").doesNotContain("Exception");
  }

  @Test
  void quotasAndLimitsAreAgreedListedAndTakenBack() {
    Map<String, String> external = Map.of("GATEWAY_DATABASE_URI", DATABASE.uri());
    String id = done(external, "tenant", "create", "Limited").strip();
    done(external, "tenant", "quota", id, "--leases", "10", "--identifiers", "0");
    done(external, "tenant", "quota", id, "--pools=3", "--identifiers=unlimited");
    done(external, "tenant", "limit", id, "--requests-per-second", "5", "--tenant-burst", "7");
    assertThat(done(external, "tenant", "list"))
        .contains("\tleases=10,pools=3\trequests-per-second=5,tenant-burst=7\tLimited\n");
    done(external, "tenant", "limit", id, "--requests-per-second", "default");
    assertThat(done(external, "tenant", "list"))
        .contains("\tleases=10,pools=3\ttenant-burst=7\tLimited\n");
  }

  @Test
  void whatIsWrongWithACallEndsWithTwo() {
    Map<String, String> external = Map.of("GATEWAY_DATABASE_URI", DATABASE.uri());
    String id = UUID.randomUUID().toString();
    List<String[]> calls =
        List.of(
            new String[] {"tenant"},
            new String[] {"tenant", "create", ""},
            new String[] {"tenant", "create", "  "},
            new String[] {"tenant", "create", "short", "--id", "1-2-3-4-5"},
            new String[] {"tenant", "quota", id},
            new String[] {"tenant", "quota", id, "--leases", "\u0661"},
            new String[] {"tenant", "quota", id, "--leases", "+5"},
            new String[] {"tenant", "quota", id, "--leases", "1"},
            new String[] {"tenant", "quota", id, "--leases", "-1"},
            new String[] {"tenant", "quota", id, "--leases", "default"},
            new String[] {"tenant", "limit", id, "--burst", "1000001"},
            new String[] {"token", "revoke", "ABCD"},
            new String[] {
              "token", "create", "--tenant", id, "--principal", "p", "--scopes", "leases,all"
            },
            new String[] {
              "token", "create", "--tenant", id, "--principal", "p", "--scopes", "leases"
            });
    for (String[] call : calls) {
      GatewayProcess process = run(external, call);
      assertThat(process.exitCode()).as(String.join(" ", call)).isEqualTo(2);
      assertThat(process.err()).isNotEmpty().doesNotContain("Exception");
    }
  }

  @Test
  void whatIsRefusedIsNamedWithWhatIsAllowed() {
    Map<String, String> external = Map.of("GATEWAY_DATABASE_URI", DATABASE.uri());
    String id = UUID.randomUUID().toString();
    GatewayProcess scope =
        run(external, "token", "create", "--tenant=" + id, "--principal=p", "--scopes=leases,all");
    GatewayProcess uuid = run(external, "tenant", "suspend", "1-2-3-4-5");

    assertThat(scope.exitCode()).isEqualTo(2);
    assertThat(scope.err())
        .contains("\"all\", which is not one of leases, memories, pools, audit, admin")
        .contains("Usage: lease-gateway token create");
    assertThat(uuid.exitCode()).isEqualTo(2);
    assertThat(uuid.err()).contains("\"1-2-3-4-5\" is not a UUID of the form 8-4-4-4-12");
  }

  @Test
  void aListMakesNoDatabaseToFindNothingIn() {
    Path mistyped = scratch.resolve("mistyped");
    for (String what : List.of("tenant", "token")) {
      GatewayProcess process = run(GatewayProcess.embeddedIn(mistyped), what, "list");
      assertThat(process.exitCode()).isEqualTo(2);
      assertThat(process.err()).contains("There is no database in " + mistyped);
      assertThat(mistyped).doesNotExist();
    }
  }

  private String done(Map<String, String> variables, String... arguments) {
    GatewayProcess process = run(variables, arguments);
    assertThat(process.exitCode()).withFailMessage(() -> process.out() + process.err()).isZero();
    return process.out();
  }

  private GatewayProcess run(Map<String, String> variables, String... arguments) {
    return GatewayProcess.start(scratch, variables, arguments);
  }

  private static int get(URI uri, String token) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(uri).header("Authorization", "Bearer " + token).build();
    return HttpClient.newHttpClient()
        .send(request, HttpResponse.BodyHandlers.discarding())
        .statusCode();
  }
}
