package com.memoryendpoints.gateway.http;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.uuid.Generators;
import com.memoryendpoints.gateway.GatewayProcess;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** SIGKILL of everything after one write of each kind: whatever was acknowledged is there. */
@Timeout(240)
class CrashedWritesTest {
  private static final Set<String> ONLY_READS =
      Set.of("/v1/leases/verify", "/v1/leases/verify/batch", "/v1/names/canonicalize");

  private interface Look {
    void at() throws Exception;
  }

  private record Lease(String id, String name, String memory, long token) {
    String named() {
      return "{\"canonical_name\":\"%s\",\"memory_instance_id\":\"%s\",\"fencing_token\":%d,%s}"
          .formatted(name, memory, token, "\"owner_client_id\":\"o\"");
    }
  }

  @TempDir private Path scratch;
  private final Set<String> written = new TreeSet<>();
  private final List<Look> looks = new ArrayList<>();
  private int port;
  private String token;

  @Test
  void everyKindOfWriteThatWasAcknowledgedIsThereAfterwards() throws Exception {
    Path state = scratch.resolve("state");
    try (GatewayProcess first = start(state)) {
      writeAll();
      kill(first, state);
    }

    assertThat(written)
        .isEqualTo(
            EveryCall.ENDPOINTS.stream()
                .filter(each -> !each.method().name().equals("GET"))
                .filter(each -> !ONLY_READS.contains(each.path()))
                .map(each -> each.method().name() + " " + each.path())
                .collect(Collectors.toSet()));
    try (GatewayProcess second = start(state)) {
      assertThat(second.isAlive()).isTrue();
      for (Look look : looks) {
        look.at();
      }
    }
  }

  private void writeAll() throws IOException {
    List<Lease> leases = new ArrayList<>();
    for (String name : List.of("renews", "renewseach", "releases", "releaseseach", "revokes")) {
      leases.add(lease(name));
    }
    Lease owner = lease("owner");
    JsonNode holds = pools();
    written.clear();

    memories(owner);
    leases(leases);
    identifiers(holds);
  }

  private GatewayProcess start(Path state) throws IOException {
    GatewayProcess gateway = GatewayProcess.start(scratch, GatewayProcess.embeddedIn(state));
    port = URI.create(gateway.awaitWelcome()).getPort();
    token = Files.readString(state.resolve("dev-token")).strip();
    return gateway;
  }

  private static void kill(GatewayProcess gateway, Path state) throws IOException {
    String pid = Files.readAllLines(state.resolve("data/postmaster.pid")).get(0);
    ProcessHandle postmaster = ProcessHandle.of(Long.parseLong(pid)).orElseThrow();
    List<ProcessHandle> server = new ArrayList<>(postmaster.descendants().toList());
    server.add(0, postmaster);
    server.forEach(ProcessHandle::destroyForcibly);
    gateway.kill();
  }

  private Lease lease(String name) throws IOException {
    return granted(write("/v1/leases", claim(name, memory(), "")));
  }

  private static Lease granted(JsonNode lease) {
    return new Lease(
        lease.path("lease_id").asText(),
        lease.path("canonical_name").asText(),
        lease.path("memory_instance_id").asText(),
        lease.path("fencing_token").asLong());
  }

  private String memory() throws IOException {
    return write("/v1/memories", "{}").path("memory_instance_id").asText();
  }

  private static String claim(String name, String memory, String more) {
    return "{%s\"display_name\":\"%s\",\"memory_instance_id\":\"%s\",\"owner_client_id\":\"o\",%s}"
        .formatted(more, name, memory, "\"ttl_seconds\":300");
  }

  /** Four holds of one pool; another pool whose only identifier is dead. */
  private JsonNode pools() throws IOException {
    write("PUT", "/v1/pools/:pool", "held", "{\"default_ttl_seconds\":300}");
    write("POST", "/v1/pools/:pool/identifiers", "held", "[\"a\",\"b\",\"c\",\"d\"]");
    write("PUT", "/v1/pools/:pool", "dead", "{\"default_ttl_seconds\":1,\"max_attempts\":1}");
    write("POST", "/v1/pools/:pool/identifiers", "dead", "[\"a\"]");
    write("POST", "/v1/pools/:pool/claim", "dead", "{\"owner_client_id\":\"o\"}");
    write("PUT", "/v1/pools/:pool", "gone", "{}");
    await().atMost(60, SECONDS).until(() -> count("dead", "dead") == 1);
    return write("POST", "/v1/pools/:pool/claim", "held", "{\"owner_client_id\":\"o\",\"count\":3}")
        .path("holds");
  }

  private void memories(Lease owner) throws IOException {
    String one = memory();
    looks.add(() -> assertThat(read("/v1/memories/" + one).status()).isEqualTo(200));
    String other = Generators.timeBasedEpochGenerator().generate().toString();
    write("/v1/memories/batch", "{\"items\":[{\"memory_instance_id\":\"%s\"}]}".formatted(other));
    looks.add(() -> assertThat(read("/v1/memories/" + other).status()).isEqualTo(200));
    String branch = "{\"parent_memory_instance_id\":\"%s\",\"parent_fencing_token\":%d}";
    String child =
        write("/v1/memories/branch", branch.formatted(owner.memory(), owner.token()))
            .path("memory_instance_id")
            .asText();
    looks.add(
        () ->
            assertThat(read("/v1/memories/" + child + "/lineage").json().path("items")).hasSize(2));
    String commit =
        "{\"memory_instance_id\":\"%s\",\"fencing_token\":%d,\"content_digest\":\"sha-256:%s\"}";
    write(
        "/v1/memories/commit",
        commit.formatted(owner.memory(), owner.token(), "0123456789abcdef".repeat(4)));
    looks.add(
        () ->
            assertThat(read("/v1/memories/" + owner.memory()).json().at("/head/revision").asInt())
                .isOne());
  }

