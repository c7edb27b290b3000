package com.memoryendpoints.gateway.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.memoryendpoints.gateway.problem.Problem;
import com.memoryendpoints.gateway.problem.Refusal;
import io.vertx.core.buffer.Buffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/** Bodies to send, and what is read from them. */
final class Samples {
  private Samples() {}

  static final String MEMORY = "019a2f4e-7c1b-7d20-9f3a-5b6c7d8e9f01";
  static final String DIGEST = "sha-256:" + "0a".repeat(32);

  static final Map<String, String> CLAIM =
      Map.of(
          "display_name", "\"My Agent\"",
          "memory_instance_id", "\"" + MEMORY + "\"",
          "owner_client_id", "\"me\"",
          "ttl_seconds", "30");
  static final Map<String, String> RENEW =
      Map.of(
          "canonical_name", "\"myagent\"",
          "memory_instance_id", "\"" + MEMORY + "\"",
          "fencing_token", "7",
          "owner_client_id", "\"me\"");
  static final Map<String, String> COMMIT =
      Map.of(
          "memory_instance_id",
          "\"" + MEMORY + "\"",
          "fencing_token",
          "7",
          "content_digest",
          "\"" + DIGEST + "\"",
          "expected_revision",
          "0");

  static Fields fields(Shape shape, String body) {
    Buffer bytes = Buffer.buffer(body.getBytes(StandardCharsets.UTF_8));
    return Payload.of(bytes, Endpoint.Body.OBJECT, shape).items().get(0);
  }

  static void assertFault(Shape shape, String body, String pointer, String code) {
    assertThat(errors(refused(() -> fields(shape, body).requireValid())))
        .extracting(error -> error.get("pointer") + " " + error.get("code"))
        .containsExactly(pointer + " " + code);
  }

  static Refusal refused(ThrowingCallable request) {
    Refusal refusal = catchThrowableOfType(Refusal.class, request);
    assertThat(refusal).isNotNull();
    return refusal;
  }

  @SuppressWarnings("unchecked")
  static List<Map<String, Object>> errors(Refusal refusal) {
    assertThat(refusal.problem()).isEqualTo(Problem.INVALID_REQUEST);
    return (List<Map<String, Object>>) refusal.members().get("errors");
  }

  static String body(Map<String, String> members) {
    return members.entrySet().stream()
        .map(member -> "\"" + member.getKey() + "\":" + member.getValue())
        .collect(Collectors.joining(",", "{", "}"));
  }

  static String with(Map<String, String> members, String name, String value) {
    Map<String, String> changed = new TreeMap<>(members);
    changed.put(name, value);
    return body(changed);
  }

  static String without(Map<String, String> members, String name) {
    Map<String, String> changed = new TreeMap<>(members);
    changed.remove(name);
    return body(changed);
  }
}
