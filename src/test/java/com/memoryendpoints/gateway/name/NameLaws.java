package com.memoryendpoints.gateway.name;

import com.ibm.icu.lang.UCharacter;
import com.ibm.icu.lang.UCharacterCategory;
import com.ibm.icu.text.Bidi;
import com.ibm.icu.text.Normalizer2;
import com.ibm.icu.text.SpoofChecker;
import com.memoryendpoints.gateway.problem.Problem;
import com.memoryendpoints.gateway.problem.Refusal;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What holds of every text, whatever it is and by whatever rules it is judged. */
final class NameLaws {
  private static final Normalizer2 NFC = Normalizer2.getNFCInstance();
  private static final Normalizer2 NFD = Normalizer2.getNFDInstance();
  private static final SpoofChecker CONFUSABLES =
      new SpoofChecker.Builder().setChecks(SpoofChecker.CONFUSABLE).build();
  private static final SpoofChecker LEVEL =
      new SpoofChecker.Builder()
          .setAllowedChars(Alphabet.ALLOWED)
          .setRestrictionLevel(SpoofChecker.RestrictionLevel.HIGHLY_RESTRICTIVE)
          .setChecks(SpoofChecker.RESTRICTION_LEVEL)
          .build();

  /** Of an accepted name, in UTF-8: 64 code points of at most 21 bytes. */
  private static final int KEY_BYTES_MAX = 1_344;

  /** Of any: 64 code points of at most 30 bytes, and a minted suffix. PostgreSQL takes 2,704. */
  private static final int REPORTED_KEY_BYTES_MAX = 1_957;

  private static final Connectors CONNECTED = Connectors.of("-_");

  private static final Names STRICT = Names.strict();
  private static final Names CONNECTING = new Names(CONNECTED, null);

  private static final Names REPORTING = new Names(Connectors.NONE, reason -> {});
  private static final Names LENIENT = new Names(CONNECTED, reason -> {});

  private static final Set<String> MEMBERS = Set.of("reason", "code_point");

  private NameLaws() {}

  /** The first law that a text breaks, or null. */
  static @Nullable String broken(String text) {
    try {
      String broken = underStrictRules(text);
      return broken == null ? underAnyRules(text) : broken;
    } catch (RuntimeException e) {
      return "nothing but a refusal is thrown, not " + e;
    }
  }

  /** The same for a text with a code point that nothing is done with: not assigned, or private. */
  static @Nullable String brokenThoughInert(String text) {
    try {
      AgentName reported = LENIENT.of(text);
      boolean inert = reported.canonical().equals(text) && reported.key().equals(text);
      return inert && Outcome.of(STRICT, text).canonical == null ? null : "it is left as it is";
    } catch (RuntimeException e) {
      return "nothing but a refusal is thrown, not " + e;
    }
  }

  private static @Nullable String underStrictRules(String text) {
    Outcome strict = Outcome.of(STRICT, text);
    if (strict.canonical != null) {
      return accepted(text, strict);
    }
    return Reason.MIXED_SCRIPT.code().equals(strict.reason) ? foreign(text) : null;
  }

  /** What holds of a name that the strict rules accept. */
  private static @Nullable String accepted(String text, Outcome name) {
    String canonical = name.canonical();
    if (!Outcome.of(STRICT, canonical).equals(name)) {
      return "a canonical name is accepted, and is its own canonical name";
    }
    if (bytes(name.key()) > KEY_BYTES_MAX || length(canonical) > 64) {
      return "a name and its key are no longer than said";
    }
    if (canonical.indexOf('-') >= 0 || name.key().indexOf('-') >= 0) {
      return "no name has a hyphen, nor has its key";
    }
    if (!canonical.codePoints().allMatch(NameLaws::isOfTheAlphabet)) {
      return "a name is made of letters without case or in lower case, marks and digits";
    }
    if (!Outcome.of(STRICT, text.replaceAll("[ \u3000]", "")).isNamed(name)) {
      return "spaces make no difference";
    }
    for (Names names : new Names[] {CONNECTING, REPORTING, LENIENT}) {
      if (!Outcome.of(names, text).isNamed(name)) {
        return "what is accepted is the same name by any other rules";
      }
    }
    return null;
  }

  private static @Nullable String underAnyRules(String text) {
    for (Names names : new Names[] {STRICT, CONNECTING, LENIENT}) {
      Outcome outcome = Outcome.of(names, text);
      for (Normalizer2 form : new Normalizer2[] {NFC, NFD}) {
        // Only what is well-formed has such a form, and that may be too long.
        String other = illFormed(text) ? text : form.normalize(text);
        boolean comparable = length(text) <= 128 && length(other) <= 128 && !other.equals(text);
        if (comparable && !outcome.isNamed(Outcome.of(names, other))) {
          return "canonically equivalent texts are the same name";
        }
      }
      boolean ascii = text.length() <= 128 && text.chars().allMatch(c -> c < 128);
      if (ascii && !outcome.equals(Outcome.whole(names, text))) {
        return "the short way for ASCII leads where the whole pipeline does";
      }
    }
    Outcome any = Outcome.of(LENIENT, text);
    return any.canonical == null ? null : mapped(any.canonical, any.key);
  }

