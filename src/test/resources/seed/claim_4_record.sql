-- Key.
UPDATE idempotency_records SET status = 'COMPLETED', response_code = 201, response_body = '{}'
WHERE idempotency_key = ?
