package com.memoryendpoints.gateway.auth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.memoryendpoints.gateway.TestDatabase;
import com.memoryendpoints.gateway.TestServer;
import com.memoryendpoints.gateway.config.CannotStart;
import com.memoryendpoints.gateway.config.Config;
import com.memoryendpoints.gateway.config.DatabaseUri;
import com.memoryendpoints.gateway.config.Limits;
import com.memoryendpoints.gateway.config.SslMode;
import com.memoryendpoints.gateway.db.Standing;
import com.memoryendpoints.gateway.lease.TestPod;
import com.memoryendpoints.gateway.problem.Problem;
import com.memoryendpoints.gateway.problem.Refusal;
import com.memoryendpoints.gateway.tenant.Caller;
import com.memoryendpoints.gateway.tenant.Scope;
import com.memoryendpoints.gateway.tenant.Term;
import com.memoryendpoints.gateway.tenant.Terms;
import io.vertx.core.Future;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What a gateway knows of the tokens in its database, and for how long. Time passes by a call. */
class IssuedTokensTest {
  @RegisterExtension static final TestDatabase DATABASE = TestDatabase.migrated();

  private static final Set<Scope> SCOPES = Set.of(Scope.LEASES, Scope.POOLS);
  private static TestPod pod;
  private static Register register;

  private final UUID tenantId = UUID.randomUUID();
  private final Caller caller = new Caller(tenantId, "crawler");
  private final AtomicLong nanos = new AtomicLong(-5);
  private final IssuedTokens issued = issued(pod);
  private final Tokens tokens = Tokens.of(List.of()).and(issued);
  private final double askedBefore = asked();

  @BeforeAll
  static void open() throws Exception {
    pod = new TestPod(DATABASE);
    register = register(DATABASE);
  }

  @AfterAll
  static void close() {
    pod.close();
  }

  private static Register register(TestDatabase database) throws Exception {
    DatabaseUri uri = DatabaseUri.parse(database.uri());
    return new Register(new Config.Database(uri, SslMode.DISABLE, null, 1, 0));
  }

  private IssuedTokens issued(TestPod on) {
    return on.run(() -> new IssuedTokens(on.database, on.tenants, nanos::get));
  }

  private String issue() throws Exception {
    register.createTenant(tenantId, "tenant " + tenantId);
    return register.createToken(caller, SCOPES, null);
  }

  private Grant grant(String token) {
    return pod.call(() -> tokens.grant("Bearer " + token));
  }

  private void isRefused(String token) {
    Refusal refusal = pod.refusal(() -> tokens.grant("Bearer " + token));
    assertThat(refusal.problem()).isEqualTo(Problem.UNAUTHENTICATED);
    assertThat(refusal.members()).containsExactly(Map.entry("error", "invalid_token"));
  }

  private void pass(long ms) {
    nanos.addAndGet(TimeUnit.MILLISECONDS.toNanos(ms));
  }

  /** How many digests the database was asked about, by all. */
  private static double asked() {
    return pod.meters
        .registry()
        .get("db.batch.rows")
        .tag("statement", "find_tokens")
        .summary()
        .totalAmount();
  }

  private double askedSince() {
    return asked() - askedBefore;
  }

  @Test
  void anIssuedTokenSpeaksForItsTenantAndIsAskedAboutOnce() throws Exception {
    String token = issue();
    assertThat(grant(token)).isEqualTo(new Grant(caller, SCOPES));
    Future<Grant> again = pod.run(() -> tokens.grant("bearer " + token));
    assertThat(again.isComplete()).isTrue();
    assertThat(again.result().caller()).isEqualTo(caller);
    assertThat(askedSince()).isEqualTo(1);
  }

  @Test
  void aRevocationTakesEffectWithinTheLifeOfWhatIsKnown() throws Exception {
    String token = issue();
    grant(token);
    register.revokeToken(BearerToken.sha256(token));
    pass(Limits.TOKEN_KNOWN_MS_MAX - 1);
    grant(token);
    pass(1);
    isRefused(token);
    register.revokeToken(BearerToken.sha256(token));
    assertThat(askedSince()).isEqualTo(2);
  }

