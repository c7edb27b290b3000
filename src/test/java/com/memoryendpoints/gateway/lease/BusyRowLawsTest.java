package com.memoryendpoints.gateway.lease;

import static com.memoryendpoints.gateway.lease.Answers.GRANTED;
import static com.memoryendpoints.gateway.lease.Answers.answer;
import static com.memoryendpoints.gateway.lease.Answers.outcomes;
import static com.memoryendpoints.gateway.lease.Answers.problem;
import static com.memoryendpoints.gateway.lease.Answers.refusal;
import static com.memoryendpoints.gateway.lease.TestGateway.digest;
import static org.assertj.core.api.Assertions.assertThat;

import com.memoryendpoints.gateway.config.Limits;
import com.memoryendpoints.gateway.name.NameKey;
import com.memoryendpoints.gateway.problem.Problem;
import io.vertx.core.Future;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A row that somebody holds open delays who needs it, and nobody else (must 11). */
class BusyRowLawsTest {
  @RegisterExtension static final TestGateway GATEWAY = TestGateway.ofPods(1);

  private final Actor alice = GATEWAY.alice();
  private Connection other;

  @BeforeEach
  void begin() throws SQLException {
    other = GATEWAY.database().connect();
    other.setAutoCommit(false);
  }

  @AfterEach
  void end() throws SQLException {
    other.rollback();
    other.close();
  }

  private void hold(String sql, Object parameter) throws SQLException {
    try (PreparedStatement statement = other.prepareStatement(sql)) {
      statement.setObject(1, parameter);
      statement.execute();
    }
  }

  private void holdLease(UUID memory) throws SQLException {
    hold("SELECT FROM leases WHERE memory_id = ? FOR UPDATE", memory);
  }

  private void holdName(String key) throws SQLException {
    hold("SELECT FROM agent_names WHERE name_key = ? FOR UPDATE", key);
  }

