package com.memoryendpoints.loadtest;

import static com.memoryendpoints.loadtest.Gateway.always;
import static com.memoryendpoints.loadtest.Gateway.number;
import static com.memoryendpoints.loadtest.Gateway.post;
import static io.gatling.javaapi.core.CoreDsl.atOnceUsers;
import static io.gatling.javaapi.core.CoreDsl.exec;
import static io.gatling.javaapi.core.CoreDsl.jsonPath;
import static io.gatling.javaapi.core.CoreDsl.pause;
import static io.gatling.javaapi.core.CoreDsl.repeat;
import static io.gatling.javaapi.core.CoreDsl.scenario;

import io.gatling.javaapi.core.ChainBuilder;
import io.gatling.javaapi.core.Session;
import io.gatling.javaapi.core.Simulation;
import io.gatling.javaapi.http.HttpRequestActionBuilder;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import java.util.function.BiFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * {@code swarms} of {@code items} agents, each by the batch endpoints: registered, claimed, for
 * {@code seconds} renewed every third of {@code ttlSeconds} and verified, then released. Every item
 * succeeds, each time.
 */
public final class BatchSwarmSimulation extends Simulation {
  private static final int SWARMS = number("swarms", 20);
  private static final int ITEMS = number("items", 200);
  private static final int SECONDS = number("seconds", 30);
  private static final int TTL_SECONDS = number("ttlSeconds", 15);

  private final ChainBuilder claim =
      exec(s -> s.set("keys", ids()))
          .exec(
              request("claim", "/v1/leases/batch", BatchSwarmSimulation::claimed)
                  .check(jsonPath("$.items[*].body.canonical_name").findAll().saveAs("names"))
                  .check(
                      jsonPath("$.items[*].body.fencing_token")
                          .ofLong()
                          .findAll()
                          .saveAs("tokens")))
          .exec(every("claim", 201));

  private final ChainBuilder renew =
      exec(request("renew", "/v1/leases/renew/batch", BatchSwarmSimulation::held))
          .exec(every("renew", 200));

  private final ChainBuilder verify =
      exec(request("verify", "/v1/leases/verify/batch", BatchSwarmSimulation::fenced))
          .exec(every("verify", 200));

  private final ChainBuilder release =
      exec(request("release", "/v1/leases/release/batch", BatchSwarmSimulation::held))
          .exec(every("release", 204));

  {
    setUp(
            scenario("swarm")
                .exec(s -> s.set("memories", ids()))
                .exec(request("register", "/v1/memories/batch", BatchSwarmSimulation::registered))
                .exec(every("register", 201))
                .exec(claim)
                .exec(
                    repeat(Math.max(1, SECONDS * 3 / TTL_SECONDS))
                        .on(
                            pause(Duration.ofMillis(TTL_SECONDS * 1000L / 3))
                                .exec(renew)
                                .exec(verify)))
                .exec(release)
                .injectOpen(atOnceUsers(SWARMS)))
        .protocols(Gateway.protocol())
        .assertions(
            always(
                "law: every item, register",
                "law: every item, claim",
                "law: every item, renew",
                "law: every item, verify",
                "law: every item, release"));
  }

  private static HttpRequestActionBuilder request(
      String name, String path, BiFunction<Session, Integer, String> item) {
    return post(
            name,
            path,
            s ->
                IntStream.range(0, ITEMS)
                    .mapToObj(i -> item.apply(s, i))
                    .collect(Collectors.joining("},{", "{\"items\":[{", "}]}")),
            200)
        .check(jsonPath("$.items[*].status").ofInt().findAll().saveAs("statuses"));
  }

  private static ChainBuilder every(String request, int status) {
    return Gateway.law(
        "law: every item, " + request,
        s -> s.<Integer>getList("statuses").equals(Collections.nCopies(ITEMS, status)));
  }

  private static List<UUID> ids() {
    return Stream.generate(Gateway::id).limit(ITEMS).toList();
  }

  private static String registered(Session s, int i) {
    return "\"memory_instance_id\":\"%s\"".formatted(s.getList("memories").get(i));
  }

  private static String claimed(Session s, int i) {
    return (registered(s, i)
            + ",\"display_name\":\"%s\",\"owner_client_id\":\"swarm\",\"ttl_seconds\":%d,"
            + "\"idempotency_key\":\"%s\"")
        .formatted(
            Gateway.name("batch", s.userId() * ITEMS + i), TTL_SECONDS, s.getList("keys").get(i));
  }

  private static String fenced(Session s, int i) {
    return registered(s, i) + ",\"fencing_token\":" + s.getList("tokens").get(i);
  }

  private static String held(Session s, int i) {
    return fenced(s, i)
        + ",\"canonical_name\":\"%s\",\"owner_client_id\":\"swarm\""
            .formatted(s.getList("names").get(i));
  }
}
