import { Cluster, ReplyError } from 'ioredis';
import type { ConnectionLog, RedisClient } from './redis.ts';
import { withTimeout } from './time-limit.ts';

/** After how many milliseconds the key of a check is gone. */
const checkExpiry = 10_000;

/**
 * How many milliseconds Redis has to answer a check: less than the health page waits, so that it is us who
 * say why there is no answer.
 */
const checkLimit = 1_500;

/** What to write in place of `redis://` for a server that is part of something larger. */
const properUrls: ReadonlyMap<string, string> = new Map([
  ['cluster', 'a node of a cluster: REDIS_URL must be redis+cluster://host:6379'],
  ['sentinel', 'a Sentinel: REDIS_URL must be redis+sentinel://host:26379/mymaster'],
]);

/** Redis can't be used; the message says why. */
class RedisUnusableError extends Error {
  override readonly name = 'RedisUnusableError';
}

/**
 * Stores these keys, which expire by themselves. Throws the reason why Redis does not take them (`READONLY`,
 * `NOAUTH`, `MISCONF`…), why there is no connection, or that the server is not what the URL says.
 */
export async function checkRedis(
  client: RedisClient,
  log: ConnectionLog,
  keys: readonly string[],
  limit = checkLimit,
): Promise<void> {
  try {
    await withTimeout(limit, 'health check', store(client, keys));
    log.recovered();
  } catch (error) {
    throw isAnswer(error) ? error : silence(client, log, error);
  }
}

function isAnswer(error: unknown): boolean {
  return error instanceof ReplyError || error instanceof RedisUnusableError;
}

/** Why there was no answer, if the connection knows. */
function silence(client: RedisClient, { fault }: ConnectionLog, cause: unknown): unknown {
  if (fault !== undefined) return new RedisUnusableError(fault, { cause });
  if (client.status === 'connect')
    return new RedisUnusableError('it takes connections, but is still loading its data', { cause });
  return cause;
}

async function store(client: RedisClient, keys: readonly string[]): Promise<void> {
  if (!(client instanceof Cluster)) refuseOtherMode(await client.info('server'));
  await Promise.all(keys.map((key) => client.set(key, Date.now(), 'PX', checkExpiry)));
}

function refuseOtherMode(info: string): void {
  // Valkey calls it `server_mode`.
  const mode = /^(?:redis|server)_mode:(\w+)/m.exec(info)?.[1] ?? '';
  const proper = properUrls.get(mode);
  if (proper !== undefined) throw new RedisUnusableError(`this is ${proper}`);
}
