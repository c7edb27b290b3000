package com.memoryendpoints.gateway.name;

import com.ibm.icu.lang.UCharacter;
import com.ibm.icu.lang.UScript;
import com.ibm.icu.text.SpoofChecker;
import com.ibm.icu.text.SpoofChecker.CheckResult;
import com.ibm.icu.text.SpoofChecker.RestrictionLevel;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/** Which scripts may stand together (S15), and dots that cannot be seen (S16), both by UTS #39. */
final class Scripts {
  private static final int COMBINING_DOT_ABOVE = 0x307;

  private static final SpoofChecker CHECKER =
      new SpoofChecker.Builder()
          .setAllowedChars(Alphabet.ALLOWED)
          .setRestrictionLevel(RestrictionLevel.HIGHLY_RESTRICTIVE)
          .setChecks(SpoofChecker.RESTRICTION_LEVEL | SpoofChecker.HIDDEN_OVERLAY)
          .build();

  /** What may stand beside Latin: the writing systems of Japan, China and Korea. */
  private static final BitSet[] COVERS = {
    set(UScript.LATIN, UScript.HAN, UScript.HIRAGANA, UScript.KATAKANA),
    set(UScript.LATIN, UScript.HAN, UScript.BOPOMOFO),
    set(UScript.LATIN, UScript.HAN, UScript.HANGUL)
  };

  private Scripts() {}

  /** What is wrong with the scripts or the dots, or null. */
  static @Nullable Finding wrong(String mapped) {
    CheckResult result = new CheckResult();
    if (!CHECKER.failsChecks(mapped, result)) {
      return null;
    }
    return (result.checks & SpoofChecker.RESTRICTION_LEVEL) != 0
        ? new Finding(Reason.MIXED_SCRIPT, firstForeign(mapped))
        : new Finding(Reason.HIDDEN_MARK, COMBINING_DOT_ABOVE);
  }

  /**
   * The first code point with which no single script, and no cover, is left; the last one where
   * each alone would do.
   */
  static int firstForeign(String mapped) {
    BitSet single = null;
    BitSet covers = set(0, 1, 2);
    int codePoint = 0;
    for (int i = 0; i < mapped.length(); i += Character.charCount(codePoint)) {
      codePoint = mapped.codePointAt(i);
      BitSet scripts = new BitSet();
      UScript.getScriptExtensions(codePoint, scripts);
      if (scripts.get(UScript.COMMON) || scripts.get(UScript.INHERITED)) {
        continue;
      }
      covers.stream().filter(c -> !COVERS[c].intersects(scripts)).forEach(covers::clear);
      augment(scripts);
      if (single == null) {
        single = scripts;
      } else {
        single.and(scripts);
      }
      if (single.isEmpty() && covers.isEmpty()) {
        return codePoint;
      }
    }
    return codePoint;
  }

  private static void augment(BitSet scripts) {
    if (scripts.get(UScript.HAN)) {
      scripts.set(UScript.HAN_WITH_BOPOMOFO);
      scripts.set(UScript.JAPANESE);
      scripts.set(UScript.KOREAN);
    }
    if (scripts.get(UScript.HIRAGANA) || scripts.get(UScript.KATAKANA)) {
      scripts.set(UScript.JAPANESE);
    }
    if (scripts.get(UScript.HANGUL)) {
      scripts.set(UScript.KOREAN);
    }
    if (scripts.get(UScript.BOPOMOFO)) {
      scripts.set(UScript.HAN_WITH_BOPOMOFO);
    }
  }

  /** The first digit of a second system of decimal digits (S11), or null. */
  static @Nullable Finding mixedDigits(String mapped) {
    int zero = -1;
    for (int i = 0; i < mapped.length(); ) {
      int codePoint = mapped.codePointAt(i);
      i += Character.charCount(codePoint);
      int digit = UCharacter.isDigit(codePoint) ? UCharacter.digit(codePoint) : -1;
      if (digit < 0) {
        continue;
      }
      if (zero >= 0 && codePoint - digit != zero) {
        return new Finding(Reason.MIXED_DIGITS, codePoint);
      }
      zero = codePoint - digit;
    }
    return null;
  }

  private static BitSet set(int... members) {
    BitSet bits = new BitSet();
    for (int member : members) {
      bits.set(member);
    }
    return bits;
  }
}
