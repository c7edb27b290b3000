package com.memoryendpoints.loadtest;

import static com.memoryendpoints.loadtest.Gateway.always;
import static com.memoryendpoints.loadtest.Gateway.number;
import static com.memoryendpoints.loadtest.Gateway.post;
import static com.memoryendpoints.loadtest.Gateway.served;
import static io.gatling.javaapi.core.CoreDsl.asLongAs;
import static io.gatling.javaapi.core.CoreDsl.doIf;
import static io.gatling.javaapi.core.CoreDsl.doIfOrElse;
import static io.gatling.javaapi.core.CoreDsl.exec;
import static io.gatling.javaapi.core.CoreDsl.jsonPath;
import static io.gatling.javaapi.core.CoreDsl.pause;
import static io.gatling.javaapi.core.CoreDsl.rampUsers;
import static io.gatling.javaapi.core.CoreDsl.scenario;

import io.gatling.javaapi.core.ChainBuilder;
import io.gatling.javaapi.core.Session;
import io.gatling.javaapi.core.Simulation;
import java.time.Duration;
import java.util.Random;

/**
 * The lives of {@code agents}: each registers a memory, claims it, and for about {@code seconds}
 * renews every third of {@code ttlSeconds}, commits, branches now and then; then it releases. One
 * in {@code dies} stops without a word instead, and a successor takes over as soon as it is let;
 * the dead one's token is refused from then on. No healthy agent ever loses its lease.
 */
public final class SwarmLifecycleSimulation extends Simulation {
  private static final int AGENTS = number("agents", 300);
  private static final int SECONDS = number("seconds", 60);
  private static final int TTL_SECONDS = number("ttlSeconds", 15);
  private static final int DIES_ONE_IN = number("dies", 10);
  private static final int BRANCHES_ONE_IN = number("branches", 10);
  private static final Duration THIRD = Duration.ofMillis(TTL_SECONDS * 1000L / 3);
  private static final int ROUNDS = Math.max(1, SECONDS * 3 / TTL_SECONDS);

  private static final String HOLDER =
      "{\"canonical_name\":\"%s\",\"memory_instance_id\":\"%s\",\"fencing_token\":%d,"
          + "\"owner_client_id\":\"%s\"}";

  private final ChainBuilder born =
      exec(s -> {
            Random choices = Gateway.choices(s);
            boolean dies = choices.nextInt(DIES_ONE_IN) == 0;
            return s.set("name", Gateway.name("swarm", s.userId()))
                .set("memory", Gateway.id())
                .set("owner", "agent-" + s.userId())
                .set("choices", choices)
                .set("dies", dies)
                .set("rounds", dies ? choices.nextInt(ROUNDS) : ROUNDS);
          })
          .exec(served(Gateway.register(s -> s.get("memory"))));

  private final ChainBuilder claim =
      exec(s -> s.set("key", Gateway.id()))
          .exec(
              served(
                  Gateway.claim("claim", s -> s.get("key"), TTL_SECONDS, 201, 200, 503)
                      .check(jsonPath("$.canonical_name").optional().saveAs("canonical"))
                      .check(jsonPath("$.fencing_token").ofLong().optional().saveAs("token"))));

  private final ChainBuilder renew =
      served(post("renew", "/v1/leases/renew", SwarmLifecycleSimulation::holder, 200, 503));

  private final ChainBuilder commit =
      exec(s -> s.set("digest", "%064x".formatted(choices(s).nextInt(Integer.MAX_VALUE))))
          .exec(
              served(
                  post(
                      "commit",
                      "/v1/memories/commit",
                      SwarmLifecycleSimulation::content,
                      200,
                      503)));

  private final ChainBuilder branch =
      exec(s -> s.set("key", Gateway.id()))
          .exec(
              served(
                  post(
                          "branch",
                          "/v1/memories/branch",
                          s ->
                              "{\"parent_memory_instance_id\":\"%s\",\"parent_fencing_token\":%d}"
                                  .formatted(s.get("memory"), s.getLong("token")),
                          201,
                          200,
                          503)
                      .header("Idempotency-Key", s -> s.get("key").toString())));

  private final ChainBuilder work =
      asLongAs(s -> s.getInt("round") < s.getInt("rounds"), "round")
          .on(
              exec(commit)
                  .exec(doIf(s -> choices(s).nextInt(BRANCHES_ONE_IN) == 0).then(branch))
                  .exec(pause(THIRD))
                  .exec(renew));

  private final ChainBuilder release =
      served(post("release", "/v1/leases/release", SwarmLifecycleSimulation::holder, 204, 503));

  /**
   * Another owner asks until the lease has lapsed; then the dead one's token is good for nothing.
   */
  private final ChainBuilder takeover =
      exec(s -> s.set("zombie", s.getLong("token")).set("owner", "heir-" + s.userId()))
          .exec(s -> s.set("status", 423))
          .exec(
              asLongAs(
                      s -> s.getInt("status") != 201 && s.getInt("asked") < TTL_SECONDS * 8,
                      "asked")
                  .on(
                      exec(Gateway.claim(
                                  "claim of an heir", s -> Gateway.id(), TTL_SECONDS, 201, 423, 503)
                              .check(
                                  jsonPath("$.fencing_token").ofLong().optional().saveAs("token")))
                          .exec(
                              doIf(s -> s.getInt("status") != 201)
                                  .then(pause(Duration.ofMillis(250))))))
          .exec(
              Gateway.law(
                  "law: an heir comes in, above",
                  s -> s.getInt("status") == 201 && s.getLong("token") > s.getLong("zombie")))
          .exec(s -> s.set("heir", s.getLong("token")).set("token", s.getLong("zombie")))
          .exec(
              served(
                  post(
                      "commit of the dead",
                      "/v1/memories/commit",
                      SwarmLifecycleSimulation::content,
                      409,
                      503)))
          .exec(s -> s.set("token", s.getLong("heir")))
          .exec(commit)
          .exec(release);

  private final ChainBuilder life =
      exec(born)
          .exec(claim)
          .exec(s -> s.set("digest", "%064x".formatted(0)))
          .exec(work)
          .exec(doIfOrElse(s -> s.getBoolean("dies")).then(takeover).orElse(release));

  {
    setUp(
            scenario("agent")
                .exec(life)
                .injectOpen(rampUsers(AGENTS).during(Math.max(1, TTL_SECONDS / 3))))
        .protocols(Gateway.protocol())
        .assertions(
            always(
                "claim",
                "renew",
                "commit",
                "branch",
                "release",
                "commit of the dead",
                "law: an heir comes in, above"));
  }

  private static Random choices(Session session) {
    return (Random) session.get("choices");
  }

  private static String holder(Session s) {
    return HOLDER.formatted(
        s.get("canonical"), s.get("memory"), s.getLong("token"), s.get("owner"));
  }

  private static String content(Session s) {
    return "{\"memory_instance_id\":\"%s\",\"fencing_token\":%d,\"content_digest\":\"sha-256:%s\"}"
        .formatted(s.get("memory"), s.getLong("token"), s.get("digest"));
  }
}
