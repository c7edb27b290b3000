package com.memoryendpoints.gateway.http;

import static com.memoryendpoints.gateway.auth.TestProvider.EC;
import static com.memoryendpoints.gateway.auth.TestProvider.RSA;
import static com.memoryendpoints.gateway.auth.TestProvider.base64;
import static com.memoryendpoints.gateway.auth.TestProvider.claims;
import static com.memoryendpoints.gateway.auth.TestProvider.json;
import static com.memoryendpoints.gateway.auth.TestProvider.signed;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import com.github.benmanes.caffeine.cache.Ticker;
import com.memoryendpoints.gateway.TestDatabase;
import com.memoryendpoints.gateway.auth.Provider;
import com.memoryendpoints.gateway.auth.Register;
import com.memoryendpoints.gateway.auth.TestProvider;
import com.memoryendpoints.gateway.config.Config;
import com.memoryendpoints.gateway.config.DatabaseUri;
import com.memoryendpoints.gateway.config.SslMode;
import com.memoryendpoints.gateway.http.RawHttp.Answer;
import com.memoryendpoints.gateway.meter.Meters;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.RSAKey;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.slf4j.LoggerFactory;

/** RFC 7519 and 8725 at the door: what a JWT lets in, and that nothing forged does. */
@Timeout(60)
class JwtsServedTest {
  @RegisterExtension static final TestDatabase DATABASE = TestDatabase.migrated();

  private static final int LEEWAY = 10;
  private static final UUID TENANT = new UUID(11, 11);
  private static final UUID SUSPENDED = new UUID(11, 12);
  private static final RSAKey STRANGERS = TestProvider.rsa("rsa");
  private static final ECKey STRANGERS_EC = TestProvider.ec("ec");
  private static final String JSON = "Content-Type: application/json";

  @RegisterExtension
  static final LiveApi API =
      LiveApi.trusting(
          DATABASE,
          vertx ->
              Provider.of(
                  vertx,
                  TestProvider.inFile(
                      TestProvider.keySet(RSA.toPublicJWK(), EC.toPublicJWK()), LEEWAY),
                  Ticker.systemTicker(),
                  new Meters().jwks()));

  @BeforeAll
  static void ready() throws Exception {
    DatabaseUri uri = DatabaseUri.parse(DATABASE.uri());
    Register register = new Register(new Config.Database(uri, SslMode.DISABLE, null, 1, 0));
    register.createTenant(TENANT, "tenant");
    register.createTenant(SUSPENDED, "suspended");
    register.suspendTenant(SUSPENDED, true);
    Awaitility.await().until(() -> API.ask("GET", "/v1/leases", null, "").status() == 200);
  }

  private static Answer get(String path, String token) throws Exception {
    try (RawHttp http = API.connect()) {
      return http.send("GET", path, List.of("Authorization: Bearer " + token), "").answer();
    }
  }

  private static Map<String, Object> with(String name, Object value) {
    Map<String, Object> claims = claims(TENANT);
    claims.put(name, value);
    return claims;
  }

  private static Map<String, Object> without(String name) {
    Map<String, Object> claims = claims(TENANT);
    claims.remove(name);
    return claims;
  }

  private static String rs256(Map<String, Object> claims) {
    return signed(RSA, "RS256", claims);
  }

  private static String header(String more) {
    return "{\"alg\":\"RS256\",\"kid\":\"rsa\"" + more + "}";
  }

  private static long now() {
    return System.currentTimeMillis() / 1_000;
  }

  static Stream<Arguments> good() {
    String claims = json(claims(TENANT));
    return Stream.of(
        Arguments.of("RS256", rs256(claims(TENANT))),
        Arguments.of("PS256", signed(RSA, "PS256", claims(TENANT))),
        Arguments.of("ES256", signed(EC, "ES256", claims(TENANT))),
        Arguments.of("aud is a list", rs256(with("aud", List.of("other", "leases")))),
        Arguments.of("scope is a list", rs256(with("scope", List.of("x", "leases")))),
        Arguments.of("times with fractions", rs256(with("exp", now() + 100.25))),
        Arguments.of("typ JWT", signed(RSA, "RS256", header(",\"typ\":\"JWT\""), claims)),
        Arguments.of("typ at+jwt", signed(RSA, "RS256", header(",\"typ\":\"at+jwt\""), claims)),
        Arguments.of("expired, within the leeway", rs256(with("exp", now() - 1))),
        Arguments.of("early, within the leeway", rs256(with("nbf", now() + LEEWAY - 1))),
        Arguments.of("unread header fields", signed(RSA, "RS256", header(embedded(RSA)), claims)));
  }

