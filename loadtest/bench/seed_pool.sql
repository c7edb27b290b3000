-- The second founding document's two statements, prepared: the acquisition and the fenced commit.
UPDATE resource_pool
SET status = 'PENDING', leased_until = NOW() + INTERVAL '30 seconds', lease_token = lease_token + 1
WHERE id IN (
    SELECT id FROM resource_pool
    WHERE status = 'UNUSED'
    LIMIT 1 FOR UPDATE SKIP LOCKED
)
RETURNING id, lease_token \gset
UPDATE business_ledger SET status = 'COMPLETED'
WHERE resource_id = :id AND expected_lease_token = :lease_token;
