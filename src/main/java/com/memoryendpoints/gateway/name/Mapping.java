package com.memoryendpoints.gateway.name;

import com.ibm.icu.lang.UCharacter;
import com.ibm.icu.lang.UCharacterCategory;
import com.ibm.icu.text.Normalizer2;
import com.ibm.icu.text.UnicodeSet;
import com.ibm.icu.text.UnicodeSet.SpanCondition;
import com.ibm.icu.util.ULocale;
import org.jspecify.annotations.Nullable;

/** Steps S3 to S8: what a display name is mapped to, before it is judged. */
final class Mapping {
  private static final Normalizer2 NFC = Normalizer2.getNFCInstance();

  /** Full-width and half-width forms; all other compatibility forms are refused, not mapped. */
  private static final UnicodeSet WIDE = new UnicodeSet("[[:dt=Wide:][:dt=Narrow:]]").freeze();

  // What each of them is mapped to, one level deep: from U+FF01 on, and U+3000 at the start.
  private static final int NARROWED_FROM = 0xFF00;
  private static final char[] NARROWED = narrowed();

  private static final int ROUNDS_MAX = 4;

  private Mapping() {}

  /** The width-mapped name (S3). */
  static String width(String text) {
    int at = WIDE.span(text, SpanCondition.NOT_CONTAINED);
    if (at == text.length()) {
      return text;
    }
    char[] mapped = text.toCharArray();
    for (int i = at; i < mapped.length; i++) {
      if (WIDE.contains(mapped[i])) {
        mapped[i] = NARROWED[Math.max(0, mapped[i] - NARROWED_FROM)];
      }
    }
    return new String(mapped);
  }

  private static char[] narrowed() {
    char[] table = new char[0x100];
    for (UnicodeSet.EntryRange range : WIDE.ranges()) {
      for (int wide = range.codepoint; wide <= range.codepointEnd; wide++) {
        String narrow = Normalizer2.getNFKCInstance().getRawDecomposition(wide);
        table[Math.max(0, wide - NARROWED_FROM)] = narrow.charAt(0);
      }
    }
    return table;
  }

  /** What is wrong with the words (S4 to S6), or null. */
  static @Nullable Finding words(String wide) {
    if (wide.chars().allMatch(c -> c == ' ')) {
      return Finding.of(Reason.EMPTY);
    }
    if (wide.charAt(0) == ' ' || wide.charAt(wide.length() - 1) == ' ') {
      return new Finding(Reason.EDGE_SPACE, ' ');
    }
    for (int i = 0; i < wide.length(); i++) {
      if (i == 0 || wide.charAt(i - 1) == ' ') {
        int first = wide.codePointAt(i);
        if (isMark(first) || !NFC.hasBoundaryBefore(first)) {
          return new Finding(Reason.LEADING_MARK, first);
        }
      }
    }
    return null;
  }

  /** The words without what separates them (S7). */
  static String joined(String wide) {
    return wide.indexOf(' ') < 0 ? wide : wide.replace(" ", "");
  }

  /**
   * Width, case and NFC until nothing changes (S8); RFC 8264 section 7 has this order, because the
   * lower case of some NFC strings is not NFC.
   */
  static @Nullable String mapped(String joined) {
    String mapped = joined;
    for (int round = 0; round < ROUNDS_MAX; round++) {
      String again = once(mapped);
      if (again.equals(mapped)) {
        return mapped;
      }
      mapped = again;
    }
    return null;
  }

  /** Whether it is a combining mark of any kind. */
  static boolean isMark(int codePoint) {
    int category = UCharacter.getType(codePoint);
    return category == UCharacterCategory.NON_SPACING_MARK
        || category == UCharacterCategory.COMBINING_SPACING_MARK
        || category == UCharacterCategory.ENCLOSING_MARK;
  }

  private static String once(String text) {
    return NFC.normalize(UCharacter.toLowerCase(ULocale.ROOT, width(text)));
  }
}
