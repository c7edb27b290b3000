package com.memoryendpoints.gateway.audit;

import static org.assertj.core.api.Assertions.assertThat;

import com.memoryendpoints.gateway.TestDatabase;
import com.memoryendpoints.gateway.db.Sql;
import com.memoryendpoints.gateway.lease.TestPod;
import io.vertx.core.Vertx;
import io.vertx.pgclient.PgConnection;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A page of a long trail reads about its own length, by a plan made when the trail was short. */
class AuditPlansTest {
  @RegisterExtension static final TestDatabase DATABASE = TestDatabase.migrated();

  private static final int EVENTS = 20_000;
  private static final int LIMIT = 100;

  /** Of two tenants in turn, over all days that are there. */
  private static final String FILL =
      """
      INSERT INTO audit_events (event_id, tenant_id, created_at, key_id, event_type, actor)
      SELECT gen_random_uuid(), CASE n %% 2 WHEN 0 THEN '%s' ELSE '%s' END::uuid,
        clock_timestamp() + (n %% 3 - 1) * interval '1 day', 1, 'MEMORY_REGISTERED', 'p'
      FROM generate_series(1, %d) n
      """;

  @Test
  void aPageReadsFewRowsOfALongTrail() {
    Vertx vertx = Vertx.vertx();
    PgConnection connection =
        TestPod.await(
            PgConnection.connect(vertx, DATABASE.options().setCachePreparedStatements(true)));
    DATABASE.run("VACUUM ANALYZE");
    assertThat(page(connection, AuditPosition.START)).isEmpty();
    DATABASE.run(FILL.formatted(TestPod.CALLER.tenantId(), TestPod.STRANGER.tenantId(), EVENTS));
    Awaitility.await().until(() -> !page(connection, AuditPosition.START).isEmpty());
    Row middle =
        rows(
                connection,
                "SELECT xid::text::bigint AS position, event_id FROM audit_events"
                    + " WHERE tenant_id = $1 ORDER BY event_id OFFSET 5000 LIMIT 1",
                Tuple.of(TestPod.CALLER.tenantId()))
            .get(0);
    AuditPosition deep = new AuditPosition(middle.getLong(0), middle.getUUID(1));
    for (AuditPosition after : List.of(AuditPosition.START, deep)) {
      readsFew(connection, after);
    }
    TestPod.await(connection.close());
    TestPod.await(vertx.close());
  }

  private static void readsFew(PgConnection connection, AuditPosition after) {
    rows(connection, "SELECT pg_stat_force_next_flush()", Tuple.tuple());
    rows(connection, "BEGIN", Tuple.tuple());
    assertThat(page(connection, after)).hasSize(LIMIT);
    List<Row> tables =
        rows(
            connection,
            "SELECT relname::text, seq_scan, coalesce(idx_tup_fetch, 0) AS fetched"
                + " FROM pg_stat_xact_user_tables WHERE relname LIKE 'audit_events%'",
            Tuple.tuple());
    rows(connection, "ROLLBACK", Tuple.tuple());
    assertThat(tables).isNotEmpty();
    assertThat(tables).allMatch(table -> table.getLong("seq_scan") == 0);
    assertThat(tables.stream().mapToLong(table -> table.getLong("fetched")).sum())
        .isLessThanOrEqualTo(LIMIT + tables.size());
  }

  private static List<UUID> page(PgConnection connection, AuditPosition after) {
    ListAuditEvents page = new ListAuditEvents();
    var wanted = new ListAuditEvents.Wanted(TestPod.CALLER.tenantId(), after, LIMIT);
    return rows(connection, Sql.LIST_AUDIT_EVENTS.text(), page.parameters(wanted)).stream()
        .map(row -> row.getUUID("event_id"))
        .toList();
  }

  private static List<Row> rows(PgConnection connection, String sql, Tuple parameters) {
    List<Row> all = new ArrayList<>();
    TestPod.await(connection.preparedQuery(sql).execute(parameters)).forEach(all::add);
    return all;
  }
}
