package com.memoryendpoints.gateway.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.uuid.Generators;
import com.memoryendpoints.gateway.audit.AuditPosition;
import com.memoryendpoints.gateway.pool.PoolName;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;

/** Everything that one tenant can have, fresh, and the ids of all of it. */
final class WallWorld implements AutoCloseable {
  private static final JsonMapper JSON = new JsonMapper();
  private static final AtomicInteger COUNT = new AtomicInteger();

  private final RawHttp http;
  private final String token;

  /** Ids by the name of the member or parameter that takes them, as a lease's calls take them. */
  final Map<String, Object> ofLeases = new TreeMap<>();

  /** The same, as the calls of pools take them. */
  final Map<String, Object> ofPools = new TreeMap<>();

  private WallWorld(RawHttp http, String token) {
    this.http = http;
    this.token = token;
  }

  /** A live lease with a branch, a pool with a hold, and one key that all of it was made with. */
  static WallWorld of(LiveApi api, String token, String who) throws Exception {
    WallWorld world = new WallWorld(api.connect(), token);
    int n = COUNT.incrementAndGet();
    String key = uuid7();
    String memory = uuid7();
    String owner = who + "-worker-" + n;
    world.made("/v1/memories", key, Map.of("memory_instance_id", memory));
    JsonNode lease =
        world.made(
            "/v1/leases",
            key,
            Map.of(
                "display_name",
                who + " heron " + n,
                "memory_instance_id",
                memory,
                "owner_client_id",
                owner,
                "ttl_seconds",
                300));
    long fence = lease.path("fencing_token").asLong();
    world.made(
        "/v1/memories/branch",
        key,
        Map.of("parent_memory_instance_id", memory, "parent_fencing_token", fence));
    String pool = who + "-pool-" + n;
    world.send("PUT", "/v1/pools/" + pool, null, "{}");
    world.send("POST", "/v1/pools/" + pool + "/identifiers", null, "[\"" + who + "-i\",\"i\"]");
    JsonNode hold =
        world
            .made("/v1/pools/" + pool + "/claim", key, Map.of("owner_client_id", owner))
            .path("holds")
            .path(0);
    Map<String, Object> ids = world.ofLeases;
    ids.put("Idempotency-Key", key);
    ids.put("idempotency_key", key);
    ids.put("memory_instance_id", memory);
    ids.put("parent_memory_instance_id", memory);
    ids.put("parent_fencing_token", fence);
    ids.put("fencing_token", fence);
    ids.put("lease_id", lease.path("lease_id").asText());
    ids.put("canonical_name", lease.path("canonical_name").asText());
    ids.put("display_name", who + " heron " + n);
    ids.put("owner_client_id", owner);
    ids.put("pool", pool);
    ids.put("identifier_id", hold.path("identifier_id").asText());
    ids.put("identifier_ids", List.of(hold.path("identifier_id").asText()));
    ids.put("cursor", Paging.cursor(UUID.fromString(memory)));
    world.ofPools.putAll(ids);
    world.ofPools.put("fencing_token", hold.path("fencing_token").asLong());
    world.ofPools.put("cursor", Paging.cursor(new PoolName(pool)));
    return world;
  }

  /** Ids that nothing ever had. */
  static Map<String, Object> nowhere(String path) {
    int n = COUNT.incrementAndGet();
    Map<String, Object> ids = new TreeMap<>();
    for (String id :
        List.of(
            "Idempotency-Key",
            "idempotency_key",
            "memory_instance_id",
            "parent_memory_instance_id",
            "lease_id",
            "identifier_id")) {
      ids.put(id, uuid7());
    }
    ids.put("identifier_ids", List.of(uuid7()));
    ids.put("parent_fencing_token", 12_345L);
    ids.put("fencing_token", 12_345L);
    ids.put("canonical_name", "nobodyheron" + n);
    ids.put("display_name", "nobody heron " + n);
    ids.put("owner_client_id", "nobody-worker-" + n);
    ids.put("pool", "nobody-pool-" + n);
    ids.put("cursor", cursor(path, UUID.fromString(uuid7())));
    return ids;
  }

  /** Ids that cannot be. */
  static Map<String, Object> malformed() {
    Map<String, Object> ids = new TreeMap<>();
    for (String id :
        List.of(
            "Idempotency-Key",
            "idempotency_key",
            "memory_instance_id",
            "parent_memory_instance_id",
            "lease_id",
            "identifier_id",
            "cursor")) {
      ids.put(id, "!");
    }
    ids.put("identifier_ids", List.of("!"));
    ids.put("parent_fencing_token", -1L);
    ids.put("fencing_token", -1L);
    ids.put("canonical_name", "");
    ids.put("display_name", "");
    ids.put("owner_client_id", "");
    ids.put("pool", "POOL!");
    return ids;
  }

  /** The world's ids, as the calls at a path take them. */
  Map<String, Object> ids(String path) {
    Map<String, Object> ids = new TreeMap<>(path.contains("/pools") ? ofPools : ofLeases);
    if (path.equals("/v1/audit")) {
      ids.put("cursor", cursor(path, UUID.fromString(uuid7())));
    }
    return ids;
  }

  private static String cursor(String path, UUID at) {
    return switch (path) {
      case "/v1/audit" -> Paging.cursor(new AuditPosition(1, at));
      case "/v1/pools" -> Paging.cursor(new PoolName("nobody"));
      default -> Paging.cursor(at);
    };
  }

  /** A memory without a lease. */
  String freeMemory() throws Exception {
    String memory = uuid7();
    made("/v1/memories", uuid7(), Map.of("memory_instance_id", memory));
    return memory;
  }

  static String uuid7() {
    return Generators.timeBasedEpochGenerator().generate().toString();
  }

  private JsonNode made(String path, String key, Map<String, Object> body) throws Exception {
    RawHttp.Answer answer = send("POST", path, key, JSON.writeValueAsString(body));
    if (answer.status() != 201) {
      throw new AssertionError(path + ": " + answer.body());
    }
    return answer.json();
  }

  RawHttp.Answer send(String method, String target, String key, String body) throws Exception {
    List<String> headers = new ArrayList<>();
    headers.add("Authorization: Bearer " + token);
    headers.add("Content-Type: application/json");
    if (key != null) {
      headers.add("Idempotency-Key: " + key);
    }
    return http.send(method, target, headers, body).answer();
  }

  @Override
  public void close() throws IOException {
    http.close();
  }
}
