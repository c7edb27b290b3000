package com.memoryendpoints.gateway.name;

import com.ibm.icu.lang.UCharacter;
import com.ibm.icu.lang.UCharacterCategory;
import com.ibm.icu.lang.UProperty;
import com.ibm.icu.text.SpoofChecker;
import com.ibm.icu.text.UnicodeSet;
import com.ibm.icu.text.UnicodeSet.SpanCondition;
import org.jspecify.annotations.Nullable;

/**
 * Which code points a mapped name may have. The accepted ones (S9) are exactly the PVALID and
 * CONTEXTO of RFC 8264 section 8 without punctuation and symbols; S13 narrows them to the General
 * Security Profile.
 */
final class Alphabet {
  /** Code points that UTS #39 calls Allowed. */
  static final UnicodeSet ALLOWED =
      SpoofChecker.RECOMMENDED.cloneAsThawed().addAll(SpoofChecker.INCLUSION).freeze();

  /** RFC 8264 section 9.6, those that are disallowed. */
  private static final String EXCEPTIONS = "\\u0640\\u07FA\\u302E\\u302F\\u3031-\\u3035\\u303B";

  private static final UnicodeSet NOT_IDENTIFIER_FIRST =
      new UnicodeSet("[[" + EXCEPTIONS + "][:hst=L:][:hst=V:][:hst=T:]]").freeze();

  private static final UnicodeSet ACCEPTED =
      new UnicodeSet("[[:Ll:][:Lu:][:Lo:][:Nd:][:Lm:][:Mn:][:Mc:]\\u3007]")
          .removeAll(new UnicodeSet("[[:DI:][:NFKC_QC=No:]]"))
          .removeAll(NOT_IDENTIFIER_FIRST)
          .freeze();

  private Alphabet() {}

  /** Whether S9 accepts it. */
  static boolean accepts(int codePoint) {
    return ACCEPTED.contains(codePoint);
  }

  /** The first code point that is neither accepted nor a connector in its place (S9), or null. */
  static @Nullable Finding first(String mapped, Connectors connectors) {
    int at = ACCEPTED.span(mapped, SpanCondition.CONTAINED);
    while (at < mapped.length()) {
      if (!connectors.connectAt(mapped, at)) {
        int codePoint = mapped.codePointAt(at);
        return new Finding(refused(codePoint), codePoint);
      }
      at = ACCEPTED.span(mapped, at + 1, SpanCondition.CONTAINED);
    }
    return null;
  }

  /** The first code point outside the security profile (S13), or null. */
  static @Nullable Finding restricted(String mapped) {
    int at = ALLOWED.span(mapped, SpanCondition.CONTAINED);
    return at == mapped.length()
        ? null
        : new Finding(Reason.RESTRICTED_CHARACTER, mapped.codePointAt(at));
  }

  /** Every code point that both S9 and S13 accept, as a text each. */
  static UnicodeSet allowedLetters() {
    return ACCEPTED.cloneAsThawed().retainAll(ALLOWED);
  }

  /** Why S9 does not accept a code point; the first class that it is of. */
  static Reason refused(int codePoint) {
    boolean ignorable =
        UCharacter.hasBinaryProperty(codePoint, UProperty.DEFAULT_IGNORABLE_CODE_POINT);
    if (UCharacter.hasBinaryProperty(codePoint, UProperty.NONCHARACTER_CODE_POINT)) {
      return Reason.NONCHARACTER;
    }
    return switch (UCharacter.getType(codePoint)) {
      case UCharacterCategory.UNASSIGNED -> ignorable ? Reason.INVISIBLE : Reason.UNASSIGNED;
      case UCharacterCategory.PRIVATE_USE -> Reason.PRIVATE_USE;
      case UCharacterCategory.CONTROL,
          UCharacterCategory.LINE_SEPARATOR,
          UCharacterCategory.PARAGRAPH_SEPARATOR ->
          Reason.CONTROL;
      case UCharacterCategory.SPACE_SEPARATOR -> Reason.SPACE;
      case UCharacterCategory.FORMAT -> Reason.INVISIBLE;
      case UCharacterCategory.CONNECTOR_PUNCTUATION,
          UCharacterCategory.DASH_PUNCTUATION,
          UCharacterCategory.START_PUNCTUATION,
          UCharacterCategory.END_PUNCTUATION,
          UCharacterCategory.INITIAL_PUNCTUATION,
          UCharacterCategory.FINAL_PUNCTUATION,
          UCharacterCategory.OTHER_PUNCTUATION ->
          ignorable ? Reason.INVISIBLE : Reason.PUNCTUATION;
      case UCharacterCategory.MATH_SYMBOL,
          UCharacterCategory.CURRENCY_SYMBOL,
          UCharacterCategory.MODIFIER_SYMBOL,
          UCharacterCategory.OTHER_SYMBOL ->
          ignorable ? Reason.INVISIBLE : Reason.SYMBOL;
      default -> ignorable ? Reason.INVISIBLE : letter(codePoint);
    };
  }

  private static Reason letter(int codePoint) {
    boolean compatibility =
        !NOT_IDENTIFIER_FIRST.contains(codePoint)
            && UCharacter.getIntPropertyValue(codePoint, UProperty.NFKC_QUICK_CHECK) == 0;
    return compatibility ? Reason.COMPATIBILITY : Reason.NOT_IDENTIFIER;
  }
}
