package com.memoryendpoints.gateway.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.memoryendpoints.gateway.TestDatabase;
import com.memoryendpoints.gateway.TestLog;
import com.memoryendpoints.gateway.TestServer;
import com.memoryendpoints.gateway.audit.AuditPosition;
import com.memoryendpoints.gateway.config.Config;
import com.memoryendpoints.gateway.config.DatabaseUri;
import com.memoryendpoints.gateway.config.SslMode;
import com.memoryendpoints.gateway.db.Database;
import com.memoryendpoints.gateway.db.DatabaseUnreachable;
import com.memoryendpoints.gateway.db.Schema;
import com.memoryendpoints.gateway.db.Sql;
import com.memoryendpoints.gateway.db.Standing;
import com.memoryendpoints.gateway.idempotency.IdempotencyKey;
import com.memoryendpoints.gateway.problem.Problem;
import io.vertx.core.Future;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.Supplier;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A server that takes no writes is never answered from: its rows may be old. */
class StandbyTest {
  private static final PrimaryImage IMAGE = PrimaryImage.shared();

  /** They answer nobody, or are the very question whether this is a standby. */
  private static final Set<Sql> NOT_OF_A_REQUEST =
      EnumSet.of(
          Sql.READ_FENCING_ANCHOR,
          Sql.FIND_UNCONFIRMED_COMMITS,
          Sql.MEASURE_TABLES,
          Sql.FIND_LAPSED_LEASES,
          Sql.FIND_LAPSED_HOLDS,
          Sql.LOCK_PARTITION_UPKEEP,
          Sql.PLAN_PARTITIONS,
          Sql.UNLOCK_PARTITION_UPKEEP);

  private static TestServer standby;
  private static TestDatabase database;

  @BeforeAll
  static void start() {
    standby = IMAGE.standby();
    database = IMAGE.on(standby);
  }

  @AfterAll
  static void stop() {
    standby.close();
  }

  /** One call of every kind; each is refused as unavailable. */
  private static void assertNothingIsAnswered(TestPod pod) {
    UUID id = UUID.fromString("0190aaaa-0000-7000-8000-00000000abcd");
    IdempotencyKey key = new IdempotencyKey(id);
    FencingToken token = new FencingToken(1);
    Lease lease = lease(id, token);
    List<Supplier<Future<?>>> calls =
        List.of(
            () -> pod.leases.claim(TestPod.claim(key, "agent0", id, 30)),
            () -> pod.leases.renew(TestPod.renewal(lease, 30)),
            () -> pod.leases.release(TestPod.release(lease)),
            () -> pod.leases.verify(new Verification(TestPod.CALLER, id, token)),
            () -> pod.leases.revoke(new Revocation(TestPod.CALLER, null, id, null, "why")),
            () -> pod.leases.find(TestPod.CALLER, id),
            () -> pod.leases.list(TestPod.CALLER, new LeaseFilter(null, null), null, 10),
            () -> pod.leases.list(TestPod.CALLER, new LeaseFilter(null, "agent0"), null, 10),
            () -> pod.memories.register(new Registration(key, TestPod.CALLER, id)),
            () -> pod.memories.branch(new Branch(key, TestPod.CALLER, id, token)),
            () -> pod.memories.find(TestPod.CALLER, id),
            () -> pod.memories.list(TestPod.CALLER, null, 10),
            () -> pod.memories.lineage(TestPod.CALLER, id),
            () -> pod.trail.read(TestPod.CALLER, AuditPosition.START, 10));
    for (Supplier<Future<?>> call : calls) {
      assertThat(pod.refusal(() -> call.get().mapEmpty()).problem()).isEqualTo(Problem.UNAVAILABLE);
    }
  }

  private static Lease lease(UUID id, FencingToken token) {
    return new Lease(id, "agent0", id, token, Instant.EPOCH, Instant.EPOCH, 30);
  }

  private static Config.Database jdbc(String uri) {
    return new Config.Database(DatabaseUri.parse(uri), SslMode.DISABLE, null, 1, 0);
  }

  @Test
  void aStandbyAnswersNothingAndServesOnceItIsPromoted() {
    try (TestServer server = IMAGE.standby();
        TestLog log = TestLog.of(Database.class);
        TestPod pod = TestPod.trying(IMAGE.on(server))) {
      pod.await(Standing.STANDBY);
      assertNothingIsAnswered(pod);
      assertThat(log.lines()).anyMatch(line -> line.contains("a primary is waited for"));
      server.promote();
      pod.awaitUp();
      IMAGE.grant(pod, IMAGE.seen());
    }
  }

  /** An operator fences a primary off before another takes over. */
  @Test
  void aReadOnlyPrimaryGrantsNothingUntilItTakesWritesAgain() {
    try (TestServer server = IMAGE.primary();
        TestPod pod = new TestPod(IMAGE.on(server))) {
      HighestTokens seen = new HighestTokens();
      IMAGE.grant(pod, seen);
      UUID memory = pod.memory();
      set(server, "ALTER SYSTEM SET default_transaction_read_only = on");
      // Until every session has read the setting, it grants, to the same owner once more.
      Awaitility.await()
          .untilAsserted(
              () ->
                  assertThat(
                          pod.refusal(() -> pod.leases.claim(pod.claim("fenced", memory)))
                              .problem())
                      .isEqualTo(Problem.UNAVAILABLE));
      pod.await(Standing.STANDBY);
      set(server, "ALTER SYSTEM RESET default_transaction_read_only");
      pod.awaitUp();
      IMAGE.grant(pod, seen);
    }
  }

  private static void set(TestServer server, String setting) {
    try (Connection connection = server.connect("postgres");
        Statement statement = connection.createStatement()) {
      statement.execute("SET default_transaction_read_only = off");
      statement.execute(setting);
      statement.execute("SELECT pg_reload_conf()");
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Also one that is sent before its server is found to be a standby. */
  @Test
  void noStatementOfARequestAnswersOnAStandby() throws SQLException {
    try (Connection connection = database.connect();
        Statement statement = connection.createStatement()) {
      // As the gateway's sessions have it; a custom plan would see that the requests are about
      // nothing.
      statement.execute("SET plan_cache_mode = force_generic_plan");
      for (Sql sql : EnumSet.complementOf(EnumSet.copyOf(NOT_OF_A_REQUEST))) {
        if (!sql.isServed()) {
          continue;
        }
        statement.execute("PREPARE asked AS " + sql.text());
        String question = question(statement);
        assertThatThrownBy(() -> statement.execute(question), sql.label())
            .isInstanceOfSatisfying(
                SQLException.class, e -> assertThat(e.getSQLState()).isIn("55000", "25006"));
        statement.execute("DEALLOCATE asked");
      }
    }
  }

  /** One request about nothing. */
  private static String question(Statement statement) throws SQLException {
    try (ResultSet rows =
        statement.executeQuery(
            """
            SELECT 'EXECUTE asked' || coalesce('(' || string_agg(
              CASE WHEN type LIKE '%[]' THEN 'ARRAY[NULL]::' ELSE 'NULL::' END || type, ', ')
              || ')', '')
            FROM pg_prepared_statements, unnest(parameter_types::text[]) type WHERE name = 'asked'
            """)) {
      rows.next();
      return rows.getString(1);
    }
  }

  @Test
  void aMigrationWaitsForThePrimary() {
    for (String name : List.of(database.name(), "postgres")) {
      String uri = database.uri().replace(database.name(), name);
      assertThatThrownBy(() -> Schema.migrate(jdbc(uri))).isInstanceOf(DatabaseUnreachable.class);
    }
  }
}
