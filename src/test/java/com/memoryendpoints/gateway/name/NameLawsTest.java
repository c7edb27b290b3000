package com.memoryendpoints.gateway.name;

import static org.assertj.core.api.Assertions.assertThat;

import com.ibm.icu.lang.UCharacter;
import com.ibm.icu.lang.UCharacterCategory;
import com.ibm.icu.lang.UProperty;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.function.IntFunction;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * The laws of names, over every code point there is and over random texts. {@code -Dnames.seed=}
 * repeats a run, {@code -Dnames.texts=} makes it longer.
 */
class NameLawsTest {
  private static final int CODE_POINTS = 0x110000;
  private static final int TEXTS = Integer.getInteger("names.texts", 40_000);
  private static final String SUFFIX = "-018f2a6e-1b01-7abc-9def-001122334455";

  private final long seed = Long.getLong("names.seed", new Random().nextLong());

  @Test
  void theyHoldOfEveryCodePointAlone() {
    assertThat(broken(CODE_POINTS, c -> ofCodePoint(c, Character.toString(c)))).isEmpty();
  }

  @Test
  void theyHoldOfEveryCodePointBetweenLetters() {
    assertThat(broken(CODE_POINTS, c -> ofCodePoint(c, "a" + Character.toString(c) + "b")))
        .isEmpty();
  }

  @Test
  void theyHoldOfRandomTexts() {
    assertThat(random(TEXTS, NameLaws::broken)).as("names.seed=%d", seed).isEmpty();
  }

  @Test
  void nobodyChoosesANameOfTheMintedForm() {
    assertThat(random(TEXTS / 4, text -> NameLaws.brokenAsMinted(text + SUFFIX)))
        .as("names.seed=%d", seed)
        .isEmpty();
  }

  @Test
  void nobodyChoosesWhatLooksLikeANameOfTheMintedForm() {
    List<List<String>> lookalikes = lookalikesOf(SUFFIX);
    Random random = new Random(seed);
    for (int n = 0; n < TEXTS / 4; n++) {
      StringBuilder text = new StringBuilder(random.nextBoolean() ? "a" : Texts.random(random));
      int oneIn = 1 + random.nextInt(SUFFIX.length());
      for (int i = 0; i < SUFFIX.length(); i++) {
        List<String> same = lookalikes.get(i);
        text.append(
            random.nextInt(oneIn) > 0 ? SUFFIX.charAt(i) : same.get(random.nextInt(same.size())));
      }
      assertThat(NameLaws.brokenAsMinted(text.toString()))
          .as("names.seed=%d: %s", seed, Texts.hex(text.toString()))
          .isNull();
    }
  }

  /** For each character all that have its key. */
  private static List<List<String>> lookalikesOf(String suffix) {
    Map<String, List<String>> byKey =
        IntStream.range(0, CODE_POINTS)
            .filter(UCharacter::isDefined)
            .mapToObj(Character::toString)
            .collect(Collectors.groupingBy(NameLawsTest::keyOf));
    return suffix.chars().mapToObj(c -> byKey.get(keyOf(Character.toString(c)))).toList();
  }

  private static String keyOf(String text) {
    return NameKey.asStored(Objects.requireNonNull(Mapping.mapped(text)));
  }

  private static @Nullable String ofCodePoint(int codePoint, String text) {
    boolean inert =
        switch (UCharacter.getType(codePoint)) {
          case UCharacterCategory.UNASSIGNED ->
              !UCharacter.hasBinaryProperty(codePoint, UProperty.DEFAULT_IGNORABLE_CODE_POINT);
          case UCharacterCategory.PRIVATE_USE -> true;
          default -> false;
        };
    String law = inert ? NameLaws.brokenThoughInert(text) : NameLaws.broken(text);
    return law == null ? null : Texts.hex(text) + ": " + law;
  }

  private List<String> random(int count, UnaryOperator<@Nullable String> broken) {
    System.out.printf("names.seed=%d, %d texts%n", seed, count);
    return broken(
        count,
        n -> {
          String text = Texts.random(new Random(seed + n));
          String law = broken.apply(text);
          return law == null ? null : Texts.hex(text) + ": " + law;
        });
  }

  /** The first that break a law, with the law. */
  private static List<String> broken(int count, IntFunction<@Nullable String> broken) {
    return IntStream.range(0, count)
        .parallel()
        .mapToObj(broken)
        .filter(Objects::nonNull)
        .limit(20)
        .toList();
  }
}
