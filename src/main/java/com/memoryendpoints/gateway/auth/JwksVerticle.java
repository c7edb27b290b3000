package com.memoryendpoints.gateway.auth;

import static com.memoryendpoints.gateway.problem.Problem.UNAVAILABLE;

import com.github.benmanes.caffeine.cache.Ticker;
import com.memoryendpoints.gateway.config.Config;
import com.memoryendpoints.gateway.config.Limits;
import com.memoryendpoints.gateway.meter.JwksMeter;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.VerticleBase;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientAgent;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.internal.ContextInternal;
import io.vertx.core.net.PemTrustOptions;
import java.io.IOException;
import java.net.URI;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Fetches the keys of an identity provider, by https from the configured URL only: at start, every
 * {@link Limits#JWKS_REFRESH_MS_MAX}, and for a token whose key is not known; never twice within
 * {@link Limits#JWKS_REFRESH_MS_MIN}. What was fetched stays in use until something else is.
 */
public final class JwksVerticle extends VerticleBase implements KeySource {
  private static final Logger LOG = LoggerFactory.getLogger(JwksVerticle.class);
  private static final int LOOK_MS = 1_000;

  /**
   * How things are.
   *
   * @param begunNanos when the last fetch began
   * @param underWay it has not ended yet
   * @param failed it, or the one before while it is under way
   */
  private record State(@Nullable KeySet keys, long begunNanos, boolean underWay, boolean failed) {}

  private final Config.Jwt terms;
  private final URI url;
  private final Ticker ticker;
  private final JwksMeter meter;
  private volatile State state;
  private @Nullable HttpClientAgent client;
  private Future<KeySet> fetch = UNAVAILABLE.refuse("no keys were fetched yet");

  /**
   * Fetches nothing before it is deployed.
   *
   * @param ticker tells nanoseconds, which only go forward
   */
  JwksVerticle(Config.Jwt terms, Ticker ticker, JwksMeter meter) {
    this.terms = terms;
    this.url = Objects.requireNonNull(terms.jwksUrl());
    this.ticker = ticker;
    this.meter = meter;
    this.state = new State(null, ticker.read(), false, true);
  }

  /** Waits for the first keys, but not for long: a gateway without them serves all other tokens. */
  @Override
  public Future<?> start() {
    client = vertx.createHttpClient(options());
    vertx.setPeriodic(LOOK_MS, look -> fetchIfStale());
    return fetch()
        .timeout(Limits.JWKS_WAIT_MS_MAX, TimeUnit.MILLISECONDS)
        .transform(done -> Future.succeededFuture());
  }

  @Override
  public Future<?> stop() {
    return Objects.requireNonNull(client).close();
  }

  private HttpClientOptions options() {
    HttpClientOptions options =
        new HttpClientOptions()
            .setSsl(true)
            .setVerifyHost(true)
            .setKeepAlive(false)
            .setConnectTimeout(Limits.JWKS_CONNECT_MS_MAX)
            .setSslHandshakeTimeout(Limits.JWKS_CONNECT_MS_MAX)
            .setSslHandshakeTimeoutUnit(TimeUnit.MILLISECONDS);
    return terms.jwksCa() == null
        ? options
        : options.setTrustOptions(new PemTrustOptions().addCertPath(terms.jwksCa().toString()));
  }

  @Override
  public @Nullable KeySet keys() {
    return state.keys;
  }

  @Override
  public Future<KeySet> latest() {
    State now = state;
    if (!now.underWay && ageMs(now) < Limits.JWKS_REFRESH_MS_MIN) {
      return now.keys == null || now.failed
          ? UNAVAILABLE.refuse("the last fetch of keys failed")
          : Future.succeededFuture(now.keys);
    }
    // The context's own: whoever bounds the wait for it is told on the context's thread too.
    Promise<KeySet> told = ((ContextInternal) vertx.getOrCreateContext()).promise();
    context.runOnContext(go -> fetchIfAllowed().onComplete(told));
    return told.future();
  }

  @Override
  public long settledMs() {
    return Math.max(0, Limits.JWKS_REFRESH_MS_MIN - ageMs(state));
  }

  private void fetchIfStale() {
    State now = state;
    boolean wanted = now.keys == null || now.failed;
    if (wanted || ageMs(now) >= Limits.JWKS_REFRESH_MS_MAX) {
      fetchIfAllowed();
    }
  }

  /** The fetch that is under way, or the last one, or a new one. */
  private Future<KeySet> fetchIfAllowed() {
    State now = state;
    return now.underWay || ageMs(now) < Limits.JWKS_REFRESH_MS_MIN ? fetch : fetch();
  }

  private Future<KeySet> fetch() {
    State before = state;
    state = new State(before.keys, ticker.read(), true, before.failed);
    fetch =
        Objects.requireNonNull(client)
            .request(new RequestOptions().setAbsoluteURI(url.toString()))
            .compose(JwksVerticle::text)
            .compose(text -> parsed(text))
            .onSuccess(this::fetched)
            .recover(failure -> Future.failedFuture(failed(failure)));
    return fetch;
  }

  /** The body, as long as it keeps the limits. */
  private static Future<Buffer> text(HttpClientRequest request) {
    return request
        .send()
        .compose(JwksVerticle::body)
        .timeout(Limits.JWKS_FETCH_MS_MAX, TimeUnit.MILLISECONDS)
        .onFailure(late -> request.reset());
  }

  private static Future<Buffer> body(HttpClientResponse response) {
    // What goes wrong is told by the end; without this it would be logged too, as an error.
    response.exceptionHandler(told -> {});
    if (response.statusCode() != 200) {
      return Future.failedFuture(new IOException("it answers " + response.statusCode()));
    }
    Buffer body = Buffer.buffer();
    response.handler(
        part -> {
          body.appendBuffer(part);
          if (body.length() > Limits.JWKS_BYTES_MAX) {
            response.request().reset();
          }
        });
    return response
        .end()
        .map(end -> body)
        .recover(
            cut ->
                Future.failedFuture(
                    body.length() > Limits.JWKS_BYTES_MAX
                        ? new IOException("it has more than " + Limits.JWKS_BYTES_MAX + " bytes")
                        : cut));
  }

  private Future<KeySet> parsed(Buffer text) {
    try {
      return Future.succeededFuture(KeySet.parse(text.getBytes(), terms.algorithms()));
    } catch (IOException e) {
      return Future.failedFuture(e);
    }
  }

  private void fetched(KeySet keys) {
    State before = state;
    state = new State(keys, before.begunNanos, false, false);
    meter.fetched(keys.size());
    if (keys.size() == 0) {
      LOG.warn("{} has no key that can be used: no JWT is good.", url);
    } else if (before.keys == null || before.failed) {
      LOG.info("{} has {} keys that can be used.", url, keys.size());
    }
  }

  private Throwable failed(Throwable failure) {
    State before = state;
    state = new State(before.keys, before.begunNanos, false, true);
    meter.failed();
    LOG.warn(
        "{} cannot be fetched: {}. {}",
        url,
        failure.getMessage(),
        before.keys == null ? "JWTs are answered 503." : "The keys of before stay in use.");
    return UNAVAILABLE.because("the keys cannot be fetched");
  }

  private long ageMs(State now) {
    return TimeUnit.NANOSECONDS.toMillis(ticker.read() - now.begunNanos);
  }
}
