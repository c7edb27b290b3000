package com.memoryendpoints.gateway.http;

import static com.memoryendpoints.gateway.http.Samples.CLAIM;
import static com.memoryendpoints.gateway.http.Samples.MEMORY;
import static com.memoryendpoints.gateway.http.Samples.body;
import static com.memoryendpoints.gateway.http.Samples.with;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.memoryendpoints.gateway.http.RawHttp.Answer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the API answers without asking the database, in the order of precedence of the problems. */
@Timeout(60)
class ApiTest {
  @RegisterExtension static final LiveApi API = LiveApi.without();

  private static final String JSON = "Content-Type: application/json";
  private static final String TOKEN = "Authorization: Bearer " + LiveApi.TOKEN;
  private static final String KEY = "Idempotency-Key: 019a2f4e-8a00-7b11-8c22-d3e4f5061728";
  private static final List<String> ALL = List.of(TOKEN, KEY, JSON);

  @ParameterizedTest
  @ValueSource(strings = {"/nowhere", "/v1", "/v1/lease", "/v1/leases/" + MEMORY + "/x", "/docs/x"})
  void whereNothingIsIsAProblem(String path) throws Exception {
    Answer answer = ask("GET", path, List.of(), "");
    assertThat(answer.status()).isEqualTo(404);
    assertThat(answer.code()).isEqualTo("NO_SUCH_ROUTE");
  }

  @ParameterizedTest
  @CsvSource({
    "DELETE, /v1/leases, 'GET, HEAD, POST'",
    "GET, /v1/leases/renew, POST",
    "PATCH, /v1/leases/019a2f4e-7c1b-7d20-9f3a-5b6c7d8e9f01, 'GET, HEAD'",
    "POST, /version, 'GET, HEAD'",
    "OPTIONS, /v1/memories, 'GET, HEAD, POST'",
    "BREW, /v1/memories/commit, POST"
  })
  void aMethodThatIsNotThereNamesThoseThatAre(String method, String path, String allow)
      throws Exception {
    Answer answer = ask(method, path, List.of(), "");
    assertThat(answer.status()).isEqualTo(405);
    assertThat(answer.headers()).containsEntry("allow", allow);
    assertThat(answer.code()).isEqualTo("METHOD_NOT_ALLOWED");
  }

  @Test
  void aProblemHasItsMembersAndNeverTheSameInstance() throws Exception {
    Answer one = ask("POST", "/v1/leases", List.of(), "");
    Answer other = ask("POST", "/v1/leases", List.of(), "");
    JsonNode problem = one.json();
    assertThat(problem.fieldNames())
        .toIterable()
        .containsExactly("type", "title", "status", "detail", "instance", "code");
    assertThat(problem.path("type").asText())
        .isEqualTo("https://memoryendpoints.com/problems/unauthenticated");
    assertThat(problem.path("status").asInt()).isEqualTo(401);
    assertThat(problem.path("instance").asText()).matches("urn:uuid:[0-9a-f-]{36}");
    assertThat(problem.path("instance")).isNotEqualTo(other.json().path("instance"));
    assertThat(one.headers())
        .containsEntry("content-type", "application/problem+json")
        .containsEntry("cache-control", "no-store")
        .containsEntry("www-authenticate", "Bearer realm=\"leases\"");
  }

  @Test
  void aWrongTokenIsInvalidAndAMissingScopeIsNamed() throws Exception {
    Answer wrong = ask("POST", "/v1/leases", List.of("Authorization: Bearer x"), "");
    assertThat(wrong.headers())
        .containsEntry("www-authenticate", "Bearer realm=\"leases\", error=\"invalid_token\"");
    Answer narrow =
        ask("GET", "/v1/memories", List.of("Authorization: bearer " + LiveApi.READER), "");
    assertThat(narrow.status()).isEqualTo(403);
    assertThat(narrow.headers())
        .containsEntry(
            "www-authenticate",
            "Bearer realm=\"leases\", error=\"insufficient_scope\", scope=\"memories\"");
  }

