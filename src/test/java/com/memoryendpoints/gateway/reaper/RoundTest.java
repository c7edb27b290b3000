package com.memoryendpoints.gateway.reaper;

import static org.assertj.core.api.Assertions.assertThat;

import com.memoryendpoints.gateway.TestDatabase;
import com.memoryendpoints.gateway.db.Sql;
import java.sql.Connection;
import java.sql.ResultSet;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A reaper gets round every table in bounded steps. */
class RoundTest {
  @RegisterExtension static final TestDatabase DATABASE = TestDatabase.migrated();

  @Test
  void everyBlockIsLookedAtAndNoneTwiceInOnePass() {
    for (int blocks = 1; blocks < 40; blocks++) {
      Round round = new Round(4, 100);
      round.begin(blocks);
      Set<Long> seen = new HashSet<>();
      while (!round.isOver()) {
        Round.Blocks range = round.range();
        assertThat(range.until() - range.from()).isBetween(1L, 4L);
        for (long block = range.from(); block < range.until(); block++) {
          assertThat(seen.add(block)).isTrue();
        }
        round.reached(range.until());
      }
      assertThat(seen).hasSize(blocks);
    }
  }

  @Test
  void aPassGoesOnWhereTheLastOneStoppedThoughTheTableShrank() {
    Round round = new Round(4, 8);
    round.begin(100);
    round.reached(round.range().until());
    long stopped = round.range().from();
    round.begin(100);
    assertThat(round.range().from()).isEqualTo(stopped);
    round.begin(1);
    assertThat(round.range()).isEqualTo(new Round.Blocks(0, 1));
    round.begin(0);
    assertThat(round.isOver()).isTrue();
  }

  /** An index on expires_at would end HOT updates; a full scan would cost too much. */
  @Test
  void theTablesAreReadByRangesOfBlocks() throws Exception {
    assertThat(plan(Sql.FIND_LAPSED_LEASES, "0, 512, 5000, 300, 1024"))
        .contains("Tid Range Scan on leases")
        .doesNotContain("Seq Scan");
    assertThat(plan(Sql.FORGET_IDLE_NAMES, "0, 64, 0, 7, 256"))
        .contains("Tid Range Scan on agent_names")
        .doesNotContain("Seq Scan on");
  }

  private static String plan(Sql sql, String parameters) throws Exception {
    StringBuilder plan = new StringBuilder();
    try (Connection connection = DATABASE.connect();
        var statement = connection.createStatement()) {
      statement.execute("SET enable_seqscan = off");
      statement.execute("SET plan_cache_mode = force_generic_plan");
      statement.execute("PREPARE the_plan AS " + sql.text());
      try (ResultSet rows =
          statement.executeQuery("EXPLAIN EXECUTE the_plan(" + parameters + ")")) {
        while (rows.next()) {
          plan.append(rows.getString(1)).append('\n');
        }
      }
    }
    return plan.toString();
  }
}