  @Test
  void whatIsAgreedWithATenantIsKnownWithinTheLifeOfWhatIsKnown() throws Exception {
    String token = issue();
    grant(token);
    assertThat(pod.tenants.terms(tenantId)).isEqualTo(Terms.NONE);
    register.setTerms(
        tenantId, Map.of(Term.LEASES, OptionalLong.of(3), Term.BURST, OptionalLong.of(0)));
    pass(Limits.TOKEN_KNOWN_MS_MAX);
    grant(token);
    assertThat(pod.tenants.terms(tenantId))
        .isEqualTo(new Terms(Map.of(Term.LEASES, 3L, Term.BURST, 0L)));
    register.setTerms(tenantId, Map.of(Term.BURST, OptionalLong.empty()));
    pass(Limits.TOKEN_KNOWN_MS_MAX);
    grant(token);
    assertThat(pod.tenants.terms(tenantId)).isEqualTo(new Terms(Map.of(Term.LEASES, 3L)));
    register.setTerms(tenantId, Map.of(Term.LEASES, OptionalLong.empty()));
    pass(Limits.TOKEN_KNOWN_MS_MAX);
    grant(token);
    assertThat(pod.tenants.terms(tenantId)).isEqualTo(Terms.NONE);
  }

  @Test
  void aSuspendedTenantHasNoGoodTokenUntilItIsResumed() throws Exception {
    String token = issue();
    grant(token);
    register.suspendTenant(tenantId, true);
    pass(Limits.TOKEN_KNOWN_MS_MAX);
    isRefused(token);
    register.suspendTenant(tenantId, false);
    pass(Limits.TOKEN_KNOWN_MS_MAX);
    grant(token);
  }

  @Test
  void aTokenThatHasExpiredIsRefused() throws Exception {
    issue();
    String token = register.createToken(caller, SCOPES, 1);
    DATABASE.run(
        "UPDATE api_tokens SET expires_at = clock_timestamp() - interval '1 ms'"
            + " WHERE expires_at IS NOT NULL AND tenant_id = '%s'".formatted(tenantId));
    isRefused(token);
  }

  @Test
  void aTokenIsNotBelievedBeyondItsExpiry() throws Exception {
    issue();
    String token = register.createToken(caller, SCOPES, 1);
    DATABASE.run(
        "UPDATE api_tokens SET expires_at = clock_timestamp() + interval '20 s'"
            + " WHERE expires_at IS NOT NULL AND tenant_id = '%s'".formatted(tenantId));
    grant(token);
    pass(20_000);
    grant(token);
    assertThat(askedSince()).isEqualTo(2);
  }

  @Test
  void aWrongChecksumNeverReachesTheDatabase() throws Exception {
    String token = issue();
    char last = token.charAt(token.length() - 1);
    isRefused(token.substring(0, token.length() - 1) + (last == 'A' ? 'B' : 'A'));
    isRefused(token.substring(1));
    isRefused("secret");
    assertThat(askedSince()).isZero();
    assertThat(pod.run(issued::known)).isEmpty();
  }

  @Test
  void anUnknownTokenIsRememberedAsUnknown() {
    String token = BearerToken.mint();
    isRefused(token);
    isRefused(token);
    assertThat(askedSince()).isEqualTo(1);
    pass(Limits.TOKEN_KNOWN_MS_MAX);
    isRefused(token);
    assertThat(askedSince()).isEqualTo(2);
  }

  @Test
  void requestsThatMissAtOnceAreOneLookUp() throws Exception {
    String token = issue();
    List<Future<Grant>> grants =
        pod.run(
            () -> IntStream.range(0, 200).mapToObj(i -> tokens.grant("Bearer " + token)).toList());
    for (Future<Grant> grant : grants) {
      assertThat(TestPod.await(grant).caller()).isEqualTo(caller);
    }
    assertThat(askedSince()).isEqualTo(1);
  }

  @Test
  void whatIsKnownIsBoundedAndHoldsNoToken() {
    List<String> made =
        Stream.generate(BearerToken::mint).limit(Limits.TOKENS_KNOWN_MAX + 2_000L).toList();
    for (int from = 0; from < made.size(); from += 2_000) {
      List<String> some = made.subList(from, from + 2_000);
      List<Future<Grant>> grants =
          pod.run(() -> some.stream().map(token -> tokens.grant("Bearer " + token)).toList());
      grants.forEach(grant -> assertThat(await(grant)).isEqualTo(Problem.UNAUTHENTICATED));
    }
    assertThat(askedSince()).isEqualTo(made.size());
    assertThat(pod.run(() -> issued.known().size()))
        .isBetween(Limits.TOKENS_KNOWN_MAX / 2, Limits.TOKENS_KNOWN_MAX);
    Set<ByteBuffer> digests = pod.run(() -> Set.copyOf(issued.known().keySet()));
    assertThat(made.stream().map(token -> ByteBuffer.wrap(BearerToken.sha256(token))))
        .containsAll(digests);
    String everything = pod.run(() -> issued.known().toString());
    assertThat(made).noneMatch(everything::contains);
  }

