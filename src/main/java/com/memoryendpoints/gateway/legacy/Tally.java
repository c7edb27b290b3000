package com.memoryendpoints.gateway.legacy;

import java.sql.ResultSet;
import java.sql.SQLException;

/** How many rows of a file came to what; a row that the file has again counts as repeated only. */
final class Tally {
  private final long[] outcomes = new long[4];
  private long repeated;

  void count(ResultSet row) throws SQLException {
    if (row.getBoolean("first")) {
      outcomes[row.getInt("outcome")]++;
    } else {
      repeated++;
    }
  }

  /** One line for the operator, with how many were not imported before. */
  String told(LegacyFile file, long imported) {
    String renamed = file.kind() == Kind.AGENT ? outcomes[2] + " renamed, " : "";
    return "%s: %d kept, %s%d minted; %d new, %d repeated."
        .formatted(
            file.kind() == Kind.AGENT ? "Agents" : "Memories",
            outcomes[1],
            renamed,
            outcomes[3],
            imported,
            repeated);
  }
}
