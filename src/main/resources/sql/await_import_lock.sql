-- Waits for the lock of imports and keeps it until this transaction ends.
SELECT pg_advisory_xact_lock(hashtextextended('lease-gateway legacy import', 0))
