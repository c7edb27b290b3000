-- wrk, one thread: etcd's claim of a name and a memory, both or neither: a transaction that puts two
-- keys where neither exists. No lease is attached, which spares etcd the keeping of time. Keys in
-- JSON are base64; any text of its letters, in fours, is one. Prints what claims.lua prints.
local headers = { ["Content-Type"] = "application/json" }
local form = '{"compare":[{"key":"%s","target":"CREATE","result":"EQUAL","create_revision":"0"},' ..
  '{"key":"%s","target":"CREATE","result":"EQUAL","create_revision":"0"}],' ..
  '"success":[{"request_put":{"key":"%s","value":"%s"}},{"request_put":{"key":"%s","value":"%s"}}]}'
local owner = "d29ya2VyLW5vZGUtYWxwaGEtOTk="

function init(args)
  run, place = tonumber(args[1]), 0
end

function request()
  place = place + 1
  local name = string.format("name%05d%07d", run, place)
  local memory = string.format("memo%05d%07d", run, place)
  return wrk.format("POST", "/v3/kv/txn", headers,
    string.format(form, name, memory, name, owner, memory, owner))
end

-- Without a response(), as in claims.lua: no key is ever used again, so what is a 200 was written.
function done(summary, latency)
  local errors = summary.errors
  io.write(string.format("RESULT %.0f %.2f %.2f %d %d\n",
    (summary.requests - errors.status) / summary.duration * 1e6, latency:percentile(50) / 1000,
    latency:percentile(99) / 1000, errors.status,
    errors.timeout + errors.read + errors.connect + errors.write))
end
