-- One page of a tenant's events ($1) in commit order after the position $2 and the event $3, at
-- most $4 of them; a row is an event.
--
-- What commits while somebody reads must not come to stand before what has been read. Every
-- transaction from the oldest one that is still open on may yet commit, so the page ends before it:
-- one that writes and stays open holds the trail back, whichever database of the server it is in.
-- Whatever is of an earlier era has ended.
--
-- Isolation: one snapshot. What it calls ended, the same snapshot shows.
SELECT e.event_id, e.event_type, e.redacted_name_hash, e.redacted_memory_hash, e.key_id,
  e.fencing_token, e.actor, e.created_at, e.xid::text::bigint AS position
FROM audit_events e
WHERE e.tenant_id = $1::uuid
  AND (e.xid, e.event_id) > ($2::text::xid8, $3::uuid)
  AND e.xid < (SELECT ((audit_era() << 44)
      + pg_snapshot_xmin(pg_current_snapshot())::text::bigint)::text::xid8)
  AND (SELECT pg_current_wal_lsn()) IS NOT NULL
ORDER BY e.xid, e.event_id
LIMIT $4::int
