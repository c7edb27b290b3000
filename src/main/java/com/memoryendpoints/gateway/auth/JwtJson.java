package com.memoryendpoints.gateway.auth;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.memoryendpoints.gateway.config.Limits;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** Strict JSON: of two members of one name nobody could say which was signed for. */
final class JwtJson {
  private static final JsonMapper STRICT =
      JsonMapper.builder(
              JsonFactory.builder()
                  .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                  // Strangers choose the names; interned, they would stay for ever.
                  .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
                  .streamReadConstraints(
                      StreamReadConstraints.builder().maxNestingDepth(Limits.JWT_DEPTH_MAX).build())
                  .build())
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build();

  private JwtJson() {}

  /**
   * Reads one object.
   *
   * @throws IOException when it is none, or not UTF-8; its message repeats nothing of it
   */
  static JsonNode object(byte[] utf8) throws IOException {
    JsonNode node;
    try {
      String text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(utf8)).toString();
      node = STRICT.readTree(text);
    } catch (JsonProcessingException e) {
      e.clearLocation();
      throw new IOException("it is not strict JSON", e);
    }
    if (!node.isObject()) {
      throw new IOException("it is no JSON object");
    }
    return node;
  }
}
