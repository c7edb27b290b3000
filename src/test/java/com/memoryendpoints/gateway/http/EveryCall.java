package com.memoryendpoints.gateway.http;

import com.fasterxml.uuid.Generators;
import com.memoryendpoints.gateway.meter.Meters;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;

/** Every call that there is, with a word of the caller's in every place that takes one. */
final class EveryCall {
  private static final Batch BATCH = new Batch(new Problems(), new Meters().answers());
  static final List<Endpoint> ENDPOINTS =
      new Api(
              null,
              null,
              null,
              new PoolApi(null, null, BATCH),
              new AuditApi(null),
              null,
              null,
              BATCH,
              new AboutApi(null))
          .endpoints();

  /** In every text, or at the end of every id. */
  static final String TEXT = "canary";

  static final String HEX = "ca9a27ca9a27";
  static final String TRACE = "0af7651916cd43dd8448eb211c80319c";

  private static final String ID =
      Generators.timeBasedEpochGenerator().generate().toString().substring(0, 24) + HEX;

  private EveryCall() {}

  /** Makes each once, those that make something first; the status of each answer. */
  static List<Integer> send(LiveApi api, String token, boolean query) throws Exception {
    List<Endpoint> inOrder = new ArrayList<>(ENDPOINTS);
    inOrder.sort(Comparator.comparing(each -> "PUT POST GET DELETE".indexOf(each.method().name())));
    List<Integer> statuses = new ArrayList<>();
    for (Endpoint endpoint : inOrder) {
      statuses.add(send(api, endpoint, token, query));
    }
    return statuses;
  }

  private static int send(LiveApi api, Endpoint endpoint, String token, boolean query)
      throws Exception {
    List<String> headers =
        List.of(
            "Authorization: Bearer " + token,
            "Content-Type: application/json",
            "User-Agent: " + TEXT,
            "X-Other: " + TEXT,
            "traceparent: 00-" + TRACE + "-b7ad6b7169203331-01",
            "Idempotency-Key: " + ID);
    String path = endpoint.path().replace(":pool", TEXT + "-pool").replaceAll(":[a-z_]+", ID);
    String target = query ? path + "?" + query(endpoint) : path;
    try (RawHttp http = api.connect()) {
      return http.send(endpoint.method().name(), target, headers, body(endpoint)).answer().status();
    }
  }

  /** One call whose only member of a body, or of a query, is this one, as it is written here. */
  static RawHttp.Answer send(
      LiveApi api, Endpoint endpoint, String key, Member<?> member, String value, boolean query)
      throws Exception {
    String path = endpoint.path().replace(":pool", TEXT + "-pool").replaceAll(":[a-z_]+", ID);
    String object = "{\"" + member.name() + "\":" + value + "}";
    String body =
        query || endpoint.body() != Endpoint.Body.BATCH ? object : "{\"items\":[" + object + "]}";
    return query
        ? api.ask(endpoint.method().name(), path + "?" + member.name() + "=" + value, key, "")
        : api.ask(endpoint.method().name(), path, key, body);
  }

  private static String query(Endpoint endpoint) {
    return endpoint.query().members().stream()
        .map(member -> member.name() + "=" + value(member).replace("\"", "").replace(" ", "%20"))
        .collect(Collectors.joining("&", "", ""));
  }

  private static String body(Endpoint endpoint) {
    String object =
        endpoint.members().members().stream()
            .map(member -> "\"" + member.name() + "\":" + value(member))
            .collect(Collectors.joining(",", "{", "}"));
    return switch (endpoint.body()) {
      case NOTHING -> "";
      case STREAM -> "[\"" + TEXT + "-identifier\"]";
      case BATCH -> "{\"items\":[" + object + "]}";
      default -> object;
    };
  }

  private static String value(Member<?> member) {
    Form<?> form = member.form();
    if (form instanceof Form.Whole whole) {
      return Long.toString(Math.max(1, whole.min()));
    } else if (form instanceof Form.Flag) {
      return "true";
    } else if (form instanceof Form.Ids) {
      return "[\"" + ID + "\"]";
    } else if (form instanceof Form.Id || member.equals(Requests.KEY)) {
      return "\"" + ID + "\"";
    } else if (form instanceof Form.Match) {
      return "\"sha-256:" + HEX.repeat(5) + "0000\"";
    }
    return member.equals(Requests.DISPLAY_NAME) ? "\"Canary Bird\"" : "\"canarybird\"";
  }
}
