package com.memoryendpoints.gateway.auth;

import static com.memoryendpoints.gateway.auth.TestProvider.EC;
import static com.memoryendpoints.gateway.auth.TestProvider.RSA;
import static com.memoryendpoints.gateway.auth.TestProvider.claims;
import static com.memoryendpoints.gateway.auth.TestProvider.keySet;
import static com.memoryendpoints.gateway.auth.TestProvider.signed;
import static org.assertj.core.api.Assertions.assertThat;

import com.memoryendpoints.gateway.TestDatabase;
import com.memoryendpoints.gateway.config.Config;
import com.memoryendpoints.gateway.config.DatabaseUri;
import com.memoryendpoints.gateway.config.Limits;
import com.memoryendpoints.gateway.config.SslMode;
import com.memoryendpoints.gateway.lease.TestPod;
import com.memoryendpoints.gateway.problem.Problem;
import com.memoryendpoints.gateway.problem.Refusal;
import io.vertx.core.Future;
import java.net.ServerSocket;
import java.net.URI;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Keys by https, from a server that may fail, as they change. Time passes by a call. */
@Timeout(60)
class JwksVerticleTest {
  @RegisterExtension static final TestDatabase DATABASE = TestDatabase.migrated();

  private static final UUID TENANT = new UUID(13, 13);
  private static final String RSA_ONLY = keySet(RSA.toPublicJWK());
  private static final String EC_ONLY = keySet(EC.toPublicJWK());
  private static TestPod pod;
  private static TestKeyServer server;

  private final AtomicLong nanos = new AtomicLong(-5);
  private @Nullable String deployed;
  private Provider provider;
  private Tokens tokens;

  @BeforeAll
  static void open() throws Exception {
    pod = new TestPod(DATABASE);
    server = new TestKeyServer();
    DatabaseUri uri = DatabaseUri.parse(DATABASE.uri());
    new Register(new Config.Database(uri, SslMode.DISABLE, null, 1, 0))
        .createTenant(TENANT, "tenant");
  }

  @AfterAll
  static void close() {
    pod.close();
    server.close();
  }

  @AfterEach
  void undeploy() {
    TestPod.await(pod.vertx().undeploy(deployed));
    server.silent = false;
    server.status = 200;
  }

  private void trust(Config.Jwt terms) {
    server.asked.set(0);
    provider = Provider.of(pod.vertx(), terms, nanos::get, pod.meters.jwks());
    deployed = TestPod.await(pod.vertx().deployVerticle(provider.fetching().orElseThrow()));
    Jwts jwts = pod.run(() -> new Jwts(provider, pod.database, pod.tenants, nanos::get));
    tokens = Tokens.of(List.of()).and(jwts);
  }

  private void trust(String keys) {
    server.body = keys;
    trust(TestProvider.at(server.url(), server.authority()));
    Awaitility.await().until(() -> provider.keys().keys() != null);
  }

  private void pass(long ms) {
    nanos.addAndGet(TimeUnit.MILLISECONDS.toNanos(ms));
  }

  private Grant grant(String token) {
    return pod.call(() -> tokens.grant("Bearer " + token));
  }

  private Problem refused(String token) {
    return pod.refusal(() -> tokens.grant("Bearer " + token)).problem();
  }

  private static String byRsa() {
    return signed(RSA, "RS256", claims(TENANT));
  }

  private static String byEc() {
    return signed(EC, "ES256", claims(TENANT));
  }

  @Test
  void keysAreThereWhenTheGatewayIsAndAreFetchedEveryFiveMinutes() {
    trust(RSA_ONLY);
    assertThat(provider.keys().keys().has("rsa")).isTrue();
    assertThat(server.asked).hasValue(1);
    server.body = EC_ONLY;
    pass(Limits.JWKS_REFRESH_MS_MAX);
    Awaitility.await().until(() -> provider.keys().keys().has("ec"));
    assertThat(server.asked).hasValue(2);
  }

