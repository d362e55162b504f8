import type { RedisClient } from './redis.ts';

/** The beginning of a script: `now` in milliseconds, that of the server unless a test says another. */
export const timeInScript = `
local now = tonumber(ARGV[1])
if now == nil then
  local time = redis.call('TIME')
  now = time[1] * 1000 + math.floor(time[2] / 1000)
end`;

/** The time of the server in milliseconds since 1970, to the second. */
export async function serverTime(redis: RedisClient): Promise<number> {
  const [seconds] = await redis.time();
  return Number(seconds) * 1000;
}
