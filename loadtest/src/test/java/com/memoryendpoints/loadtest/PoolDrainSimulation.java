package com.memoryendpoints.loadtest;

import static com.memoryendpoints.loadtest.Gateway.always;
import static com.memoryendpoints.loadtest.Gateway.number;
import static com.memoryendpoints.loadtest.Gateway.post;
import static com.memoryendpoints.loadtest.Gateway.served;
import static io.gatling.javaapi.core.CoreDsl.StringBody;
import static io.gatling.javaapi.core.CoreDsl.asLongAs;
import static io.gatling.javaapi.core.CoreDsl.atOnceUsers;
import static io.gatling.javaapi.core.CoreDsl.doIfOrElse;
import static io.gatling.javaapi.core.CoreDsl.exec;
import static io.gatling.javaapi.core.CoreDsl.jsonPath;
import static io.gatling.javaapi.core.CoreDsl.pause;
import static io.gatling.javaapi.core.CoreDsl.scenario;
import static io.gatling.javaapi.http.HttpDsl.http;
import static io.gatling.javaapi.http.HttpDsl.status;

import io.gatling.javaapi.core.ChainBuilder;
import io.gatling.javaapi.core.Session;
import io.gatling.javaapi.core.Simulation;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * {@code workers} drain a pool of {@code identifiers}: each claims {@code batch} of them, works,
 * and consumes them. One time in {@code zombies} it works longer than it may hold them, and is
 * refused all; another worker gets them. In the end every identifier was consumed exactly once, and
 * the gateway has counted as we have.
 */
public final class PoolDrainSimulation extends Simulation {
  private static final int WORKERS = number("workers", 100);
  private static final int IDENTIFIERS = number("identifiers", 50_000);
  private static final int BATCH = number("batch", 10);
  private static final int ZOMBIES_ONE_IN = number("zombies", 50);
  private static final int WORK_MS = number("workMs", 20);
  private static final int TTL_SECONDS = 2;

  private final String pool = "drain-" + Gateway.id();
  private final Set<String> consumed = ConcurrentHashMap.newKeySet();
  private final AtomicInteger twice = new AtomicInteger();

  private final ChainBuilder load =
      exec(http("make the pool").put("/v1/pools/" + pool).body(StringBody("{}")))
          .exec(
              http("load the pool")
                  .post("/v1/pools/" + pool + "/identifiers")
                  .header("Content-Type", "application/x-ndjson")
                  .requestTimeout(Duration.ofMinutes(2))
                  .body(
                      StringBody(
                          s ->
                              IntStream.range(0, IDENTIFIERS)
                                  .mapToObj(i -> "\"N-" + i + "\"\n")
                                  .collect(Collectors.joining())))
                  .check(jsonPath("$.inserted").ofInt().is(IDENTIFIERS)));

  private final ChainBuilder claim =
      exec(s -> s.set("key", Gateway.id()))
          .exec(
              served(
                  post(
                          "claim",
                          "/v1/pools/" + pool + "/claim",
                          s ->
                              "{\"owner_client_id\":\"worker-%d\",\"count\":%d,\"ttl_seconds\":%d}"
                                  .formatted(s.userId(), BATCH, TTL_SECONDS),
                          201,
                          200,
                          409,
                          503)
                      .header("Idempotency-Key", s -> s.get("key").toString())
                      .check(jsonPath("$.holds").ofList().optional().saveAs("holds"))));

  private final ChainBuilder consume =
      exec(s -> s.remove("items"))
          .exec(
              post("consume", "/v1/pools/" + pool + "/consume", PoolDrainSimulation::holds, 200)
                  .check(jsonPath("$.items[*].status").ofInt().findAll().saveAs("items")));

  /** Longer than the ttl, so that every hold has lapsed by any clock. */
  private final ChainBuilder zombie =
      pause(Duration.ofSeconds(TTL_SECONDS + 1))
          .exec(consume)
          .exec(
              Gateway.law(
                  "law: a zombie consumes nothing",
                  s -> s.<Integer>getList("items").stream().noneMatch(status -> status == 200)));

  private final ChainBuilder worker =
      exec(s -> s.set("choices", Gateway.choices(s)).set("done", false))
          .exec(
              asLongAs(s -> !s.getBoolean("done"))
                  .on(
                      exec(claim)
                          .exec(
                              doIfOrElse(s -> s.getInt("status") == 409)
                                  .then(
                                      pause(Duration.ofMillis(200))
                                          .exec(s -> s.set("done", consumed.size() == IDENTIFIERS)))
                                  .orElse(
                                      doIfOrElse(s -> choices(s).nextInt(ZOMBIES_ONE_IN) == 0)
                                          .then(zombie)
                                          .orElse(
                                              pause(Duration.ofMillis(WORK_MS))
                                                  .exec(consume)
                                                  .exec(this::counted))))));

  private final ChainBuilder judge =
      exec(http("counts")
              .get("/v1/pools/" + pool)
              .check(status().is(200))
              .check(jsonPath("$.counts.consumed").ofInt().saveAs("consumed"))
              .check(jsonPath("$.counts.unused").ofInt().saveAs("unused"))
              .check(jsonPath("$.counts.pending").ofInt().saveAs("pending")))
          .exec(
              Gateway.law(
                  "law: each identifier once",
                  s ->
                      twice.get() == 0
                          && consumed.size() == IDENTIFIERS
                          && s.getInt("consumed") == IDENTIFIERS
                          && s.getInt("unused") + s.getInt("pending") == 0));

  {
    setUp(
            scenario("pool")
                .exec(load)
                .injectOpen(atOnceUsers(1))
                .andThen(
                    scenario("worker")
                        .exec(worker)
                        .injectOpen(atOnceUsers(WORKERS))
                        .andThen(scenario("judge").exec(judge).injectOpen(atOnceUsers(1)))))
        .maxDuration(Duration.ofSeconds(number("secondsMax", 600)))
        .protocols(Gateway.protocol())
        .assertions(
            always(
                "load the pool",
                "claim",
                "consume",
                "law: a zombie consumes nothing",
                "law: each identifier once"));
  }

  /**
   * Notes what was consumed; a hold may have lapsed while it was worked on, and goes round again.
   */
  private Session counted(Session session) {
    List<Map<String, Object>> holds = session.getList("holds");
    List<Integer> statuses = session.getList("items");
    for (int i = 0; i < holds.size(); i++) {
      if (statuses.get(i) == 200 && !consumed.add((String) holds.get(i).get("identifier_id"))) {
        twice.incrementAndGet();
      }
    }
    return session;
  }

  private static Random choices(Session session) {
    return (Random) session.get("choices");
  }

  private static String holds(Session session) {
    return session.<Map<String, Object>>getList("holds").stream()
        .map(
            hold ->
                "{\"identifier_id\":\"%s\",\"fencing_token\":%s}"
                    .formatted(hold.get("identifier_id"), hold.get("fencing_token")))
        .collect(Collectors.joining(",", "{\"items\":[", "]}"));
  }
}
