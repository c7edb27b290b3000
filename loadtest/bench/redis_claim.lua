-- Redis's claim of a name and a memory, both or neither. It issues no fencing token. Refusals are
-- counted, because redis-benchmark does not look at answers.
if redis.call('SET', KEYS[1], ARGV[1], 'NX', 'PX', ARGV[2]) then
  if redis.call('SET', KEYS[2], ARGV[1], 'NX', 'PX', ARGV[2]) then return 1 end
  redis.call('DEL', KEYS[1])
end
redis.call('INCR', 'refused')
return 0
