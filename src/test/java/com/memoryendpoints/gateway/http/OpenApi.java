package com.memoryendpoints.gateway.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** The document as it is served, and as much of JSON Schema as it uses. */
final class OpenApi {
  final JsonNode root;

  OpenApi() throws IOException {
    root = new JsonMapper().readTree(Pages.all().get("/openapi.json").plain().bytes().getBytes());
  }

  JsonNode schema(String name) {
    JsonNode schema = root.at("/components/schemas/" + name);
    if (schema.isMissingNode()) {
      throw new AssertionError("no schema " + name);
    }
    return schema;
  }

  /** Follows a reference; what stands beside it is laid over what it leads to. */
  JsonNode resolve(JsonNode node) {
    if (!node.has("$ref")) {
      return node;
    }
    JsonNode target = resolve(root.at(node.path("$ref").asText().substring(1)));
    if (target.isMissingNode()) {
      throw new AssertionError("nothing at " + node);
    }
    var merged = ((ObjectNode) target).deepCopy();
    node.properties().stream()
        .filter(each -> !each.getKey().equals("$ref"))
        .forEach(each -> merged.set(each.getKey(), each.getValue()));
    return merged;
  }

  /** What a value breaks of its schema. */
  List<String> faults(JsonNode value, JsonNode schema, String at) {
    JsonNode rules = resolve(schema);
    List<String> faults = new ArrayList<>();
    if (rules.has("type") && !hasType(value, rules.path("type"))) {
      faults.add(at + ": not " + rules.path("type"));
    }
    if (rules.has("const") && !rules.path("const").equals(value)) {
      faults.add(at + ": not " + rules.path("const"));
    }
    if (rules.has("enum") && !contains(rules.path("enum"), value)) {
      faults.add(at + ": not one of " + rules.path("enum"));
    }
    if (rules.has("oneOf") && matching(value, rules.path("oneOf"), at) != 1) {
      faults.add(at + ": not exactly one alternative");
    }
    text(value, rules, at, faults);
    number(value, rules, at, faults);
    members(value, rules, at, faults);
    for (int i = 0; i < value.size() && value.isArray() && rules.has("items"); i++) {
      faults.addAll(faults(value.get(i), rules.path("items"), at + "/" + i));
    }
    return faults;
  }

  private int matching(JsonNode value, JsonNode alternatives, String at) {
    int matching = 0;
    for (JsonNode alternative : alternatives) {
      matching += faults(value, alternative, at).isEmpty() ? 1 : 0;
    }
    return matching;
  }

  private static void text(JsonNode value, JsonNode rules, String at, List<String> faults) {
    if (!value.isTextual()) {
      return;
    }
    String text = value.asText();
    int length = text.codePointCount(0, text.length());
    if (length < rules.path("minLength").asInt(0)
        || length > rules.path("maxLength").asInt(Integer.MAX_VALUE)) {
      faults.add(at + ": of length " + length);
    }
    if (rules.has("pattern")
        && !Pattern.compile(rules.path("pattern").asText()).matcher(text).find()) {
      faults.add(at + ": not of its pattern");
    }
  }

  private static void number(JsonNode value, JsonNode rules, String at, List<String> faults) {
    if (!value.isNumber()) {
      return;
    }
    BigDecimal number = value.decimalValue();
    if ((rules.has("minimum") && number.compareTo(rules.path("minimum").decimalValue()) < 0)
        || (rules.has("maximum") && number.compareTo(rules.path("maximum").decimalValue()) > 0)) {
      faults.add(at + ": out of range");
    }
  }

  private void members(JsonNode value, JsonNode rules, String at, List<String> faults) {
    if (!value.isObject()) {
      return;
    }
    for (JsonNode required : rules.path("required")) {
      if (!value.has(required.asText())) {
        faults.add(at + ": lacks " + required.asText());
      }
    }
    for (Map.Entry<String, JsonNode> member : value.properties()) {
      JsonNode rule = rules.path("properties").path(member.getKey());
      if (!rule.isMissingNode()) {
        faults.addAll(faults(member.getValue(), rule, at + "/" + member.getKey()));
      } else if (rules.has("properties")) {
        faults.add(at + ": has " + member.getKey());
      }
    }
  }

  private static boolean contains(JsonNode values, JsonNode value) {
    for (JsonNode each : values) {
      if (each.equals(value)) {
        return true;
      }
    }
    return false;
  }

  private static boolean hasType(JsonNode value, JsonNode types) {
    if (types.isTextual()) {
      return isOf(value, types.asText());
    }
    for (JsonNode type : types) {
      if (isOf(value, type.asText())) {
        return true;
      }
    }
    return false;
  }

  private static boolean isOf(JsonNode value, String type) {
    return switch (type) {
      case "object" -> value.isObject();
      case "array" -> value.isArray();
      case "string" -> value.isTextual();
      case "integer" -> value.isIntegralNumber();
      case "boolean" -> value.isBoolean();
      case "null" -> value.isNull();
      default -> throw new AssertionError("no type " + type);
    };
  }

  /** The body of an answer that must be one of the call's documented ones. */
  JsonNode described(String path, String method, RawHttp.Answer answer) throws Exception {
    assertThat(answer.status()).as(answer.body()).isBetween(200, 299);
    return described(path, method, answer, answer.status());
  }

  /** The same of an answer with this status. */
  JsonNode described(String path, String method, RawHttp.Answer answer, int status)
      throws Exception {
    assertThat(answer.status()).as(answer.body()).isEqualTo(status);
    JsonNode responses = root.path("paths").path(path).path(method).path("responses");
    JsonNode response = resolve(responses.path(Integer.toString(status)));
    JsonNode content = response.path("content").path(answer.headers().get("content-type"));
    assertThat(content.isMissingNode()).as(path + " " + status).isFalse();
    assertThat(faults(answer.json(), content.path("schema"), "")).isEmpty();
    return answer.json();
  }
}
