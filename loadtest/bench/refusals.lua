-- Sends one claim over and over. Prints: answers, errors of sockets.
wrk.method = "POST"
wrk.path = "/v1/leases"
wrk.headers["Content-Type"] = "application/json"
wrk.headers["Authorization"] = "Bearer " .. os.getenv("TOKEN")
wrk.headers["Idempotency-Key"] = "019a2f4e-8a00-7b11-8c22-d3e4f5061728"
wrk.body = '{"display_name":"My Agent","memory_instance_id":"019a2f4e-7c1b-7d20-9f3a-5b6c7d8e9f01",'
  .. '"owner_client_id":"worker-7","ttl_seconds":30}'

function done(summary)
  local sockets = summary.errors.connect + summary.errors.read + summary.errors.write
    + summary.errors.timeout
  print(string.format("RESULT %d %d", summary.requests, sockets))
end
