package com.memoryendpoints.gateway.name;

import com.ibm.icu.lang.UCharacter;
import com.ibm.icu.lang.UProperty;
import com.ibm.icu.text.Bidi;
import com.ibm.icu.text.SpoofChecker;
import com.ibm.icu.text.UnicodeSet;
import com.ibm.icu.text.UnicodeSet.SpanCondition;
import org.jspecify.annotations.Nullable;

/**
 * What look-alikes have in common (S17, S18): the UTS #39 skeleton of a canonical name, closed
 * under case folding, so that {@code l0gin} meets {@code login} and {@code strasse} meets {@code
 * straße}. Uniqueness is on it. It changes with the version of Unicode, see {@link KeyVersion}.
 */
public final class NameKey {
  private static final SpoofChecker SKELETONS =
      new SpoofChecker.Builder().setChecks(SpoofChecker.CONFUSABLE).build();

  /** Where what is displayed may stand in another order than what is stored. */
  private static final UnicodeSet REORDERED =
      new UnicodeSet("[[:bc=R:][:bc=AL:][:bc=AN:][:bc=B:][:Bidi_C:]]").freeze();

  /** What the skeletons of accepted names are made of, where each is its own skeleton. */
  private static final UnicodeSet PROTOTYPES = prototypes();

  private static final int ROUNDS_MAX = 8;

  /** The keys of letters that are the same beside any others, in pages; empty for the letter. */
  private static final @Nullable String[][] LETTERS = letters();

  private static final int PAGE_BITS = 8;

  private NameKey() {}

  /**
   * The key of a canonical name; of any other well-formed text, a key that no other canonical name
   * has unless they look alike.
   */
  public static String of(String canonical) {
    String key = AsciiName.key(canonical);
    key = key == null ? ofLetters(canonical) : key;
    return key == null ? full(canonical) : key;
  }

  /** The key, letter by letter, or null where what stands beside a letter may make a difference. */
  private static @Nullable String ofLetters(String canonical) {
    StringBuilder key = new StringBuilder(canonical.length() * 3);
    for (int i = 0; i < canonical.length(); ) {
      int codePoint = canonical.codePointAt(i);
      i += Character.charCount(codePoint);
      String[] page = LETTERS[codePoint >> PAGE_BITS];
      String letter = page == null ? null : page[codePoint & ((1 << PAGE_BITS) - 1)];
      if (letter == null) {
        return null;
      }
      if (letter.isEmpty()) {
        key.appendCodePoint(codePoint);
      } else {
        key.append(letter);
      }
    }
    return key.toString();
  }

  static String full(String canonical) {
    return closed(skeleton(canonical));
  }

  /** What the key would be if everything were displayed in the order that it is stored in. */
  static String asStored(String canonical) {
    return closed(SKELETONS.getSkeleton(canonical));
  }

  private static String closed(String skeleton) {
    String key = skeleton;
    for (int round = 0; round < ROUNDS_MAX; round++) {
      String folded = UCharacter.foldCase(key, true);
      String closed = isClosed(key, folded) ? key : SKELETONS.getSkeleton(folded);
      if (closed.equals(key)) {
        return key;
      }
      key = closed;
    }
    return key;
  }

  /**
   * A skeleton is in NFD; made of prototypes, it is its own skeleton, which need not be computed.
   */
  private static boolean isClosed(String key, String folded) {
    return folded.equals(key) && PROTOTYPES.span(key, SpanCondition.CONTAINED) == key.length();
  }

  private static @Nullable String[][] letters() {
    String[][] pages = new String[(Character.MAX_CODE_POINT >> PAGE_BITS) + 1][];
    for (String letter : Alphabet.allowedLetters()) {
      String skeleton = SKELETONS.getSkeleton(letter);
      String key = closed(skeleton);
      if (standsAlone(letter) && standsAlone(skeleton) && standsAlone(key)) {
        int codePoint = letter.codePointAt(0);
        int page = codePoint >> PAGE_BITS;
        pages[page] = pages[page] == null ? new String[1 << PAGE_BITS] : pages[page];
        pages[page][codePoint & ((1 << PAGE_BITS) - 1)] = key.equals(letter) ? "" : key;
      }
    }
    return pages;
  }

  /** Whether it neither changes places with what is before it, nor makes others do so. */
  private static boolean standsAlone(String text) {
    return REORDERED.containsNone(text)
        && UCharacter.getIntPropertyValue(
                text.codePointAt(0), UProperty.LEAD_CANONICAL_COMBINING_CLASS)
            == 0;
  }

  private static UnicodeSet prototypes() {
    UnicodeSet targets = new UnicodeSet();
    for (String letter : Alphabet.allowedLetters()) {
      SKELETONS.getSkeleton(letter).codePoints().forEach(targets::add);
    }
    UnicodeSet prototypes = new UnicodeSet();
    for (String target : targets) {
      if (SKELETONS.getSkeleton(target).equals(target)) {
        prototypes.add(target);
      }
    }
    return prototypes.freeze();
  }

  /** As displayed from left to right; the plain skeleton where that is the same. */
  static String skeleton(String canonical) {
    return REORDERED.span(canonical, SpanCondition.NOT_CONTAINED) == canonical.length()
        ? SKELETONS.getSkeleton(canonical)
        : SKELETONS.getBidiSkeleton(Bidi.DIRECTION_LEFT_TO_RIGHT, canonical);
  }
}
