package com.memoryendpoints.gateway.name;

import com.memoryendpoints.gateway.problem.Refusal;

/**
 * What a check found first.
 *
 * @param codePoint the first to blame, or -1 when it is none alone
 */
record Finding(Reason reason, int codePoint) {
  /** Of the whole name. */
  static Finding of(Reason reason) {
    return new Finding(reason, -1);
  }

  Refusal refusal() {
    return codePoint < 0 ? reason.refusal() : reason.refusal(codePoint);
  }
}
