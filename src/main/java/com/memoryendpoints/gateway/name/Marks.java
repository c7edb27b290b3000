package com.memoryendpoints.gateway.name;

import com.ibm.icu.text.Normalizer2;
import com.ibm.icu.text.UnicodeSet;
import com.ibm.icu.text.UnicodeSet.SpanCondition;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Nonspacing marks one above the other (S14, UTS #39 section 5.4), judged on NFD, where a mark that
 * a letter has composed with shows. ICU4J's own check for these (INVISIBLE) misses cases and throws
 * on others.
 */
final class Marks {
  private static final Normalizer2 NFD = Normalizer2.getNFDInstance();
  private static final UnicodeSet NONSPACING = new UnicodeSet("[[:Mn:][:Me:]]").freeze();
  private static final int MARKS_MAX = 4;

  private Marks() {}

  /** The first mark that is one too many, or null. */
  static @Nullable Finding wrong(String mapped) {
    // No letter alone decomposes into a wrong sequence, so there must be a mark to go on.
    return NONSPACING.span(mapped, SpanCondition.NOT_CONTAINED) == mapped.length()
        ? null
        : wrongDecomposed(mapped);
  }

  static @Nullable Finding wrongDecomposed(String mapped) {
    String decomposed = NFD.normalize(mapped);
    List<Integer> sequence = new ArrayList<>(MARKS_MAX);
    for (int i = 0; i < decomposed.length(); ) {
      int codePoint = decomposed.codePointAt(i);
      i += Character.charCount(codePoint);
      if (!NONSPACING.contains(codePoint)) {
        sequence.clear();
      } else if (sequence.contains(codePoint)) {
        return new Finding(Reason.REPEATED_MARK, codePoint);
      } else if (sequence.size() == MARKS_MAX) {
        return new Finding(Reason.TOO_MANY_MARKS, codePoint);
      } else {
        sequence.add(codePoint);
      }
    }
    return null;
  }
}
