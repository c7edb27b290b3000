package com.memoryendpoints.gateway.name;

import com.ibm.icu.lang.UCharacter;
import com.ibm.icu.text.Normalizer2;
import com.ibm.icu.text.UnicodeSet;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;

/**
 * Random texts that somebody may send as a name: of one script or of several, with marks, wide
 * forms, what is not seen, and what is no text at all.
 */
final class Texts {
  /** Longer than any name may be. */
  private static final int CODE_POINTS_MAX = 140;

  /** So that enough of them are accepted. */
  private static final UnicodeSet USUAL =
      new UnicodeSet("[[:dt=Wide:][:dt=Narrow:][:Lu:]]").addAll(Alphabet.allowedLetters()).freeze();

  private static final List<UnicodeSet> SCRIPTS =
      Stream.of(
              "[[:Latn:]&[:L:]]",
              "[a-z0-9]",
              "[[:Grek:]&[:L:]]",
              "[[:Cyrl:]&[:L:]]",
              "[[:Hira:][:Kana:]&[:L:]]",
              "[\u4E00-\u9FFF]",
              "[:hst=LV:]",
              "[[:Hang:][:Hani:]&[:L:]]",
              "[[:Arab:]&[:L:]]",
              "[[:Hebr:]&[:L:]]",
              "[[:Deva:]&[[:L:][:M:]]]",
              "[[:Taml:][:Telu:][:Beng:]&[[:L:][:M:]]]",
              "[[:Thai:][:Laoo:]&[[:L:][:M:]]]",
              "[[:Tibt:]&[[:L:][:M:]]]",
              "[[:Ethi:][:Geor:][:Armn:]&[:L:]]",
              "[[:dt=Wide:][:dt=Narrow:]]",
              "[:Lu:]")
          .map(pattern -> new UnicodeSet(pattern).retainAll(USUAL).freeze())
          .toList();

  private static final List<UnicodeSet> SPICES =
      Stream.of(
              "[\\ ]",
              "[\\ \u3000]",
              "[A-Z0-9]",
              "[:Mn:]",
              "[\u0300-\u0345]",
              "[:Nd:]",
              "[iIjlLıİßẞσςΣſKÅΐΰŉǰ\u0307\u0345\u03B9ʼ]",
              "[:NFC_QC=Maybe:]",
              "[:NFKC_QC=No:]",
              "[:CWL:]",
              "[:CWCF:]",
              "[[:bc=R:][:bc=AL:][:bc=AN:][:bc=NSM:][:bc=EN:]]",
              "[[:Bidi_C:][:bc=B:][:bc=S:][:bc=WS:]]",
              "[:Bidi_M:]",
              "[:DI:]",
              "[\\-_]",
              "[[:hst=L:][:hst=V:][:hst=T:]]",
              "[:L:]",
              "[\\-_\uFF0D\uFF3F\u2010]",
              "[[:P:][:S:]]",
              "[:^Cn:]",
              "[\uD800-\uDFFF]",
              "[\\u0000-\\U0010FFFF]")
          .map(pattern -> new UnicodeSet(pattern).freeze())
          .toList();

  private Texts() {}

  static String random(Random random) {
    UnicodeSet script = any(SCRIPTS, random);
    UnicodeSet second = random.nextInt(4) == 0 ? any(SCRIPTS, random) : script;
    UnicodeSet spice = any(SPICES, random);
    int oneIn = 1 << random.nextInt(8);
    int length = 1 + random.nextInt(random.nextInt(4) == 0 ? CODE_POINTS_MAX : 12);
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < length; i++) {
      UnicodeSet from = random.nextInt(oneIn) > 0 ? script : random.nextBoolean() ? spice : second;
      text.appendCodePoint(from.charAt(random.nextInt(from.size())));
    }
    return dressed(text.toString(), random);
  }

  /** Sometimes in another form of the same text. */
  private static String dressed(String text, Random random) {
    return switch (random.nextInt(8)) {
      case 0 -> UCharacter.toUpperCase(text);
      case 1 -> Normalizer2.getNFDInstance().normalize(text);
      case 2 -> Normalizer2.getNFKCInstance().normalize(text);
      default -> text;
    };
  }

  private static UnicodeSet any(List<UnicodeSet> sets, Random random) {
    return sets.get(random.nextInt(sets.size()));
  }

  /** The code points in hexadecimal; whatever the text is, it can be read and pasted. */
  static String hex(String text) {
    StringBuilder hex = new StringBuilder();
    text.codePoints().forEach(codePoint -> hex.append(String.format("%04X ", codePoint)));
    return hex.toString().strip();
  }
}