  /** The claims of 60 batch-mates with the victim in their midst: only that one waits. */
  private void assertOnlyTheVictimWaits(Claim victim) {
    List<UUID> memories = alice.memories(60);
    List<Claim> claims = new ArrayList<>();
    for (int i = 0; i < memories.size(); i++) {
      claims.add(alice.claim("Mate " + i + " of " + victim.name().canonical(), memories.get(i)));
    }
    claims.add(30, victim);
    long started = System.nanoTime();
    List<Future<Claimed>> calls = alice.claimsTogether(claims);
    Future<Claimed> waiting = calls.get(30);
    List<Future<Claimed>> mates = new ArrayList<>(calls);
    mates.remove(30);
    assertThat(outcomes(mates)).isEqualTo(Map.of(GRANTED, 60L));
    var busy = refusal(waiting);
    assertThat(busy.problem()).isEqualTo(Problem.BUSY);
    assertThat(busy.members()).containsKey("retry_after_ms");
    assertThat(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - started))
        .isGreaterThanOrEqualTo(Limits.BUSY_ROW_MS_MAX);
  }

  @Test
  void aHeldMemoryDelaysItsOwnClaimOnly() throws SQLException {
    UUID memory = alice.memory();
    holdLease(memory);
    assertOnlyTheVictimWaits(alice.claim("Busy Memory", memory));
    other.rollback();
    alice.granted("Busy Memory", memory);
  }

  @Test
  void aHeldNameDelaysItsOwnClaimOnly() throws SQLException {
    answer(alice.releases(alice.granted("Busy Name", alice.memory())));
    holdName(NameKey.of("busyname"));
    assertOnlyTheVictimWaits(alice.claim("Busy Name", alice.memory()));
  }

  /** The lapsed holder of the name is part of the claim: its row is needed too. */
  @Test
  void aHeldFormerHolderDelaysItsOwnClaimOnly() throws SQLException {
    UUID former = alice.memory();
    alice.granted("Busy Former", former);
    GATEWAY.lapse(former);
    holdLease(former);
    assertOnlyTheVictimWaits(alice.claim("Busy Former", alice.memory()));
  }

  /** A name that another transaction is about to make. */
  @Test
  void anUncommittedNameDelaysItsOwnClaimOnly() throws SQLException {
    hold("SELECT pg_advisory_xact_lock(hashtextextended(? COLLATE \"C\", 1))", "busynew");
    hold("INSERT INTO agent_names VALUES (?, 'busynew', 'Busy New')", "busynew");
    assertOnlyTheVictimWaits(alice.claim("Busy New", alice.memory()));
  }

  /** A record that another transaction is about to make is waited for, but not by others. */
  @Test
  void anUncommittedKeyCostsItsBatchMatesNothing() throws SQLException {
    Claim victim = alice.claim("Busy Key", alice.memory());
    hold(
        """
        INSERT INTO idempotency_records (tenant_id, operation, key, fingerprint, memory_id,
          effective_at)
        SELECT tenant_id, 1, ?, '', memory_id, clock_timestamp() FROM leases LIMIT 1
        """,
        victim.key().value());
    assertOnlyTheVictimWaits(victim);
  }

  /** Who could be granted now does not stand behind an equal claim that cannot. */
  @Test
  void aBusyClaimHoldsUpNoEqualOne() throws SQLException {
    List<UUID> memories = alice.memories(40);
    holdLease(memories.get(0));
    List<Future<Claimed>> calls =
        alice.claimsTogether(
            memories.stream().map(memory -> alice.claim("Rivals", memory)).toList());
    assertThat(outcomes(calls)).isEqualTo(Map.of(GRANTED, 1L, "NAME_HELD", 39L));
    UUID memory = alice.memory();
    answer(alice.releases(alice.granted("Rider 0", alice.memory())));
    holdName("rider0");
    calls =
        alice.claimsTogether(
            IntStream.range(0, 40).mapToObj(n -> alice.claim("Rider " + n, memory)).toList());
    assertThat(outcomes(calls)).isEqualTo(Map.of(GRANTED, 1L, "MEMORY_HELD", 39L));
  }

  /** An id that another transaction is about to register. */
  @Test
  void anUncommittedIdCostsItsBatchMatesNothing() throws SQLException {
    UUID id = alice.key().value();
    hold(
        """
        INSERT INTO memory_instances (memory_id, tenant_id, created_at)
        SELECT ?, tenant_id, clock_timestamp() FROM leases LIMIT 1
        """,
        id);
    List<Future<Registered>> calls =
        alice.together(
            n ->
                alice
                    .pod()
                    .memories
                    .register(new Registration(null, alice.caller(), n == 10 ? id : null)),
            20);
    assertThat(outcomes(calls)).isEqualTo(Map.of(GRANTED, 19L, "BUSY", 1L));
    other.rollback();
    assertThat(answer(alice.registers(null, id)).created()).isTrue();
  }

  /** What is refused for good anyway is refused at once, locked or not. */
  @Test
  void aHeldRowDelaysNoRefusal() throws SQLException {
    UUID memory = alice.memory();
    Lease lease = alice.granted("Locked Live", memory);
    Lease older = lease;
    Lease current = alice.granted("Locked Live", memory);
    holdLease(memory);
    assertThat(problem(alice.as("b").claims("Other", memory))).isEqualTo(Problem.MEMORY_HELD);
    assertThat(problem(alice.claims("Locked Live", alice.memory()))).isEqualTo(Problem.NAME_HELD);
    assertThat(problem(alice.renews(older, null))).isEqualTo(Problem.STALE_FENCING_TOKEN);
    assertThat(problem(alice.commits(older, digest(1)))).isEqualTo(Problem.STALE_FENCING_TOKEN);
    assertThat(problem(alice.branches(older))).isEqualTo(Problem.STALE_FENCING_TOKEN);
    answer(alice.verifies(current));
    answer(alice.finds(current));
  }

  @Test
  void aHeldLeaseIsBusyForItsOwnerAndAtPeaceAfterwards() throws SQLException {
    Lease lease = alice.granted("Owner Waits", alice.memory());
    Lease free = alice.granted("Owner Goes", alice.memory());
    holdLease(lease.memoryId());
    var waiting =
        List.of(
            alice.renews(lease, null),
            alice.releases(lease),
            alice.commits(lease, digest(1)),
            alice.branches(lease),
            alice.revokesName("ownerwaits", null));
    answer(alice.renews(free, null));
    answer(alice.commits(free, digest(1)));
    answer(alice.branches(free));
    answer(alice.revokesName("ownergoes", null));
    assertThat(outcomes(waiting)).isEqualTo(Map.of("BUSY", 5L));
    other.rollback();
    answer(alice.commits(lease, digest(1)));
    answer(alice.releases(lease));
  }

  /** Scenarios 1 and 11: who waited is granted from the moment the row came free, or refused. */
  @Test
  void whoWaitedForARowIsNeverGrantedIntoThePast() throws SQLException {
    for (int round = 0; round < 5; round++) {
      Lease lease = alice.granted("Waiting", alice.memory());
      Lease lapsed = alice.granted("Waited For", alice.memory());
      GATEWAY.lapse(lapsed.memoryId());
      holdLease(lease.memoryId());
      holdLease(lapsed.memoryId());
      double before = busyRetries();
      Future<Renewed> renewal = alice.renews(lease, 60);
      Future<Claimed> claim =
          alice.claims(alice.claim(alice.key(), "Waited For", lapsed.memoryId(), 1));
      Awaitility.await().until(() -> busyRetries() >= before + 2);
      Instant freed = databaseNow();
      other.rollback();
      if (outcomes(List.of(renewal)).containsKey(GRANTED)) {
        assertThat(renewal.result().expiresAt()).isAfterOrEqualTo(freed.plusSeconds(60));
      } else {
        assertThat(problem(renewal)).isEqualTo(Problem.BUSY);
      }
      if (outcomes(List.of(claim)).containsKey(GRANTED)) {
        assertThat(claim.result().lease().expiresAt()).isAfterOrEqualTo(freed.plusSeconds(1));
      } else {
        assertThat(problem(claim)).isEqualTo(Problem.BUSY);
      }
      GATEWAY.lapse(lease.memoryId());
      GATEWAY.lapse(lapsed.memoryId());
    }
  }

  private static Instant databaseNow() {
    return ((Timestamp) GATEWAY.database().value("SELECT clock_timestamp()")).toInstant();
  }

  private static double busyRetries() {
    return GATEWAY
        .pod(0)
        .meters
        .registry()
        .find("db.statement.retries")
        .tag("reason", "busy_row")
        .counters()
        .stream()
        .mapToDouble(counter -> counter.count())
        .sum();
  }
}
