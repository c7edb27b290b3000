-- wrk: one claim a request. Every thread counts through its own share of 200,000 memories, so no
-- claim meets a live lease; names go with memories. Prints what was not a grant.
local token = os.getenv("TOKEN")
local counter = 0

function setup(thread)
  thread:set("first", counter)
  counter = counter + 1
end

function init(args)
  math.randomseed(os.time() * 16 + first + tonumber(args[1] or 0))
  threads_total = tonumber(os.getenv("THREADS") or "1")
  share = math.floor(200000 / threads_total)
  place = math.random(0, share - 1)
  -- Everything but the key and the number is the same in each: the generator shares the cores with
  -- what it measures, and must cost little.
  before_key = table.concat({
    "POST /v1/leases HTTP/1.1", "Host: " .. wrk.host .. ":" .. wrk.port,
    "Authorization: Bearer " .. token, "Content-Type: application/json",
    "Content-Length: " .. #body(0), "Idempotency-Key: "}, "\r\n")
  keys = 0
end

function body(i)
  return string.format('{"display_name":"Agent %06d","memory_instance_id":' ..
    '"018f0000-0000-7000-8000-%012x","owner_client_id":"worker-node-alpha-99","ttl_seconds":1}',
    i, i)
end

-- UUIDv7 of the second, unique by random bits of the thread's and a counter.
local function key()
  if keys % 4096 == 0 then
    local ms = os.time() * 1000
    prefix = string.format("%08x-%04x-7%03x-%04x-%04x", math.floor(ms / 65536), ms % 65536,
      math.random(0, 0xfff), math.random(0x8000, 0xbfff), math.random(0, 0xffff))
  end
  keys = keys + 1
  return string.format("%s%08x", prefix, keys)
end

function request()
  place = (place + 1) % share
  return before_key .. key() .. "\r\n\r\n" .. body(first * share + place + 1)
end

-- Without a response(): wrk would hand every header of every answer to it. Keys are never the same, so
-- what is no 201 is an error.
function done(summary, latency, requests)
  local others = summary.errors.status
  io.write(string.format("RESULT %.0f %.2f %.2f %d %d\n",
    (summary.requests - others) / summary.duration * 1e6, latency:percentile(50) / 1000,
    latency:percentile(99) / 1000, others, summary.errors.timeout + summary.errors.read +
    summary.errors.connect + summary.errors.write))
end
