package com.memoryendpoints.gateway.reaper;

import static org.assertj.core.api.Assertions.assertThat;

import com.memoryendpoints.gateway.TestDatabase;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Names that nobody uses are forgotten, and no token goes back for it. */
class IdleNamesTest {
  @RegisterExtension static final TestDatabase DATABASE = TestDatabase.migrated();

  @BeforeEach
  void begin() {
    DATABASE.run("TRUNCATE memory_instances, agent_names, audit_events CASCADE");
    LeaseRows.insert(DATABASE, 4, "clock_timestamp() + interval '1 minute'");
    DATABASE.run("UPDATE leases SET name_key = NULL WHERE name_key <> 'key1'");
    DATABASE.run(
        "UPDATE agent_names SET last_granted_at = clock_timestamp() - interval '8 days'"
            + " WHERE name_key <> 'key2'");
  }

  @Test
  void anIdleNameIsForgottenButNoneThatIsAttachedOrWasUsed() {
    try (TestReaper reaper = new TestReaper(DATABASE)) {
      reaper.pass();
      assertThat(reaper.counted("reaper.names.forgotten")).isEqualTo(2);
    }
    assertThat(DATABASE.rows("SELECT name_key FROM agent_names ORDER BY 1"))
        .extracting(row -> row.get("name_key"))
        .containsExactly("key1", "key2");
  }

  /** store.md, must 2: without the row, the floor alone must be above its token. */
  @Test
  void aNameWhoseTokenTheFloorHasNotPassedIsKept() {
    DATABASE.run(
        "UPDATE agent_names SET last_token = fencing_floor(0, clock_timestamp())"
            + " WHERE name_key = 'key3'");
    try (TestReaper reaper = new TestReaper(DATABASE)) {
      reaper.pass();
    }
    assertThat(DATABASE.rows("SELECT name_key FROM agent_names ORDER BY 1"))
        .extracting(row -> row.get("name_key"))
        .containsExactly("key1", "key2", "key3");
  }

  @Test
  void aNameThatSomebodyHoldsIsPassedBy() throws Exception {
    try (TestReaper reaper = new TestReaper(DATABASE);
        var claim = DATABASE.connect()) {
      claim.setAutoCommit(false);
      claim
          .createStatement()
          .execute("SELECT 1 FROM agent_names WHERE name_key = 'key3' FOR NO KEY UPDATE");
      reaper.pass();
      claim.rollback();
    }
    assertThat(DATABASE.value("SELECT count(*) FROM agent_names WHERE name_key = 'key3'"))
        .isEqualTo(1L);
  }
}
