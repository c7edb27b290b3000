package com.memoryendpoints.gateway.lease;

import com.memoryendpoints.gateway.TestDatabase;
import com.memoryendpoints.gateway.reaper.TestReaper;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** A database and pods on it, for a class of laws; time passes by ageing rows, never by waiting. */
final class TestGateway implements BeforeAllCallback, AfterAllCallback {
  private static final int CONNECTIONS = 3;

  private final TestDatabase database = TestDatabase.migrated();
  private final List<TestPod> pods = new ArrayList<>();
  private final int count;
  private final LeaseSettings settings;
  private @Nullable TestReaper reaper;

  private TestGateway(int count, LeaseSettings settings) {
    this.count = count;
    this.settings = settings;
  }

  static TestGateway ofPods(int count) {
    return ofPods(count, new LeaseSettings(0, false));
  }

  static TestGateway ofPods(int count, LeaseSettings settings) {
    return new TestGateway(count, settings);
  }

  @Override
  public void beforeAll(ExtensionContext context) {
    database.beforeAll(context);
    for (int i = 0; i < count; i++) {
      pods.add(new TestPod(database.uri(), CONNECTIONS, settings));
    }
  }

  @Override
  public void afterAll(ExtensionContext context) {
    pods.forEach(TestPod::close);
    pods.clear();
    if (reaper != null) {
      reaper.close();
    }
    database.afterAll(context);
  }

  /** The n-th of all digests. */
  static String digest(int n) {
    return "sha-256:" + String.format("%064x", n);
  }

  TestDatabase database() {
    return database;
  }

  TestPod pod(int place) {
    return pods.get(place);
  }

  /** Somebody of the usual tenant, on the first pod. */
  Actor alice() {
    return new Actor(pod(0), TestPod.owner());
  }

  /** Another tenant under the same {@code owner_client_id}, on the first pod. */
  Actor mallory() {
    return new Actor(pod(0), new Owner(TestPod.STRANGER, TestPod.owner().clientId()));
  }

  /** Ages a lease, as if its owner had been silent until now, and nobody has come since. */
  void lapse(UUID memoryId) {
    change(memoryId, "expires_at = clock_timestamp() - interval '1 ms'");
  }

  /** Ages a lease by a minute and lets the reaper record it. */
  void lapseAndReap(UUID memoryId) {
    change(memoryId, "expires_at = clock_timestamp() - interval '1 minute'");
    if (reaper == null) {
      reaper = new TestReaper(database);
    }
    reaper.pass();
    if (!lease(memoryId).get("ended_as").equals(2)) {
      throw new IllegalStateException("the reaper has not recorded the lapse");
    }
  }

  /** Lapses a lease, seen by the reaper or not. */
  void lapse(UUID memoryId, boolean reaped) {
    if (reaped) {
      lapseAndReap(memoryId);
    } else {
      lapse(memoryId);
    }
  }

  /** Changes a lease row by an SQL assignment. */
  void change(UUID memoryId, String assignment) {
    database.run("UPDATE leases SET " + assignment + " WHERE memory_id = '" + memoryId + "'");
  }

  /** A memory's lease row, past the gateway. */
  Map<String, Object> lease(UUID memoryId) {
    return database.rows("SELECT * FROM leases WHERE memory_id = ?", memoryId).get(0);
  }

  /** Everything that a refusal must leave as it was. */
  List<Map<String, Object>> everything() {
    return database.rows(
        """
        SELECT l::text FROM leases l
        UNION ALL SELECT n::text FROM agent_names n
        UNION ALL SELECT m::text FROM memory_instances m
        UNION ALL SELECT h::text FROM memory_heads h
        UNION ALL SELECT r::text FROM idempotency_records r
        UNION ALL SELECT e::text FROM audit_events e
        ORDER BY 1
        """);
  }
}
