package com.memoryendpoints.gateway.name;

import static org.assertj.core.api.Assertions.assertThat;

import com.ibm.icu.lang.UCharacter;
import com.ibm.icu.text.UnicodeSet;
import com.memoryendpoints.gateway.name.NameLaws.Outcome;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import rocks.xmpp.precis.PrecisProfiles;

/**
 * The pipeline against another implementation of RFC 8265, its profile UsernameCaseMapped on the
 * words joined: what the pipeline accepts, that one accepts too, as the same name; and what that
 * one accepts, the pipeline refuses only for a rule that RFC 8265 does not have. Left out is what
 * that one does not do by the RFC, or by another Unicode.
 */
class PrecisTest {
  /** What the RFC leaves to others: what the founding document and UTS 39 add to it. */
  private static final Set<Object> OURS_ALONE =
      Set.of(
          Reason.TOO_LONG.code(),
          Reason.EDGE_SPACE.code(),
          Reason.LEADING_MARK.code(),
          Reason.PUNCTUATION.code(),
          Reason.SYMBOL.code(),
          Reason.MIXED_DIGITS.code(),
          Reason.RESTRICTED_CHARACTER.code(),
          Reason.REPEATED_MARK.code(),
          Reason.TOO_MANY_MARKS.code(),
          Reason.MIXED_SCRIPT.code(),
          Reason.HIDDEN_MARK.code());

  /** Of variation selectors it accepts U+E0100 to U+E01EF, though 9.13 disallows the ignorable. */
  private static final UnicodeSet SELECTORS = new UnicodeSet(0xE0100, 0xE01EF).freeze();

  private static final int TEXTS = 20_000;
  private static final Names NAMES = Names.strict();

  @Test
  void bothAgreeOnEveryCharacter() {
    int[] characters = IntStream.range(0, 0x110000).filter(UCharacter::isDefined).toArray();
    assertThat(differing(characters.length, n -> Character.toString(characters[n]))).isEmpty();
  }

  @Test
  void bothAgreeOnRandomTexts() {
    long seed = Long.getLong("names.seed", new Random().nextLong());
    System.out.printf("names.seed=%d%n", seed);
    assertThat(differing(TEXTS, n -> Texts.random(new Random(seed + n))))
        .as("names.seed=%d", seed)
        .isEmpty();
  }

  private static List<String> differing(int count, IntFunction<String> texts) {
    return IntStream.range(0, count)
        .parallel()
        .mapToObj(texts)
        .filter(PrecisTest::comparable)
        .filter(text -> differs(Outcome.of(NAMES, text), theirs(text)))
        .limit(20)
        .map(text -> Texts.hex(text) + " is " + theirs(text) + " there")
        .toList();
  }

  private static boolean differs(Outcome ours, @Nullable String theirs) {
    return ours.canonical() == null
        ? theirs != null && !OURS_ALONE.contains(ours.reason())
        : !ours.canonical().equals(theirs);
  }

  private static boolean comparable(String text) {
    return SELECTORS.containsNone(text) && text.codePoints().allMatch(PrecisTest::isOfUnicode13);
  }

  /** Its tables are those of the JDK. */
  private static boolean isOfUnicode13(int codePoint) {
    return Character.isDefined(codePoint) == UCharacter.isDefined(codePoint);
  }

  private static @Nullable String theirs(String text) {
    try {
      return PrecisProfiles.USERNAME_CASE_MAPPED.enforce(text.replaceAll("[ \u3000]", ""));
    } catch (IllegalArgumentException refused) {
      return null;
    }
  }
}
