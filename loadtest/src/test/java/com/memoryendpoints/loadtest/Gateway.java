package com.memoryendpoints.loadtest;

import static io.gatling.javaapi.core.CoreDsl.StringBody;
import static io.gatling.javaapi.core.CoreDsl.asLongAs;
import static io.gatling.javaapi.core.CoreDsl.details;
import static io.gatling.javaapi.core.CoreDsl.doIf;
import static io.gatling.javaapi.core.CoreDsl.dummy;
import static io.gatling.javaapi.core.CoreDsl.exec;
import static io.gatling.javaapi.core.CoreDsl.pause;
import static io.gatling.javaapi.http.HttpDsl.http;
import static io.gatling.javaapi.http.HttpDsl.status;

import com.fasterxml.uuid.Generators;
import com.fasterxml.uuid.NoArgGenerator;
import io.gatling.javaapi.core.Assertion;
import io.gatling.javaapi.core.ChainBuilder;
import io.gatling.javaapi.core.Session;
import io.gatling.javaapi.http.HttpProtocolBuilder;
import io.gatling.javaapi.http.HttpRequestActionBuilder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** The gateway under load: where it is, how it is asked, how a law is told. */
final class Gateway {
  /** What decides who dies, works and retries; the same seed, the same choices. */
  static final long SEED = seed();

  private static final NoArgGenerator IDS = Generators.timeBasedEpochGenerator();

  /** Part of every name, so that no run meets the leases of another. */
  private static final String RUN = Long.toString(id().getMostSignificantBits() >>> 16, 36);

  private static final int TRIES_MAX = 40;
  private static final Duration RETRY = Duration.ofMillis(250);

  private Gateway() {}

  /** A parameter, a whole number. */
  static int number(String name, int unlessGiven) {
    return Integer.getInteger(name, unlessGiven);
  }

  /** {@code baseUrl}, and {@code token} or else {@code tokenFile}. */
  static HttpProtocolBuilder protocol() {
    return http.baseUrl(System.getProperty("baseUrl", "http://127.0.0.1:8080"))
        .authorizationHeader("Bearer " + token())
        .contentTypeHeader("application/json")
        .shareConnections();
  }

  /** A name of this run, of letters and digits. */
  static String name(String kind, long number) {
    return kind + " " + RUN + " " + number;
  }

  /** A new UUIDv7. */
  static UUID id() {
    return IDS.generate();
  }

  /** The choices of one agent. */
  static Random choices(Session session) {
    return new Random(SEED * 31 + session.userId());
  }

  static HttpRequestActionBuilder post(
      String name, String path, Function<Session, String> body, int... answers) {
    return http(name)
        .post(path)
        .body(StringBody(body))
        .check(status().saveAs("status"))
        .check(status().in(boxed(answers)));
  }

  static HttpRequestActionBuilder register(Function<Session, UUID> memory) {
    return post(
        "register",
        "/v1/memories",
        s -> "{\"memory_instance_id\":\"%s\"}".formatted(memory.apply(s)),
        201,
        503);
  }

  /** Claims {@code name} and {@code memory} of the session as its {@code owner}. */
  static HttpRequestActionBuilder claim(
      String request, Function<Session, UUID> key, int ttlSeconds, int... answers) {
    return post(
            request,
            "/v1/leases",
            s ->
                ("{\"display_name\":\"%s\",\"memory_instance_id\":\"%s\","
                        + "\"owner_client_id\":\"%s\",\"ttl_seconds\":%d}")
                    .formatted(s.get("name"), s.get("memory"), s.get("owner"), ttlSeconds),
            answers)
        .header("Idempotency-Key", s -> key.apply(s).toString());
  }

  /** Sends it, and again while the answer is that it was not served (503). */
  static ChainBuilder served(HttpRequestActionBuilder request) {
    return exec(s -> s.set("status", 503))
        .exec(
            asLongAs(s -> s.getInt("status") == 503 && s.getInt("tries") < TRIES_MAX, "tries")
                .on(exec(request).exec(doIf(s -> s.getInt("status") == 503).then(pause(RETRY)))));
  }

  /** Tells whether the law held: a request of its name, failed when it did not. */
  static ChainBuilder law(String name, Predicate<Session> held) {
    return exec(dummy(name, 1).withSuccess(held::test));
  }

  /** Both that these were looked at, and that they held whenever they were. */
  static List<Assertion> always(String... names) {
    return Arrays.stream(names)
        .flatMap(
            name ->
                Stream.of(
                    details(name).failedRequests().count().is(0L),
                    details(name).successfulRequests().count().gt(0L)))
        .toList();
  }

  private static Integer[] boxed(int... numbers) {
    Integer[] boxed = new Integer[numbers.length];
    for (int i = 0; i < numbers.length; i++) {
      boxed[i] = numbers[i];
    }
    return boxed;
  }

  private static long seed() {
    long seed = Long.getLong("seed", new SecureRandom().nextInt(1_000_000));
    System.out.println("Seed: -Dseed=" + seed);
    return seed;
  }

  private static String token() {
    String token = System.getProperty("token");
    Path file =
        Path.of(System.getProperty("tokenFile", home() + "/.lease-gateway/embedded/dev-token"));
    try {
      return token == null ? Files.readString(file).strip() : token;
    } catch (IOException e) {
      throw new UncheckedIOException("Set -Dtoken=... or -DtokenFile=...", e);
    }
  }

  /** As the gateway finds it: {@code HOME}, else what the user database says. */
  private static String home() {
    String home = System.getenv().getOrDefault("HOME", "");
    return home.startsWith("/") && home.length() > 1 ? home : System.getProperty("user.home");
  }
}
