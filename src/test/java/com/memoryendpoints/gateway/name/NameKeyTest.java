package com.memoryendpoints.gateway.name;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** How long a key can be: PostgreSQL's index takes 2,704 bytes at most. */
class NameKeyTest {
  private static final int[] BYTES = IntStream.range(0, 0x110000).map(NameKeyTest::bytes).toArray();

  @Test
  void aCodePointAddsAtMostThirtyBytesAndOneOfANameTwentyOne() {
    assertThat(IntStream.of(BYTES).max()).hasValue(30);
    assertThat(
            IntStream.range(0, BYTES.length)
                .filter(c -> Alphabet.accepts(c) && Alphabet.ALLOWED.contains(c))
                .map(c -> BYTES[c])
                .max())
        .hasValue(21);
  }

  /** So the longest key is known: nothing adds more beside another than it does alone. */
  @Test
  void aKeyIsAsLongAsThoseOfItsCodePointsTogether() {
    long seed = Long.getLong("names.seed", new Random().nextLong());
    System.out.printf("names.seed=%d%n", seed);
    for (int n = 0; n < 20_000; n++) {
      String text = Texts.random(new Random(seed + n));
      int together = text.codePoints().map(c -> BYTES[c]).sum();
      assertThat(utf8(NameKey.asStored(text)))
          .as("names.seed=%d: %s", seed, Texts.hex(text))
          .isEqualTo(together);
    }
  }

  private static int bytes(int codePoint) {
    return utf8(NameKey.full(Character.toString(codePoint)));
  }

  private static int utf8(String key) {
    return key.getBytes(StandardCharsets.UTF_8).length;
  }
}
