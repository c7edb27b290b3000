package com.memoryendpoints.gateway.name;

import com.memoryendpoints.gateway.problem.Problem;
import com.memoryendpoints.gateway.problem.Refusal;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What becomes of a display name: the steps S1 to S18 of the pipeline, in order; the first that
 * fails decides, and inside a step the first code point to blame. Pure functions without I/O, a few
 * microseconds a name, safe on an event loop and from every thread.
 */
public final class Names {
  private final Connectors connectors;
  private final @Nullable Consumer<Reason> reported;

  /**
   * Names by an operator's rules.
   *
   * @param connectors what may stand between letters and digits
   * @param reported null to refuse what S9 to S16 find; otherwise such a name passes, and this is
   *     told the reason
   */
  public Names(Connectors connectors, @Nullable Consumer<Reason> reported) {
    this.connectors = connectors;
    this.reported = reported;
    // Loads every table now, rather than on an event loop when the first such name comes.
    named("\u00E9", false);
  }

  /** Names by the rules as they are when no operator has changed them. */
  public static Names strict() {
    return new Names(Connectors.NONE, null);
  }

  /**
   * Canonicalizes a display name, which may not have the reserved form of a minted one.
   *
   * @throws Refusal {@link Problem#INVALID_NAME} with {@code reason} and, where one code point is
   *     to blame, {@code code_point}
   */
  public AgentName of(String display) {
    return named(display, false);
  }

  /**
   * Canonicalizes the display name of a claim. A name of the minted form comes back as such:
   * whether it was minted, and for whom, only the system of record knows.
   *
   * @throws Refusal as {@link #of} does
   */
  public AgentName claimed(String display) {
    return named(display, true);
  }

  /** The refusal of a name of the minted form that was not minted for the caller. */
  public static Refusal notMinted() {
    return Reason.PUNCTUATION.refusal('-');
  }

  private AgentName named(String display, boolean mintedToo) {
    refuseTooLong(display);
    String ascii = AsciiName.canonical(display);
    if (ascii != null) {
      return new AgentName(display, ascii, NameKey.of(ascii), false);
    }
    return whole(display, mintedToo);
  }

  /** What {@link #named} does with a display name of a permitted length, without the short way. */
  AgentName whole(String display, boolean mintedToo) {
    String mapped = mapped(display);
    int suffixAt = MintedName.suffixAt(mapped);
    if (suffixAt < 0) {
      Finding passed = judge(mapped);
      String key = NameKey.of(mapped);
      if (MintedName.isLookalike(mapped, key)) {
        throw notMinted();
      }
      if (passed != null && reported != null) {
        reported.accept(passed.reason());
      }
      return new AgentName(display, mapped, key, false);
    }
    // Of the minted form: whatever is wrong with its base comes first, as in any other name.
    if (reported == null || hasControl(mapped)) {
      refuse(Alphabet.first(mapped.substring(0, suffixAt), connectors));
    }
    if (!mintedToo) {
      throw notMinted();
    }
    refuseLongerThan(AgentName.MINTED_CODE_POINTS_MAX, mapped);
    return new AgentName(display, mapped, NameKey.of(mapped), true);
  }

  /** S1 and S2, before anything is normalized. */
  private static void refuseTooLong(String display) {
    for (int i = 0, codePoint; i < display.length(); i += Character.charCount(codePoint)) {
      codePoint = display.codePointAt(i);
      if (codePoint >= Character.MIN_SURROGATE && codePoint <= Character.MAX_SURROGATE) {
        throw Reason.ILL_FORMED.refusal(codePoint);
      }
    }
    refuseLongerThan(AgentName.DISPLAY_CODE_POINTS_MAX, display);
  }

  /** S3 to S8. */
  private static String mapped(String display) {
    String wide = Mapping.width(display);
    refuse(Mapping.words(wide));
    String mapped = Mapping.mapped(Mapping.joined(wide));
    if (mapped == null) {
      throw Reason.UNSTABLE.refusal();
    }
    return mapped;
  }

  /**
   * S9 to S16; lengths hold whatever the enforcement, and so do control characters.
   *
   * @return what is reported instead of refused, or null
   */
  private @Nullable Finding judge(String mapped) {
    Finding first = Alphabet.first(mapped, connectors);
    if (reported == null) {
      refuse(first);
    }
    refuseLongerThan(AgentName.CANONICAL_CODE_POINTS_MAX, mapped);
    Finding found = first == null ? wholeName(mapped) : first;
    if (reported == null || hasControl(mapped)) {
      refuse(found);
    }
    return found;
  }

  /** No call can name a lease by a text that has one, so nobody could renew it. */
  private static boolean hasControl(String mapped) {
    return mapped.chars().anyMatch(Character::isISOControl);
  }

  /** S11 to S16. */
  private static @Nullable Finding wholeName(String mapped) {
    Finding found = Scripts.mixedDigits(mapped);
    found = found == null ? BidiRule.broken(mapped) : found;
    found = found == null ? Alphabet.restricted(mapped) : found;
    found = found == null ? Marks.wrong(mapped) : found;
    return found == null ? Scripts.wrong(mapped) : found;
  }

  private static void refuseLongerThan(int codePointsMax, String text) {
    if (text.length() > codePointsMax && text.codePointCount(0, text.length()) > codePointsMax) {
      throw Reason.TOO_LONG.refusal();
    }
  }

  private static void refuse(@Nullable Finding finding) {
    if (finding != null) {
      throw finding.refusal();
    }
  }
}