  @Test
  void aTokenByANewKeyIsGoodAtOnceAndOneByAnOldKeyIsNotForLong() {
    trust(RSA_ONLY);
    String old = byRsa();
    grant(old);
    server.body = EC_ONLY;
    pass(Limits.JWKS_REFRESH_MS_MIN);
    grant(byEc());
    assertThat(server.asked).hasValue(2);
    assertThat(refused(old)).isEqualTo(Problem.UNAUTHENTICATED);
    assertThat(server.asked).hasValue(2);
  }

  @Test
  void anUnknownKeyIsLookedForAgainAsSoonAsKeysMayBeFetched() {
    trust(RSA_ONLY);
    String early = byEc();
    pass(Limits.JWKS_REFRESH_MS_MIN - 1);
    assertThat(refused(early)).isEqualTo(Problem.UNAUTHENTICATED);
    assertThat(pod.run(() -> tokens.grant("Bearer " + early)).isComplete()).isTrue();
    server.body = EC_ONLY;
    pass(1);
    grant(early);
    assertThat(server.asked).hasValue(2);
  }

  /** The documented time from the removal of a key to the end of its last token. */
  @Test
  void aKeyThatIsTakenBackIsNotUsedAfterTheNextFetchAndTheLifeOfWhatIsKnown() {
    trust(keySet(RSA.toPublicJWK(), EC.toPublicJWK()));
    String token = byEc();
    server.body = RSA_ONLY;
    pass(Limits.JWKS_REFRESH_MS_MAX - 1);
    grant(token);
    pass(1);
    Awaitility.await().until(() -> !provider.keys().keys().has("ec"));
    grant(token);
    pass(Limits.TOKEN_KNOWN_MS_MAX);
    assertThat(refused(token)).isEqualTo(Problem.UNAUTHENTICATED);
  }

  @Test
  void aStormOfUnknownKeysIsOneFetchAMinute() {
    trust(RSA_ONLY);
    for (int minute = 1; minute <= 3; minute++) {
      storm(minute);
      pass(Limits.JWKS_REFRESH_MS_MIN - 1);
      storm(minute);
      pass(1);
    }
  }

  private void storm(int fetches) {
    List<String> strange =
        IntStream.range(0, Limits.JWT_CHECKS_MAX)
            .mapToObj(i -> "{\"alg\":\"RS256\",\"kid\":\"" + UUID.randomUUID() + "\"}")
            .map(header -> TestProvider.base64(header) + ".e30.AAAA")
            .toList();
    List<Future<Grant>> grants =
        pod.run(() -> strange.stream().map(token -> tokens.grant("Bearer " + token)).toList());
    Awaitility.await().until(() -> grants.stream().allMatch(Future::isComplete));
    for (Future<Grant> grant : grants) {
      assertThat(((Refusal) grant.cause()).problem())
          .isIn(Problem.UNAUTHENTICATED, Problem.UNAVAILABLE);
    }
    assertThat(server.asked).hasValue(fetches);
    grant(byRsa());
  }

  @Test
  void theKeysOfBeforeStayInUseWhileFetchesFailAndAnUnknownOneIsUnavailable() {
    trust(RSA_ONLY);
    server.status = 500;
    pass(Limits.JWKS_REFRESH_MS_MIN);
    assertThat(refused(byEc())).isEqualTo(Problem.UNAVAILABLE);
    assertThat(refused(byEc())).isEqualTo(Problem.UNAVAILABLE);
    assertThat(server.asked).hasValue(2);
    grant(byRsa());
    server.status = 200;
    server.body = EC_ONLY;
    pass(Limits.JWKS_REFRESH_MS_MIN);
    grant(byEc());
    assertThat(server.asked).hasValue(3);
  }

  static Stream<Arguments> uselessServers() {
    String large = " ".repeat(Limits.JWKS_BYTES_MAX) + RSA_ONLY;
    return Stream.of(
        useless("an error", it -> it.status = 404),
        useless("a redirection", it -> it.status = 302),
        useless("nothing for ever", it -> it.silent = true),
        useless("too much", it -> it.body = large),
        useless("no JSON", it -> it.body = "<html>"),
        useless("another JSON", it -> it.body = "{\"key\":[]}"),
        useless("keys twice", it -> it.body = "{\"keys\":[]," + RSA_ONLY.substring(1)));
  }

