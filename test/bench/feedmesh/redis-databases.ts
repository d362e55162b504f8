import { Redis } from 'ioredis';

/** Databases that installations beside the first one may have; the first one's is what `REDIS_URL` names. */
const [first, last] = [1, 7];

let taken = 0;

/** The address of an empty database of the Redis at `url`, another one with each call. */
export async function nextRedisDatabase(url: string): Promise<string> {
  const address = new URL(url);
  address.pathname = `/${first + (taken++ % (last - first + 1))}`;
  const redis = new Redis(address.href);
  await redis.flushdb();
  redis.disconnect();
  return address.href;
}
