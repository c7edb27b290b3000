package com.memoryendpoints.gateway.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.memoryendpoints.gateway.TestDatabase;
import com.memoryendpoints.gateway.lease.TestPod;
import com.memoryendpoints.gateway.reaper.TestReaper;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A day is dropped whole, under those who read; what is left they read as if nothing were. */
class AuditRetentionTest {
  @RegisterExtension static final TestDatabase DATABASE = TestDatabase.migrated();

  private static final String DAY =
      "((clock_timestamp() AT TIME ZONE 'UTC')::date + ?::int)::timestamp AT TIME ZONE 'UTC'";

  @Test
  void everyCursorGoesOnAtTheOldestEventThatIsLeft() {
    try (TestPod pod = new TestPod(DATABASE);
        TestReaper reaper = new TestReaper(DATABASE)) {
      Trail trail = Trail.of(pod, DATABASE);
      attach(-31);
      attach(-30);
      UUID dropped = event(trail, -31);
      UUID alsoDropped = event(trail, -31);
      UUID kept = event(trail, -30);
      UUID young = event(trail, 0);
      await().until(() -> trail.after(AuditPosition.START, 10).size() == 4);
      AuditPosition inside = trail.page(AuditPosition.START, 1).next();
      assertThat(inside.eventId()).isEqualTo(dropped);
      AuditPosition behind = trail.page(inside, 1).next();
      assertThat(behind.eventId()).isEqualTo(alsoDropped);

      reaper.pass();

      assertThat(DATABASE.value("SELECT count(*) FROM audit_events")).isEqualTo(2L);
      for (AuditPosition cursor : List.of(AuditPosition.START, inside, behind)) {
        assertThat(Trail.ids(trail.after(cursor, 1))).containsExactly(kept, young);
      }
    }
  }

  private static void attach(int day) {
    String name = (String) DATABASE.value("SELECT to_char(" + DAY + ", 'YYYYMMDD')", day);
    DATABASE.run(
        "CREATE TABLE audit_events_%s PARTITION OF audit_events FOR VALUES FROM ('%s') TO ('%s')"
            .formatted(name, instant(day), instant(day + 1)));
  }

  private static String instant(int day) {
    return (String) DATABASE.value("SELECT (" + DAY + ")::text", day);
  }

  private static UUID event(Trail trail, int day) {
    UUID id = Trail.id();
    DATABASE.rows(
        "INSERT INTO audit_events (event_id, tenant_id, created_at, key_id, event_type, actor)"
            + " VALUES (?, ?, "
            + DAY
            + ", 1, 'MEMORY_REGISTERED', 'somebody') RETURNING event_id",
        id,
        trail.caller().tenantId(),
        day);
    return id;
  }
}
