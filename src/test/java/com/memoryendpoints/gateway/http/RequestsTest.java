package com.memoryendpoints.gateway.http;

import static com.memoryendpoints.gateway.http.Samples.CLAIM;
import static com.memoryendpoints.gateway.http.Samples.COMMIT;
import static com.memoryendpoints.gateway.http.Samples.MEMORY;
import static com.memoryendpoints.gateway.http.Samples.RENEW;
import static com.memoryendpoints.gateway.http.Samples.assertFault;
import static com.memoryendpoints.gateway.http.Samples.body;
import static com.memoryendpoints.gateway.http.Samples.errors;
import static com.memoryendpoints.gateway.http.Samples.fields;
import static com.memoryendpoints.gateway.http.Samples.refused;
import static com.memoryendpoints.gateway.http.Samples.with;
import static com.memoryendpoints.gateway.http.Samples.without;
import static org.assertj.core.api.Assertions.assertThat;

import com.memoryendpoints.gateway.idempotency.IdempotencyKey;
import com.memoryendpoints.gateway.lease.Claim;
import com.memoryendpoints.gateway.lease.Renewal;
import com.memoryendpoints.gateway.lease.Revocation;
import com.memoryendpoints.gateway.name.Names;
import com.memoryendpoints.gateway.problem.Problem;
import com.memoryendpoints.gateway.problem.Refusal;
import com.memoryendpoints.gateway.tenant.Caller;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a body may say, member by member, and what is told about one that says anything else. */
class RequestsTest {
  private static final Caller CALLER = new Caller(new UUID(1, 2), "p");
  private static final IdempotencyKey KEY =
      IdempotencyKey.parse("019a2f4e-8a00-7b11-8c22-d3e4f5061728");

  @Test
  void aClaimSaysWhatItSays() {
    Claim claim =
        Requests.claim(
            Names.strict(), CALLER, KEY, fields(Requests.CLAIM, with(CLAIM, "ttl_seconds", "1")));
    assertThat(claim.name().display()).isEqualTo("My Agent");
    assertThat(claim.memoryId()).hasToString(MEMORY);
    assertThat(claim.owner().clientId()).isEqualTo("me");
    assertThat(claim.owner().caller()).isEqualTo(CALLER);
    assertThat(claim.ttlSeconds()).isEqualTo(1);
  }