  private static Arguments useless(String what, Consumer<TestKeyServer> how) {
    return Arguments.of(what, how);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("uselessServers")
  void whoAnswersUselesslyKeepsNoGatewayFromServingButItsTokensAre503(
      String what, Consumer<TestKeyServer> how) {
    server.body = RSA_ONLY;
    how.accept(server);
    double before = failures();
    trust(TestProvider.at(server.url(), server.authority()));
    assertThat(provider.keys().keys()).isNull();
    assertThat(refused(byRsa())).isEqualTo(Problem.UNAVAILABLE);
    Awaitility.await().until(() -> failures() == before + 1);
    assertThat(server.asked).hasValue(1);
  }

  private static double failures() {
    return pod.meters.registry().get("jwks.fetches").tag("result", "failed").counter().count();
  }

  @Test
  void whoWaitsForKeysInVainIsAnsweredOnItsOwnEventLoop() {
    server.silent = true;
    trust(TestProvider.at(server.url(), server.authority()));
    assertThat(provider.keys().keys()).isNull();
    Thread answeredOn =
        pod.call(
            () ->
                tokens
                    .grant("Bearer " + byRsa())
                    .transform(done -> Future.succeededFuture(Thread.currentThread())));
    assertThat(answeredOn).isSameAs(pod.run(Thread::currentThread));
  }

  @Test
  void aServerThatNobodyVouchesForOrWithAnotherNameIsNotBelieved() {
    server.body = RSA_ONLY;
    trust(TestProvider.at(server.url(), null));
    assertThat(provider.keys().keys()).isNull();
    assertThat(server.asked).hasValue(0);
    undeploy();
    URI byAddress = URI.create(server.url().toString().replace("localhost", "127.0.0.1"));
    trust(TestProvider.at(byAddress, server.authority()));
    assertThat(provider.keys().keys()).isNull();
    assertThat(server.asked).hasValue(0);
  }

  @Test
  void aServerThatIsNotThereIsAskedAgainAMinuteLater() throws Exception {
    URI nowhere;
    try (ServerSocket free = new ServerSocket(0)) {
      nowhere = URI.create("https://localhost:" + free.getLocalPort() + "/");
    }
    double before = failures();
    trust(TestProvider.at(nowhere, server.authority()));
    assertThat(refused(byRsa())).isEqualTo(Problem.UNAVAILABLE);
    assertThat(failures()).isEqualTo(before + 1);
    pass(Limits.JWKS_REFRESH_MS_MIN);
    Awaitility.await().until(() -> failures() == before + 2);
  }

  @Test
  void keysForAnotherUseOfAnotherKindOrTooShortArePassedOver() throws Exception {
    String odd =
        RSA_ONLY.replace(
            "\"keys\":[",
            "\"keys\":[{\"kty\":\"oct\",\"kid\":\"secret\",\"k\":\"c2VjcmV0c2VjcmV0c2VjcmV0\"},"
                + "{\"kty\":\"OKP\",\"crv\":\"Ed25519\",\"kid\":\"ed\",\"x\":\"AA\"},"
                + "{\"kty\":\"new\",\"kid\":\"new\"},{},7,"
                + "{\"kty\":\"RSA\",\"kid\":\"short\",\"n\":\"AQAB\",\"e\":\"AQAB\"},"
                + RSA.toPublicJWK()
                    .toString()
                    .replace("\"sig\"", "\"enc\"")
                    .replace("\"rsa\"", "\"enc\"")
                + ",");
    trust(odd);
    KeySet keys = provider.keys().keys();
    assertThat(keys.size()).isEqualTo(1);
    assertThat(keys.has("rsa")).isTrue();
    grant(byRsa());
  }
}
