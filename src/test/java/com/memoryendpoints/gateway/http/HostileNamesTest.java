package com.memoryendpoints.gateway.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.memoryendpoints.gateway.http.RawHttp.Answer;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Names that are meant to hurt, over the wire: refused at once, before the database, unspoken. */
class HostileNamesTest {
  /** There is no database: whatever got as far as one would be answered 503. */
  @RegisterExtension static final LiveApi API = LiveApi.without();

  /** In every name, so that an echo of it is seen. */
  private static final String MARKER = "Zqxj";

  /** Each takes milliseconds; this much a busy machine may add. */
  private static final Duration AT_MOST = Duration.ofSeconds(1);

  record Hostile(String what, String name, int status, String code) {
    @Override
    public String toString() {
      return what;
    }
  }

  static List<Hostile> names() {
    return List.of(
        name("a mark bomb", "e" + "\\u0301\\u0302\\u0303".repeat(15), "NAME_REPEATED_MARK"),
        name("marks of every kind", "e\\u0300\\u0301\\u0302\\u0303\\u0304", "NAME_TOO_MANY_MARKS"),
        name("a longer mark bomb", "\\u0f71\\u0f72\\u0f74".repeat(40), "NAME_TOO_LONG"),
        name("as many marks as fit", "\\u0301".repeat(2_500), "NAME_TOO_LONG"),
        tooLarge("ten thousand marks", "\u0301".repeat(10_000)),
        name("what decomposes to eighteen", "\\uFDFA".repeat(60), "NAME_COMPATIBILITY"),
        name("a lone high surrogate", "\\uD800", "ILL_FORMED_TEXT"),
        name("a lone low surrogate", "\\uDC00", "ILL_FORMED_TEXT"),
        name("swapped surrogates", "\\uDE00\\uD83D", "ILL_FORMED_TEXT"),
        name("a zero", "\\u0000", "ILL_FORMED_TEXT"),
        name("tags", "\uDB40\uDC41\uDB40\uDC7F", "NAME_INVISIBLE"),
        name("variation selectors", "\uFE0F", "NAME_INVISIBLE"),
        name("an override", "\u202Egpj", "NAME_INVISIBLE"),
        name("emoji", "\uD83D\uDE00\uD83D\uDC69\u200D\uD83D\uDCBB", "NAME_SYMBOL"),
        name("a noncharacter", "\uFFFF", "NAME_NONCHARACTER"),
        name("a line", "\\n{\\\"level\\\":\\\"error\\\"}", "NAME_CONTROL"),
        name("a statement", "'; DROP TABLE leases; --", "NAME_PUNCTUATION"),
        name("a directory", "/../../etc", "NAME_PUNCTUATION"),
        name(
            "the form of a minted name",
            "-018f2a6e-1b01-7abc-9def-00112233445g",
            "NAME_PUNCTUATION"),
        name("one character too many", "a".repeat(125), "NAME_TOO_LONG"),
        tooLarge("a megabyte of letters", "a".repeat(1_000_000)),
        tooLarge("a megabyte of ideographs", "\u4E00".repeat(350_000)),
        tooLarge("a megabyte of escapes", "\\u0301".repeat(170_000)));
  }

  private static Hostile name(String what, String name, String reason) {
    return new Hostile(what, MARKER + name, 422, reason);
  }

  private static Hostile tooLarge(String what, String name) {
    return new Hostile(what, MARKER + name, 413, "BODY_TOO_LARGE");
  }

  @ParameterizedTest
  @MethodSource("names")
  void aHostileNameIsRefusedAtOnceWhenItIsTried(Hostile hostile) throws Exception {
    String body = "{\"display_name\":\"" + hostile.name + "\"}";
    assertRefused(hostile, ask("/v1/names/canonicalize", body));
  }

  @ParameterizedTest
  @MethodSource("names")
  void aHostileNameIsRefusedAtOnceWhenItIsClaimed(Hostile hostile) throws Exception {
    assertRefused(hostile, ask("/v1/leases", claim(hostile.name)));
  }

  @Test
  void aBatchOfHostileNamesIsAnsweredOneByOneAtOnce() throws Exception {
    String name = MARKER + "e" + "\\u0301\\u0302".repeat(40);
    String item = claim(name).replaceFirst("\\{", "{\"idempotency_key\":\"" + key() + "\",");
    String items = "{\"items\":[" + (item + ",").repeat(999) + item + "]}";
    assertThat(items.length()).isLessThan(1 << 20);
    Answer answer = ask("/v1/leases/batch", items);
    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.json().path("items")).hasSize(1000);
    answer
        .json()
        .path("items")
        .forEach(each -> assertThat(each.path("status").asInt()).isEqualTo(422));
    assertUnspoken(answer);
  }

  private static void assertRefused(Hostile hostile, Answer answer) throws Exception {
    assertThat(answer.status()).as(answer.body()).isEqualTo(hostile.status);
    assertThat(List.of("/code", "/reason", "/errors/0/code"))
        .extracting(at -> answer.json().at(at).asText())
        .contains(hostile.code);
    assertUnspoken(answer);
  }

  /** No part of a name is in the answer. */
  private static void assertUnspoken(Answer answer) {
    assertThat(answer.body()).doesNotContainIgnoringCase(MARKER);
    assertThat(answer.body().chars()).allMatch(c -> c >= ' ' && c < 0x7F);
    assertThat(answer.headers().toString()).doesNotContainIgnoringCase(MARKER);
  }

  private static String claim(String name) {
    return Samples.with(Samples.CLAIM, "display_name", "\"" + name + "\"");
  }

  private static String key() {
    return "019a2f4e-7c1b-7d20-9f3a-5b6c7d8e9f02";
  }

  private static Answer ask(String target, String body) throws Exception {
    List<String> headers =
        List.of(
            "Authorization: Bearer " + LiveApi.TOKEN,
            "Content-Type: application/json",
            "Idempotency-Key: " + key());
    long start = System.nanoTime();
    try (RawHttp http = API.connect()) {
      Answer answer = http.send("POST", target, headers, body).answer();
      assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(AT_MOST);
      return answer;
    }
  }
}
