package com.memoryendpoints.gateway.http;

import static com.memoryendpoints.gateway.problem.Problem.BODY_TOO_LARGE;
import static com.memoryendpoints.gateway.problem.Problem.MALFORMED_REQUEST;
import static com.memoryendpoints.gateway.problem.Problem.UNSUPPORTED_MEDIA_TYPE;

import com.memoryendpoints.gateway.problem.Refusal;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import java.util.List;
import java.util.Locale;

/** Reads the body of a request that was let in. */
final class Bodies {
  private static final String JSON = "application/json";
  private static final String NDJSON = "application/x-ndjson";

  private Bodies() {}

  /**
   * Reads the whole body, after telling a caller who waits for it to go on.
   *
   * @return the body, or BODY_TOO_LARGE, UNSUPPORTED_MEDIA_TYPE, or as {@link #lost} says
   */
  static Future<Buffer> read(HttpServerRequest request, int bytesMax) {
    long length = length(request);
    boolean openEnded = isOpenEnded(request);
    if (length > bytesMax) {
      return BODY_TOO_LARGE.refuse("more than " + bytesMax + " bytes announced");
    }
    requireType(request, openEnded || length > 0, List.of(JSON));
    if (openEnded || request.version() == HttpVersion.HTTP_2) {
      bound(request, bytesMax);
    }
    if ((openEnded || length > 0) && expectsContinue(request)) {
      request.response().writeContinue();
    }
    return request.body().recover(Bodies::lost);
  }

  /**
   * What became of a body that did not come whole. Unless the gateway refused it, the connection
   * was closed, reset or garbled: the caller's doing, whatever it is called, and no defect.
   */
  static <T> Future<T> lost(Throwable failure) {
    return failure instanceof Refusal
        ? Future.failedFuture(failure)
        : MALFORMED_REQUEST.refuse("the caller went away");
  }

  /**
   * Lets a body come that is read as it comes.
   *
   * @throws com.memoryendpoints.gateway.problem.Refusal UNSUPPORTED_MEDIA_TYPE
   */
  static void begin(HttpServerRequest request) {
    boolean openEnded = isOpenEnded(request);
    boolean body = openEnded || length(request) > 0;
    requireType(request, body, List.of(NDJSON, JSON));
    Carrier.of(request).stream();
    if (body && expectsContinue(request)) {
      request.response().writeContinue();
    }
  }

  /** Whether the body is one JSON value a line rather than one value. */
  static boolean isLines(HttpServerRequest request) {
    String type = request.headers().get(HttpHeaders.CONTENT_TYPE);
    return type != null && isOf(type, NDJSON);
  }

  /** Whether a body comes whose length nobody announced. */
  static boolean isOpenEnded(HttpServerRequest request) {
    return request.version() == HttpVersion.HTTP_2
        ? Streams.isOpenEnded(request)
        : request.headers().contains(HttpHeaders.TRANSFER_ENCODING);
  }

  /** Fails a body as soon as it is too long, or too much beside the others of its connection. */
  private static void bound(HttpServerRequest request, int bytesMax) {
    int[] left = {bytesMax};
    request.handler(
        chunk -> {
          left[0] -= chunk.length();
          if (left[0] < 0) {
            Carrier.of(request).fail(BODY_TOO_LARGE.because("chunks without end"));
          } else {
            Carrier.of(request).keep(chunk.length());
          }
        });
  }

  /** The announced length of the body; 0 when none was. */
  static long length(HttpServerRequest request) {
    String length = request.headers().get(HttpHeaders.CONTENT_LENGTH);
    return length == null ? 0 : Long.parseLong(length);
  }

  private static boolean expectsContinue(HttpServerRequest request) {
    return "100-continue".equalsIgnoreCase(request.headers().get(HttpHeaders.EXPECT));
  }

  private static void requireType(HttpServerRequest request, boolean body, List<String> accepted) {
    if (request.headers().contains(HttpHeaders.CONTENT_ENCODING)) {
      throw UNSUPPORTED_MEDIA_TYPE
          .because("content coding")
          .with("accept", accepted)
          .with("accept_encoding", List.of("identity"));
    }
    List<String> types = request.headers().getAll(HttpHeaders.CONTENT_TYPE);
    boolean none = types.isEmpty() && !body;
    if (!none
        && (types.size() != 1 || accepted.stream().noneMatch(type -> isOf(types.get(0), type)))) {
      throw UNSUPPORTED_MEDIA_TYPE.because("media type").with("accept", accepted);
    }
  }

  /** JSON, in no other charset than the one that JSON has (RFC 8259 section 8.1). */
  private static boolean isOf(String type, String accepted) {
    if (type.equals(accepted)) {
      return true;
    }
    String[] parts = type.toLowerCase(Locale.ROOT).split(";", -1);
    boolean json = parts[0].strip().equals(accepted);
    for (int i = 1; i < parts.length; i++) {
      String parameter = parts[i].strip();
      boolean charset = parameter.startsWith("charset=");
      json &= !charset || parameter.replace("\"", "").equals("charset=utf-8");
    }
    return json;
  }
}
