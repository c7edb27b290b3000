-- wrk, one thread: claims, or what CALL says. Prints what was asked for a second, the median and
-- the 99th percentile of a request in ms, what was answered otherwise, and errors of sockets.
--
--   claim  (the default) one claim a request, counting through 200,000 memories from a random one,
--          so no claim meets a live lease; names go with memories
--   batch  the same, BATCH claims a request
--   renew  one renewal a request, of the leases in the file LEASES: name, memory, token a line; for
--          the longest ttl, because a renewal that does not move the end is not written
--   hot    claims of one name that another owner holds, each with another memory
--   hello  the requests of `claim`, to a server that answers 200 to anything
--
-- The generator shares the cores with what it measures, and must cost little: the head of a request
-- is put together once, and only `batch` has a response(), for which wrk takes every answer apart.
local token = os.getenv("TOKEN") or "none"
local call = os.getenv("CALL") or "claim"
local batch = tonumber(os.getenv("BATCH") or "1")
local memories = 200000
local path = ({ renew = "/v1/leases/renew", batch = "/v1/leases/batch" })[call] or "/v1/leases"
local name = call == "hot" and "held1" or "Agent %06d"
local owner = call == "hot" and "another" or "worker-node-alpha-99"
local form = '{"display_name":"' .. name .. '","memory_instance_id":' ..
  '"018f0000-0000-7000-8000-%012x","owner_client_id":"' .. owner .. '","ttl_seconds":1%s}'
local threads = {}

function setup(thread)
  table.insert(threads, thread)
end

function init(args)
  math.randomseed(os.time() * 16 + tonumber(args[1] or 0))
  place, keys, served, refused = math.random(0, memories - 1), 0, 0, 0
  head = table.concat({ "POST " .. path .. " HTTP/1.1", "Host: " .. wrk.host .. ":" .. wrk.port,
    "Authorization: Bearer " .. token, "Content-Type: application/json", "" }, "\r\n")
  leases = {}
  if call == "renew" then
    for line in io.lines(os.getenv("LEASES")) do
      leases[#leases + 1] = string.format('{"canonical_name":"%s","memory_instance_id":"%s",' ..
        '"fencing_token":%s,"owner_client_id":"' .. owner .. '","ttl_seconds":300}',
        line:match("(%S+) (%S+) (%S+)"))
    end
  end
end

-- A UUIDv7 of the second, unique by random bits and a counter.
local function key()
  if keys % 4096 == 0 then
    local ms = os.time() * 1000
    prefix = string.format("%08x-%04x-7%03x-%04x-%04x", math.floor(ms / 65536), ms % 65536,
      math.random(0, 0xfff), math.random(0x8000, 0xbfff), math.random(0, 0xffff))
  end
  keys = keys + 1
  return string.format("%s%08x", prefix, keys)
end

local function claim(extra)
  place = (place + 1) % memories
  if call == "hot" then
    return string.format(form, place + 1, extra)
  end
  return string.format(form, place + 1, place + 1, extra)
end

local function sent(field, body)
  return head .. field .. "Content-Length: " .. #body .. "\r\n\r\n" .. body
end

function request()
  if call == "renew" then
    place = place % #leases + 1
    return sent("", leases[place])
  elseif call == "batch" then
    local items = {}
    for i = 1, batch do
      items[i] = claim(',"idempotency_key":"' .. key() .. '"')
    end
    return sent("", '{"items":[' .. table.concat(items, ",") .. "]}")
  end
  return sent("Idempotency-Key: " .. key() .. "\r\n", claim(""))
end

if call == "batch" then
  function response(_, _, body)
    local _, granted = body:gsub('"status":201', "")
    served = served + granted
    refused = refused + batch - granted
  end
end

function done(summary, latency)
  local errors = summary.errors
  local total, others = summary.requests - errors.status, errors.status
  if call == "hot" then
    total, others = others, total
  elseif call == "batch" then
    total, others = 0, 0
    for _, thread in ipairs(threads) do
      total = total + thread:get("served")
      others = others + thread:get("refused")
    end
  end
  io.write(string.format("RESULT %.0f %.2f %.2f %d %d\n", total / summary.duration * 1e6,
    latency:percentile(50) / 1000, latency:percentile(99) / 1000, others,
    errors.timeout + errors.read + errors.connect + errors.write))
end