  /** What holds of everything that gets as far as a key. */
  private static @Nullable String mapped(String mapped, String key) {
    if (!Outcome.of(LENIENT, mapped).equals(new Outcome(mapped, key, null, null))) {
      return "what is reported rather than refused is its own canonical form";
    }
    if (bytes(key) > REPORTED_KEY_BYTES_MAX || hasControl(mapped) || !isStorable(key)) {
      return "what is reported rather than refused can be stored, and named in a call";
    }
    String skeleton = CONFUSABLES.getBidiSkeleton(Bidi.DIRECTION_LEFT_TO_RIGHT, mapped);
    if (!NameKey.skeleton(mapped).equals(skeleton)) {
      return "the skeleton is that of UTS 39, as displayed from left to right";
    }
    if (!plainKey(skeleton).equals(key)) {
      return "the key is the skeleton closed under case folding";
    }
    return Objects.equals(Marks.wrong(mapped), Marks.wrongDecomposed(mapped))
        ? null
        : "without a mark on its own there is none too many";
  }

  /** A minted form is nobody's to choose, and neither is what can be taken for one. */
  static @Nullable String brokenAsMinted(String text) {
    if (Outcome.of(LENIENT, text).canonical != null) {
      return "a name of the minted form cannot be chosen";
    }
    for (Names names : new Names[] {STRICT, LENIENT}) {
      try {
        AgentName claimed = names.claimed(text);
        if (!claimed.minted() || bytes(claimed.key()) > REPORTED_KEY_BYTES_MAX) {
          return "a claimed name of the minted form is minted";
        }
        if (hasControl(claimed.canonical()) || !isStorable(claimed.key())) {
          return "a claimed name of the minted form can be looked up, and named in a call";
        }
      } catch (Refusal refusal) {
        Outcome.of(refusal);
      }
    }
    return null;
  }

  /** The code point to blame for mixed scripts is the first with which ICU4J refuses them. */
  private static @Nullable String foreign(String text) {
    String mapped = Outcome.of(REPORTING, text).canonical;
    for (int i = 0; i < mapped.length(); i = mapped.offsetByCodePoints(i, 1)) {
      int codePoint = mapped.codePointAt(i);
      if (LEVEL.failsChecks(mapped.substring(0, i + Character.charCount(codePoint)))) {
        return codePoint == Scripts.firstForeign(mapped)
            ? null
            : "the code point to blame is the first of a foreign script";
      }
    }
    return "scripts are mixed where ICU4J says so";
  }

  /** The loop of the design: no shortcut. */
  static String plainKey(String skeleton) {
    String key = skeleton;
    for (int round = 0; round < 4; round++) {
      String again = CONFUSABLES.getSkeleton(UCharacter.foldCase(key, true));
      if (again.equals(key)) {
        return key;
      }
      key = again;
    }
    throw new IllegalStateException("no key after four rounds");
  }

  private static boolean isOfTheAlphabet(int codePoint) {
    return switch (UCharacter.getType(codePoint)) {
      case UCharacterCategory.LOWERCASE_LETTER,
          UCharacterCategory.OTHER_LETTER,
          UCharacterCategory.MODIFIER_LETTER,
          UCharacterCategory.NON_SPACING_MARK,
          UCharacterCategory.COMBINING_SPACING_MARK,
          UCharacterCategory.DECIMAL_DIGIT_NUMBER ->
          true;
      default -> codePoint == 0x3007;
    };
  }

  private static boolean hasControl(String text) {
    return text.chars().anyMatch(c -> UCharacter.getType(c) == UCharacterCategory.CONTROL);
  }

  /** PostgreSQL takes no U+0000, and {@code rekey} marks keys with U+0001. */
  private static boolean isStorable(String key) {
    return key.chars().noneMatch(c -> c <= 1);
  }

  private static boolean illFormed(String text) {
    return text.codePoints().anyMatch(c -> c >= 0xD800 && c <= 0xDFFF);
  }

  private static int length(String text) {
    return text.codePointCount(0, text.length());
  }

  private static int bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8).length;
  }

  /** What became of a text: a name, or why it is none. */
  record Outcome(
      @Nullable String canonical,
      @Nullable String key,
      @Nullable Object reason,
      @Nullable Object codePoint) {
    static Outcome of(Names names, String text) {
      try {
        return of(names.of(text));
      } catch (Refusal refusal) {
        return of(refusal);
      }
    }

    /** By the whole pipeline, whatever the text is made of. */
    static Outcome whole(Names names, String text) {
      try {
        AgentName name = names.whole(text, false);
        return new Outcome(name.canonical(), NameKey.full(name.canonical()), null, null);
      } catch (Refusal refusal) {
        return of(refusal);
      }
    }

    private static Outcome of(AgentName name) {
      return new Outcome(name.canonical(), name.key(), null, null);
    }

    static Outcome of(Refusal refusal) {
      Object reason = refusal.members().get("reason");
      if (refusal.problem() != Problem.INVALID_NAME
          || !MEMBERS.containsAll(refusal.members().keySet())
          || Reason.UNSTABLE.code().equals(reason)) {
        throw new IllegalStateException(refusal);
      }
      return new Outcome(null, null, reason, refusal.members().get("code_point"));
    }

    /** Whether it is the same name, or neither is one. */
    boolean isNamed(Outcome other) {
      return Objects.equals(canonical, other.canonical) && Objects.equals(key, other.key);
    }
  }
}
