package com.memoryendpoints.gateway.auth;

import static com.memoryendpoints.gateway.problem.Problem.OUTCOME_UNKNOWN;
import static com.memoryendpoints.gateway.problem.Problem.UNAVAILABLE;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Expiry;
import com.github.benmanes.caffeine.cache.Ticker;
import com.memoryendpoints.gateway.config.Limits;
import com.memoryendpoints.gateway.db.Batcher;
import com.memoryendpoints.gateway.db.Database;
import com.memoryendpoints.gateway.db.Lane;
import com.memoryendpoints.gateway.problem.Refusal;
import com.memoryendpoints.gateway.tenant.Tenants;
import io.vertx.core.Future;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;

/**
 * The tokens in the database, as one event loop knows them, and confined to it. What the database
 * said of a digest - good or not - is believed for {@link Limits#TOKEN_KNOWN_MS_MAX} from the
 * moment it was asked, so that a revocation or a suspension takes effect within that time. No token
 * is kept here, only digests.
 */
public final class IssuedTokens {
  /** Whose turn a look-up takes: a token's tenant is not known before it. */
  private static final UUID NOBODY = new UUID(0, 0);

  private static final Duration LOOK_UP_MAX = Duration.ofMillis(Limits.TOKEN_LOOK_UP_MS_MAX);

  private final Batcher<ByteBuffer, Found> lookUps;
  private final Tenants tenants;
  private final Ticker ticker;
  private final Cache<ByteBuffer, Found> known;

  /** As many as the batcher takes, and each only once. */
  private final Map<ByteBuffer, Future<Grant>> asked = new HashMap<>();

  /**
   * Over the connections of this event loop.
   *
   * @param tenants are told the terms of the tenants whose tokens are looked up
   * @param ticker tells nanoseconds, which only go forward
   */
  public IssuedTokens(Database database, Tenants tenants, Ticker ticker) {
    this.lookUps = database.batcher(Lane.READ, new FindTokens());
    this.tenants = tenants;
    this.ticker = ticker;
    this.known =
        Caffeine.newBuilder()
            .maximumSize(Limits.TOKENS_KNOWN_MAX)
            .expireAfter(Expiry.<ByteBuffer, Found>writing((sha256, found) -> found.life()))
            .ticker(ticker)
            .executor(Runnable::run)
            .build();
  }

  /**
   * The grant of a token; complete already where the cache knows.
   *
   * @param sha256 its digest; kept, so not to be changed
   * @return or UNAUTHENTICATED; UNAVAILABLE or OVERLOADED when the database could not be asked
   */
  Future<Grant> grant(ByteBuffer sha256) {
    Found found = known.getIfPresent(sha256);
    if (found != null) {
      return found.answer();
    }
    Future<Grant> underWay = asked.get(sha256);
    return underWay != null ? underWay : ask(sha256);
  }

  private Future<Grant> ask(ByteBuffer sha256) {
    long fromNanos = ticker.read();
    Future<Grant> answer =
        lookUps
            .submit(NOBODY, sha256)
            .compose(
                found -> learnt(sha256, found, fromNanos),
                failure -> Future.failedFuture(unasked(failure)));
    if (!answer.isComplete()) {
      asked.put(sha256, answer);
      answer.onComplete(done -> asked.remove(sha256));
    }
    return answer;
  }

  private Future<Grant> learnt(ByteBuffer sha256, Found found, long fromNanos) {
    Duration took = Duration.ofNanos(ticker.read() - fromNanos);
    if (found.grant() != null) {
      tenants.learnt(found.grant().caller().tenantId(), found.terms(), fromNanos);
    }
    known.put(sha256, found.after(took));
    if (took.compareTo(LOOK_UP_MAX) > 0) {
      // Its caller would give up before the domain has its own time; the next time is quick.
      return UNAVAILABLE.refuse("the token was looked up for too long");
    }
    return found.answer();
  }

  /** A look-up changes nothing that a caller could ask about. */
  private static Throwable unasked(Throwable failure) {
    return failure instanceof Refusal refusal && refusal.problem() == OUTCOME_UNKNOWN
        ? UNAVAILABLE.because("the token could not be looked up")
        : failure;
  }

  /** What is known now. */
  Map<ByteBuffer, Found> known() {
    known.cleanUp();
    return known.asMap();
  }
}
