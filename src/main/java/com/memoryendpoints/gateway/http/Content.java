package com.memoryendpoints.gateway.http;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import java.util.Map;

/**
 * Bytes that are ready to be sent.
 *
 * @param type their media type
 * @param headers what else is told of them, names in lower case
 */
record Content(Buffer bytes, CharSequence type, Map<String, String> headers) {
  private static final CharSequence JSON = HttpHeaders.createOptimized("application/json");

  /** A value as JSON. */
  static Content json(Object value) {
    return new Content(Json.bytes(value), JSON, Map.of());
  }
}