  /** All the ways of a header to bring a key along, or to point to one. */
  private static String embedded(RSAKey key) {
    return ",\"jku\":\"https://evil.example/k\",\"x5u\":\"https://evil.example/c\",\"x5c\":[\"AA\"]"
        + ",\"x5t\":\"AA\",\"jwk\":"
        + key.toPublicJWK();
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("good")
  void aGoodTokenIsServed(String what, String token) throws Exception {
    assertThat(get("/v1/leases", token).status()).isEqualTo(200);
    assertThat(get("/v1/leases", token).status()).isEqualTo(200);
  }

  static Stream<Arguments> forged() {
    return Stream.of(unsigned(), confused(), untimely(), incomplete(), misshapen())
        .flatMap(all -> all.entrySet().stream())
        .map(each -> Arguments.of(each.getKey(), each.getValue()));
  }

  private static Map<String, String> unsigned() {
    String claims = json(claims(TENANT));
    Map<String, String> tokens = new LinkedHashMap<>();
    for (String none : List.of("none", "None", "NONE", "nOnE", "none ", "")) {
      String header = "{\"alg\":\"" + none + "\",\"kid\":\"rsa\"}";
      String content = base64(header) + "." + base64(claims);
      tokens.put("alg '" + none + "', no signature", content + ".");
      tokens.put("alg '" + none + "', some signature", content + ".AAAA");
      tokens.put("alg '" + none + "', signed", signed(RSA, "RS256", header, claims));
    }
    for (String alg : List.of("null", "7", "[\"RS256\"]", "{}", "true")) {
      String header = "{\"alg\":" + alg + ",\"kid\":\"rsa\"}";
      tokens.put("alg " + alg, signed(RSA, "RS256", header, claims));
    }
    tokens.put("no alg", signed(RSA, "RS256", "{\"kid\":\"rsa\"}", claims));
    return tokens;
  }

  private static Map<String, String> confused() {
    String claims = json(claims(TENANT));
    Map<String, String> tokens = new LinkedHashMap<>();
    try {
      byte[] der = RSA.toRSAPublicKey().getEncoded();
      byte[] jwk = RSA.toPublicJWK().toString().getBytes(StandardCharsets.UTF_8);
      for (String alg : List.of("HS256", "HS384", "HS512")) {
        String header = "{\"alg\":\"" + alg + "\",\"kid\":\"rsa\"}";
        tokens.put(alg + " by the public key, DER", signed(der, alg, header, claims));
        tokens.put(alg + " by the public key, JWK", signed(jwk, alg, header, claims));
      }
      tokens.put("RS256 by HMAC", signed(der, "HS256", header(""), claims));
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
    for (String alg : List.of("RS384", "RS512", "PS384", "rs256")) {
      String by = alg.equals("rs256") ? "RS256" : alg;
      tokens.put(alg, signed(RSA, by, "{\"alg\":\"" + alg + "\",\"kid\":\"rsa\"}", claims));
    }
    tokens.put("PS256 signature under RS256", signed(RSA, "PS256", header(""), claims));
    tokens.put(
        "ES256 by the id of an RSA key",
        signed(EC, "ES256", "{\"alg\":\"ES256\",\"kid\":\"rsa\"}", claims));
    tokens.put(
        "RS256 by the id of an EC key",
        signed(RSA, "RS256", "{\"alg\":\"RS256\",\"kid\":\"ec\"}", claims));
    tokens.put("a stranger's key of this id", signed(STRANGERS, "RS256", claims(TENANT)));
    tokens.put("a stranger's EC key of this id", signed(STRANGERS_EC, "ES256", claims(TENANT)));
    tokens.put(
        "a stranger's key, brought along",
        signed(STRANGERS, "RS256", header(embedded(STRANGERS)), claims));
    tokens.put("an unknown key", signed(TestProvider.rsa("other"), "RS256", claims(TENANT)));
    tokens.put("no kid", signed(RSA, "RS256", "{\"alg\":\"RS256\"}", claims));
    tokens.put("kid null", signed(RSA, "RS256", "{\"alg\":\"RS256\",\"kid\":null}", claims));
    tokens.put("crit", signed(RSA, "RS256", header(",\"crit\":[\"exp\"]"), claims));
    tokens.put("crit of nothing", signed(RSA, "RS256", header(",\"crit\":[]"), claims));
    tokens.put(
        "crit b64", signed(RSA, "RS256", header(",\"b64\":false,\"crit\":[\"b64\"]"), claims));
    tokens.put(
        "made for a logout", signed(RSA, "RS256", header(",\"typ\":\"logout+jwt\""), claims));
    tokens.put("typ null", signed(RSA, "RS256", header(",\"typ\":null"), claims));
    return tokens;
  }

  private static Map<String, String> untimely() {
    Map<String, String> tokens = new LinkedHashMap<>();
    tokens.put("expired", rs256(with("exp", now() - LEEWAY)));
    tokens.put("expired in 1970", rs256(with("exp", 0)));
    tokens.put("expired before 1970", rs256(with("exp", -1)));
    tokens.put("nbf in the future", rs256(with("nbf", now() + LEEWAY + 30)));
    tokens.put("iat in the future", rs256(with("iat", now() + LEEWAY + 30)));
    tokens.put("exp is a text", rs256(with("exp", Long.toString(now() + 600))));
    tokens.put("exp is a list", rs256(with("exp", List.of(now() + 600))));
    tokens.put("exp is null", rs256(with("exp", null)));
    tokens.put("exp is out of range", rs256(with("exp", 1e300)));
    tokens.put("nbf is a text", rs256(with("nbf", "0")));
    tokens.put("iat is null", rs256(with("iat", null)));
    String endless = json(with("exp", 7)).replace("\"exp\":7", "\"exp\":1e999");
    tokens.put("exp is infinite", signed(RSA, "RS256", header(""), endless));
    return tokens;
  }

  private static Map<String, String> incomplete() {
    Map<String, String> tokens = new LinkedHashMap<>();
    for (String name : List.of("iss", "aud", "exp", "sub", "tenant_id")) {
      tokens.put("no " + name, rs256(without(name)));
    }
    tokens.put("another issuer", rs256(with("iss", "https://issuer.example")));
    tokens.put("a list of issuers", rs256(with("iss", List.of(TestProvider.ISSUER))));
    tokens.put("another audience", rs256(with("aud", "lease")));
    tokens.put("a list of other audiences", rs256(with("aud", List.of("a", "b"))));
    tokens.put("a list of nobody", rs256(with("aud", List.of())));
    tokens.put("an audience inside a list", rs256(with("aud", List.of(List.of("leases")))));
    tokens.put("an audience by name", rs256(with("aud", Map.of("leases", "leases"))));
    tokens.put("a tenant that is no UUID", rs256(with("tenant_id", "1-1-1-1-1")));
    tokens.put("a tenant that is a number", rs256(with("tenant_id", 7)));
    tokens.put("an unknown tenant", rs256(with("tenant_id", new UUID(1, 2).toString())));
    tokens.put("a suspended tenant", rs256(with("tenant_id", SUSPENDED.toString())));
    tokens.put("an empty principal", rs256(with("sub", "")));
    tokens.put("a principal that is too long", rs256(with("sub", "x".repeat(256))));
    tokens.put("a principal with a line end", rs256(with("sub", "a\nb")));
    tokens.put("a principal that is a number", rs256(with("sub", 7)));
    return tokens;
  }

  private static Map<String, String> misshapen() {
    String good = rs256(claims(TENANT));
    int second = good.lastIndexOf('.');
    String claims = json(claims(TENANT));
    Map<String, String> tokens = new LinkedHashMap<>();
    tokens.put("truncated by one", good.substring(0, good.length() - 1));
    tokens.put("truncated by four", good.substring(0, good.length() - 4));
    tokens.put("no signature", good.substring(0, second));
    tokens.put("an empty signature", good.substring(0, second + 1));
    tokens.put("one more dot", good + ".");
    tokens.put("one more part", good + ".AAAA");
    tokens.put("a dot in front", "." + good);
    tokens.put("only dots", "..");
    tokens.put("padded", good + "==");
    tokens.put("no base64", good + "!");
    tokens.put("base64 that is not for URLs", good.substring(0, second) + ".+/+/");
    tokens.put("a space inside", good.substring(0, second) + ". " + good.substring(second + 1));
    tokens.put("one bit of the signature", good.substring(0, second + 1) + flipped(good, second));
    tokens.put("one bit of the claims", good.substring(0, second - 3) + flipped(good, second - 4));
    tokens.put("a duplicate claim", signed(RSA, "RS256", header(""), doubled(claims, "sub", "x")));
    tokens.put("exp twice", signed(RSA, "RS256", header(""), doubled(claims, "exp", "y")));
    tokens.put("kid twice", signed(RSA, "RS256", header(",\"kid\":\"rsa\""), claims));
    tokens.put("alg twice", signed(RSA, "RS256", header(",\"alg\":\"RS256\""), claims));
    tokens.put("claims that are a list", signed(RSA, "RS256", header(""), "[]"));
    tokens.put("claims that are no JSON", signed(RSA, "RS256", header(""), "{"));
    tokens.put("something behind the claims", signed(RSA, "RS256", header(""), claims + "{}"));
    tokens.put(
        "too deep",
        signed(RSA, "RS256", header(",\"x\":" + "[".repeat(1_000) + "]".repeat(1_000)), claims));
    tokens.put("too long", rs256(with("x", "y".repeat(8_000))));
    return tokens;
  }

  private static String doubled(String claims, String name, String value) {
    return "{\"" + name + "\":\"" + value + "\"," + claims.substring(1);
  }

  private static String flipped(String token, int at) {
    char other = token.charAt(at + 1) == 'A' ? 'B' : 'A';
    return other + token.substring(at + 2);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("forged")
  void whatIsForgedIsUnauthenticated(String what, String token) throws Exception {
    for (int i = 0; i < 2; i++) {
      Answer answer = get("/v1/leases", token);
      assertThat(answer.status()).isEqualTo(401);
      assertThat(answer.code()).isEqualTo("UNAUTHENTICATED");
      assertThat(answer.headers())
          .containsEntry("www-authenticate", "Bearer realm=\"leases\", error=\"invalid_token\"");
    }
  }

  @Test
  void aTokenWithoutAScopeOfThisGatewayIsTold() throws Exception {
    for (Object scope :
        new Object[] {"openid", "", 7, "Leases", List.of("x"), Map.of("a", "leases")}) {
      Answer answer = get("/v1/leases", rs256(with("scope", scope)));
      assertThat(answer.status()).isEqualTo(403);
      assertThat(answer.headers().get("www-authenticate"))
          .contains("error=\"insufficient_scope\"", "scope=\"leases\"");
    }
  }

  @Test
  void whoCallsIsWhomTheTokenNames() throws Exception {
    try (RawHttp http = API.connect()) {
      List<String> headers = List.of("Authorization: Bearer " + rs256(claims(TENANT)), JSON);
      assertThat(http.send("POST", "/v1/memories", headers, "{}").answer().status()).isEqualTo(201);
    }
    assertThat(
            DATABASE.rows("SELECT actor FROM audit_events WHERE tenant_id = ?", TENANT).stream()
                .map(row -> row.get("actor")))
        .contains("crawler");
  }

  /** Neither the token nor a part of it that says something, as an operator who looks closely. */
  @Test
  void noTokenIsInTheLog() throws Exception {
    Logger ours = (Logger) LoggerFactory.getLogger("com.memoryendpoints");
    ListAppender<ILoggingEvent> log = new ListAppender<>();
    log.start();
    ours.setLevel(Level.DEBUG);
    ours.addAppender(log);
    try {
      for (String token :
          List.of(
              rs256(with("sub", "canary")),
              rs256(with("aud", "canary")),
              signed(STRANGERS, "RS256", with("sub", "canary")),
              signed(TestProvider.rsa("canary"), "RS256", with("sub", "canary")))) {
        get("/v1/leases?canary", token);
        List<String> parts = List.of(token.split("\\."));
        assertThat(log.list).isNotEmpty();
        assertThat(List.copyOf(log.list))
            .extracting(line -> line.getFormattedMessage() + line.getKeyValuePairs())
            .noneMatch(line -> line.contains("canary"))
            .noneMatch(line -> parts.stream().anyMatch(line::contains));
      }
    } finally {
      ours.detachAppender(log);
      ours.setLevel(null);
    }
  }
}