  private static Problem await(Future<Grant> refused) {
    try {
      throw new AssertionError(TestPod.await(refused));
    } catch (Refusal refusal) {
      return refusal.problem();
    }
  }

  @Test
  void aRequestWhoseTokenWasLookedUpForTooLongIsNotServedAndTheNextOneIs() throws Exception {
    String token = issue();
    Future<Grant> slow =
        pod.run(
            () -> {
              Future<Grant> grant = tokens.grant("Bearer " + token);
              pass(Limits.TOKEN_LOOK_UP_MS_MAX + 1);
              return grant;
            });
    assertThat(await(slow)).isEqualTo(Problem.UNAVAILABLE);
    grant(token);
    assertThat(askedSince()).isEqualTo(1);
    pass(Limits.TOKEN_KNOWN_MS_MAX - Limits.TOKEN_LOOK_UP_MS_MAX - 1);
    grant(token);
    assertThat(askedSince()).isEqualTo(2);
  }

  @Test
  void theDayOfTheLastGoodUseIsNoted() throws Exception {
    String token = issue();
    String other = register.createToken(caller, SCOPES, null);
    register.revokeToken(BearerToken.sha256(other));
    DATABASE.run("UPDATE api_tokens SET last_used_on = '2020-02-02'");
    grant(token);
    isRefused(other);
    assertThat(
            DATABASE.rows(
                "SELECT last_used_on = (now() AT TIME ZONE 'UTC')::date AS today FROM api_tokens"
                    + " WHERE tenant_id = ? ORDER BY revoked_at NULLS FIRST",
                tenantId))
        .extracting(row -> row.get("today"))
        .containsExactly(true, false);
  }

  @Test
  void onlyTheDigestIsStored() throws Exception {
    String token = issue();
    List<Object> rows =
        DATABASE
            .rows("SELECT t::text AS r FROM api_tokens t WHERE tenant_id = ?", tenantId)
            .stream()
            .map(row -> row.get("r"))
            .toList();
    assertThat(rows).hasSize(1);
    assertThat(rows.toString())
        .contains(HexFormat.of().formatHex(BearerToken.sha256(token)))
        .doesNotContain(token.substring(4));
  }

  @Test
  void aTenantOrATokenThatIsNotThereIsToldAndNothingIsMade() throws Exception {
    assertThatThrownBy(() -> register.createToken(caller, SCOPES, null))
        .isInstanceOf(CannotStart.class)
        .hasMessageContaining("no tenant " + tenantId);
    assertThatThrownBy(() -> register.suspendTenant(tenantId, true))
        .isInstanceOf(CannotStart.class);
    assertThatThrownBy(() -> register.revokeToken(new byte[32])).isInstanceOf(CannotStart.class);
    issue();
    assertThatThrownBy(() -> register.createTenant(tenantId, "another"))
        .isInstanceOf(CannotStart.class);
    assertThatThrownBy(() -> register.createTenant(UUID.randomUUID(), "tenant " + tenantId))
        .isInstanceOf(CannotStart.class);
  }

  @Test
  void whileTheDatabaseIsDownAKnownTokenIsServedAndAnUnknownOneIsUnavailable() throws Exception {
    try (TestServer server = TestServer.start();
        TestDatabase own = TestDatabase.on(server);
        TestPod lone = new TestPod(own)) {
      Register there = register(own);
      there.createTenant(tenantId, "t");
      String token = there.createToken(caller, SCOPES, null);
      Tokens known = Tokens.of(List.of()).and(issued(lone));
      lone.call(() -> known.grant("Bearer " + token));
      server.stop();
      lone.await(Standing.DOWN);
      String unknown = BearerToken.mint();
      assertThat(lone.refusal(() -> known.grant("Bearer " + unknown)).problem())
          .isEqualTo(Problem.UNAVAILABLE);
      assertThat(lone.call(() -> known.grant("Bearer " + token)).caller()).isEqualTo(caller);
      server.restart();
      lone.awaitUp();
      assertThat(lone.refusal(() -> known.grant("Bearer " + unknown)).problem())
          .isEqualTo(Problem.UNAUTHENTICATED);
    }
  }
}
