package com.memoryendpoints.gateway.db;

import static com.memoryendpoints.gateway.db.Loop.await;
import static com.memoryendpoints.gateway.db.Loop.problem;
import static com.memoryendpoints.gateway.db.Loop.refusal;
import static org.assertj.core.api.Assertions.assertThat;

import com.memoryendpoints.gateway.TestDatabase;
import com.memoryendpoints.gateway.config.Limits;
import com.memoryendpoints.gateway.problem.Problem;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.Tuple;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What callers are told, and how soon, while the way to the database is shut or silent. */
class OutageTest {
  @RegisterExtension static final TestDatabase DATABASE = TestDatabase.migrated();

  private Gate gate;
  private Loop loop;
  private Batcher<String, Probe.Answer> renewals;
  private Batcher<String, Probe.Answer> claims;

  @BeforeAll
  static void install() {
    Probe.install(DATABASE);
  }

  @BeforeEach
  void open() {
    DATABASE.run("ALTER SEQUENCE probe_calls RESTART");
    gate = new Gate(DATABASE.server().port());
  }

  @AfterEach
  void nothingIsLeftBehind() {
    assertThat(loop.isEmpty()).isTrue();
    assertThat(loop.meters.waiting("claim").sum()).isZero();
    loop.close();
    assertThat(loop.meters.connectionsInUse().sum()).isZero();
    Awaitility.await().until(() -> gate.sockets() == 0);
    gate.close();
  }

  private void connect(int connections) {
    loop = Loop.open(DATABASE.options().setPort(gate.port()), connections);
    renewals = loop.probe(Lane.RENEW, true);
    claims = loop.probe(Lane.CLAIM, true);
  }

  private void connectAndWait(int connections) {
    connect(connections);
    Awaitility.await().until(() -> loop.meters.connectionsUp().sum() == connections);
  }

  private void becomes(Standing standing) {
    Awaitility.await().until(() -> loop.database().standing() == standing);
  }

  private static long millisSince(long nanos) {
    return (System.nanoTime() - nanos) / 1_000_000;
  }

  @Test
  void aBlinkIsRiddenOut() {
    connectAndWait(1);
    gate.shut();
    becomes(Standing.DOWN);
    List<Future<Probe.Answer>> waiting = loop.submit(claims, "ok", "ok");
    assertThat(waiting.get(0).isComplete()).isFalse();
    gate.open();
    assertThat(await(waiting.get(0)).call()).isOne();
    assertThat(await(waiting.get(1)).batchRows()).isEqualTo(2);
  }

  @Test
  void anOutageIsAnsweredAtOnceOnceItHasLasted() {
    connectAndWait(2);
    gate.shut();
    becomes(Standing.DOWN);
    long from = System.nanoTime();
    Future<Probe.Answer> first = loop.submitOne(claims, "ok");
    assertThat(problem(first)).isEqualTo(Problem.UNAVAILABLE);
    assertThat(millisSince(from)).isBetween(1_000L, (long) Limits.REQUEST_MS_MAX);
    Future<Probe.Answer> next = loop.submitOne(claims, "ok");
    assertThat(next.failed()).isTrue();
    assertThat(refusal(next).problem()).isEqualTo(Problem.UNAVAILABLE);
    assertThat(refusal(next).members()).containsKey("retry_after_ms");
    assertThat(loop.database().downMs()).isGreaterThan(Limits.OUTAGE_RIDDEN_OUT_MS_MAX);
    gate.open();
    becomes(Standing.UP);
    assertThat(loop.ask(claims, "ok").call()).isOne();
    assertThat(loop.database().downMs()).isZero();
  }

  @Test
  void whatWasInFlightWhenTheOutageBeganIsAnUnknownOutcome() {
    connectAndWait(1);
    Future<Probe.Answer> inFlight = loop.submitOne(claims, "sleep:500");
    Future<Probe.Answer> waiting = loop.submitOne(claims, "ok");
    Awaitility.await().until(() -> loop.meters.connectionsInUse().sum() == 1);
    gate.shut();
    assertThat(problem(inFlight)).isEqualTo(Problem.OUTCOME_UNKNOWN);
    assertThat(problem(waiting)).isEqualTo(Problem.UNAVAILABLE);
  }

  @Test
  void aSilentWayIsAnsweredInTimeAndLeft() {
    connectAndWait(2);
    gate.silence();
    long from = System.nanoTime();
    List<Future<Probe.Answer>> claiming = loop.submit(claims, "ok", "ok");
    Future<Probe.Answer> renewing = loop.submitOne(renewals, "ok");
    Future<Probe.Answer> behind = loop.submitOne(claims, "ok");
    assertThat(problem(claiming.get(0))).isEqualTo(Problem.OUTCOME_UNKNOWN);
    assertThat(problem(claiming.get(1))).isEqualTo(Problem.OUTCOME_UNKNOWN);
    assertThat(problem(renewing)).isEqualTo(Problem.OUTCOME_UNKNOWN);
    assertThat(problem(behind)).isEqualTo(Problem.UNAVAILABLE);
    assertThat(millisSince(from)).isLessThan(Limits.REQUEST_MS_MAX);
    gate.open();
    becomes(Standing.UP);
    assertThat(loop.ask(claims, "ok").batchRows()).isOne();
  }

