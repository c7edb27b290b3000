package com.memoryendpoints.gateway.db;

import static com.memoryendpoints.gateway.db.Loop.await;
import static com.memoryendpoints.gateway.db.Loop.problem;
import static com.memoryendpoints.gateway.db.Loop.refusal;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.memoryendpoints.gateway.TestDatabase;
import com.memoryendpoints.gateway.config.Limits;
import com.memoryendpoints.gateway.problem.Problem;
import com.memoryendpoints.gateway.problem.Refusal;
import io.micrometer.core.instrument.Counter;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** How requests become statements and statements answers, on a database that is well. */
class BatcherTest {
  @RegisterExtension static final TestDatabase DATABASE = TestDatabase.migrated();

  private Loop loop;
  private Batcher<String, Probe.Answer> claims;

  @BeforeAll
  static void install() {
    Probe.install(DATABASE);
  }

  @BeforeEach
  void open() {
    DATABASE.run("ALTER SEQUENCE probe_calls RESTART");
    loop = Loop.open(DATABASE.options(), 1);
    claims = loop.probe(Lane.CLAIM, true);
    Awaitility.await().until(() -> loop.database().standing() == Standing.UP);
  }

  @AfterEach
  void nothingIsLeftBehind() {
    assertThat(loop.isEmpty()).isTrue();
    assertThat(loop.meters.waiting("claim").sum()).isZero();
    assertThat(loop.meters.connectionsInUse().sum()).isZero();
    loop.close();
    assertThat(loop.meters.connectionsUp().sum()).isZero();
  }

  @Test
  void anIdleConnectionTakesARequestAtOnce() {
    assertThat(loop.ask(claims, "ok")).extracting("call", "batchRows").containsExactly(1, 1);
    assertThat(loop.ask(claims, "ok")).extracting("call", "batchRows").containsExactly(2, 1);
  }

  @Test
  void requestsOfOneRoundOfTheEventLoopShareAStatement() {
    for (Future<Probe.Answer> answer : loop.submit(claims, "ok", "ok", "ok")) {
      assertThat(await(answer)).extracting("call", "batchRows").containsExactly(1, 3);
    }
  }

