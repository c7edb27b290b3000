package com.memoryendpoints.gateway.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.memoryendpoints.gateway.name.AgentName;
import com.memoryendpoints.gateway.name.Reason;
import com.memoryendpoints.gateway.pool.PoolCounts;
import com.memoryendpoints.gateway.problem.Problem;
import io.vertx.core.buffer.Buffer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** The document says what the code does, and the code does what the document says. */
class OpenApiTest {
  private static final OpenApi DOCUMENT = document();
  private static final List<Endpoint> ENDPOINTS = EveryCall.ENDPOINTS;

  /** The records that become JSON, and the schemas that describe them. */
  private static final Map<Class<? extends Record>, List<String>> ANSWERS =
      Map.ofEntries(
          Map.entry(Replies.Grant.class, List.of("GrantAnswer")),
          Map.entry(Replies.Renewal.class, List.of("RenewalAnswer")),
          Map.entry(Replies.Verification.class, List.of("VerificationAnswer")),
          Map.entry(Replies.LeaseState.class, List.of("LeaseStateAnswer")),
          Map.entry(Replies.Token.class, List.of("TokenAnswer")),
          Map.entry(Replies.Canonical.class, List.of("CanonicalAnswer")),
          Map.entry(Replies.MemoryIdentity.class, List.of("MemoryIdentityAnswer")),
          Map.entry(Replies.MemoryState.class, List.of("MemoryStateAnswer")),
          Map.entry(Replies.Head.class, List.of("HeadAnswer")),
          Map.entry(Replies.Commit.class, List.of("CommitAnswer")),
          Map.entry(Replies.Lineage.class, List.of("LineageAnswer")),
          Map.entry(
              Replies.Listing.class,
              List.of("LeaseListAnswer", "MemoryListAnswer", "PoolListAnswer", "AuditListAnswer")),
          Map.entry(Replies.PoolState.class, List.of("PoolStateAnswer")),
          Map.entry(PoolCounts.class, List.of("PoolCountsAnswer")),
          Map.entry(Replies.Load.class, List.of("LoadAnswer")),
          Map.entry(Replies.Holds.class, List.of("HoldsAnswer")),
          Map.entry(Replies.HoldGrant.class, List.of("HoldAnswer")),
          Map.entry(Replies.HoldRenewed.class, List.of("HoldRenewedAnswer")),
          Map.entry(Replies.HoldReleased.class, List.of("HoldReleasedAnswer")),
          Map.entry(Replies.HoldConsumed.class, List.of("HoldConsumedAnswer")),
          Map.entry(Replies.Redriven.class, List.of("RedrivenAnswer")),
          Map.entry(Replies.IdentifierState.class, List.of("IdentifierAnswer")),
          Map.entry(Replies.AuditItem.class, List.of("AuditEventAnswer")),
          Map.entry(Batch.Items.class, List.of("ItemsAnswer")),
          Map.entry(Batch.Item.class, List.of("ItemAnswer")),
          Map.entry(About.Version.class, List.of("VersionAnswer")));

  @Test
  void everyCallIsInTheDocumentAndTheReverse() {
    List<String> documented = new ArrayList<>();
    for (var path : DOCUMENT.root.path("paths").properties()) {
      path.getValue()
          .fieldNames()
          .forEachRemaining(method -> documented.add(method + " " + path.getKey()));
    }
    assertThat(documented)
        .containsExactlyInAnyOrderElementsOf(
            ENDPOINTS.stream().map(each -> method(each) + " " + path(each)).toList());
  }

  @TestFactory
  Stream<DynamicTest> everyCallIsDescribedAsItIs() {
    return ENDPOINTS.stream()
        .map(each -> DynamicTest.dynamicTest(each.label(), () -> assertDescribed(each)));
  }

