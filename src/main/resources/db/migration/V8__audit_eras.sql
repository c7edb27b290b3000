-- Where an event stands in the trail: the era of its history above, its transaction below.
--
-- A transaction id alone orders the events of one unbroken history. A promotion that lost commits
-- gives their ids out again, and a cluster that a dump was restored into begins at ids of its own:
-- a reader that resumes there would pass by whatever is written below its cursor. So the upper 20
-- bits are the epoch that fencing tokens count by, without the configured base (store.md, must 3):
-- every promotion and every anchor-epoch raises it, and with it everything that is written later.
-- Events from before this migration are of era 0, as they stand.

-- The era as of now. What of it only anchor-epoch changes is written into the function, so that an
-- event costs no look at a table. 55000 on a standby.
CREATE FUNCTION fix_audit_era() RETURNS void LANGUAGE plpgsql VOLATILE AS $$
BEGIN
  EXECUTE format(
    'CREATE OR REPLACE FUNCTION audit_era() RETURNS bigint LANGUAGE sql VOLATILE AS %L',
    format('SELECT (%s + current_timeline())::bigint',
      (SELECT e.epoch - e.timeline FROM fencing_epoch e)));
END $$;

SELECT fix_audit_era();

-- In eras of 2^44 transactions: 10,000 a second for 55 years.
ALTER TABLE audit_events
  ALTER xid SET DEFAULT ((audit_era() << 44) + pg_current_xact_id()::text::bigint)::text::xid8;

-- As before, and ahead of every event's era too.
CREATE OR REPLACE FUNCTION anchor_fencing_epoch() RETURNS int LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  v_epoch int;
BEGIN
  UPDATE fencing_epoch e
  SET system_identifier = here.system_identifier, timeline = here.timeline,
      epoch = 64 + greatest(e.epoch, (SELECT max(l.last_token) >> 40 FROM leases l),
                            (SELECT max(n.last_token) >> 40 FROM agent_names n),
                            (SELECT max(i.last_token) >> 40 FROM identifiers i),
                            (SELECT max(a.xid::text::bigint) >> 44 FROM audit_events a))
  FROM (SELECT system_identifier, current_timeline() AS timeline FROM pg_control_system()) here
  WHERE e.system_identifier <> here.system_identifier OR here.timeline < e.timeline
  RETURNING e.epoch INTO v_epoch;
  IF FOUND THEN
    PERFORM fix_audit_era();
  END IF;
  RETURN v_epoch;
END $$;
