package com.memoryendpoints.gateway.auth;

import static com.memoryendpoints.gateway.auth.TestProvider.EC;
import static com.memoryendpoints.gateway.auth.TestProvider.RSA;
import static com.memoryendpoints.gateway.auth.TestProvider.claims;
import static com.memoryendpoints.gateway.auth.TestProvider.keySet;
import static com.memoryendpoints.gateway.auth.TestProvider.signed;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.memoryendpoints.gateway.TestDatabase;
import com.memoryendpoints.gateway.config.CannotStart;
import com.memoryendpoints.gateway.config.Config;
import com.memoryendpoints.gateway.config.DatabaseUri;
import com.memoryendpoints.gateway.config.Limits;
import com.memoryendpoints.gateway.config.SslMode;
import com.memoryendpoints.gateway.lease.TestPod;
import com.memoryendpoints.gateway.problem.Problem;
import com.memoryendpoints.gateway.problem.Refusal;
import com.memoryendpoints.gateway.tenant.Caller;
import com.memoryendpoints.gateway.tenant.Scope;
import com.memoryendpoints.gateway.tenant.Terms;
import io.vertx.core.Future;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What a gateway knows of JWTs, and for how long. Time passes by a call. */
@Timeout(60)
class JwtsTest {
  @RegisterExtension static final TestDatabase DATABASE = TestDatabase.migrated();

  private static TestPod pod;
  private static Register register;

  private final UUID tenantId = UUID.randomUUID();
  private final AtomicLong nanos = new AtomicLong(-5);
  private final double askedBefore = asked();
  private Jwts jwts;
  private Tokens tokens;

  @BeforeAll
  static void open() throws Exception {
    pod = new TestPod(DATABASE);
    DatabaseUri uri = DatabaseUri.parse(DATABASE.uri());
    register = new Register(new Config.Database(uri, SslMode.DISABLE, null, 1, 0));
  }

  @AfterAll
  static void close() {
    pod.close();
  }

  @BeforeEach
  void trust() throws Exception {
    register.createTenant(tenantId, "tenant " + tenantId);
    Config.Jwt terms = TestProvider.inFile(keySet(RSA.toPublicJWK(), EC.toPublicJWK()), 0);
    Provider provider = Provider.of(pod.vertx(), terms, nanos::get, pod.meters.jwks());
    jwts = pod.run(() -> new Jwts(provider, pod.database, pod.tenants, nanos::get));
    tokens = Tokens.of(List.of()).and(jwts);
  }

  private String token(String name, Object value) {
    Map<String, Object> claims = claims(tenantId);
    claims.put(name, value);
    return signed(RSA, "RS256", claims);
  }

  private Grant grant(String token) {
    return pod.call(() -> tokens.grant("Bearer " + token));
  }

  private Problem refused(String token) {
    return pod.refusal(() -> tokens.grant("Bearer " + token)).problem();
  }

  private void pass(long ms) {
    nanos.addAndGet(TimeUnit.MILLISECONDS.toNanos(ms));
  }

  /** How often the database was asked about a tenant, by all. */
  private static double asked() {
    return pod
        .meters
        .registry()
        .find("db.batch.rows")
        .tag("statement", "find_tenants")
        .summaries()
        .stream()
        .mapToDouble(each -> each.totalAmount())
        .sum();
  }

  private double askedSince() {
    return asked() - askedBefore;
  }

  @Test
  void aTokenSpeaksForItsTenantAndIsCheckedOnce() {
    String token = TestProvider.token(tenantId);
    Set<Scope> scopes = EnumSet.complementOf(EnumSet.of(Scope.ADMIN));
    assertThat(grant(token)).isEqualTo(new Grant(new Caller(tenantId, "crawler"), scopes));
    assertThat(pod.run(() -> tokens.grant("Bearer " + token)).isComplete()).isTrue();
    assertThat(askedSince()).isEqualTo(1);
  }

  @Test
  void aTokenIsNotBelievedBeyondItsEnd() {
    String token = token("exp", System.currentTimeMillis() / 1_000 + 20);
    grant(token);
    assertThat(pod.run(() -> jwts.known().values().iterator().next().life().toMillis()))
        .isBetween(1L, 20_000L);
    pass(20_000);
    assertThat(pod.run(jwts::known)).isEmpty();
  }

  @Test
  void anEarlyTokenIsAskedAboutAgainWhenItBegins() {
    String token = token("nbf", System.currentTimeMillis() / 1_000 + 20);
    assertThat(refused(token)).isEqualTo(Problem.UNAUTHENTICATED);
    pass(20_000);
    assertThat(pod.run(jwts::known)).isEmpty();
  }