  private static void assertDescribed(Endpoint endpoint) throws Exception {
    JsonNode operation = operation(endpoint);
    if (endpoint.scope() == null) {
      assertThat(operation.path("security")).isEmpty();
      assertThat(operation.has("security")).isTrue();
    } else {
      assertThat(operation.path("x-scope").asText()).isEqualTo(endpoint.scope().wire());
      assertThat(operation.path("responses").has("401")).isTrue();
    }
    Map<String, JsonNode> query = new TreeMap<>();
    String key = "IGNORED";
    for (JsonNode reference : operation.path("parameters")) {
      JsonNode parameter = DOCUMENT.resolve(reference);
      switch (parameter.path("in").asText()) {
        case "query" -> query.put(parameter.path("name").asText(), parameter.path("schema"));
        case "header" -> key = parameter.path("required").asBoolean() ? "REQUIRED" : "HONOURED";
        default -> assertThat(path(endpoint)).contains("{" + parameter.path("name").asText() + "}");
      }
    }
    assertThat(key).isEqualTo(endpoint.key().name());
    assertThat(query.keySet())
        .containsExactlyInAnyOrderElementsOf(
            endpoint.query().members().stream().map(Member::name).toList());
    for (Member<?> member : endpoint.query().members()) {
      assertSameBounds(member, query.get(member.name()));
    }
    assertBodyDescribed(endpoint, operation.path("requestBody"));
  }

  private static void assertBodyDescribed(Endpoint endpoint, JsonNode body) throws Exception {
    assertThat(body.isMissingNode()).isEqualTo(endpoint.body() == Endpoint.Body.NOTHING);
    if (body.isMissingNode()) {
      return;
    }
    JsonNode content = body.path("content").path("application/json");
    JsonNode example = content.path("example");
    assertThat(DOCUMENT.faults(example, content.path("schema"), "")).isEmpty();
    if (endpoint.body() == Endpoint.Body.STREAM) {
      assertThat(body.path("content").has("application/x-ndjson")).isTrue();
      return;
    }
    JsonNode schema = DOCUMENT.resolve(content.path("schema"));
    switch (endpoint.body()) {
      case BATCH -> assertShape(endpoint, items(schema));
      case OBJECT_OR_BATCH -> {
        assertShape(endpoint, DOCUMENT.resolve(schema.at("/oneOf/0")));
        assertShape(endpoint, items(DOCUMENT.resolve(schema.at("/oneOf/1"))));
      }
      default -> assertShape(endpoint, schema);
    }
    Payload.of(Buffer.buffer(example.toString()), endpoint.body(), endpoint.members())
        .items()
        .forEach(Fields::requireValid);
  }

  /** What the items of a batch are. */
  private static JsonNode items(JsonNode batch) {
    assertThat(names(batch)).containsExactly("items");
    assertThat(batch.at("/properties/items/minItems").asInt()).isEqualTo(1);
    assertThat(batch.at("/properties/items/maxItems").asInt()).isEqualTo(1000);
    return DOCUMENT.resolve(batch.at("/properties/items/items"));
  }

  private static void assertShape(Endpoint endpoint, JsonNode schema) {
    assertThat(schema.path("additionalProperties").asBoolean(true)).isFalse();
    assertThat(names(schema))
        .containsExactlyInAnyOrderElementsOf(
            endpoint.members().members().stream().map(Member::name).toList());
    assertThat(texts(schema.path("required")))
        .containsExactlyInAnyOrderElementsOf(required(endpoint));
    for (Member<?> member : endpoint.members().members()) {
      assertSameBounds(member, schema.path("properties").path(member.name()));
    }
  }

  /** A claim's item must have its key, though the problem of one without it is the key's. */
  private static List<String> required(Endpoint endpoint) {
    return endpoint.members().members().stream()
        .filter(each -> each.required() || claimsKey(endpoint, each))
        .map(Member::name)
        .toList();
  }

  private static boolean claimsKey(Endpoint endpoint, Member<?> member) {
    return Requests.CLAIM_ITEM.equals(endpoint.members()) && member.equals(Requests.KEY);
  }

