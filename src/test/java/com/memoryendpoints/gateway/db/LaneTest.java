package com.memoryendpoints.gateway.db;

import static com.memoryendpoints.gateway.db.Loop.await;
import static org.assertj.core.api.Assertions.assertThat;

import com.memoryendpoints.gateway.TestDatabase;
import io.vertx.core.Future;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What may wait behind what, with one, two and more connections. */
class LaneTest {
  @RegisterExtension static final TestDatabase DATABASE = TestDatabase.migrated();

  private Loop loop;
  private Batcher<String, Probe.Answer> renewals;
  private Batcher<String, Probe.Answer> reads;
  private Batcher<String, Probe.Answer> claims;

  @BeforeAll
  static void install() {
    Probe.install(DATABASE);
  }

  @BeforeEach
  void restart() {
    DATABASE.run("ALTER SEQUENCE probe_calls RESTART");
  }

  @AfterEach
  void close() {
    assertThat(loop.isEmpty()).isTrue();
    loop.close();
  }

  private void open(int connections) {
    loop = Loop.open(DATABASE.options(), connections);
    renewals = loop.probe(Lane.RENEW, true);
    reads = loop.probe(Lane.READ, true);
    claims = loop.probe(Lane.CLAIM, true);
    Awaitility.await().until(() -> loop.meters.connectionsUp().sum() == connections);
  }

  @Test
  void onOneConnectionRenewalsGoFirstAndTheOthersInTurn() {
    open(1);
    loop.submitOne(claims, "sleep:200");
    Future<Probe.Answer> claim = loop.submitOne(claims, "ok");
    Future<Probe.Answer> read = loop.submitOne(reads, "ok");
    Future<Probe.Answer> renewal = loop.submitOne(renewals, "ok");
    assertThat(await(renewal).call()).isEqualTo(2);
    assertThat(await(read).call()).isEqualTo(3);
    assertThat(await(claim).call()).isEqualTo(4);
  }

  @Test
  void onTwoConnectionsRenewalsHaveOneOfTheirOwn() {
    open(2);
    Future<Probe.Answer> slow = loop.submitOne(claims, "sleep:600");
    Future<Probe.Answer> claim = loop.submitOne(claims, "ok");
    Future<Probe.Answer> read = loop.submitOne(reads, "ok");
    int renewing = loop.ask(renewals, "ok").backend();
    assertThat(slow.isComplete()).isFalse();
    assertThat(claim.isComplete()).isFalse();
    assertThat(read.isComplete()).isFalse();
    assertThat(await(read).backend()).isEqualTo(await(slow).backend()).isNotEqualTo(renewing);
    assertThat(await(claim).backend()).isEqualTo(await(slow).backend());
  }

  @Test
  void onFourConnectionsClaimsHaveTwoAndReadsOne() {
    open(4);
    Future<Probe.Answer> first = loop.submitOne(claims, "sleep:600");
    Future<Probe.Answer> second = loop.submitOne(claims, "sleep:600");
    Future<Probe.Answer> third = loop.submitOne(claims, "ok");
    int reading = loop.ask(reads, "ok").backend();
    int renewing = loop.ask(renewals, "ok").backend();
    // An idle connection of another lane has not taken the third claim.
    assertThat(third.isComplete()).isFalse();
    assertThat(reading).isNotEqualTo(renewing);
    assertThat(await(first).backend()).isNotEqualTo(await(second).backend());
    assertThat(await(third).backend()).isIn(await(first).backend(), await(second).backend());
  }

  @Test
  void lanesAreSharedOutAmongTheConnectionsThatAreUp() {
    assertThat(Lane.servedBy(0, 1)).containsExactly(Lane.RENEW, Lane.READ, Lane.CLAIM);
    assertThat(Lane.servedBy(0, 2)).containsExactly(Lane.RENEW);
    assertThat(Lane.servedBy(1, 2)).containsExactly(Lane.READ, Lane.CLAIM);
    assertThat(Lane.servedBy(1, 3)).containsExactly(Lane.READ);
    assertThat(Lane.servedBy(2, 3)).containsExactly(Lane.CLAIM);
    assertThat(Lane.servedBy(7, 8)).containsExactly(Lane.CLAIM);
    open(1);
  }
}
