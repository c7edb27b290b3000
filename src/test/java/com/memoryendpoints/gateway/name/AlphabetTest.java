package com.memoryendpoints.gateway.name;

import static org.assertj.core.api.Assertions.assertThat;

import com.ibm.icu.lang.UCharacter;
import com.ibm.icu.lang.UCharacterCategory;
import com.ibm.icu.lang.UCharacterEnums.ECharacterCategory;
import com.ibm.icu.lang.UProperty;
import com.ibm.icu.text.Normalizer2;
import com.ibm.icu.text.UnicodeSet;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The accepted code points against RFC 8264, put down here once more from its own text. */
class AlphabetTest {
  private static final Normalizer2 NFKC = Normalizer2.getNFKCInstance();

  // RFC 8264 section 9.6, in its order.
  private static final UnicodeSet EXCEPTIONS_PVALID =
      new UnicodeSet(0xDF, 0xDF, 0x3C2, 0x3C2, 0x6FD, 0x6FE, 0xF0B, 0xF0B, 0x3007, 0x3007);
  private static final UnicodeSet EXCEPTIONS_CONTEXTO =
      new UnicodeSet(0xB7, 0xB7, 0x375, 0x375, 0x5F3, 0x5F4, 0x30FB, 0x30FB)
          .add(0x660, 0x669)
          .add(0x6F0, 0x6F9);
  private static final UnicodeSet EXCEPTIONS_DISALLOWED =
      new UnicodeSet(0x640, 0x640, 0x7FA, 0x7FA, 0x302E, 0x302F, 0x3031, 0x3035, 0x303B, 0x303B);

  private static final Set<Byte> LETTERS_AND_DIGITS =
      Set.of(
          ECharacterCategory.LOWERCASE_LETTER,
          ECharacterCategory.UPPERCASE_LETTER,
          ECharacterCategory.OTHER_LETTER,
          ECharacterCategory.DECIMAL_DIGIT_NUMBER,
          ECharacterCategory.MODIFIER_LETTER,
          ECharacterCategory.NON_SPACING_MARK,
          ECharacterCategory.COMBINING_SPACING_MARK);
  private static final UnicodeSet PUNCTUATION_AND_SYMBOLS = new UnicodeSet("[[:P:][:S:]]");

  @Test
  void theyAreWhatTheRfcCallsValidWithoutPunctuationAndSymbols() {
    int[] differing =
        codePoints()
            .filter(
                c -> Alphabet.accepts(c) != (isValid(c) && !PUNCTUATION_AND_SYMBOLS.contains(c)))
            .toArray();
    assertThat(differing).isEmpty();
  }

  @Test
  void unicodeSeventeenHasThisManyOfThem() {
    assertThat(codePoints().filter(Alphabet::accepts).count()).isEqualTo(144_700);
    assertThat(Alphabet.allowedLetters().size()).isEqualTo(33_766);
  }

  @Test
  void theQuickCheckSaysWhatHasACompatibilityForm() {
    int[] differing =
        codePoints()
            .filter(
                c ->
                    hasCompat(c)
                        != (UCharacter.getIntPropertyValue(c, UProperty.NFKC_QUICK_CHECK) == 0))
            .toArray();
    assertThat(differing).isEmpty();
  }

  @Test
  void noUpperCaseLetterIsItsOwnLowerCase() {
    int[] upper =
        codePoints()
            .filter(c -> UCharacter.getType(c) == UCharacterCategory.UPPERCASE_LETTER)
            .filter(Alphabet::accepts)
            .filter(c -> UCharacter.toLowerCase(c) == c)
            .toArray();
    assertThat(upper).isEmpty();
  }

  /** All but the surrogates, which are no characters. */
  private static IntStream codePoints() {
    return IntStream.rangeClosed(0, 0x10FFFF).filter(c -> c < 0xD800 || c > 0xDFFF);
  }

  /** Section 8 for the IdentifierClass: PVALID or CONTEXTO. */
  private static boolean isValid(int c) {
    if (EXCEPTIONS_PVALID.contains(c) || EXCEPTIONS_CONTEXTO.contains(c)) {
      return true;
    }
    if (EXCEPTIONS_DISALLOWED.contains(c)) {
      return false;
    }
    // BackwardCompatible (9.7) is empty.
    boolean unassigned =
        UCharacter.getType(c) == UCharacterCategory.UNASSIGNED
            && !UCharacter.hasBinaryProperty(c, UProperty.NONCHARACTER_CODE_POINT);
    if (unassigned) {
      return false;
    }
    if (c >= 0x21 && c <= 0x7E) {
      return true; // ASCII7
    }
    // ZWJ and ZWNJ are CONTEXTJ.
    boolean disallowed =
        UCharacter.hasBinaryProperty(c, UProperty.JOIN_CONTROL)
            || isOldHangulJamo(c)
            || UCharacter.hasBinaryProperty(c, UProperty.DEFAULT_IGNORABLE_CODE_POINT)
            || UCharacter.hasBinaryProperty(c, UProperty.NONCHARACTER_CODE_POINT)
            || UCharacter.getType(c) == UCharacterCategory.CONTROL
            || hasCompat(c);
    return !disallowed && LETTERS_AND_DIGITS.contains((byte) UCharacter.getType(c));
  }

  private static boolean isOldHangulJamo(int c) {
    int type = UCharacter.getIntPropertyValue(c, UProperty.HANGUL_SYLLABLE_TYPE);
    return type == UCharacter.HangulSyllableType.LEADING_JAMO
        || type == UCharacter.HangulSyllableType.VOWEL_JAMO
        || type == UCharacter.HangulSyllableType.TRAILING_JAMO;
  }

  /** Section 9.17, by its definition. */
  private static boolean hasCompat(int c) {
    return !NFKC.normalize(Character.toString(c)).equals(Character.toString(c));
  }
}