  private static void assertSameBounds(Member<?> member, JsonNode reference) {
    JsonNode schema = DOCUMENT.resolve(reference);
    String described = schema.path("type").asText() + " ";
    if (member.form() instanceof Form.Whole whole) {
      described += schema.path("minimum").asLong() + ".." + schema.path("maximum").asLong();
      assertThat(described).isEqualTo("integer " + whole.min() + ".." + whole.max());
    } else if (member.form() instanceof Form.Text text && !text.equals(Form.Text.ANY)) {
      described += schema.path("minLength").asLong() + ".." + schema.path("maxLength").asLong();
      assertThat(described)
          .isEqualTo("string " + text.codePointsMin() + ".." + text.codePointsMax());
      assertThat(schema.path("pattern").asText()).contains("u0000-").contains("u007f-");
    } else if (member.equals(Requests.DISPLAY_NAME)) {
      described += schema.path("minLength").asLong() + ".." + schema.path("maxLength").asLong();
      assertThat(described).isEqualTo("string 1.." + AgentName.DISPLAY_CODE_POINTS_MAX);
    } else if (member.form() instanceof Form.Id id) {
      assertThat(described + schema.path("format").asText()).isEqualTo("string uuid");
      assertThat(schema.has("pattern")).isEqualTo(id.version7());
    } else if (member.equals(Requests.KEY)) {
      assertThat(described + schema.path("format").asText()).isEqualTo("string uuid");
    } else if (member.equals(Requests.DIGEST)) {
      assertThat(schema.path("pattern").asText()).isEqualTo("^" + Requests.DIGEST_PATTERN + "$");
    } else if (member.form() instanceof Form.Ids ids) {
      assertThat(described + schema.path("maxItems").asInt()).isEqualTo("array " + ids.max());
    } else if (member.form() instanceof Form.Flag) {
      assertThat(described).isEqualTo("boolean ");
    } else {
      assertThat(member).isIn(Paging.CURSOR, Paging.POOL_CURSOR, Paging.AUDIT_CURSOR);
      assertThat(described).isEqualTo("string ");
    }
  }

  @Test
  void everyAnswerHasTheMembersThatAreDescribed() {
    ANSWERS.forEach(
        (answer, schemas) ->
            schemas.forEach(
                schema ->
                    assertThat(names(DOCUMENT.schema(schema)))
                        .as(schema)
                        .containsExactlyElementsOf(components(answer))));
    List<String> described = new ArrayList<>();
    DOCUMENT.root.at("/components/schemas").fieldNames().forEachRemaining(described::add);
    assertThat(described.stream().filter(each -> each.endsWith("Answer")))
        .containsExactlyInAnyOrderElementsOf(
            ANSWERS.values().stream().flatMap(List::stream).toList());
  }

  @Test
  void everyReasonOfAnInvalidNameIsDescribed() {
    List<String> told = new ArrayList<>();
    DOCUMENT
        .schema("NameReason")
        .path("oneOf")
        .forEach(each -> told.add(each.path("const").asText()));
    assertThat(told)
        .containsExactlyElementsOf(Arrays.stream(Reason.values()).map(Reason::code).toList());
  }

  @Test
  void everyProblemIsInTheDocumentInItsOrderAndTheReverse() {
    List<String> told = new ArrayList<>();
    for (JsonNode each : DOCUMENT.schema("ProblemCode").path("oneOf")) {
      told.add(
          each.path("x-status").asInt()
              + " "
              + each.path("const").asText()
              + " "
              + each.path("title").asText()
              + " "
              + each.path("description").asText());
    }
    assertThat(told)
        .containsExactlyElementsOf(
            Stream.of(Problem.values())
                .map(each -> each.status() + " " + each + " " + each.title() + " " + each.advice())
                .toList());
  }

  @Test
  void everyFaultIsInTheDocumentAndTheReverse() {
    List<String> told = new ArrayList<>();
    for (JsonNode each : DOCUMENT.schema("FaultCode").path("oneOf")) {
      told.add(each.path("const").asText() + " " + each.path("description").asText());
    }
    assertThat(told)
        .containsExactlyElementsOf(
            Stream.of(Fault.values()).map(each -> each + " " + each.detail()).toList());
  }

