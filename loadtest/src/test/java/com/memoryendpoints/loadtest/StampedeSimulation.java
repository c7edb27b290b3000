package com.memoryendpoints.loadtest;

import static com.memoryendpoints.loadtest.Gateway.always;
import static com.memoryendpoints.loadtest.Gateway.number;
import static com.memoryendpoints.loadtest.Gateway.post;
import static com.memoryendpoints.loadtest.Gateway.served;
import static io.gatling.javaapi.core.CoreDsl.atOnceUsers;
import static io.gatling.javaapi.core.CoreDsl.doIf;
import static io.gatling.javaapi.core.CoreDsl.exec;
import static io.gatling.javaapi.core.CoreDsl.jsonPath;
import static io.gatling.javaapi.core.CoreDsl.rendezVous;
import static io.gatling.javaapi.core.CoreDsl.scenario;

import io.gatling.javaapi.core.ChainBuilder;
import io.gatling.javaapi.core.Session;
import io.gatling.javaapi.core.Simulation;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.stream.IntStream;

/**
 * {@code agents} claim one name at the same moment, each for a memory of its own, {@code rounds}
 * times with another name each time. In each round exactly one of them gets it ({@code winners}, to
 * see this simulation fail), and all others are told so at once.
 */
public final class StampedeSimulation extends Simulation {
  private static final int AGENTS = number("agents", 2_000);
  private static final int ROUNDS = number("rounds", 5);
  private static final int WINNERS = number("winners", 1);
  private static final int TTL_SECONDS = 60;

  private final AtomicInteger born = new AtomicInteger();
  private final AtomicIntegerArray winners = new AtomicIntegerArray(ROUNDS);

  private final ChainBuilder claim =
      exec(s -> s.set("key", Gateway.id()))
          .exec(
              served(
                  Gateway.claim("claim", s -> s.get("key"), TTL_SECONDS, 201, 423, 503)
                      .check(jsonPath("$.fencing_token").ofLong().optional().saveAs("token"))
                      .check(jsonPath("$.canonical_name").optional().saveAs("canonical"))))
          .exec(
              s -> {
                if (s.getInt("status") == 201) {
                  winners.incrementAndGet(s.getInt("round"));
                }
                return s;
              });

  private final ChainBuilder judge =
      doIf(s -> s.getInt("number") == 0)
          .then(
              Gateway.law(
                  "law: one winner a round", s -> winners.get(s.getInt("round")) == WINNERS));

  private final ChainBuilder release =
      doIf(s -> s.getInt("status") == 201)
          .then(
              served(post("release", "/v1/leases/release", StampedeSimulation::holder, 204, 503)));

  private final ChainBuilder agent =
      exec(s -> {
            int number = born.getAndIncrement();
            return s.set("number", number)
                .set("memory", Gateway.id())
                .set("owner", "agent-" + number);
          })
          .exec(served(Gateway.register(s -> s.get("memory"))))
          .exec(IntStream.range(0, ROUNDS).mapToObj(this::round).toList());

  {
    setUp(scenario("agent").exec(agent).injectOpen(atOnceUsers(AGENTS)))
        .protocols(Gateway.protocol())
        .assertions(always("claim", "release", "law: one winner a round"));
  }

  /** With gates of its own: Gatling's stay open once they were. */
  private ChainBuilder round(int round) {
    return exec(s -> s.set("round", round).set("name", Gateway.name("stampede", round)))
        .exec(rendezVous(AGENTS))
        .exec(claim)
        .exec(rendezVous(AGENTS))
        .exec(judge)
        .exec(release);
  }

  private static String holder(Session s) {
    return ("{\"canonical_name\":\"%s\",\"memory_instance_id\":\"%s\",\"fencing_token\":%d,"
            + "\"owner_client_id\":\"%s\"}")
        .formatted(s.get("canonical"), s.get("memory"), s.getLong("token"), s.get("owner"));
  }
}
