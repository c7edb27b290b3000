package com.memoryendpoints.gateway.lease;

import static com.memoryendpoints.gateway.lease.Answers.problem;
import static com.memoryendpoints.gateway.lease.TestGateway.digest;
import static org.assertj.core.api.Assertions.assertThat;

import com.memoryendpoints.gateway.idempotency.IdempotencyKey;
import com.memoryendpoints.gateway.idempotency.Operation;
import com.memoryendpoints.gateway.problem.Problem;
import io.vertx.core.Future;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.UUID;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** No record of its own, no effect: a key's record is made before anything else (must 8). */
class KeyRaceLawsTest {
  @RegisterExtension static final TestGateway GATEWAY = TestGateway.ofPods(1);

  private static final int ATTEMPTS = 20;

  private final Actor alice = GATEWAY.alice();

  private Future<?> send(Operation operation, IdempotencyKey key, Lease lease, UUID free) {
    return switch (operation) {
      case CLAIM -> alice.claims(alice.claim(key, "Key Racer", free, 30));
      case BRANCH -> alice.branches(key, lease.memoryId(), lease.fencingToken());
      case REGISTER -> alice.registers(key, null);
      case COMMIT -> alice.commits(key, lease, digest(1), null);
      case POOL_CLAIM -> throw new IllegalArgumentException("recorded elsewhere");
    };
  }

  /**
   * Elsewhere the same key is used for another request, which commits just when ours, having read
   * that the key is free, comes to record it.
   */
  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "POOL_CLAIM")
  void aKeyThatIsUsedElsewhereMeanwhileHasNoSecondEffect(Operation operation) throws SQLException {
    Lease lease = alice.granted("Racing " + operation.code(), alice.memory());
    UUID free = alice.memory();
    Problem refused = Problem.BUSY;
    for (int i = 0; refused == Problem.BUSY && i < ATTEMPTS; i++) {
      IdempotencyKey key = alice.key();
      try (Connection other = GATEWAY.database().connect()) {
        other.setAutoCommit(false);
        record(other, operation, key, lease);
        var before = GATEWAY.everything();
        Future<?> call = send(operation, key, lease, free);
        // It waits for the other's record; if that takes too long, it is busy.
        Awaitility.await().until(() -> call.isComplete() || somebodyWaits());
        other.commit();
        refused = problem(call);
        assertThat(GATEWAY.everything()).hasSize(before.size() + 1).containsAll(before);
      }
    }
    assertThat(refused).isEqualTo(Problem.IDEMPOTENCY_KEY_REUSED);
  }

  private static void record(Connection other, Operation operation, IdempotencyKey key, Lease lease)
      throws SQLException {
    try (PreparedStatement insert =
        other.prepareStatement(
            """
            INSERT INTO idempotency_records (tenant_id, operation, key, fingerprint, memory_id,
              effective_at)
            VALUES (?, ?, ?, 'elsewhere', ?, clock_timestamp())
            """)) {
      insert.setObject(1, TestPod.CALLER.tenantId());
      insert.setObject(2, operation.code());
      insert.setObject(3, key.value());
      insert.setObject(4, lease.memoryId());
      insert.execute();
    }
  }

  private static boolean somebodyWaits() {
    return !GATEWAY
        .database()
        .rows(
            """
            SELECT FROM pg_stat_activity
            WHERE datname = current_database() AND wait_event_type = 'Lock'
            """)
        .isEmpty();
  }
}
