import { Redis } from 'ioredis';

/** Databases 0 to 7 belong to the tests that use a whole Redis, and to the demo. */
const firstDatabase = 8;

/** How many databases the tests of one file may use at a time. */
const databasesOfAFile = 3;

let taken = 0;

/**
 * The address of an empty database of the tests' Redis that no other file uses at the same time: a worker of
 * Jest runs one file after another and has databases of its own. A file that requests a fourth one gets the
 * first one again, emptied.
 */
export async function ownRedisDatabase(): Promise<string> {
  const url = new URL(process.env['REDIS_URL'] ?? '');
  const worker = Number(process.env['JEST_WORKER_ID'] ?? 1) - 1;
  url.pathname = `/${firstDatabase + worker * databasesOfAFile + (taken++ % databasesOfAFile)}`;
  await emptyRedis(url.href);
  return url.href;
}

/** Removes all that is in a database. */
export async function emptyRedis(url: string): Promise<void> {
  const redis = new Redis(url);
  await redis.flushdb();
  redis.disconnect();
}
