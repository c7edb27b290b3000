-- wrk: one claim a request. Every thread counts through its own share of 200,000 memories, so no
-- claim meets a live lease; names go with memories. Prints what was not a grant.
local token = os.getenv("TOKEN")
local threads = {}
local counter = 0

function setup(thread)
  thread:set("first", counter)
  counter = counter + 1
  table.insert(threads, thread)
end

function init(args)
  math.randomseed(os.time() * 16 + first + tonumber(args[1] or 0))
  threads_total = tonumber(os.getenv("THREADS") or "1")
  share = math.floor(200000 / threads_total)
  place = math.random(0, share - 1)
  other = 0
  headers = {
    ["Authorization"] = "Bearer " .. token,
    ["Content-Type"] = "application/json",
  }
end

local function key()
  local ms = os.time() * 1000 + math.random(0, 999)
  return string.format("%08x-%04x-7%03x-%04x-%06x%06x", math.floor(ms / 65536), ms % 65536,
    math.random(0, 0xfff), math.random(0x8000, 0xbfff), math.random(0, 0xffffff),
    math.random(0, 0xffffff))
end

function request()
  place = (place + 1) % share
  local i = first * share + place + 1
  headers["Idempotency-Key"] = key()
  return wrk.format("POST", "/v1/leases", headers, string.format(
    '{"display_name":"Agent %d","memory_instance_id":"018f0000-0000-7000-8000-%012x",' ..
    '"owner_client_id":"worker-node-alpha-99","ttl_seconds":1}', i, i))
end

function response(status)
  if status ~= 201 then
    other = other + 1
  end
end

function done(summary, latency, requests)
  local others = 0
  for _, thread in ipairs(threads) do
    others = others + thread:get("other")
  end
  io.write(string.format("RESULT %.0f %.2f %.2f %d %d\n",
    (summary.requests - others) / summary.duration * 1e6, latency:percentile(50) / 1000,
    latency:percentile(99) / 1000, others, summary.errors.timeout + summary.errors.read +
    summary.errors.connect + summary.errors.write))
end
