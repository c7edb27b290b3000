package com.memoryendpoints.gateway.name;

import com.memoryendpoints.gateway.problem.Problem;
import com.memoryendpoints.gateway.problem.Refusal;

/** Why a display name cannot be an agent name; {@code NAME_} before it is the code on the wire. */
public enum Reason {
  /** An unpaired surrogate. */
  ILL_FORMED,
  /** More code points than {@link AgentName} allows, as given or as mapped. */
  TOO_LONG,
  EMPTY,
  EDGE_SPACE,
  /** A word starts with a mark, or with what would compose onto the word before it. */
  LEADING_MARK,
  /** Mapping it again changes it again. */
  UNSTABLE,
  NONCHARACTER,
  UNASSIGNED,
  PRIVATE_USE,
  CONTROL,
  /** A space other than U+0020. */
  SPACE,
  INVISIBLE,
  PUNCTUATION,
  SYMBOL,
  /** A compatibility form of other characters (RFC 8264 section 9.17). */
  COMPATIBILITY,
  NOT_IDENTIFIER,
  /** Decimal digits of more than one system (UTS #39 section 5.3). */
  MIXED_DIGITS,
  /** Breaks the Bidi Rule (RFC 5893 section 2). */
  BIDI,
  /** Not in the General Security Profile for Identifiers (UTS #39 section 3.1). */
  RESTRICTED_CHARACTER,
  REPEATED_MARK,
  TOO_MANY_MARKS,
  /** Above the level Highly Restrictive (UTS #39 section 5.2). */
  MIXED_SCRIPT,
  /** A dot that cannot be seen above a letter that has one (UTS #39 section 5.4). */
  HIDDEN_MARK;

  /** The code on the wire. */
  public String code() {
    return "NAME_" + name();
  }

  /** The refusal where no single code point is to blame. */
  Refusal refusal() {
    return Problem.INVALID_NAME.because(code()).with("reason", code());
  }

  /** The refusal that names the first code point to blame, as {@code U+002D}. */
  Refusal refusal(int codePoint) {
    return refusal().with("code_point", String.format("U+%04X", codePoint));
  }
}
