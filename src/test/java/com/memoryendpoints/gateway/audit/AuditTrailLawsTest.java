package com.memoryendpoints.gateway.audit;

import static org.assertj.core.api.Assertions.assertThat;

import com.memoryendpoints.gateway.TestDatabase;
import com.memoryendpoints.gateway.lease.TestPod;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Who resumes by the cursor sees each event once, in an order that respects commits. */
@Timeout(120)
class AuditTrailLawsTest {
  @RegisterExtension static final TestDatabase DATABASE = TestDatabase.migrated();

  private static final int WRITERS = 8;
  private static final int TRANSACTIONS = 30;
  private static final long SEED = 20260101;

  private static TestPod pod;
  private final Trail trail = Trail.of(pod, DATABASE);

  @BeforeAll
  static void start() {
    pod = new TestPod(DATABASE);
  }

  @AfterAll
  static void stop() {
    pod.close();
  }

  /** When a transaction began and when its commit was known, in ticks of one counter. */
  private record Span(int begun, int committed) {}

  @Test
  void everyEventIsReadOnceInAnOrderThatRespectsCommits() throws Exception {
    Map<UUID, Span> committed = new ConcurrentHashMap<>();
    AtomicInteger ticks = new AtomicInteger();
    ExecutorService threads = Executors.newFixedThreadPool(WRITERS);
    List<Future<?>> writers = new ArrayList<>();
    for (int i = 0; i < WRITERS; i++) {
      Random random = new Random(SEED + i);
      writers.add(threads.submit(() -> write(random, ticks, committed)));
    }
    Random random = new Random(SEED);
    List<UUID> read = new ArrayList<>();
    AuditPosition after = AuditPosition.START;
    while (!writers.stream().allMatch(Future::isDone)) {
      AuditPage page = trail.page(after, 1 + random.nextInt(7));
      read.addAll(Trail.ids(page.records()));
      after = page.next();
    }
    for (Future<?> writer : writers) {
      writer.get();
    }
    threads.shutdown();
    AuditPosition last = after;
    // Somebody else's transaction on this server may hold the end back for a while.
    Awaitility.await().until(() -> read.size() + trail.after(last, 100).size() >= committed.size());
    read.addAll(Trail.ids(trail.after(last, 100)));

    assertThat(read).doesNotHaveDuplicates().hasSameElementsAs(committed.keySet());
    int begunBefore = 0;
    for (UUID event : read) {
      Span span = committed.get(event);
      assertThat(span.committed())
          .as("committed before one that was read")
          .isGreaterThan(begunBefore);
      begunBefore = Math.max(begunBefore, span.begun());
    }
    assertThat(Trail.ids(trail.after(AuditPosition.START, 1_000))).isEqualTo(read);
  }

  /** One writer: its ids are made first, some transactions stay open long, some come to nothing. */
  private Void write(Random random, AtomicInteger ticks, Map<UUID, Span> committed)
      throws SQLException {
    try (Connection connection = DATABASE.connect();
        Statement statement = connection.createStatement()) {
      connection.setAutoCommit(false);
      for (int n = 0; n < TRANSACTIONS; n++) {
        Queue<UUID> events = new ConcurrentLinkedQueue<>();
        for (int i = random.nextInt(3); i >= 0; i--) {
          events.add(Trail.id());
        }
        int begun = ticks.incrementAndGet();
        for (UUID event : events) {
          trail.writes(connection, event);
          if (random.nextInt(4) == 0) {
            statement.execute("SELECT pg_sleep(" + random.nextDouble() * 0.05 + ")");
          }
        }
        if (random.nextInt(8) == 0) {
          connection.rollback();
          continue;
        }
        connection.commit();
        int known = ticks.incrementAndGet();
        events.forEach(event -> committed.put(event, new Span(begun, known)));
      }
    }
    return null;
  }

  @Test
  void anEventThatACursorByIdWouldLoseIsRead() throws Exception {
    try (Connection slow = DATABASE.connect();
        Connection fast = DATABASE.connect()) {
      slow.setAutoCommit(false);
      UUID first = trail.writes(slow);
      UUID second = trail.writes(fast);
      assertThat(byId(new UUID(0, 0))).containsExactly(second);
      assertThat(trail.page(AuditPosition.START, 10))
          .isEqualTo(new AuditPage(List.of(), AuditPosition.START));
      slow.commit();
      assertThat(byId(second)).as("the cursor by id is behind it for ever").isEmpty();
      Awaitility.await().until(() -> trail.after(AuditPosition.START, 1).size() == 2);
      assertThat(Trail.ids(trail.after(AuditPosition.START, 1))).containsExactly(first, second);
    }
  }

  /** What a reader by event id would see next. */
  private List<Object> byId(UUID after) {
    return DATABASE
        .rows(
            "SELECT event_id FROM audit_events WHERE tenant_id = ? AND event_id > ?"
                + " ORDER BY event_id",
            trail.caller().tenantId(),
            after)
        .stream()
        .map(row -> row.get("event_id"))
        .toList();
  }

  @Test
  void nobodyReadsTheEventsOfAnotherTenant() throws Exception {
    Trail other = Trail.of(pod, DATABASE);
    try (Connection connection = DATABASE.connect()) {
      UUID own = trail.writes(connection);
      UUID others = other.writes(connection);
      UUID later = trail.writes(connection);
      Awaitility.await().until(() -> trail.after(AuditPosition.START, 10).size() == 2);
      List<AuditRecord> seen = other.after(AuditPosition.START, 10);
      assertThat(Trail.ids(seen)).containsExactly(others);
      assertThat(Trail.ids(trail.after(AuditPosition.START, 10))).containsExactly(own, later);
      // A cursor is a place, not a right.
      assertThat(Trail.ids(trail.after(seen.get(0).position(), 10))).containsExactly(later);
    }
  }

  /** What time ended is told from what somebody did. */
  @Test
  void anOutcomeSaysWhetherAnybodyAskedForIt() {
    for (AuditEvent event : AuditEvent.values()) {
      boolean lapsed =
          List.of(AuditEvent.LEASE_LAPSED, AuditEvent.HOLDS_RECLAIMED, AuditEvent.IDENTIFIERS_DEAD)
              .contains(event);
      assertThat(AuditEvent.outcomeOf(event.name()).wire()).isEqualTo(lapsed ? "lapsed" : "done");
    }
    assertThat(AuditEvent.outcomeOf("OF_A_LATER_VERSION")).isEqualTo(AuditEvent.Outcome.DONE);
  }

  /** A dump of an older cluster: every id of a transaction in it is above those of this one. */
  @Test
  void afterADumpWasRestoredAndAnchoredNothingIsLost() throws Exception {
    try (Connection connection = DATABASE.connect()) {
      UUID before = trail.writes(connection);
      UUID restored = trail.writes(connection);
      DATABASE.run(
          "UPDATE audit_events SET xid = (((5::bigint << 44) + 3000000000))::text::xid8"
              + " WHERE event_id = '"
              + restored
              + "'");
      DATABASE.run("UPDATE fencing_epoch SET system_identifier = 1; SELECT anchor_fencing_epoch()");
      Awaitility.await().until(() -> trail.after(AuditPosition.START, 10).size() == 2);
      List<AuditRecord> known = trail.after(AuditPosition.START, 10);
      assertThat(Trail.ids(known)).containsExactly(before, restored);
      UUID after = trail.writes(connection);
      AuditPosition resumed = known.get(1).position();
      Awaitility.await().until(() -> !trail.after(resumed, 10).isEmpty());
      assertThat(Trail.ids(trail.after(resumed, 10))).containsExactly(after);
    }
  }
}
