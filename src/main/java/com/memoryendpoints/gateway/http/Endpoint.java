package com.memoryendpoints.gateway.http;

import com.memoryendpoints.gateway.config.Limits;
import com.memoryendpoints.gateway.tenant.Scope;
import io.vertx.core.Future;
import io.vertx.core.http.HttpMethod;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One call of the API: what it takes and what answers it.
 *
 * @param path literal, but for segments that begin with a colon
 * @param scope what a token must allow; null for a call that needs no token
 * @param key what an Idempotency-Key is to it
 * @param query the parameters that it takes
 * @param body the members of its body, or of each item where {@code batch}; null when it takes none
 */
record Endpoint(
    HttpMethod method,
    String path,
    @Nullable Scope scope,
    Key key,
    Shape query,
    @Nullable Shape body,
    boolean batch,
    Function<Call, Future<Reply>> action) {

  /** What an Idempotency-Key field is to a call. */
  enum Key {
    REQUIRED,
    HONOURED,
    IGNORED
  }

  /** A call that reads; HEAD comes with it. */
  static Endpoint get(String path, @Nullable Scope scope) {
    return new Endpoint(
        HttpMethod.GET, path, scope, Key.IGNORED, Shape.EMPTY, null, false, Endpoint::nothing);
  }

  /** A call that acts. */
  static Endpoint post(String path, Scope scope) {
    return new Endpoint(
        HttpMethod.POST, path, scope, Key.IGNORED, Shape.EMPTY, null, false, Endpoint::nothing);
  }

  /** The same call with another use for the key. */
  Endpoint key(Key other) {
    return new Endpoint(method, path, scope, other, query, body, batch, action);
  }

  /** The same call with these parameters. */
  Endpoint query(Shape parameters) {
    return new Endpoint(method, path, scope, key, parameters, body, batch, action);
  }

  /** The same call, which takes one such object. */
  Endpoint takes(Shape members) {
    return new Endpoint(method, path, scope, key, query, members, false, action);
  }

  /** The same call, answered so. */
  Endpoint by(Function<Call, Future<Reply>> answer) {
    return new Endpoint(method, path, scope, key, query, body, batch, answer);
  }

  /** The same call, which takes a batch of such objects. */
  Endpoint takesEach(Shape members) {
    return new Endpoint(method, path, scope, key, query, members, true, action);
  }

  private static Future<Reply> nothing(Call call) {
    return Future.failedFuture(new IllegalStateException("no action"));
  }

  /** The most bytes that the body may have. */
  int bodyBytesMax() {
    return batch ? Limits.BATCH_BODY_BYTES_MAX : Limits.BODY_BYTES_MAX;
  }

  /** Method and path, for logs and meters. */
  String label() {
    return method + " " + path;
  }
}
