package com.memoryendpoints.gateway.auth;

import static com.memoryendpoints.gateway.problem.Problem.OVERLOADED;

import com.github.benmanes.caffeine.cache.Ticker;
import com.memoryendpoints.gateway.config.CannotStart;
import com.memoryendpoints.gateway.config.Config;
import com.memoryendpoints.gateway.config.Limits;
import com.memoryendpoints.gateway.meter.JwksMeter;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.WorkerExecutor;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * An identity provider whose tokens (JWT) are good here: its keys, and threads that check
 * signatures, because a check would hold an event loop for up to 3 ms. All event loops share one.
 */
public final class Provider {
  private final KeySource keys;
  private final @Nullable JwksVerticle fetching;
  private final JwtCheck check;
  private final WorkerExecutor threads;
  private final AtomicInteger checks = new AtomicInteger();

  private Provider(Vertx vertx, Config.Jwt terms, KeySource keys, @Nullable JwksVerticle fetching) {
    this.keys = keys;
    this.fetching = fetching;
    this.check = new JwtCheck(terms);
    this.threads = vertx.createSharedWorkerExecutor("jwt", Limits.JWT_THREADS);
  }

  /**
   * As the configuration says; reads the file of keys, where there is one.
   *
   * @param ticker tells nanoseconds, which only go forward
   * @throws CannotStart when the file has no key that can be used
   */
  public static Provider of(Vertx vertx, Config.Jwt terms, Ticker ticker, JwksMeter meter) {
    if (terms.jwks() != null) {
      return new Provider(vertx, terms, new KeySource.Fixed(keys(terms.jwks(), terms)), null);
    }
    JwksVerticle fetching = new JwksVerticle(terms, ticker, meter);
    return new Provider(vertx, terms, fetching, fetching);
  }

  /**
   * Only whether the files are good, under the same conditions.
   *
   * @throws CannotStart when one is not
   */
  public static void check(Config.@Nullable Jwt terms) {
    if (terms != null && terms.jwks() != null) {
      var unused = keys(terms.jwks(), terms);
    }
    if (terms != null && terms.jwksCa() != null) {
      requireCertificates(terms.jwksCa());
    }
  }

  private static void requireCertificates(Path file) {
    String why = "it is not a PEM file of certificates";
    try (InputStream pem = Files.newInputStream(file)) {
      if (!CertificateFactory.getInstance("X.509").generateCertificates(pem).isEmpty()) {
        return;
      }
    } catch (CertificateException ignored) {
      // Said below, as of a file without any.
    } catch (IOException e) {
      why = e.getMessage();
    }
    throw CannotStart.misconfigured("jwt.jwks_ca: " + file + ": " + why + ".");
  }

  private static KeySet keys(Path file, Config.Jwt terms) {
    try (InputStream text = Files.newInputStream(file)) {
      KeySet keys = KeySet.parse(text.readNBytes(Limits.JWKS_BYTES_MAX + 1), terms.algorithms());
      if (keys.size() > 0) {
        return keys;
      }
      throw new IOException(
          "none of its keys can be used: each needs kid, and to be for signatures");
    } catch (IOException e) {
      throw CannotStart.misconfigured("jwt.jwks: " + file + ": " + e.getMessage() + ".");
    }
  }

  /** What fetches the keys, to be deployed once; nothing where they are in a file. */
  public Optional<JwksVerticle> fetching() {
    return Optional.ofNullable(fetching);
  }

  KeySource keys() {
    return keys;
  }

  /** Checks a token on a thread of its own; completed on the caller's context, or OVERLOADED. */
  Future<Checked> check(String token, KeySet by) {
    if (checks.incrementAndGet() > Limits.JWT_CHECKS_MAX) {
      checks.decrementAndGet();
      return OVERLOADED.refuse("too many JWTs wait to be checked");
    }
    return threads
        .executeBlocking(() -> check.of(token, by), false)
        .onComplete(done -> checks.decrementAndGet());
  }
}
