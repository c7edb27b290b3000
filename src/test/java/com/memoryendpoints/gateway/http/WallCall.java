package com.memoryendpoints.gateway.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * One form of one documented call that needs a token, made from the OpenAPI document alone. A call
 * that takes something which is neither an id nor one of the constants here has no recipe, and
 * fails.
 *
 * @param body names of its members; null where it has none
 * @param batch whether they stand in an item
 */
record WallCall(
    String method, String path, List<String> parameters, List<String> body, boolean batch) {
  private static final JsonMapper JSON = new JsonMapper();

  /** What names something, or somebody. */
  static final Set<String> IDS = WallWorld.malformed().keySet();

  /** What names nothing. */
  private static final Map<String, Object> CONSTANTS =
      Map.ofEntries(
          Map.entry("ttl_seconds", 300),
          Map.entry("content_digest", Samples.DIGEST),
          Map.entry("expected_revision", 0),
          Map.entry("reason", "why"),
          Map.entry("reference", "order"),
          Map.entry("delay_seconds", 0),
          Map.entry("count", 1),
          Map.entry("limit", 10),
          Map.entry("drain", true),
          Map.entry("default_ttl_seconds", 30),
          Map.entry("max_attempts", 5),
          Map.entry("reclaim_grace_ms", 0));

  /** Every form of every call. */
  static List<WallCall> all(OpenApi document) {
    List<WallCall> all = new ArrayList<>();
    for (Map.Entry<String, JsonNode> path : document.root.path("paths").properties()) {
      for (Map.Entry<String, JsonNode> operation : path.getValue().properties()) {
        JsonNode call = operation.getValue();
        if (!operation.getKey().equals("parameters") && !call.has("security")) {
          List<String> parameters = new ArrayList<>();
          for (JsonNode each : path.getValue().path("parameters")) {
            parameters.add(parameter(document.resolve(each)));
          }
          for (JsonNode each : call.path("parameters")) {
            parameters.add(parameter(document.resolve(each)));
          }
          String method = operation.getKey().toUpperCase(Locale.ROOT);
          all.addAll(forms(document, method, path.getKey(), parameters, call));
        }
      }
    }
    return all;
  }

  private static String parameter(JsonNode parameter) {
    return parameter.path("in").asText() + ":" + parameter.path("name").asText();
  }

  private static List<WallCall> forms(
      OpenApi document, String method, String path, List<String> parameters, JsonNode call) {
    if (!call.has("requestBody")) {
      return List.of(new WallCall(method, path, parameters, null, false));
    }
    JsonNode content = document.resolve(call.path("requestBody")).path("content");
    JsonNode schema = document.resolve(content.path("application/json").path("schema"));
    List<WallCall> forms = new ArrayList<>();
    List<JsonNode> alternatives = new ArrayList<>();
    schema.path("oneOf").forEach(alternatives::add);
    if (alternatives.isEmpty() || schema.has("properties")) {
      alternatives = List.of(schema);
    }
    for (JsonNode alternative : alternatives) {
      JsonNode object = document.resolve(alternative);
      boolean batch = object.path("properties").has("items");
      JsonNode item = batch ? document.resolve(object.at("/properties/items/items")) : object;
      for (List<String> members : members(item)) {
        forms.add(new WallCall(method, path, parameters, members, batch));
      }
    }
    return forms;
  }

  /** The members of an object; several times where it takes one of several. */
  private static List<List<String>> members(JsonNode object) {
    List<String> names =
        object.path("properties").properties().stream().map(Map.Entry::getKey).toList();
    List<String> exclusive = new ArrayList<>();
    object.path("oneOf").forEach(each -> exclusive.add(each.at("/required/0").asText()));
    return exclusive.isEmpty()
        ? List.of(names)
        : exclusive.stream()
            .map(
                one ->
                    names.stream()
                        .filter(name -> name.equals(one) || !exclusive.contains(name))
                        .toList())
            .toList();
  }

  /** The ids that it takes. */
  Set<String> ids() {
    Set<String> ids = new TreeSet<>();
    Stream.concat(
            parameters.stream().map(WallCall::name), body == null ? Stream.of() : body.stream())
        .forEach(
            name -> {
              if (IDS.contains(name)) {
                ids.add(name);
              } else if (!CONSTANTS.containsKey(name)) {
                throw new AssertionError(this + ": nothing is known of " + name);
              }
            });
    return ids;
  }

  /** The call with these ids, by the tenant of a world. */
  RawHttp.Answer send(WallWorld world, Map<String, Object> ids) throws Exception {
    String target = path;
    String key = null;
    List<String> query = new ArrayList<>();
    for (String parameter : parameters) {
      String name = name(parameter);
      String value = String.valueOf(value(name, ids));
      switch (parameter.substring(0, parameter.indexOf(':'))) {
        case "path" -> target = target.replace("{" + name + "}", value);
        case "query" -> query.add(name + "=" + value);
        default -> key = value;
      }
    }
    String whole = query.isEmpty() ? target : target + "?" + String.join("&", query);
    return world.send(method, whole, key, text(ids));
  }

  private String text(Map<String, Object> ids) throws Exception {
    if (body == null) {
      return "";
    }
    if (body.isEmpty()) {
      return "[\"one\",\"two\"]"; // Of identifiers to load.
    }
    Map<String, Object> members = new LinkedHashMap<>();
    body.forEach(name -> members.put(name, value(name, ids)));
    return JSON.writeValueAsString(batch ? Map.of("items", List.of(members)) : members);
  }

  private static Object value(String name, Map<String, Object> ids) {
    return ids.containsKey(name) ? ids.get(name) : CONSTANTS.get(name);
  }

  private static String name(String parameter) {
    return parameter.substring(parameter.indexOf(':') + 1);
  }

  @Override
  public String toString() {
    return method + " " + path + (body == null ? "" : " " + body) + (batch ? " in a batch" : "");
  }
}
