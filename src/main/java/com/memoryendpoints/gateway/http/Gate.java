package com.memoryendpoints.gateway.http;

import static com.memoryendpoints.gateway.problem.Problem.MALFORMED_REQUEST;

import com.memoryendpoints.gateway.auth.Grant;
import com.memoryendpoints.gateway.auth.Tokens;
import com.memoryendpoints.gateway.idempotency.IdempotencyKey;
import com.memoryendpoints.gateway.tenant.Caller;
import io.vertx.core.Future;
import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;
import io.vertx.ext.web.handler.HttpException;
import org.jspecify.annotations.Nullable;

/**
 * Lets a request in, in the order of precedence of the problems: the address, the token, what its
 * caller has left, its scope, the key, and only then the body - its size and type, its form - and
 * the query.
 */
final class Gate {
  private final Tokens tokens;
  private final Throttle throttle;
  private final Keys keys;

  Gate(Tokens tokens, Throttle throttle, Keys keys) {
    this.tokens = tokens;
    this.throttle = throttle;
    this.keys = keys;
  }

  /** The call that a request makes, once it has been read to its end. */
  Future<Call> admit(RoutingContext ctx, Endpoint endpoint) {
    HttpServerRequest request = ctx.request();
    throttle.chargeAddress(request);
    if (endpoint.scope() == null) {
      return admit(ctx, endpoint, null);
    }
    Future<Grant> grant = tokens.grant(request.headers().get(HttpHeaders.AUTHORIZATION));
    if (grant.isComplete()) {
      return grant.compose(known -> admit(ctx, endpoint, known));
    }
    // Nothing of the body may pass by before there is somebody to read it, and whoever reads it is
    // told of the grant first: those who wait for a future are told in the order in which they
    // came.
    request.pause();
    Future<Call> call = grant.compose(known -> admitLate(ctx, endpoint, known));
    grant.onComplete(done -> Carrier.resume(request));
    return call;
  }

  private Future<Call> admitLate(RoutingContext ctx, Endpoint endpoint, Grant grant) {
    return ctx.response().closed()
        ? MALFORMED_REQUEST.refuse("the caller went away")
        : admit(ctx, endpoint, grant);
  }

  private Future<Call> admit(RoutingContext ctx, Endpoint endpoint, @Nullable Grant grant) {
    HttpServerRequest request = ctx.request();
    Caller caller = caller(ctx, endpoint, grant);
    IdempotencyKey key = keys.of(request, endpoint.key());
    return throttle
        .chargeItems(request, endpoint, caller, payload(request, endpoint))
        .map(
            body -> {
              Fields query = query(ctx, endpoint);
              return new Call(request, endpoint, caller, key, ctx.pathParams(), query, body);
            });
  }

  private @Nullable Caller caller(RoutingContext ctx, Endpoint endpoint, @Nullable Grant grant) {
    if (endpoint.scope() == null || grant == null) {
      return null;
    }
    HttpServerRequest request = ctx.request();
    ctx.put(Exchange.CALLER, grant.caller());
    throttle.chargeCall(request, endpoint, grant.caller());
    grant.require(endpoint.scope());
    return grant.caller();
  }

  private static Future<Payload> payload(HttpServerRequest request, Endpoint endpoint) {
    return switch (endpoint.body()) {
      case NOTHING -> Future.succeededFuture(Payload.NONE);
      case STREAM -> {
        Bodies.begin(request);
        yield Future.succeededFuture(Payload.NONE);
      }
      default ->
          Bodies.read(request, endpoint.body().bytesMax())
              .map(bytes -> Payload.of(bytes, endpoint.body(), endpoint.members()));
    };
  }

  private static Fields query(RoutingContext ctx, Endpoint endpoint) {
    Fields query =
        ctx.request().query() == null
            ? new Fields(endpoint.query(), "")
            : endpoint.query().read(parameters(ctx));
    query.requireValid();
    return query;
  }

  private static MultiMap parameters(RoutingContext ctx) {
    // The router would put U+FFFD for each byte that is no text.
    if (!Utf8.isText(ctx.request().query())) {
      throw Fields.invalid(Fault.BAD_FORMAT);
    }
    try {
      return ctx.queryParams();
    } catch (HttpException undecodable) {
      throw Fields.invalid(Fault.BAD_FORMAT);
    }
  }
}
