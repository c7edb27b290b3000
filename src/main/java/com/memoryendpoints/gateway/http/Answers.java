package com.memoryendpoints.gateway.http;

import com.memoryendpoints.gateway.config.Limits;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.http.HttpVersion;
import org.jspecify.annotations.Nullable;

/** Puts answers on the wire, and decides whether the connection survives them. */
final class Answers {
  static final CharSequence IDEMPOTENT_REPLAYED =
      HttpHeaders.createOptimized("idempotent-replayed");
  static final CharSequence TRUE = HttpHeaders.createOptimized("true");

  static final CharSequence NO_STORE = HttpHeaders.createOptimized("no-store");

  /** What is written at once; the queue of a response is full at as much. */
  private static final int PIECE_BYTES = 64 << 10;

  private Answers() {}

  /** Whether somebody is left to be answered, and has not been. */
  static boolean isAwaited(HttpServerRequest request) {
    return !request.response().ended() && !request.response().closed();
  }

  /**
   * Writes an answer that is not a problem.
   *
   * @param reply rendered
   * @param noStore whether no cache may keep it
   */
  static void write(HttpServerRequest request, Reply reply, boolean noStore) {
    HttpServerResponse response = request.response();
    response.setStatusCode(reply.status());
    if (reply.location() != null) {
      response.putHeader(HttpHeaders.LOCATION, reply.location());
    }
    if (reply.replayed()) {
      response.putHeader(IDEMPOTENT_REPLAYED, TRUE);
    }
    if (noStore) {
      response.putHeader(HttpHeaders.CACHE_CONTROL, NO_STORE);
    }
    if (reply.body() instanceof Content content) {
      response.putHeader(HttpHeaders.CONTENT_TYPE, content.type());
      content.headers().forEach(response::putHeader);
      end(request, content.bytes(), false);
    } else {
      end(request, null, false);
    }
  }

  /**
   * Ends an answer whose head is ready.
   *
   * @param last whether the connection must end with it
   */
  static void end(HttpServerRequest request, @Nullable Buffer body, boolean last) {
    if (request.version() == HttpVersion.HTTP_2) {
      Streams.end(request, body);
      return;
    }
    HttpServerResponse response = request.response();
    Wire wire = Wire.of(request.connection());
    boolean closes = last || leavesTooMuch(request) || wire.isDeaf() || wire.isToEnd();
    if (closes) {
      response.putHeader(HttpHeaders.CONNECTION, HttpHeaders.CLOSE);
      wire.deafen();
    }
    if (body != null && request.method().equals(HttpMethod.HEAD)) {
      response.putHeader(HttpHeaders.CONTENT_LENGTH, Integer.toString(body.length()));
    }
    Runnable after = closes ? () -> request.connection().close() : () -> {};
    if (body == null) {
      response.end().onComplete(done -> after.run());
    } else if (body.length() <= PIECE_BYTES || request.method().equals(HttpMethod.HEAD)) {
      response.end(body).onComplete(done -> after.run());
    } else {
      response.putHeader(HttpHeaders.CONTENT_LENGTH, Integer.toString(body.length()));
      pieces(response, body, 0, after);
    }
  }

  /** Writes no faster than the peer reads, so that a slow one costs a piece and not the whole. */
  private static void pieces(HttpServerResponse response, Buffer body, int from, Runnable after) {
    int at = from;
    while (body.length() - at > PIECE_BYTES) {
      if (response.writeQueueFull()) {
        int next = at;
        response.drainHandler(
            drained -> {
              response.drainHandler(null);
              pieces(response, body, next, after);
            });
        return;
      }
      response.write(body.slice(at, at + PIECE_BYTES));
      at += PIECE_BYTES;
    }
    response.end(body.slice(at, body.length())).onComplete(done -> after.run());
  }

  /**
   * Whether more of the request is to come than is worth reading for the sake of the connection, or
   * perhaps nothing: who expected to be told to continue may send the body or the next request.
   */
  private static boolean leavesTooMuch(HttpServerRequest request) {
    if (request.isEnded()) {
      return false;
    }
    if (request.headers().contains(HttpHeaders.TRANSFER_ENCODING)) {
      return true;
    }
    long length = Bodies.length(request);
    boolean expecting = length > 0 && request.headers().contains(HttpHeaders.EXPECT);
    return length > Limits.BODY_BYTES_MAX || expecting;
  }
}
