package com.memoryendpoints.gateway.http;

import io.vertx.core.buffer.Buffer;
import java.util.List;

/**
 * What a body says: one object, the items of a batch, or nothing at all.
 *
 * @param items well-formed; whether they are valid is each one's own matter
 */
record Payload(List<Fields> items) {
  static final Payload NONE = new Payload(List.of());

  /**
   * Reads a body to its end.
   *
   * @throws com.memoryendpoints.gateway.problem.Refusal MALFORMED_BODY, and INVALID_REQUEST for the
   *     envelope of a batch
   */
  static Payload of(Buffer body, Shape shape, boolean batch) {
    return new Payload(
        Json.object(
            body, json -> batch ? Envelope.read(json, shape) : List.of(shape.read(json, ""))));
  }
}
