package com.memoryendpoints.gateway.audit;

import com.fasterxml.uuid.Generators;
import com.fasterxml.uuid.NoArgGenerator;
import com.memoryendpoints.gateway.TestDatabase;
import com.memoryendpoints.gateway.lease.TestPod;
import com.memoryendpoints.gateway.tenant.Caller;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** A tenant's trail: written past the gateway, as the gateway's statements do, and read by it. */
record Trail(TestPod pod, TestDatabase database, Caller caller) {
  private static final String INSERT =
      "INSERT INTO audit_events (event_id, tenant_id, created_at, key_id, event_type, actor)"
          + " VALUES (?, ?, clock_timestamp(), 1, 'MEMORY_REGISTERED', 'somebody')";

  private static final NoArgGenerator IDS = Generators.timeBasedEpochGenerator();

  /** A UUIDv7, from any thread. */
  static UUID id() {
    return IDS.generate();
  }

  /** Of a tenant of its own. */
  static Trail of(TestPod pod, TestDatabase database) {
    return new Trail(pod, database, new Caller(id(), "reader"));
  }

  /** An event of an id that is made now; it is there when the connection's transaction commits. */
  UUID writes(Connection connection) throws SQLException {
    UUID id = id();
    writes(connection, id);
    return id;
  }

  /** An event of an id that was made before. */
  void writes(Connection connection, UUID id) throws SQLException {
    try (PreparedStatement insert = connection.prepareStatement(INSERT)) {
      insert.setObject(1, id);
      insert.setObject(2, caller.tenantId());
      insert.executeUpdate();
    }
  }

  AuditPage page(AuditPosition after, int limit) {
    return pod.call(() -> pod.trail.read(caller, after, limit));
  }

  /** Everything that is shown behind a position now. */
  List<AuditRecord> after(AuditPosition position, int limit) {
    List<AuditRecord> all = new ArrayList<>();
    AuditPage page = page(position, limit);
    while (!page.records().isEmpty()) {
      all.addAll(page.records());
      page = page(page.next(), limit);
    }
    return all;
  }

  static List<UUID> ids(List<AuditRecord> records) {
    return records.stream().map(record -> record.position().eventId()).toList();
  }
}
