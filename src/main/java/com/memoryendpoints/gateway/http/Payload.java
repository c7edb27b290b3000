package com.memoryendpoints.gateway.http;

import io.vertx.core.buffer.Buffer;
import java.util.List;

/**
 * What a body says: one object, the items of a batch, or nothing at all.
 *
 * @param items well-formed; whether they are valid is each one's own matter
 * @param batch whether they came as a batch
 */
record Payload(List<Fields> items, boolean batch) {
  static final Payload NONE = new Payload(List.of(), false);

  /**
   * Reads a body to its end.
   *
   * @throws com.memoryendpoints.gateway.problem.Refusal MALFORMED_BODY, and INVALID_REQUEST for the
   *     envelope of a batch
   */
  static Payload of(Buffer bytes, Endpoint.Body body, Shape shape) {
    return switch (body) {
      case NOTHING, STREAM -> NONE;
      case OBJECT, LONG_OBJECT ->
          new Payload(Json.object(bytes, json -> List.of(shape.read(json, ""))), false);
      case BATCH -> new Payload(Json.object(bytes, json -> Envelope.read(json, shape)), true);
      case OBJECT_OR_BATCH -> Json.object(bytes, json -> Envelope.readEither(json, shape));
    };
  }
}