  @Test
  void anIdleConnectionThatNoLongerAnswersIsFoundOut() {
    connectAndWait(1);
    long before = loop.call(() -> loop.database().clock().nowMs());
    loop.watchLater(Limits.IDLE_CHECK_MS + 1);
    Awaitility.await().until(() -> loop.ask(claims, "ok").call() == 1);
    assertThat(loop.database().standing()).isEqualTo(Standing.UP);
    assertThat(loop.call(() -> loop.database().clock().nowMs())).isGreaterThanOrEqualTo(before);
    gate.silence();
    loop.watchLater(Limits.IDLE_CHECK_MS + 1);
    becomes(Standing.DOWN);
  }

  @Test
  void aReadWhoseConnectionIsLostTwiceIsUnavailableNotUnknown() {
    connectAndWait(1);
    Batcher<String, Integer> reads =
        loop.batcher(
            Lane.READ,
            Exchange.of(
                "nap",
                "SELECT pg_sleep($1::text::int)",
                new ReadStatement<String, Integer>() {
                  @Override
                  public Sql sql() {
                    throw new UnsupportedOperationException("it has a text of its own");
                  }

                  @Override
                  public Tuple parameters(String seconds) {
                    return Tuple.of(seconds);
                  }

                  @Override
                  public Integer answer(String seconds, RowSet<Row> rows) {
                    return rows.size();
                  }
                }),
            1);
    assertThat(await(loop.call(() -> reads.submit(Loop.TENANT, "0")))).isOne();
    Future<Integer> reading = loop.call(() -> reads.submit(Loop.TENANT, "1"));
    Awaitility.await().until(() -> loop.meters.connectionsInUse().sum() == 1);
    gate.shut();
    assertThat(problem(reading)).isEqualTo(Problem.UNAVAILABLE);
  }

  @Test
  void aServerThatNeverGreetsIsGivenUpAndTriedAgain() {
    gate.silence();
    connect(1);
    assertThat(problem(loop.submitOne(claims, "ok"))).isEqualTo(Problem.UNAVAILABLE);
    assertThat(loop.submitOne(claims, "ok").failed()).isTrue();
    Awaitility.await().until(() -> gate.accepted() >= 2);
    assertThat(gate.sockets()).isLessThanOrEqualTo(1);
    gate.open();
    becomes(Standing.UP);
  }

  @Test
  void startingWhileTheDatabaseIsDownConnectsWhenItIsUp() {
    gate.shut();
    connect(3);
    Awaitility.await().until(() -> gate.accepted() >= 4);
    assertThat(loop.database().standing()).isEqualTo(Standing.DOWN);
    gate.open();
    becomes(Standing.UP);
    assertThat(loop.ask(claims, "ok").call()).isOne();
  }

  @Test
  void nothingConnectsBeforeTheSchemaIsThere() {
    Promise<Void> migrated = Promise.promise();
    loop = Loop.open(DATABASE.options().setPort(gate.port()), 1, migrated.future());
    claims = loop.probe(Lane.CLAIM, true);
    assertThat(problem(loop.submitOne(claims, "ok"))).isEqualTo(Problem.UNAVAILABLE);
    assertThat(gate.accepted()).isZero();
    migrated.complete();
    becomes(Standing.UP);
  }

  @Test
  void aLostConnectionLeavesItsLaneToTheOthers() {
    connectAndWait(2);
    int renewing = loop.ask(renewals, "ok").backend();
    DATABASE.rows("SELECT pg_terminate_backend(?)", renewing);
    // At once on the other connection, or a moment later on the new one: but never refused.
    for (int i = 0; i < 20; i++) {
      assertThat(loop.ask(renewals, "ok").batchRows()).isOne();
    }
    Awaitility.await().until(() -> loop.meters.connectionsUp().sum() == 2);
  }

  @Test
  void anotherHistoryIsRefusedUntilItIsAnchored() {
    DATABASE.run("UPDATE fencing_epoch SET system_identifier = 1");
    connect(2);
    becomes(Standing.UNANCHORED);
    assertThat(problem(loop.submitOne(claims, "ok"))).isEqualTo(Problem.UNAVAILABLE);
    DATABASE.run("SELECT anchor_fencing_epoch()");
    becomes(Standing.UP);
    assertThat(loop.ask(claims, "ok").batchRows()).isOne();
  }

  @Test
  void anEarlierTimelineIsAnotherHistoryToo() {
    DATABASE.run("UPDATE fencing_epoch SET timeline = timeline + 1");
    connect(1);
    becomes(Standing.UNANCHORED);
    DATABASE.run("UPDATE fencing_epoch SET timeline = timeline - 1");
    becomes(Standing.UP);
  }

  @Test
  void floodedTenantsAreAllAnsweredWhenTheWayGoesSilent() {
    connectAndWait(2);
    gate.silence();
    long from = System.nanoTime();
    List<Future<Probe.Answer>> answers =
        loop.call(
            () ->
                IntStream.range(0, 5_000)
                    .mapToObj(i -> claims.submit(new UUID(0, i % 50), "ok"))
                    .toList());
    Awaitility.await()
        .pollInterval(Duration.ofMillis(10))
        .until(() -> answers.stream().allMatch(Future::isComplete));
    assertThat(millisSince(from)).isLessThan(Limits.REQUEST_MS_MAX);
    assertThat(answers).allMatch(Future::failed);
  }
}