  @Test
  void anAbsentTtlIsTheDefaultOfAClaimAndAbsentFromARenewal() {
    Claim claim =
        Requests.claim(
            Names.strict(), CALLER, KEY, fields(Requests.CLAIM, without(CLAIM, "ttl_seconds")));
    Renewal renewal = Requests.renewal(CALLER, fields(Requests.RENEW, body(RENEW)));
    assertThat(claim.ttlSeconds()).isEqualTo(30);
    assertThat(renewal.ttlSeconds()).isNull();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "0",
        "-1",
        "301",
        "1000000000",
        "4294967326",
        "18446744073709551658",
        "-18446744073709551586",
        "9223372036854775808",
        "99999999999999999999999999999999999999999999999999999999999999999999"
      })
  void aTtlOutOfRangeIsRefusedAndNeverClamped(String ttl) {
    assertFault(Requests.CLAIM, with(CLAIM, "ttl_seconds", ttl), "/ttl_seconds", "OUT_OF_RANGE");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"30.0", "1e2", "0.5", "\"30\"", "null", "true", "[30]", "{\"a\":30}", "3E1"})
  void aTtlThatIsNoIntegerIsOfTheWrongType(String ttl) {
    assertFault(Requests.CLAIM, with(CLAIM, "ttl_seconds", ttl), "/ttl_seconds", "WRONG_TYPE");
  }

  /** Of claims and renewals, of leases and holds, of one and of many, and of a pool's default. */
  @ParameterizedTest
  @CsvSource({
    "0, OUT_OF_RANGE",
    "-1, OUT_OF_RANGE",
    "301, OUT_OF_RANGE",
    "1000000000, OUT_OF_RANGE",
    "4294967326, OUT_OF_RANGE",
    "0.5, WRONG_TYPE",
    "30.0, WRONG_TYPE",
    "'\"30\"', WRONG_TYPE",
    "null, WRONG_TYPE"
  })
  void everyTtlOfEveryCallHasTheSameBounds(String ttl, String code) {
    int calls = 0;
    for (Endpoint endpoint : EveryCall.ENDPOINTS) {
      for (Member<?> member : endpoint.members().members()) {
        if (member.name().endsWith("ttl_seconds")) {
          String body = "{\"" + member.name() + "\":" + ttl + "}";
          assertThat(errors(refused(() -> fields(endpoint.members(), body).requireValid())))
              .extracting(error -> error.get("pointer") + " " + error.get("code"))
              .contains("/" + member.name() + " " + code);
          calls++;
        }
      }
    }
    assertThat(calls).isGreaterThanOrEqualTo(7);
  }

  @ParameterizedTest
  @CsvSource({
    "0, OUT_OF_RANGE",
    "9007199254740992, OUT_OF_RANGE",
    "-1, OUT_OF_RANGE",
    "1.0, WRONG_TYPE",
    "'\"1\"', WRONG_TYPE"
  })
  void aTokenIsAnIntegerFromOneThatJsonKeepsExact(String token, String code) {
    String body = with(RENEW, "fencing_token", token);
    assertFault(Requests.RENEW, body, "/fencing_token", code);
  }

  @Test
  void theLargestTokenIsExact() {
    Fields fields = fields(Requests.RENEW, with(RENEW, "fencing_token", "9007199254740991"));
    assertThat(Requests.renewal(CALLER, fields).token().value()).isEqualTo(9007199254740991L);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\"\"",
        "\"019a2f4e\"",
        "\"019a2f4e7c1b7d209f3a5b6c7d8e9f01\"",
        "\"+19a2f4e-7c1b-7d20-9f3a-5b6c7d8e9f01\"",
        "\"{019a2f4e-7c1b-7d20-9f3a-5b6c7d8e9f}\"",
        "\"19a2f4e-07c1b-7d20-9f3a-5b6c7d8e9f01\"",
        "\"019a2f4e-7c1b-7d20-9f3a-5b6c7d8e9f0g\"",
        "\"019a2f4e-7c1b-7d20-9f3a-5b6c7d8e9f01 \"",
        "\"\\u0660\\u0661\""
      })
  void anIdHasTheFormOfThirtySixCharacters(String id) {
    assertFault(
        Requests.CLAIM, with(CLAIM, "memory_instance_id", id), "/memory_instance_id", "BAD_FORMAT");
  }

  @Test
  void anIdInUpperCaseIsTheSameId() {
    String body = with(CLAIM, "memory_instance_id", "\"" + MEMORY.toUpperCase(Locale.ROOT) + "\"");
    assertThat(Requests.claim(Names.strict(), CALLER, KEY, fields(Requests.CLAIM, body)).memoryId())
        .hasToString(MEMORY);
  }

  @Test
  void anIdThatIsRegisteredIsVersionSevenAndAnIdThatIsLookedUpIsAny() {
    String four = "\"" + new UUID(0x1234_5678_9abc_4defL, 0x8123_4567_89ab_cdefL) + "\"";
    String wrongVariant = "\"019a2f4e-7c1b-7d20-1f3a-5b6c7d8e9f01\"";
    for (String id : List.of(four, wrongVariant)) {
      String body = "{\"memory_instance_id\":" + id + "}";
      assertFault(Requests.REGISTER, body, "/memory_instance_id", "BAD_FORMAT");
      fields(Requests.CLAIM, with(CLAIM, "memory_instance_id", id)).requireValid();
    }
  }

  @ParameterizedTest
  @CsvSource({
    "\\u0000, ILL_FORMED_TEXT", "a\\uD800b, ILL_FORMED_TEXT", "a\\uDFFFb, ILL_FORMED_TEXT",
    "\\uD800, ILL_FORMED_TEXT", "\\uDC00\\uD800, ILL_FORMED_TEXT", "a\\u0007, CONTROL_CHARACTER",
    "a\\u007f, CONTROL_CHARACTER", "a\\u0085, CONTROL_CHARACTER", "a\\nb, CONTROL_CHARACTER",
    "'', OUT_OF_RANGE"
  })
  void anOwnerIsWellFormedTextWithoutControlCharacters(String text, String code) {
    String body = with(CLAIM, "owner_client_id", "\"" + text + "\"");
    assertFault(Requests.CLAIM, body, "/owner_client_id", code);
  }

  @Test
  void anOwnerIsCountedInCodePoints() {
    String longest = "\"" + "\uD83D\uDE00".repeat(255) + "\"";
    fields(Requests.CLAIM, with(CLAIM, "owner_client_id", longest)).requireValid();
    String longer = "\"" + "a".repeat(256) + "\"";
    assertFault(
        Requests.CLAIM, with(CLAIM, "owner_client_id", longer), "/owner_client_id", "OUT_OF_RANGE");
  }

  @ParameterizedTest
  @ValueSource(strings = {"a\\uD800b", "a\\uDFFFb", "\\u0000"})
  void aNameThatIsNoTextIsAnInvalidRequestAndNotAnInvalidName(String name) {
    String body = with(CLAIM, "display_name", "\"" + name + "\"");
    assertFault(Requests.CLAIM, body, "/display_name", "ILL_FORMED_TEXT");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "my-agent", " a", "a\u00A0b"})
  void aNameThatIsTextButNoNameIsAnInvalidName(String name) {
    Fields fields = fields(Requests.CLAIM, with(CLAIM, "display_name", "\"" + name + "\""));
    Refusal refusal = refused(() -> Requests.claim(Names.strict(), CALLER, KEY, fields));
    assertThat(refusal.problem()).isEqualTo(Problem.INVALID_NAME);
  }

  @ParameterizedTest
  @ValueSource(strings = {"sha-256:AA", "sha256:", "SHA-256:", ""})
  void aDigestIsSha256InLowerCase(String prefix) {
    String digest = "\"" + prefix + "0a".repeat(31) + "0A\"";
    assertFault(
        Requests.COMMIT, with(COMMIT, "content_digest", digest), "/content_digest", "BAD_FORMAT");
  }

  @Test
  void anExpectedRevisionIsFromZero() {
    assertThat(Requests.commit(CALLER, null, fields(Requests.COMMIT, body(COMMIT))))
        .satisfies(commit -> assertThat(commit.expectedRevision()).isZero());
    assertFault(
        Requests.COMMIT,
        with(COMMIT, "expected_revision", "-1"),
        "/expected_revision",
        "OUT_OF_RANGE");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"reason\":\"r\"}",
        "{\"reason\":\"r\",\"canonical_name\":\"a\",\"memory_instance_id\":\"" + MEMORY + "\"}",
        "{\"reason\":\"r\",\"canonical_name\":3,\"memory_instance_id\":\"x\"}"
      })
  void aRevocationNamesExactlyOneThing(String body) {
    Refusal refusal = refused(() -> Requests.revocation(CALLER, fields(Requests.REVOKE, body)));
    assertThat(errors(refusal))
        .last()
        .extracting("pointer", "code")
        .containsExactly("", "NOT_EXACTLY_ONE");
  }

  @Test
  void aRevocationMayNameATokenToo() {
    String body =
        "{\"reason\":\"r\",\"memory_instance_id\":\"" + MEMORY + "\",\"fencing_token\":9}";
    Revocation revocation = Requests.revocation(CALLER, fields(Requests.REVOKE, body));
    assertThat(revocation.canonicalName()).isNull();
    assertThat(revocation.token()).isNotNull().extracting("value").isEqualTo(9L);
  }

  @Test
  void allFaultsAreToldAtOnceInOrder() {
    String body =
        "{\"zzz\":{\"a\":[1]},\"ttl_seconds\":0,"
            + "\"memory_instance_id\":true,\"display_name\":\"a\"}";
    assertThat(errors(refused(() -> fields(Requests.CLAIM, body).requireValid())))
        .extracting(error -> error.get("pointer") + " " + error.get("code"))
        .containsExactly(
            "/memory_instance_id WRONG_TYPE",
            "/owner_client_id REQUIRED",
            "/ttl_seconds OUT_OF_RANGE",
            "/zzz UNKNOWN");
  }

  @Test
  void whatIsToldIsBoundedAndEchoesNoText() {
    StringBuilder body = new StringBuilder("{\"<script>\":1");
    for (int i = 0; i < 1000; i++) {
      body.append(",\"n").append(i).append("\":\"secret\"");
    }
    var errors = errors(refused(() -> fields(Requests.CLAIM, body + "}").requireValid()));
    assertThat(errors).hasSize(Fields.FAULTS_MAX);
    assertThat(errors.toString()).doesNotContain("secret", "script");
  }

  @Test
  void nothingMayBeNull() {
    for (String member : CLAIM.keySet()) {
      assertFault(Requests.CLAIM, with(CLAIM, member, "null"), "/" + member, "WRONG_TYPE");
    }
  }
}
