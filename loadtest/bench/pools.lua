-- wrk, one thread: claims BATCH identifiers and consumes them, a request each. POOLS pools of SIZE
-- identifiers are taken one after the other, as each runs dry; they are named POOL-1, POOL-2 and so
-- on, and an identifier begins with the name of its pool, because an answer does not tell it.
local token = os.getenv("TOKEN")
local batch = tonumber(os.getenv("BATCH") or "100")
local pool = os.getenv("POOL")
local pools = tonumber(os.getenv("POOLS") or "1")
local size = tonumber(os.getenv("SIZE") or "0")
local threads = {}

function setup(thread)
  table.insert(threads, thread)
end

function init()
  math.randomseed(os.time() * 16 + tonumber(os.getenv("SALT") or "0"))
  current, granted, consumed, other, first, last = 1, 0, 0, 0, 1, 0
  held = {}
  headers = { ["Authorization"] = "Bearer " .. token, ["Content-Type"] = "application/json" }
end

local function key()
  local ms = os.time() * 1000 + math.random(0, 999)
  return string.format("%08x-%04x-7%03x-%04x-%06x%06x", math.floor(ms / 65536), ms % 65536,
    math.random(0, 0xfff), math.random(0x8000, 0xbfff), math.random(0, 0xffffff),
    math.random(0, 0xffffff))
end

function request()
  if first <= last then
    local hold = held[first]
    held[first] = nil
    first = first + 1
    headers["Idempotency-Key"] = nil
    return wrk.format("POST", "/v1/pools/" .. hold.pool .. "/consume", headers,
      '{"items":[' .. hold.items .. ']}')
  end
  headers["Idempotency-Key"] = key()
  return wrk.format("POST", "/v1/pools/" .. pool .. "-" .. current .. "/claim", headers,
    '{"owner_client_id":"worker-node-alpha-99","count":' .. batch .. '}')
end

function response(status, _, body)
  if status == 201 then
    local items, from = {}, body:match('"identifier":"([^:]+):')
    for id, fence in body:gmatch('"identifier_id":"([%x-]+)".-"fencing_token":(%d+)') do
      items[#items + 1] = '{"identifier_id":"' .. id .. '","fencing_token":' .. fence .. '}'
    end
    last = last + 1
    held[last] = { pool = from, items = table.concat(items, ",") }
    granted = granted + #items
    if granted >= size * current and current < pools then
      current = current + 1
    end
  elseif status == 200 then
    local _, done = body:gsub('"consumed_at"', "")
    local _, refused = body:gsub('"problem"', "")
    consumed = consumed + done
    other = other + refused
  elseif status ~= 409 or current == pools then
    other = other + 1
  end
end

function done(summary, latency)
  local total, others = 0, 0
  for _, thread in ipairs(threads) do
    total = total + thread:get("consumed")
    others = others + thread:get("other")
  end
  io.write(string.format("RESULT %.0f %.2f %.2f %d\n", total / summary.duration * 1e6,
    latency:percentile(50) / 1000, latency:percentile(99) / 1000, others +
    summary.errors.timeout + summary.errors.read + summary.errors.connect + summary.errors.write))
end
