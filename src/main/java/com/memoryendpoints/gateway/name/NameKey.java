package com.memoryendpoints.gateway.name;

import com.ibm.icu.lang.UCharacter;
import com.ibm.icu.text.Bidi;
import com.ibm.icu.text.SpoofChecker;
import com.ibm.icu.text.UnicodeSet;
import com.ibm.icu.text.UnicodeSet.SpanCondition;

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

  private NameKey() {}

  /**
   * The key of a canonical name; of any other well-formed text, a key that no other canonical name
   * has unless they look alike.
   */
  public static String of(String canonical) {
    String ascii = AsciiName.key(canonical);
    return ascii == null ? full(canonical) : ascii;
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