  @Test
  void whatComesWhileTheConnectionIsBusyLeavesAsOneStatement() {
    Future<Probe.Answer> first = loop.submitOne(claims, "sleep:300");
    List<Future<Probe.Answer>> later = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      later.add(loop.submitOne(claims, "ok"));
    }
    assertThat(await(first).batchRows()).isOne();
    for (Future<Probe.Answer> answer : later) {
      assertThat(await(answer)).extracting("call", "batchRows").containsExactly(2, 50);
    }
  }

  @Test
  void aStatementTakesNoMoreThanItsRows() {
    List<Future<Probe.Answer>> answers =
        loop.submit(claims, Collections.nCopies(200, "ok").toArray(String[]::new));
    assertThat(await(answers.get(127)).batchRows()).isEqualTo(128);
    assertThat(await(answers.get(128)).batchRows()).isEqualTo(72);
  }

  @Test
  void aSmallTenantIsServedBesideAFlood() {
    Batcher<String, Probe.Answer> narrow = loop.batcher(Lane.CLAIM, new Probe(true).exchange(), 16);
    UUID small = new UUID(0, 2);
    List<Future<Probe.Answer>> answers =
        loop.call(
            () -> {
              List<Future<Probe.Answer>> all = new ArrayList<>();
              for (int i = 0; i < 400; i++) {
                all.add(narrow.submit(Loop.TENANT, "ok"));
              }
              for (int i = 0; i < 8; i++) {
                all.add(narrow.submit(small, "ok"));
              }
              return all;
            });
    for (Future<Probe.Answer> answer : answers.subList(400, 408)) {
      assertThat(await(answer).call()).isOne();
    }
    assertThat(await(answers.get(399)).call()).isEqualTo(26);
  }

  @Test
  void aFullQueueAnswersOverloadedAtOnce() {
    Future<Probe.Answer> last =
        loop.call(
            () -> {
              for (int i = 0; i < Limits.WAITING_PER_TENANT_MAX; i++) {
                claims.submit(Loop.TENANT, "ok");
              }
              Future<Probe.Answer> refused = claims.submit(Loop.TENANT, "ok");
              assertThat(refused.failed()).isTrue();
              assertThat(claims.submit(new UUID(0, 2), "ok").isComplete()).isFalse();
              return refused;
            });
    assertThat(refusal(last).problem()).isEqualTo(Problem.OVERLOADED);
    assertThat(refusal(last).members()).containsKey("retry_after_ms");
    assertThat(loop.meters.registry().get("db.requests.shed").tag("reason", "full").counters())
        .extracting(Counter::count)
        .containsExactly(1.0);
    Awaitility.await().until(loop::isEmpty);
  }

  @Test
  void whoseRequestsWaitForLongIsToldAtOnceAndOthersAreServed() {
    Future<Probe.Answer> busy = loop.submitOne(claims, "sleep:1600");
    Future<Probe.Answer> first = loop.submitOne(claims, "ok");
    Awaitility.await().until(() -> refused(loop.submitOne(claims, "ok")));
    assertThat(busy.isComplete()).isFalse();
    Future<Probe.Answer> other = loop.call(() -> claims.submit(new UUID(0, 2), "ok"));
    assertThat(await(first).batchRows()).isPositive();
    assertThat(await(other).batchRows()).isPositive();
    assertThat(loop.ask(claims, "ok").batchRows()).isPositive();
  }

  private static boolean refused(Future<Probe.Answer> answer) {
    return answer.failed() && refusal(answer).problem() == Problem.OVERLOADED;
  }

  @Test
  void theQueueOfAllTenantsIsBoundedToo() {
    loop.call(
        () -> {
          for (int i = 0; i < Limits.WAITING_MAX; i++) {
            claims.submit(new UUID(1, i), "ok");
          }
          Future<Probe.Answer> refused = claims.submit(new UUID(2, 0), "ok");
          assertThat(((Refusal) refused.cause()).problem()).isEqualTo(Problem.OVERLOADED);
          return refused.failed();
        });
    Awaitility.await().until(loop::isEmpty);
  }

  @Test
  void aBusyRowIsTriedAgainAndThenSucceeds() {
    List<Future<Probe.Answer>> answers = loop.submit(claims, "again-once", "ok");
    assertThat(await(answers.get(1)).call()).isOne();
    assertThat(await(answers.get(0))).extracting("call", "batchRows").containsExactly(2, 1);
  }

  @Test
  void aRowThatStaysBusyEndsInBusyWhileItsBatchMatesAreAnsweredAtOnce() {
    long from = System.nanoTime();
    List<Future<Probe.Answer>> answers = loop.submit(claims, "ok", "again", "ok");
    await(answers.get(0));
    await(answers.get(2));
    assertThat(answers.get(1).isComplete()).isFalse();
    assertThat(problem(answers.get(1))).isEqualTo(Problem.BUSY);
    assertThat((System.nanoTime() - from) / 1_000_000)
        .isBetween((long) Limits.BUSY_ROW_MS_MAX, 1_000L);
  }

  @Test
  void aRefusalIsItsOwnMembersAlone() {
    List<Future<Probe.Answer>> answers = loop.submit(claims, "ok", "refuse");
    assertThat(problem(answers.get(1))).isEqualTo(Problem.NAME_HELD);
    assertThat(await(answers.get(0)).batchRows()).isEqualTo(2);
  }

  @Test
  void oneBadMemberDoesNotFailItsBatchMates() {
    List<Future<Probe.Answer>> answers = loop.submit(claims, "ok", "raise:22012", "ok");
    assertThat(await(answers.get(0)).batchRows()).isOne();
    assertThat(await(answers.get(2)).batchRows()).isOne();
    assertThat(refusal(answers.get(1)))
        .hasMessage("probe: SQLSTATE 22012")
        .extracting("problem")
        .isEqualTo(Problem.INTERNAL);
  }

  @Test
  void aRequestThatCannotBeEncodedFailsAlone() {
    List<Future<Probe.Answer>> answers = loop.submit(claims, "ok", "cannot be encoded");
    assertThat(await(answers.get(0)).batchRows()).isOne();
    assertThat(problem(answers.get(1))).isEqualTo(Problem.INTERNAL);
  }

  @Test
  void anAnswerThatCannotBeReadIsAnInternalProblemAndNotSentTwice() {
    List<Future<Probe.Answer>> answers = loop.submit(claims, "ok", "cannot be read", "silent");
    assertThat(await(answers.get(0)).batchRows()).isEqualTo(3);
    assertThat(problem(answers.get(1))).isEqualTo(Problem.INTERNAL);
    assertThat(problem(answers.get(2))).isEqualTo(Problem.INTERNAL);
    assertThat(loop.ask(claims, "ok").call()).isEqualTo(2);
  }

  @Test
  void aCallerThatFailsOnItsAnswerKeepsNobodyFromTheirs() {
    Future<Probe.Answer> second =
        loop.call(
            () -> {
              claims
                  .submit(Loop.TENANT, "ok")
                  .onComplete(
                      answered -> {
                        throw new IllegalStateException("as asked");
                      });
              return claims.submit(Loop.TENANT, "ok");
            });
    assertThat(await(second).batchRows()).isEqualTo(2);
  }

  @Test
  void whatWasRolledBackIsSentAgain() {
    for (Future<Probe.Answer> answer : loop.submit(claims, "raise:40001:4", "ok")) {
      assertThat(await(answer)).extracting("call", "batchRows").containsExactly(4, 2);
    }
  }

  @Test
  void whatIsRolledBackAFourthTimeIsBusy() {
    for (Future<Probe.Answer> answer : loop.submit(claims, "raise:40P01", "ok")) {
      assertThat(problem(answer)).isEqualTo(Problem.BUSY);
    }
    assertThat(loop.ask(claims, "ok").call()).isEqualTo(5);
  }

  @Test
  void everySqlStateHasItsProblem() {
    assertThat(problem(loop.submitOne(claims, "raise:55P03"))).isEqualTo(Problem.BUSY);
    assertThat(problem(loop.submitOne(claims, "raise:53100"))).isEqualTo(Problem.UNAVAILABLE);
    assertThat(problem(loop.submitOne(claims, "raise:25006"))).isEqualTo(Problem.UNAVAILABLE);
    assertThat(problem(loop.submitOne(claims, "raise:55000"))).isEqualTo(Problem.UNAVAILABLE);
    assertThat(problem(loop.submitOne(claims, "raise:57P03"))).isEqualTo(Problem.UNAVAILABLE);
    assertThat(problem(loop.submitOne(claims, "raise:57014"))).isEqualTo(Problem.OUTCOME_UNKNOWN);
    assertThat(problem(loop.submitOne(claims, "raise:XX000"))).isEqualTo(Problem.INTERNAL);
    assertThat(problem(loop.submitOne(claims, "raise:FE001"))).isEqualTo(Problem.UNAVAILABLE);
    assertThat(loop.ask(claims, "ok").batchRows()).isOne();
  }

  @Test
  void aStatementWhosePlanIsStaleIsPreparedAgain() {
    DATABASE.run("CREATE TABLE shape AS SELECT 'ok'::text AS verdict");
    Batcher<String, String> shapes =
        loop.batcher(
            Lane.READ,
            Exchange.of(
                "shape", "SELECT 1 AS ord, s.* FROM shape s, unnest($1::text[])", new Shape()),
            1);
    assertThat(await(loop.call(() -> shapes.submit(Loop.TENANT, "first")))).isEqualTo("ok");
    DATABASE.run("ALTER TABLE shape ALTER verdict TYPE varchar(9)");
    assertThat(await(loop.call(() -> shapes.submit(Loop.TENANT, "second")))).isEqualTo("ok");
  }

  @Test
  void whatWasInFlightOnALostConnectionIsSentOnceMoreWhenThatDoesNoHarm() {
    assertThat(loop.ask(claims, "die-once").call()).isEqualTo(2);
    DATABASE.run("ALTER SEQUENCE probe_calls RESTART");
    assertThat(problem(loop.submitOne(claims, "die"))).isEqualTo(Problem.OUTCOME_UNKNOWN);
    assertThat(loop.ask(claims, "ok").call()).isEqualTo(3);
  }

  @Test
  void whatWasInFlightOnALostConnectionIsAnUnknownOutcomeWhenASecondTimeCouldDoHarm() {
    Batcher<String, Probe.Answer> once = loop.probe(Lane.CLAIM, false);
    assertThat(problem(loop.submitOne(once, "die-once"))).isEqualTo(Problem.OUTCOME_UNKNOWN);
    assertThat(loop.ask(once, "ok").call()).isEqualTo(2);
  }

  @Test
  void aConnectionThatIsTerminatedWhileIdleIsReplaced() {
    int backend = loop.ask(claims, "ok").backend();
    DATABASE.rows("SELECT pg_terminate_backend(?)", backend);
    Awaitility.await().until(() -> loop.ask(claims, "ok").backend() != backend);
  }

  @Test
  void aStatementThatTakesTooLongIsAnsweredInTime() {
    long from = System.nanoTime();
    assertThat(problem(loop.submitOne(claims, "sleep:60000"))).isEqualTo(Problem.OUTCOME_UNKNOWN);
    assertThat((System.nanoTime() - from) / 1_000_000)
        .isBetween((long) Limits.STATEMENT_MS_MAX, (long) Limits.REQUEST_MS_MAX);
    Awaitility.await().until(() -> await(loop.submitOne(claims, "ok")).batchRows() == 1);
  }

  @Test
  void whatWasAnsweredLateIsNotSentAgain() {
    long from = System.nanoTime();
    Future<Probe.Answer> before = loop.submitOne(claims, "sleep:1500");
    List<Future<Probe.Answer>> late = loop.submit(claims, "sleep:1700", "again");
    assertThat(await(before).call()).isOne();
    assertThat(problem(late.get(0))).isEqualTo(Problem.OUTCOME_UNKNOWN);
    assertThat(problem(late.get(1))).isEqualTo(Problem.OUTCOME_UNKNOWN);
    assertThat((System.nanoTime() - from) / 1_000_000).isLessThan(Limits.REQUEST_MS_MAX);
    assertThat(loop.ask(claims, "ok").call()).isEqualTo(3);
  }

  @Test
  void theSessionIsSetBeforeTheFirstStatement() {
    Batcher<String, String> settings =
        loop.batcher(
            Lane.READ,
            Exchange.of(
                "setting",
                "SELECT 1 AS ord, current_setting(($1::text[])[1]) AS verdict",
                new Shape()),
            1);
    List<String> names =
        List.of(
            "application_name",
            "TimeZone",
            "default_transaction_isolation",
            "plan_cache_mode",
            "enable_seqscan",
            "jit",
            "statement_timeout",
            "lock_timeout",
            "idle_in_transaction_session_timeout");
    assertThat(names.stream().map(n -> await(loop.call(() -> settings.submit(Loop.TENANT, n)))))
        .containsExactly(
            "lease-gateway",
            "UTC",
            "read committed",
            "force_generic_plan",
            "off",
            "off",
            "2s",
            "250ms",
            "2s");
  }

  @Test
  void theClockIsTheDatabases() {
    long databaseMs =
        ((Number) DATABASE.value("SELECT extract(epoch FROM clock_timestamp()) * 1000"))
            .longValue();
    assertThat(loop.call(() -> loop.database().clock().nowMs()))
        .isBetween(databaseMs - 1_000, databaseMs + 10_000);
  }

  @Test
  void aClosedDatabaseLetsFinishWhatIsInFlightAndRefusesTheRest() {
    Future<Probe.Answer> inFlight = loop.submitOne(claims, "sleep:300");
    Future<Probe.Answer> waiting = loop.submitOne(claims, "ok");
    loop.close();
    assertThat(await(inFlight).call()).isOne();
    assertThat(problem(waiting)).isEqualTo(Problem.UNAVAILABLE);
    open();
  }

  @Test
  void nothingIsTakenAfterTheClose() {
    Future<Probe.Answer> late =
        loop.call(
            () -> {
              Future<Void> closed = loop.database().close();
              return closed.transform(done -> claims.submit(Loop.TENANT, "ok"));
            });
    assertThat(problem(late)).isEqualTo(Problem.UNAVAILABLE);
  }

  @Test
  void anotherThreadIsTurnedAway() {
    assertThatThrownBy(() -> claims.submit(Loop.TENANT, "ok"))
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  void aStatementThatDoesNotPrepareIsFatal() {
    Loop unfit = Loop.open(DATABASE.options(), 1, loop.call(() -> Future.succeededFuture()));
    unfit.batcher(Lane.READ, Exchange.of("wrong", "SELECT no_such_column", new Shape()), 1);
    Awaitility.await().until(() -> unfit.fatal.get() != null);
    assertThat(unfit.fatal.get()).hasMessageContaining("wrong does not prepare");
    unfit.close();
  }
}
