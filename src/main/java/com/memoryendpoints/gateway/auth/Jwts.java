package com.memoryendpoints.gateway.auth;

import static com.memoryendpoints.gateway.problem.Problem.UNAVAILABLE;

import com.github.benmanes.caffeine.cache.Ticker;
import com.memoryendpoints.gateway.config.Limits;
import com.memoryendpoints.gateway.db.Batcher;
import com.memoryendpoints.gateway.db.Database;
import com.memoryendpoints.gateway.db.Lane;
import com.memoryendpoints.gateway.problem.Refusal;
import com.memoryendpoints.gateway.tenant.Tenants;
import com.memoryendpoints.gateway.tenant.Terms;
import io.vertx.core.Future;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The JWTs of a provider, as one event loop knows them, and confined to it. What came of a check is
 * believed for {@link Limits#TOKEN_KNOWN_MS_MAX}, and never beyond the token's end: within that
 * time a suspended tenant's are refused, and those whose key the provider has taken back.
 */
public final class Jwts {
  private static final Duration LIFE = Duration.ofMillis(Limits.TOKEN_KNOWN_MS_MAX);

  private final Provider provider;
  private final Batcher<UUID, TenantState> lookUps;
  private final KnownTokens known;
  private int waiting;

  /**
   * Over the connections of this event loop.
   *
   * @param tenants are told the terms of the tenants that are looked up
   * @param ticker tells nanoseconds, which only go forward
   */
  public Jwts(Provider provider, Database database, Tenants tenants, Ticker ticker) {
    this.provider = provider;
    this.lookUps = database.batcher(Lane.READ, new FindTenants());
    this.known = new KnownTokens(tenants, ticker);
  }

  /** Whether a token looks like a JWT: whatever else does is none of this gateway's own. */
  static boolean isLike(String token) {
    int dot = token.indexOf('.');
    return dot > 0 && token.indexOf('.', dot + 1) > 0 && token.length() <= Limits.JWT_CHARS_MAX;
  }

  /**
   * The grant of a JWT; complete already where it is known.
   *
   * @param sha256 its digest; kept, so not to be changed
   * @return or UNAUTHENTICATED; UNAVAILABLE or OVERLOADED when it could not be checked
   */
  Future<Grant> grant(ByteBuffer sha256, String token) {
    return known.grant(sha256, () -> find(token));
  }

  private Future<Found> find(String token) {
    KeySet keys = provider.keys().keys();
    Future<Checked> checked =
        keys == null
            ? withLatestKeys(token, null)
            : provider
                .check(token, keys)
                .compose(
                    done ->
                        done.equals(Checked.KEY_UNKNOWN)
                            ? withLatestKeys(token, keys)
                            : Future.succeededFuture(done));
    return checked.compose(this::found);
  }

  /** By other keys than those that do not know its own. */
  private Future<Checked> withLatestKeys(String token, @Nullable KeySet tried) {
    Future<KeySet> latest = provider.keys().latest();
    Future<KeySet> keys = latest.isComplete() ? latest : awaited(latest);
    return keys.compose(
        those ->
            those == tried
                ? Future.succeededFuture(Checked.KEY_UNKNOWN)
                : provider.check(token, those));
  }

  private Future<KeySet> awaited(Future<KeySet> latest) {
    if (waiting >= Limits.JWKS_WAITING_MAX) {
      return UNAVAILABLE.refuse("too many wait for keys");
    }
    waiting++;
    return latest
        .timeout(Limits.JWKS_WAIT_MS_MAX, TimeUnit.MILLISECONDS)
        .recover(
            failure ->
                failure instanceof Refusal
                    ? Future.failedFuture(failure)
                    : UNAVAILABLE.refuse("the keys are still being fetched"))
        .onComplete(done -> waiting--);
  }

  private Future<Found> found(Checked checked) {
    JwtClaims claims = checked.claims();
    return claims == null
        ? Future.succeededFuture(new Found(null, checked.verdict(), Terms.NONE, life(checked)))
        : lookUps.submit(claims.caller().tenantId(), claims.caller().tenantId()).map(claims::found);
  }

  /** Keys that are fetched meanwhile may know what these do not. */
  private Duration life(Checked refused) {
    return refused.equals(Checked.KEY_UNKNOWN)
        ? Duration.ofMillis(Math.min(LIFE.toMillis(), provider.keys().settledMs()))
        : LIFE;
  }

  /** What is known now. */
  Map<ByteBuffer, Found> known() {
    return known.known();
  }
}
