package com.memoryendpoints.gateway.name;

import static org.assertj.core.api.Assertions.assertThat;

import com.memoryendpoints.gateway.name.NameLaws.Outcome;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The short way for names of ASCII leads where the whole pipeline does. */
class AsciiNameTest {
  /** Of each kind that either way makes a difference for, the ends of each range too. */
  private static final String ALPHABET = "aAmMnrzZlLoOiI0189 -_@`/[\0";

  private static final List<Names> RULES =
      List.of(Names.strict(), new Names(Connectors.of("-_"), null));
  private static final int LENGTH_MAX = 4;
  private static final int TEXTS = 50_000;

  @Test
  void itDoesForEveryTextUpToFourCharacters() {
    int base = ALPHABET.length();
    int differing = 0;
    for (int length = 0, count = 1; length <= LENGTH_MAX; length++, count *= base) {
      for (int n = 0; n < count; n++) {
        char[] text = new char[length];
        for (int i = 0, rest = n; i < length; i++, rest /= base) {
          text[i] = ALPHABET.charAt(rest % base);
        }
        differing += differs(RULES.get(n % 2), new String(text)) ? 1 : 0;
      }
    }
    assertThat(differing).isZero();
  }

  @Test
  void itDoesForRandomTextsOfAnyLength() {
    long seed = Long.getLong("names.seed", new Random().nextLong());
    System.out.printf("names.seed=%d%n", seed);
    Random random = new Random(seed);
    for (int n = 0; n < TEXTS; n++) {
      StringBuilder text = new StringBuilder();
      for (int length = 1 + random.nextInt(128); length > 0; length--) {
        char plain = "abcdefghijklmnopqrstuvwxyzABCMZ 0123456789".charAt(random.nextInt(42));
        text.append(random.nextInt(100) > 0 ? plain : (char) random.nextInt(128));
      }
      assertThat(differs(RULES.get(n % 2), text.toString()))
          .as("names.seed=%d: %s", seed, text)
          .isFalse();
    }
  }

  private static boolean differs(Names names, String text) {
    return !Outcome.of(names, text).equals(Outcome.whole(names, text));
  }
}
