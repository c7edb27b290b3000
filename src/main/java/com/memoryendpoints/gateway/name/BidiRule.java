package com.memoryendpoints.gateway.name;

import static com.ibm.icu.lang.UCharacterDirection.ARABIC_NUMBER;
import static com.ibm.icu.lang.UCharacterDirection.BOUNDARY_NEUTRAL;
import static com.ibm.icu.lang.UCharacterDirection.COMMON_NUMBER_SEPARATOR;
import static com.ibm.icu.lang.UCharacterDirection.DIR_NON_SPACING_MARK;
import static com.ibm.icu.lang.UCharacterDirection.EUROPEAN_NUMBER;
import static com.ibm.icu.lang.UCharacterDirection.EUROPEAN_NUMBER_SEPARATOR;
import static com.ibm.icu.lang.UCharacterDirection.EUROPEAN_NUMBER_TERMINATOR;
import static com.ibm.icu.lang.UCharacterDirection.LEFT_TO_RIGHT;
import static com.ibm.icu.lang.UCharacterDirection.OTHER_NEUTRAL;
import static com.ibm.icu.lang.UCharacterDirection.RIGHT_TO_LEFT;
import static com.ibm.icu.lang.UCharacterDirection.RIGHT_TO_LEFT_ARABIC;

import com.ibm.icu.lang.UCharacter;
import com.ibm.icu.text.UnicodeSet;
import com.ibm.icu.text.UnicodeSet.SpanCondition;
import org.jspecify.annotations.Nullable;

/** The Bidi Rule (RFC 5893 section 2), for names that have anything from right to left (S12). */
final class BidiRule {
  /** What makes a name one that the rule applies to. */
  private static final UnicodeSet RIGHTWARD =
      new UnicodeSet("[[:bc=R:][:bc=AL:][:bc=AN:]]").freeze();

  private static final int ANYWHERE =
      set(
          EUROPEAN_NUMBER,
          EUROPEAN_NUMBER_SEPARATOR,
          COMMON_NUMBER_SEPARATOR,
          EUROPEAN_NUMBER_TERMINATOR,
          OTHER_NEUTRAL,
          BOUNDARY_NEUTRAL,
          DIR_NON_SPACING_MARK);
  private static final int BOTH_NUMBERS = set(EUROPEAN_NUMBER, ARABIC_NUMBER);
  private static final int MARK = set(DIR_NON_SPACING_MARK);
  private static final int FIRST_RTL = set(RIGHT_TO_LEFT, RIGHT_TO_LEFT_ARABIC);
  private static final int IN_RTL = ANYWHERE | FIRST_RTL | set(ARABIC_NUMBER);
  private static final int LAST_RTL = FIRST_RTL | set(EUROPEAN_NUMBER, ARABIC_NUMBER);
  private static final int FIRST_LTR = set(LEFT_TO_RIGHT);
  private static final int IN_LTR = ANYWHERE | FIRST_LTR;
  private static final int LAST_LTR = FIRST_LTR | set(EUROPEAN_NUMBER);

  private BidiRule() {}

  /** The code point that breaks the rule, or null. */
  static @Nullable Finding broken(String mapped) {
    if (RIGHTWARD.span(mapped, SpanCondition.NOT_CONTAINED) == mapped.length()) {
      return null;
    }
    int first = mapped.codePointAt(0);
    boolean rtl = in(FIRST_RTL, first);
    if (!rtl && !in(FIRST_LTR, first)) {
      return new Finding(Reason.BIDI, first); // Condition 1.
    }
    return rest(mapped, rtl ? IN_RTL : IN_LTR, rtl ? LAST_RTL : LAST_LTR);
  }

  private static @Nullable Finding rest(String mapped, int inside, int last) {
    int seen = 0;
    int end = mapped.codePointAt(0);
    for (int i = 0; i < mapped.length(); ) {
      int codePoint = mapped.codePointAt(i);
      i += Character.charCount(codePoint);
      seen |= bit(codePoint);
      boolean bothNumbers = (seen & BOTH_NUMBERS) == BOTH_NUMBERS;
      if (!in(inside, codePoint) || bothNumbers) {
        return new Finding(Reason.BIDI, codePoint); // Conditions 2, 4 and 5.
      }
      if (!in(MARK, codePoint)) {
        end = codePoint;
      }
    }
    return in(last, end) ? null : new Finding(Reason.BIDI, end); // Conditions 3 and 6.
  }

  private static boolean in(int directions, int codePoint) {
    return (directions & bit(codePoint)) != 0;
  }

  private static int bit(int codePoint) {
    return 1 << UCharacter.getDirection(codePoint);
  }

  private static int set(int... directions) {
    int bits = 0;
    for (int direction : directions) {
      bits |= 1 << direction;
    }
    return bits;
  }
}