  private void leases(List<Lease> leases) throws IOException {
    String one = memory();
    String other = memory();
    JsonNode claimed = write("/v1/leases", claim("claims", one, ""));
    expires(granted(claimed), claimed);
    String key = "\"idempotency_key\":\"%s\",".formatted(key());
    JsonNode each = items("/v1/leases/batch", claim("claimseach", other, key));
    expires(granted(each), each);
    expires(leases.get(0), write("/v1/leases/renew", leases.get(0).named()));
    expires(leases.get(1), items("/v1/leases/renew/batch", leases.get(1).named()));
    write("/v1/leases/release", leases.get(2).named());
    items("/v1/leases/release/batch", leases.get(3).named());
    write("/v1/leases/revoke", "{\"canonical_name\":\"revokes\",\"reason\":\"r\"}");
    for (Lease ended : leases.subList(2, 5)) {
      looks.add(() -> assertThat(verified(ended)).isIn(409, 410));
    }
  }

  private void expires(Lease lease, JsonNode answer) {
    assertThat(answer.path("expires_at").isTextual()).as(answer.toString()).isTrue();
    looks.add(
        () -> {
          assertThat(state(lease).path("state").asText()).isEqualTo("held");
          assertThat(state(lease).path("expires_at")).isEqualTo(answer.path("expires_at"));
        });
  }

  private int verified(Lease lease) throws IOException {
    String body = "{\"memory_instance_id\":\"%s\",\"fencing_token\":%d}";
    return ask("POST", "/v1/leases/verify", body.formatted(lease.memory(), lease.token())).status();
  }

  private JsonNode state(Lease lease) throws IOException {
    return read("/v1/leases/" + lease.id()).json();
  }

  private void identifiers(JsonNode holds) throws IOException {
    write("PUT", "/v1/pools/:pool", "put", "{\"max_attempts\":7}");
    looks.add(
        () -> assertThat(read("/v1/pools/put").json().path("max_attempts").asInt()).isEqualTo(7));
    write("POST", "/v1/pools/:pool/identifiers", "put", "[\"x\",\"y\"]");
    looks.add(() -> assertThat(count("put", "unused")).isEqualTo(2));
    JsonNode claimed =
        write("POST", "/v1/pools/:pool/claim", "held", "{\"owner_client_id\":\"o\"}")
            .path("holds")
            .path(0);
    becomes(claimed, "PENDING");
    write("POST", "/v1/pools/:pool/renew", "held", hold(holds.path(0)));
    becomes(holds.path(0), "PENDING");
    write("POST", "/v1/pools/:pool/release", "held", hold(holds.path(1)));
    becomes(holds.path(1), "UNUSED");
    write("POST", "/v1/pools/:pool/consume", "held", hold(holds.path(2)));
    becomes(holds.path(2), "CONSUMED");
    write("POST", "/v1/pools/:pool/redrive", "dead", "{}");
    looks.add(() -> assertThat(count("dead", "unused")).isOne());
    write("DELETE", "/v1/pools/:pool", "gone", "");
    looks.add(() -> assertThat(read("/v1/pools/gone").status()).isEqualTo(404));
  }

  private void becomes(JsonNode hold, String state) {
    String path = "/v1/pools/held/identifiers/" + hold.path("identifier_id").asText();
    looks.add(() -> assertThat(read(path).json().path("state").asText()).as(path).isEqualTo(state));
  }

  private static String hold(JsonNode hold) {
    return "{\"identifier_id\":%s,\"fencing_token\":%s}"
        .formatted(hold.path("identifier_id"), hold.path("fencing_token"));
  }

  private int count(String pool, String state) throws IOException {
    return read("/v1/pools/" + pool).json().path("counts").path(state).asInt();
  }

  private JsonNode items(String path, String item) throws IOException {
    JsonNode answer = write(path, "{\"items\":[" + item + "]}").path("items").path(0);
    assertThat(answer.path("status").asInt()).as(answer.toString()).isBetween(200, 299);
    return answer.path("body");
  }

  private JsonNode write(String path, String body) throws IOException {
    return write("POST", path, "", body);
  }

  private JsonNode write(String method, String path, String pool, String body) throws IOException {
    RawHttp.Answer answer = ask(method, path.replace(":pool", pool), body);
    assertThat(answer.status()).as(path + " " + answer.body()).isBetween(200, 299);
    written.add(method + " " + path);
    return answer.json();
  }

  private RawHttp.Answer read(String path) throws IOException {
    return ask("GET", path, "");
  }

  private RawHttp.Answer ask(String method, String path, String body) throws IOException {
    List<String> headers =
        List.of(
            "Authorization: Bearer " + token,
            "Content-Type: application/json",
            "Idempotency-Key: " + key());
    try (RawHttp http = new RawHttp(port)) {
      return http.send(method, path, headers, body).answer();
    }
  }

  private static UUID key() {
    return Generators.timeBasedEpochGenerator().generate();
  }
}
