package com.memoryendpoints.loadtest;

import static com.memoryendpoints.loadtest.Gateway.always;
import static com.memoryendpoints.loadtest.Gateway.number;
import static io.gatling.javaapi.core.CoreDsl.atOnceUsers;
import static io.gatling.javaapi.core.CoreDsl.doIf;
import static io.gatling.javaapi.core.CoreDsl.dummy;
import static io.gatling.javaapi.core.CoreDsl.exec;
import static io.gatling.javaapi.core.CoreDsl.rampUsersPerSec;
import static io.gatling.javaapi.core.CoreDsl.repeat;
import static io.gatling.javaapi.core.CoreDsl.scenario;

import io.gatling.javaapi.core.ChainBuilder;
import io.gatling.javaapi.core.ScenarioBuilder;
import io.gatling.javaapi.core.Simulation;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Claims of distinct names and memories, from none to {@code rate} a second within {@code seconds},
 * whether the gateway keeps up or not. It may shed what is too much (503, counted as {@code shed}),
 * and must grant all else.
 */
public final class ClaimStormSimulation extends Simulation {
  private static final int RATE = number("rate", 2_000);
  private static final int SECONDS = number("seconds", 60);
  private static final int TTL_SECONDS = number("ttlSeconds", 30);
  private static final int BATCH = 1_000;

  private final UUID[] memories =
      Stream.generate(Gateway::id).limit(RATE * SECONDS / 2 + BATCH).toArray(UUID[]::new);
  private final AtomicInteger registered = new AtomicInteger();
  private final AtomicInteger claimed = new AtomicInteger();

  private final ChainBuilder registerAll =
      repeat(memories.length / BATCH)
          .on(
              Gateway.post(
                  "register 1,000",
                  "/v1/memories/batch",
                  s -> {
                    int first = registered.getAndAdd(BATCH);
                    return IntStream.range(first, first + BATCH)
                        .mapToObj(i -> "{\"memory_instance_id\":\"" + memories[i] + "\"}")
                        .collect(Collectors.joining(",", "{\"items\":[", "]}"));
                  },
                  200));

  private final ChainBuilder claim =
      exec(s -> {
            int number = claimed.getAndIncrement() % (memories.length / BATCH * BATCH);
            return s.set("name", Gateway.name("storm", claimed.get()))
                .set("memory", memories[number])
                .set("owner", "agent");
          })
          .exec(Gateway.claim("claim", s -> Gateway.id(), TTL_SECONDS, 201, 503))
          .exec(doIf(s -> s.getInt("status") == 503).then(dummy("shed", 1)));

  private final ScenarioBuilder storm = scenario("storm").exec(claim);

  {
    setUp(
            scenario("memories")
                .exec(registerAll)
                .injectOpen(atOnceUsers(1))
                .andThen(storm.injectOpen(rampUsersPerSec(1).to(RATE).during(SECONDS))))
        .protocols(Gateway.protocol())
        .assertions(always("register 1,000", "claim"));
  }
}
