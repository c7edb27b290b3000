package com.memoryendpoints.gateway.http;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;

/**
 * Bytes that are ready to be sent.
 *
 * @param type their media type
 */
record Content(Buffer bytes, CharSequence type) {
  private static final CharSequence JSON = HttpHeaders.createOptimized("application/json");

  /** A value as JSON. */
  static Content json(Object value) {
    return new Content(Json.bytes(value), JSON);
  }
}
