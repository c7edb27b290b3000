package com.memoryendpoints.gateway.auth;

import static com.memoryendpoints.gateway.problem.Problem.OUTCOME_UNKNOWN;
import static com.memoryendpoints.gateway.problem.Problem.UNAVAILABLE;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Expiry;
import com.github.benmanes.caffeine.cache.Ticker;
import com.memoryendpoints.gateway.config.Limits;
import com.memoryendpoints.gateway.problem.Refusal;
import com.memoryendpoints.gateway.tenant.Tenants;
import io.vertx.core.Future;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;

/**
 * What was found out about tokens of one kind, as one event loop remembers it, and confined to it.
 * What was found - good or not - is believed for its life from the moment it was asked for. No
 * token is kept here, only digests.
 */
final class KnownTokens {
  private static final Duration LOOK_UP_MAX = Duration.ofMillis(Limits.TOKEN_LOOK_UP_MS_MAX);

  private final Tenants tenants;
  private final Ticker ticker;
  private final Cache<ByteBuffer, Found> known;

  /** As many as those who find out take, and each only once. */
  private final Map<ByteBuffer, Future<Grant>> asked = new HashMap<>();

  /**
   * Knows nothing yet.
   *
   * @param tenants are told the terms of the tenants whose tokens are looked up
   * @param ticker tells nanoseconds, which only go forward
   */
  KnownTokens(Tenants tenants, Ticker ticker) {
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
   * The grant of a token; complete already where it is known.
   *
   * @param sha256 its digest; kept, so not to be changed
   * @param question finds out, on this event loop
   * @return or UNAUTHENTICATED; or why it could not be found out
   */
  Future<Grant> grant(ByteBuffer sha256, Supplier<Future<Found>> question) {
    Found found = known.getIfPresent(sha256);
    if (found != null) {
      return found.answer();
    }
    Future<Grant> underWay = asked.get(sha256);
    return underWay != null ? underWay : ask(sha256, question);
  }

  private Future<Grant> ask(ByteBuffer sha256, Supplier<Future<Found>> question) {
    long fromNanos = ticker.read();
    Future<Grant> answer =
        question
            .get()
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