  @TestFactory
  Stream<DynamicTest> everyExampleOfAnAnswerIsOne() {
    return DOCUMENT.root.at("/components/responses").properties().stream()
        .map(each -> DynamicTest.dynamicTest(each.getKey(), () -> assertExamples(each.getValue())));
  }

  private static void assertExamples(JsonNode response) {
    JsonNode problem = response.at("/content/application~1problem+json");
    for (var example : problem.path("examples").properties()) {
      JsonNode value = example.getValue().path("value");
      assertThat(DOCUMENT.faults(value, problem.path("schema"), "")).isEmpty();
      Problem meant = Problem.valueOf(example.getKey());
      assertThat(value.path("code").asText()).isEqualTo(meant.code());
      assertThat(value.path("status").asInt()).isEqualTo(meant.status());
      assertThat(value.path("type").asText()).endsWith("/problems/" + meant.slug());
      assertThat(value.path("title").asText()).isEqualTo(meant.title());
      assertThat(value.path("detail").asText()).isEqualTo(meant.advice());
    }
    JsonNode json = response.at("/content/application~1json");
    if (json.has("example")) {
      assertThat(DOCUMENT.faults(json.path("example"), json.path("schema"), "")).isEmpty();
    }
  }

  @Test
  void everyParameterHasAnExampleThatIsOne() {
    for (JsonNode parameter : DOCUMENT.root.at("/components/parameters")) {
      assertThat(DOCUMENT.faults(parameter.path("example"), parameter.path("schema"), ""))
          .isEmpty();
    }
    assertThat(Paging.after(DOCUMENT.root.at("/components/parameters/Cursor/example").asText()))
        .hasToString(DOCUMENT.root.at("/components/parameters/MemoryId/example").asText());
  }

  @Test
  void everyPartIsUsedAndEveryReferenceLeadsSomewhere() {
    String text = DOCUMENT.root.toString();
    DOCUMENT
        .root
        .findValues("$ref")
        .forEach(each -> assertThat(DOCUMENT.root.at(each.asText().substring(1))).isNotEmpty());
    for (String kind : List.of("schemas", "responses", "parameters", "headers")) {
      DOCUMENT
          .root
          .at("/components/" + kind)
          .fieldNames()
          .forEachRemaining(
              name -> assertThat(text).contains("\"#/components/" + kind + "/" + name + "\""));
    }
  }

  @Test
  void theServerIsWhereTheDocumentCameFrom() {
    assertThat(DOCUMENT.root.path("openapi").asText()).startsWith("3.1");
    assertThat(DOCUMENT.root.at("/servers/0/url").asText()).isEqualTo("/");
    assertThat(Pages.all().get("/openapi.yaml").plain().bytes().toString())
        .startsWith("openapi: 3.1");
  }

  private static JsonNode operation(Endpoint endpoint) {
    return DOCUMENT.root.path("paths").path(path(endpoint)).path(method(endpoint));
  }

  private static String method(Endpoint endpoint) {
    return endpoint.method().name().toLowerCase(Locale.ROOT);
  }

  private static String path(Endpoint endpoint) {
    return endpoint.path().replaceAll(":([a-z_]+)", "{$1}");
  }

  private static List<String> components(Class<? extends Record> answer) {
    var snake = (PropertyNamingStrategies.NamingBase) PropertyNamingStrategies.SNAKE_CASE;
    return Stream.of(answer.getRecordComponents())
        .map(RecordComponent::getName)
        .map(snake::translate)
        .toList();
  }

  private static List<String> names(JsonNode schema) {
    List<String> names = new ArrayList<>();
    schema.path("properties").fieldNames().forEachRemaining(names::add);
    return names;
  }

  private static List<String> texts(JsonNode array) {
    return StreamSupport.stream(array.spliterator(), false).map(JsonNode::asText).toList();
  }

  private static OpenApi document() {
    try {
      return new OpenApi();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
