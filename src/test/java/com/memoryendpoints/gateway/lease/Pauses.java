package com.memoryendpoints.gateway.lease;

import com.memoryendpoints.gateway.TestDatabase;

/** The claim with pauses between its steps, so that others get in between. */
final class Pauses {
  private Pauses() {}

  /** Puts pauses of random length between all steps. */
  static void everywhere(TestDatabase database, double secondsMax) {
    into(database, "[2-9]", "random() * " + secondsMax);
  }

  /** Puts one before one step; its length is an SQL expression in seconds. */
  static void before(int step, TestDatabase database, String seconds) {
    into(database, Integer.toString(step), seconds);
  }

  private static void into(TestDatabase database, String steps, String seconds) {
    String claim = claim(database);
    String paused =
        claim.replaceAll(
            "(?m)^( +-- " + steps + "\\. )", "  PERFORM pg_sleep(" + seconds + ");\n$1");
    if (paused.equals(claim)) {
      throw new IllegalStateException("the claim has no step " + steps);
    }
    database.run(paused);
  }

  /** The claim's definition. */
  static String claim(TestDatabase database) {
    return (String)
        database.value(
            "SELECT pg_get_functiondef(oid) FROM pg_proc WHERE proname = 'claim_leases_v4'");
  }
}
