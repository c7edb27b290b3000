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
 * @param body what its body is
 * @param members the members of its body, or of each item; empty where it takes neither
 * @param upkeep whether it lets an owner keep or give back what it holds, which is limited apart
 */
record Endpoint(
    HttpMethod method,
    String path,
    @Nullable Scope scope,
    Key key,
    Shape query,
    Body body,
    Shape members,
    boolean upkeep,
    Function<Call, Future<Reply>> action) {

  /** What an Idempotency-Key field is to a call. */
  enum Key {
    REQUIRED,
    HONOURED,
    IGNORED
  }

  /** What the body of a call is. */
  enum Body {
    NOTHING(0),
    OBJECT(Limits.BODY_BYTES_MAX),
    /** An object with a list as long as a batch. */
    LONG_OBJECT(Limits.BATCH_BODY_BYTES_MAX),
    /** The items of a batch. */
    BATCH(Limits.BATCH_BODY_BYTES_MAX),
    /** One item, or the items of a batch. */
    OBJECT_OR_BATCH(Limits.BATCH_BODY_BYTES_MAX),
    /** Read by the call itself while it comes, in bounded memory. */
    STREAM(0);

    private final int bytesMax;

    Body(int bytesMax) {
      this.bytesMax = bytesMax;
    }

    /** The most bytes that are read before the call. */
    int bytesMax() {
      return bytesMax;
    }

    /** Whether only the body tells how much is asked for. */
    boolean itemized() {
      return this == BATCH || this == OBJECT_OR_BATCH;
    }
  }

  /** A call that reads; HEAD comes with it. */
  static Endpoint get(String path, @Nullable Scope scope) {
    return of(HttpMethod.GET, path, scope);
  }

  /** A call that acts. */
  static Endpoint post(String path, Scope scope) {
    return of(HttpMethod.POST, path, scope);
  }

  /** A call that makes what its path names, or replaces it. */
  static Endpoint put(String path, Scope scope) {
    return of(HttpMethod.PUT, path, scope);
  }

  /** A call that deletes what its path names. */
  static Endpoint delete(String path, Scope scope) {
    return of(HttpMethod.DELETE, path, scope);
  }

  private static Endpoint of(HttpMethod method, String path, @Nullable Scope scope) {
    return new Endpoint(
        method,
        path,
        scope,
        Key.IGNORED,
        Shape.EMPTY,
        Body.NOTHING,
        Shape.EMPTY,
        false,
        call -> Future.failedFuture(new IllegalStateException("no action")));
  }

  /** The same call with another use for the key. */
  Endpoint key(Key other) {
    return new Endpoint(method, path, scope, other, query, body, members, upkeep, action);
  }

  /** The same call with these parameters. */
  Endpoint query(Shape parameters) {
    return new Endpoint(method, path, scope, key, parameters, body, members, upkeep, action);
  }

  /** The same call, which takes one such object. */
  Endpoint takes(Shape object) {
    return taking(Body.OBJECT, object);
  }

  /** The same call, which takes one such object with a list in it. */
  Endpoint takesLong(Shape object) {
    return taking(Body.LONG_OBJECT, object);
  }

  /** The same call, which takes a batch of such objects. */
  Endpoint takesEach(Shape item) {
    return taking(Body.BATCH, item);
  }

  /** The same call, which takes one such object or a batch of them. */
  Endpoint takesOneOrEach(Shape item) {
    return taking(Body.OBJECT_OR_BATCH, item);
  }

  /** The same call, which reads its body itself. */
  Endpoint streams() {
    return taking(Body.STREAM, Shape.EMPTY);
  }

  private Endpoint taking(Body other, Shape shape) {
    return new Endpoint(method, path, scope, key, query, other, shape, upkeep, action);
  }

  /** The same call, limited as renewals and releases are. */
  Endpoint asUpkeep() {
    return new Endpoint(method, path, scope, key, query, body, members, true, action);
  }

  /** The same call, answered so. */
  Endpoint by(Function<Call, Future<Reply>> answer) {
    return new Endpoint(method, path, scope, key, query, body, members, upkeep, answer);
  }

  /** Method and path, for logs and meters. */
  String label() {
    return method + " " + path;
  }
}
