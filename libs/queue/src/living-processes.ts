import type { RedisClient } from './redis.ts';
import { serverTime } from './server-time.ts';

/**
 * Says that a process lives. Returns how many have said so within the lease.
 * @param key of those of its kind
 * @param lease in milliseconds
 */
export async function countLiving(
  redis: RedisClient,
  key: string,
  process: string,
  lease: number,
): Promise<number> {
  const now = await serverTime(redis);
  await redis.zadd(key, now + lease, process);
  await redis.zremrangebyscore(key, '-inf', now);
  await redis.pexpire(key, lease);
  return redis.zcard(key);
}
