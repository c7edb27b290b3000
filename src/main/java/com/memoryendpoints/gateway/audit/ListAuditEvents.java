package com.memoryendpoints.gateway.audit;

import com.memoryendpoints.gateway.db.ReadStatement;
import com.memoryendpoints.gateway.db.Sql;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.Tuple;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** One page of the trail by {@code list_audit_events.sql}. */
final class ListAuditEvents implements ReadStatement<ListAuditEvents.Wanted, AuditPage> {
  /** So many of a tenant's events behind a position. */
  record Wanted(UUID tenantId, AuditPosition after, int limit) {}

  @Override
  public Sql sql() {
    return Sql.LIST_AUDIT_EVENTS;
  }

  @Override
  public Tuple parameters(Wanted wanted) {
    AuditPosition after = wanted.after();
    return Tuple.of(
        wanted.tenantId(), Long.toString(after.position()), after.eventId(), wanted.limit());
  }

  @Override
  public AuditPage answer(Wanted wanted, RowSet<Row> rows) {
    List<AuditRecord> records = new ArrayList<>();
    for (Row row : rows) {
      records.add(
          new AuditRecord(
              new AuditPosition(row.getLong("position"), row.getUUID("event_id")),
              row.getString("event_type"),
              row.getBuffer("redacted_name_hash"),
              row.getBuffer("redacted_memory_hash"),
              row.getInteger("key_id"),
              row.getLong("fencing_token"),
              row.getString("actor"),
              row.getOffsetDateTime("created_at").toInstant()));
    }
    AuditPosition next =
        records.isEmpty() ? wanted.after() : records.get(records.size() - 1).position();
    return new AuditPage(records, next);
  }
}
