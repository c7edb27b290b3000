package com.memoryendpoints.gateway.legacy;

import com.memoryendpoints.gateway.config.CannotStart;
import java.util.ArrayList;
import java.util.List;

/** What is wrong with the files: all of it is counted, the first of it is told. */
final class Faults {
  /** How many are told. */
  static final int TOLD_MAX = 20;

  private final List<String> told = new ArrayList<>();
  private long count;

  void add(LegacyFile file, BadLine bad) {
    count++;
    if (told.size() < TOLD_MAX) {
      told.add("  " + file.name() + ", line " + bad.line() + ": " + bad.getMessage() + ".");
    }
  }

  /**
   * Ends the import when there is any.
   *
   * @throws CannotStart that tells them
   */
  void refuseAny() {
    if (count == 0) {
      return;
    }
    String more = count > told.size() ? "\n  and " + (count - told.size()) + " more." : "";
    throw CannotStart.misconfigured(
        "Nothing was imported, because of these lines:\n"
            + String.join("\n", told)
            + more
            + "\nCorrect them and run it again.");
  }
}
