-- Takes the lock of imports until this transaction ends, or leaves it to who has it: whether it is
-- ours.
SELECT pg_try_advisory_xact_lock(hashtextextended('lease-gateway legacy import', 0)) AS ours