  @Test
  void theEdgesOfATokensTimeAreExact() {
    JwtClaims claims = new JwtClaims(new Caller(tenantId, "p"), Set.of(), 10_000, 50_000);
    assertThat(List.of(9_999L, 10_000L, 49_999L, 50_000L))
        .extracting(
            now -> claims.found(new TenantState(TenantState.GOOD, Terms.NONE, now)).grant() != null)
        .containsExactly(false, true, true, false);
    assertThat(
            claims.found(new TenantState(TenantState.GOOD, Terms.NONE, 49_999)).life().toMillis())
        .isEqualTo(1);
    assertThat(claims.found(new TenantState(TenantState.GOOD, Terms.NONE, 9_000)).life().toMillis())
        .isEqualTo(1_000);
    assertThat(
            claims.found(new TenantState(TenantState.GOOD, Terms.NONE, 10_000)).life().toMillis())
        .isEqualTo(Limits.TOKEN_KNOWN_MS_MAX);
  }

  @Test
  void aSuspendedTenantHasNoGoodTokenWithinTheLifeOfWhatIsKnown() throws Exception {
    String token = TestProvider.token(tenantId);
    grant(token);
    register.suspendTenant(tenantId, true);
    pass(Limits.TOKEN_KNOWN_MS_MAX - 1);
    grant(token);
    pass(1);
    assertThat(refused(token)).isEqualTo(Problem.UNAUTHENTICATED);
    register.suspendTenant(tenantId, false);
    pass(Limits.TOKEN_KNOWN_MS_MAX);
    grant(token);
    assertThat(askedSince()).isEqualTo(3);
  }

  @Test
  void whatIsForgedNeverReachesTheDatabaseAndIsRemembered() {
    String good = TestProvider.token(tenantId);
    String forged = signed(TestProvider.rsa("rsa"), "RS256", claims(tenantId));
    assertThat(refused(forged)).isEqualTo(Problem.UNAUTHENTICATED);
    assertThat(pod.run(() -> tokens.grant("Bearer " + forged)).isComplete()).isTrue();
    assertThat(askedSince()).isZero();
    grant(good);
    String everything = pod.run(() -> jwts.known().toString());
    assertThat(everything).doesNotContain(good.substring(good.lastIndexOf('.')), good, forged);
    assertThat(pod.run(() -> Set.copyOf(jwts.known().keySet())))
        .containsExactlyInAnyOrder(
            ByteBuffer.wrap(BearerToken.sha256(good)), ByteBuffer.wrap(BearerToken.sha256(forged)));
  }

  @Test
  void ofTooManyThatMissAtOnceTheRestIsRefusedAndNoneIsForgotten() {
    List<String> all =
        IntStream.range(0, Limits.JWT_CHECKS_MAX + 50)
            .mapToObj(i -> token("jti", "t" + i))
            .toList();
    List<Future<Grant>> grants =
        pod.run(() -> all.stream().map(token -> tokens.grant("Bearer " + token)).toList());
    assertThat(grants.subList(0, Limits.JWT_CHECKS_MAX))
        .allSatisfy(grant -> assertThat(TestPod.await(grant).caller().principal()).isNotEmpty());
    // A check that ends while the others are sent frees its place at once.
    assertThat(grants.subList(Limits.JWT_CHECKS_MAX, all.size()))
        .anySatisfy(grant -> assertThat(grant.failed()).isTrue())
        .filteredOn(Future::failed)
        .allSatisfy(
            grant -> assertThat(((Refusal) grant.cause()).problem()).isEqualTo(Problem.OVERLOADED));
    grant(all.get(all.size() - 1));
  }

  @Test
  void whatMissesAtOnceIsCheckedOnce() {
    String token = TestProvider.token(tenantId);
    List<Future<Grant>> grants =
        pod.run(
            () ->
                IntStream.range(0, 1_000).mapToObj(i -> tokens.grant("Bearer " + token)).toList());
    grants.forEach(TestPod::await);
    assertThat(askedSince()).isEqualTo(1);
  }

  /** Main asks before it starts anything. */
  @Test
  void filesThatAreOfNoUseAreFoundOutBeforeAnythingStarts() throws Exception {
    Provider.check(null);
    Provider.check(TestProvider.inFile(keySet(RSA.toPublicJWK()), 0));
    assertThatThrownBy(() -> Provider.check(TestProvider.inFile("{\"keys\":[]}", 0)))
        .isInstanceOf(CannotStart.class)
        .hasMessageContaining("jwt.jwks: ");
    Path noPem = Files.createTempFile("authority", ".pem");
    URI url = URI.create("https://issuer.example/keys");
    for (String text : List.of("", "authority", "-----BEGIN CERTIFICATE-----\nAAAA\n")) {
      Files.writeString(noPem, text);
      assertThatThrownBy(() -> Provider.check(TestProvider.at(url, noPem)))
          .isInstanceOf(CannotStart.class)
          .hasMessageContaining("jwt.jwks_ca: ");
    }
    try (TestKeyServer server = new TestKeyServer()) {
      Provider.check(TestProvider.at(server.url(), server.authority()));
    }
    Files.delete(noPem);
  }
}
