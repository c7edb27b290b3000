package com.memoryendpoints.loadtest;

import static com.memoryendpoints.loadtest.Gateway.always;
import static com.memoryendpoints.loadtest.Gateway.number;
import static com.memoryendpoints.loadtest.Gateway.served;
import static io.gatling.javaapi.core.CoreDsl.asLongAs;
import static io.gatling.javaapi.core.CoreDsl.doIf;
import static io.gatling.javaapi.core.CoreDsl.exec;
import static io.gatling.javaapi.core.CoreDsl.jsonPath;
import static io.gatling.javaapi.core.CoreDsl.pause;
import static io.gatling.javaapi.core.CoreDsl.rampUsers;
import static io.gatling.javaapi.core.CoreDsl.repeat;
import static io.gatling.javaapi.core.CoreDsl.scenario;
import static io.gatling.javaapi.core.CoreDsl.uniformRandomSwitch;
import static io.gatling.javaapi.http.HttpDsl.http;
import static io.gatling.javaapi.http.HttpDsl.status;

import io.gatling.javaapi.core.ChainBuilder;
import io.gatling.javaapi.core.Simulation;
import io.gatling.javaapi.http.HttpRequestActionBuilder;
import java.time.Duration;

/**
 * {@code agents} within {@code seconds}, on connections that are cut: each sends its claim {@code
 * cuts} times and hangs up within milliseconds, then sends it until it is answered, then again. All
 * answers under one key are one lease, and its owner has no other.
 */
public final class RetryStormSimulation extends Simulation {
  private static final int AGENTS = number("agents", 2_000);
  private static final int SECONDS = number("seconds", 30);
  private static final int CUTS = number("cuts", 3);
  private static final int TTL_SECONDS = 300; // A replay of a lapsed lease would be refused.

  private final ChainBuilder cut =
      uniformRandomSwitch().on(cutAfter(1), cutAfter(3), cutAfter(10), cutAfter(30));

  private final ChainBuilder answered =
      settled(claim("claim until answered", 200, 201, 409, 503))
          .exec(s -> s.set("first", s.get("lease")));

  private final ChainBuilder again =
      settled(claim("claim once more", 200, 409, 503))
          .exec(
              Gateway.law(
                  "law: one key, one lease",
                  s ->
                      s.getInt("status") == 200
                          && s.contains("first")
                          && s.getString("first").equals(s.getString("lease"))));

  private final ChainBuilder counted =
      served(
              http("leases of the owner")
                  .get(s -> "/v1/leases?owner_client_id=" + s.getString("owner"))
                  .check(status().saveAs("status"), status().in(200, 503))
                  .check(jsonPath("$.items[*].lease_id").count().saveAs("leases")))
          .exec(Gateway.law("law: one lease an owner", s -> s.getInt("leases") == 1));

  {
    setUp(
            scenario("agent")
                .exec(
                    s ->
                        s.set("name", Gateway.name("retry", s.userId()))
                            .set("memory", Gateway.id())
                            .set("key", Gateway.id()))
                .exec(s -> s.set("owner", "agent-" + s.get("key")))
                .exec(served(Gateway.register(s -> s.get("memory"))))
                .exec(repeat(CUTS).on(cut))
                .exec(answered, again, counted)
                .injectOpen(rampUsers(AGENTS).during(SECONDS)))
        .protocols(Gateway.protocol())
        .assertions(always("law: one key, one lease", "law: one lease an owner"));
  }

  /**
   * A claim of this key that was cut may still be under way (409), also when it comes after one
   * that was answered: then it is asked for again.
   */
  private static ChainBuilder settled(HttpRequestActionBuilder claim) {
    return exec(s -> s.set("status", 409))
        .exec(
            asLongAs(s -> s.getInt("status") == 409 && s.getInt("waits") < 40, "waits")
                .on(
                    served(claim)
                        .exec(
                            doIf(s -> s.getInt("status") == 409)
                                .then(pause(Duration.ofMillis(100))))));
  }

  private static HttpRequestActionBuilder claim(String request, int... answers) {
    return Gateway.claim(request, s -> s.get("key"), TTL_SECONDS, answers)
        .check(jsonPath("$.lease_id").optional().saveAs("lease"));
  }

  private static ChainBuilder cutAfter(int ms) {
    return exec(
        Gateway.claim("claim, cut", s -> s.get("key"), TTL_SECONDS, 200, 201, 409, 503)
            .requestTimeout(Duration.ofMillis(ms)));
  }
}