  @Test
  void theFirstProblemThatAppliesIsTheAnswer() throws Exception {
    String bad = "{\"ttl_seconds\":0,\"display_name\":\"-\"}";
    List<String> headers = new ArrayList<>(List.of("Content-Type: text/plain"));
    assertThat(ask("POST", "/v1/leases", headers, "{").code()).isEqualTo("UNAUTHENTICATED");
    headers.add("Authorization: Bearer " + LiveApi.READER);
    assertThat(ask("POST", "/v1/leases", headers, "{").code()).isEqualTo("INSUFFICIENT_SCOPE");
    headers.set(1, TOKEN);
    assertThat(ask("POST", "/v1/leases", headers, "{").code()).isEqualTo("IDEMPOTENCY_KEY_MISSING");
    headers.add("Idempotency-Key: 1");
    assertThat(ask("POST", "/v1/leases", headers, "{").code()).isEqualTo("IDEMPOTENCY_KEY_INVALID");
    headers.set(2, KEY);
    assertThat(ask("POST", "/v1/leases", headers, " ".repeat(16385)).code())
        .isEqualTo("BODY_TOO_LARGE");
    assertThat(ask("POST", "/v1/leases", headers, "{").code()).isEqualTo("UNSUPPORTED_MEDIA_TYPE");
    headers.set(0, JSON);
    assertThat(ask("POST", "/v1/leases?x=1", headers, "{").code()).isEqualTo("MALFORMED_BODY");
    assertThat(ask("POST", "/v1/leases?x=1", headers, body(CLAIM)).code())
        .isEqualTo("INVALID_REQUEST");
    assertThat(ask("POST", "/v1/leases", headers, bad).code()).isEqualTo("INVALID_REQUEST");
    String nameless = with(CLAIM, "display_name", "\"-\"");
    assertThat(ask("POST", "/v1/leases", headers, nameless).code()).isEqualTo("INVALID_NAME");
    Answer answer = ask("POST", "/v1/leases", headers, body(CLAIM));
    assertThat(answer.code()).isEqualTo("UNAVAILABLE");
    assertThat(answer.headers().get("retry-after")).matches("[1-9][0-9]*");
    assertThat(answer.json().path("retry_after_ms").asLong()).isPositive();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "019a2f4e-8a00-7b11-8c22-d3e4f5061728, 019a2f4e-8a00-7b11-8c22-d3e4f5061728",
        "019a2f4e-8a00-7b11-8c22-d3e4f5061728\r\n" + KEY,
        "a\uD800b",
        ""
      })
  void aKeyIsOneUuidOrNone(String key) throws Exception {
    List<String> headers = List.of(TOKEN, JSON, "Idempotency-Key: " + key);
    assertThat(ask("POST", "/v1/leases", headers, body(CLAIM)).code())
        .isEqualTo("IDEMPOTENCY_KEY_INVALID");
    assertThat(ask("POST", "/v1/memories", headers, "{}").code())
        .isEqualTo("IDEMPOTENCY_KEY_INVALID");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "application/json",
        "Application/JSON",
        "application/json; charset=utf-8",
        "application/json;charset=\"UTF-8\"; x=y"
      })
  void jsonIsRead(String type) throws Exception {
    Answer answer = canonicalize("Content-Type: " + type);
    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.body()).isEqualTo("{\"canonical_name\":\"myagent\"}");
    assertThat(answer.headers())
        .containsEntry("content-type", "application/json")
        .containsEntry("cache-control", "no-store");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "X-None: here",
        "Content-Type: text/json",
        "Content-Type: application/json; charset=latin1",
        "Content-Type: application/jsonp",
        "Content-Type: application/json\r\nContent-Type: application/json",
        "Content-Type: application/json\r\nContent-Encoding: gzip",
        "Content-Type: application/json\r\nContent-Encoding: identity"
      })
  void nothingButJsonIsRead(String header) throws Exception {
    Answer answer = canonicalize(header);
    assertThat(answer.status()).isEqualTo(415);
    assertThat(answer.headers()).containsEntry("accept", "application/json");
  }

  @Test
  void noBodyIsMalformedAndNotOfAnotherType() throws Exception {
    for (List<String> headers : List.of(List.of(TOKEN), List.of(TOKEN, "Content-Length: 0"))) {
      assertThat(ask("POST", "/v1/names/canonicalize", headers, "").code())
          .isEqualTo("MALFORMED_BODY");
    }
  }

  @Test
  void anUnannouncedBodyIsReadUpToItsLimit() throws Exception {
    try (RawHttp http = API.connect()) {
      String head = "POST /v1/names/canonicalize HTTP/1.1\r\nHost: h\r\n" + TOKEN + "\r\n" + JSON;
      http.send(head + "\r\nTransfer-Encoding: chunked\r\n\r\n4001\r\n" + " ".repeat(0x4001));
      assertThat(http.answer().code()).isEqualTo("BODY_TOO_LARGE");
      assertThat(http.ends()).isTrue();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"/version", "/", "/openapi.json", "/openapi.yaml"})
  void whatThereIsToKnowIsToldToEverybodyAndToHead(String path) throws Exception {
    Answer get = ask("GET", path, List.of(), "");
    assertThat(get.status()).isEqualTo(200);
    assertThat(get.body()).isNotBlank();
    try (RawHttp http = API.connect()) {
      http.send("HEAD", path, List.of(), "");
      Answer head = http.answer(false);
      assertThat(head.status()).isEqualTo(200);
      assertThat(head.headers().get("content-length"))
          .isEqualTo(get.headers().get("content-length"));
      assertThat(http.send("HEAD", "/v1/leases", List.of(), "").answer(false).status())
          .isEqualTo(401);
      assertThat(http.send("GET", path, List.of(), "").answer().body()).isEqualTo(get.body());
    }
  }

  @ParameterizedTest
  @CsvSource({
    "/v1/leases?limit=0, /limit, OUT_OF_RANGE",
    "/v1/leases?limit=1001, /limit, OUT_OF_RANGE",
    "/v1/leases?limit=18446744073709551617, /limit, OUT_OF_RANGE",
    "/v1/leases?limit=1.0, /limit, WRONG_TYPE",
    "/v1/leases?limit=%2B5, /limit, WRONG_TYPE",
    "/v1/leases?limit=, /limit, WRONG_TYPE",
    "/v1/leases?limit=5&limit=5, /limit, REPEATED",
    "/v1/leases?cursor=x, /cursor, BAD_FORMAT",
    "/v1/leases?owner_client_id=, /owner_client_id, OUT_OF_RANGE",
    "/v1/leases?owner_client_id=%00, /owner_client_id, ILL_FORMED_TEXT",
    "/v1/leases?owner=me, /owner, UNKNOWN",
    "/v1/memories?owner_client_id=me, /owner_client_id, UNKNOWN",
    "/v1/leases?limit=%zz, '', BAD_FORMAT",
    "/v1/memories/019a2f4e-7c1b-7d20-9f3a-5b6c7d8e9f01?x, /x, UNKNOWN",
    "/version?x=1, /x, UNKNOWN"
  })
  void anUnknownOrBadParameterIsRefused(String target, String pointer, String code)
      throws Exception {
    Answer answer = ask("GET", target, List.of(TOKEN), "");
    assertThat(answer.code()).isEqualTo("INVALID_REQUEST");
    assertThat(answer.json().at("/errors/0/pointer").asText()).isEqualTo(pointer);
    assertThat(answer.json().at("/errors/0/code").asText()).isEqualTo(code);
  }

  @ParameterizedTest
  @CsvSource({
    "/v1/leases/x, LEASE_NOT_FOUND",
    "/v1/leases/%00, LEASE_NOT_FOUND",
    "/v1/leases/019a2f4e7c1b7d209f3a5b6c7d8e9f01, LEASE_NOT_FOUND",
    "/v1/memories/x, MEMORY_NOT_FOUND",
    "/v1/memories/x/lineage, MEMORY_NOT_FOUND"
  })
  void aMalformedIdNamesNothing(String path, String code) throws Exception {
    Answer answer = ask("GET", path, List.of(TOKEN), "");
    assertThat(answer.status()).isEqualTo(404);
    assertThat(answer.code()).isEqualTo(code);
    assertThat(ask("GET", path, List.of(), "").status()).isEqualTo(401);
  }

  @Test
  void aTraceIsNamedInAProblemWhenItIsValid() throws Exception {
    String trace = "4bf92f3577b34da6a3ce929d0e0e4736";
    String valid = "traceparent: 00-" + trace + "-00f067aa0ba902b7-01";
    assertThat(ask("GET", "/x", List.of(valid), "").json().path("trace_id").asText())
        .isEqualTo(trace);
    for (String other :
        List.of(
            "ff-" + trace + "-00f067aa0ba902b7-01",
            "00-" + "0".repeat(32) + "-00f067aa0ba902b7-01",
            "00-" + trace + "-00f067aa0ba902b7-01-x",
            "00-x",
            "")) {
      assertThat(ask("GET", "/x", List.of("traceparent: " + other), "").json().has("trace_id"))
          .isFalse();
    }
  }

  @Test
  void anExpectationIsMetOnceTheCallerIsKnown() throws Exception {
    String head =
        "POST /v1/names/canonicalize HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\n" + JSON;
    String body = "{\"display_name\":\"a\"}";
    try (RawHttp http = API.connect()) {
      http.send(head + "\r\n" + TOKEN + "\r\nContent-Length: " + body.length() + "\r\n\r\n");
      assertThat(http.answer(false).status()).isEqualTo(100);
      assertThat(http.send(body).answer().status()).isEqualTo(200);
    }
    try (RawHttp http = API.connect()) {
      http.send(head + "\r\nContent-Length: " + body.length() + "\r\n\r\n");
      assertThat(http.answer().status()).isEqualTo(401);
      assertThat(http.ends()).isTrue();
    }
  }

  @Test
  void aConnectionSurvivesARefusalBeforeAShortBody() throws Exception {
    try (RawHttp http = API.connect()) {
      for (int i = 0; i < 3; i++) {
        http.send("POST", "/v1/leases", List.of(JSON), body(CLAIM));
        assertThat(http.answer().status()).isEqualTo(401);
        http.send("POST", "/v1/names/canonicalize", ALL, "{\"display_name\":\"a\"}");
        assertThat(http.answer().status()).isEqualTo(200);
      }
    }
  }

  @Test
  void aBatchAnswersEveryItemInItsPlace() throws Exception {
    String item = with(CLAIM, "idempotency_key", "\"019a2f4e-8a00-7b11-8c22-d3e4f5061729\"");
    String unnamed = item.replace("My Agent", "-");
    String keyless = body(CLAIM);
    String wrongKey = with(CLAIM, "idempotency_key", "7");
    String items = String.join(",", keyless, wrongKey, unnamed, "{}", item, item);
    Answer answer =
        ask("POST", "/v1/leases/batch", List.of(TOKEN, JSON), "{\"items\":[" + items + "]}");
    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.json().path("items"))
        .extracting(each -> each.path("status").asInt() + " " + each.at("/problem/code").asText())
        .containsExactly(
            "400 IDEMPOTENCY_KEY_MISSING",
            "400 IDEMPOTENCY_KEY_INVALID",
            "422 INVALID_NAME",
            "400 IDEMPOTENCY_KEY_MISSING",
            "503 UNAVAILABLE",
            "409 REQUEST_IN_PROGRESS");
    assertThat(answer.json().at("/items/4/problem/retry_after_ms").asLong()).isPositive();
  }

  private static Answer canonicalize(String header) throws Exception {
    return ask(
        "POST",
        "/v1/names/canonicalize",
        List.of(TOKEN, header),
        "{\"display_name\":\"My Agent\"}");
  }

  private static Answer ask(String method, String target, List<String> headers, String body)
      throws Exception {
    try (RawHttp http = API.connect()) {
      return http.send(method, target, headers, body).answer();
    }
  }
}
