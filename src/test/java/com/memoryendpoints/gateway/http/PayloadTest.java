package com.memoryendpoints.gateway.http;

import static com.memoryendpoints.gateway.http.Samples.CLAIM;
import static com.memoryendpoints.gateway.http.Samples.MEMORY;
import static com.memoryendpoints.gateway.http.Samples.body;
import static com.memoryendpoints.gateway.http.Samples.errors;
import static com.memoryendpoints.gateway.http.Samples.fields;
import static com.memoryendpoints.gateway.http.Samples.refused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import com.memoryendpoints.gateway.problem.Problem;
import com.memoryendpoints.gateway.problem.Refusal;
import io.vertx.core.buffer.Buffer;
import java.util.HexFormat;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a body must be before anybody asks what it says. */
class PayloadTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "[]",
        "\"a\"",
        "1",
        "null",
        "{",
        "{\"a\":1",
        "{\"a\":1}}",
        "{}{}",
        "{} x",
        "{\"a\":1,}",
        "{'a':1}",
        "{a:1}",
        "{\"a\":01}",
        "{\"a\":+1}",
        "{\"a\":NaN}",
        "{\"a\":\"\t\"}",
        "{\"a\":1 /*c*/}",
        "{\"a\":1,\"a\":1}",
        "{\"a\":{\"b\":1,\"b\":2}}",
        "{\"a\":[[[[[[[[1]]]]]]]]}",
        "\uFEFF{}",
        "{\"a\":\"\\x\"}",
        "{\"a\":\"\\uD80\"}"
      })
  void whatIsNotOneStrictObjectIsMalformed(String body) {
    assertThat(refused(() -> fields(Requests.CLAIM, body)).problem())
        .isEqualTo(Problem.MALFORMED_BODY);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"EDA080", "C080", "C1BF", "E08080", "F4908080", "F8888080", "80", "C3", "FF"})
  void bytesThatAreNotUtf8AreMalformed(String hex) {
    Buffer body =
        Buffer.buffer("{\"owner_client_id\":\"")
            .appendBytes(HexFormat.of().parseHex(hex))
            .appendString("\"}");
    assertThat(refused(() -> Payload.of(body, Endpoint.Body.OBJECT, Requests.CLAIM)).problem())
        .isEqualTo(Problem.MALFORMED_BODY);
  }

  @Test
  void malformedGoesBeforeInvalid() {
    assertThat(refused(() -> fields(Requests.CLAIM, "{\"x\":1} y")).problem())
        .isEqualTo(Problem.MALFORMED_BODY);
  }

  @Test
  void aNumberOfAHundredThousandDigitsIsOnlyOutOfRange() {
    String body = "{\"items\":[{\"fencing_token\":" + "9".repeat(100_000) + "}]}";
    Payload batch = Payload.of(Buffer.buffer(body), Endpoint.Body.BATCH, Requests.VERIFY);
    assertThat(errors(refused(() -> batch.items().get(0).requireValid())))
        .extracting("pointer")
        .contains("/items/0/fencing_token");
  }

  @Test
  void anItemsFaultIsTheItemsOwn() {
    String body = "{\"items\":[{\"display_name\":\"a\"},7," + body(CLAIM) + "]}";
    List<Fields> items =
        Payload.of(Buffer.buffer(body), Endpoint.Body.BATCH, Requests.CLAIM_ITEM).items();
    assertThat(errors(refused(items.get(0)::requireValid)))
        .extracting("pointer")
        .containsExactly("/items/0/memory_instance_id", "/items/0/owner_client_id");
    assertThat(errors(refused(items.get(1)::requireValid)))
        .extracting("pointer", "code")
        .containsExactly(tuple("/items/1", "WRONG_TYPE"));
    items.get(2).requireValid();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{}|/items REQUIRED",
        "{\"items\":7}|/items WRONG_TYPE",
        "{\"items\":[]}|/items OUT_OF_RANGE",
        "{\"items\":[{}],\"x\":1}|/x UNKNOWN",
        "{\"items\":null}|/items WRONG_TYPE"
      })
  void aFaultOfTheEnvelopeFailsTheCall(String body, String fault) {
    Refusal refusal =
        refused(() -> Payload.of(Buffer.buffer(body), Endpoint.Body.BATCH, Requests.VERIFY));
    assertThat(errors(refusal))
        .extracting(error -> error.get("pointer") + " " + error.get("code"))
        .containsExactly(fault);
  }

  @Test
  void aBatchHasAtMostAThousandItems() {
    String thousand = "{\"items\":[" + "{},".repeat(999) + "{}]}";
    assertThat(Payload.of(Buffer.buffer(thousand), Endpoint.Body.BATCH, Requests.VERIFY).items())
        .hasSize(1000);
    String more = "{\"items\":[" + "{},".repeat(1000) + "{}]}";
    Refusal refusal =
        refused(() -> Payload.of(Buffer.buffer(more), Endpoint.Body.BATCH, Requests.VERIFY));
    assertThat(errors(refusal)).extracting("code").containsExactly("OUT_OF_RANGE");
  }

  @Test
  void aCursorIsTheMemoryIdAndNothingElseIsACursor() {
    UUID id = UUID.fromString(MEMORY);
    assertThat(Paging.after(Paging.cursor(id))).isEqualTo(id);
    for (String none : List.of("", "x", "AAAA", "!!!!", Paging.cursor(id) + "AA")) {
      assertThat(Paging.after(none)).isNull();
    }
  }
}
