import type { PollLeases } from '#core';
import { RedisScript } from './redis-script.ts';
import type { RedisClient } from './redis.ts';
import { timeInScript } from './server-time.ts';

const listScript = new RedisScript(`${timeInScript}
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now)
return redis.call('ZRANGE', KEYS[1], 0, -1)
`);

const takeScript = new RedisScript(`${timeInScript}
local taken, duration = {}, tonumber(ARGV[2])
for place = 3, #ARGV do
  local ends = redis.call('ZSCORE', KEYS[1], ARGV[place])
  if not ends or tonumber(ends) <= now then
    redis.call('ZADD', KEYS[1], now + duration, ARGV[place])
    taken[#taken + 1] = ARGV[place]
  end
end
redis.call('PEXPIRE', KEYS[1], 2 * duration)
return taken
`);

/** The leases of polls in Redis: one sorted set, by the time of its server at which each of them ends. */
export class RedisPollLeases implements PollLeases {
  readonly #redis: RedisClient;
  readonly #key: string;
  readonly #now: (() => number) | undefined;

  /** @param now the time in milliseconds since 1970 in place of that of Redis */
  constructor(redis: RedisClient, prefix: string, now: (() => number) | undefined) {
    this.#redis = redis;
    this.#key = `${prefix}:polls`;
    this.#now = now;
  }

  async list(): Promise<ReadonlySet<string>> {
    return new Set(await this.#run(listScript, []));
  }

  async take(keys: readonly string[], duration: number): Promise<readonly string[]> {
    return keys.length === 0 ? [] : this.#run(takeScript, [duration, ...keys]);
  }

  async end(keys: readonly string[]): Promise<void> {
    // What Redis does not hear of expires.
    if (keys.length > 0) await this.#redis.zrem(this.#key, ...keys).catch(() => {});
  }

  async #run(script: RedisScript, terms: readonly (string | number)[]): Promise<string[]> {
    return (await script.run(this.#redis, [this.#key], [this.#now?.() ?? '', ...terms])) as string[];
  }
}
