import { randomUUID } from 'node:crypto';
import { budgetRecovery, slowestShare } from '#core';
import type { BudgetAnswer, BudgetLimits, HostBudget, PollLeases } from '#core';
import { RedisPollLeases } from './poll-leases.ts';
import { RedisScript } from './redis-script.ts';
import { ConnectionLog, openRedis } from './redis.ts';
import type { RedisClient, RedisLocation } from './redis.ts';
import { serverTime, timeInScript } from './server-time.ts';

/**
 * For how many milliseconds a request in flight counts without a sign of life from its process, and how often
 * there is one.
 */
const lease = 60_000;
const renewal = 20_000;

/** What is known of a group, as it has become by now. */
const stateInScript = `${timeInScript}
local rate, burst, recovery = tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
local state = redis.call('HMGET', KEYS[1], 'tokens', 'at', 'share', 'slowed', 'until')
local share = math.min(1, (tonumber(state[3]) or 1) * 2 ^ ((now - (tonumber(state[4]) or now)) / recovery))
local paused = tonumber(state[5]) or 0
local speed, size = rate * share, math.max(1, burst * share)
local passed = math.max(0, now - (tonumber(state[2]) or now))
local tokens = math.min(size, (tonumber(state[1]) or size) + passed / 1000 * speed)
local function store(left)
  redis.call('HSET', KEYS[1], 'tokens', tostring(left), 'at', now)
  local full = math.ceil((size - left) / speed * 1000)
  redis.call('PEXPIRE', KEYS[1], full + math.max(0, paused - now) + 3600000)
end
`;

const takeScript = new RedisScript(`${stateInScript}
if now < paused then return {'paused', paused - now} end
redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', now)
local connections = math.max(1, math.floor(tonumber(ARGV[5]) * share))
if redis.call('ZCARD', KEYS[2]) >= connections then return {'busy', 0} end
local wait = math.max(0, math.ceil((1 - tokens) / speed * 1000))
if wait > tonumber(ARGV[6]) then return {'used-up', wait} end
store(tokens - 1)
redis.call('ZADD', KEYS[2], now + wait + tonumber(ARGV[7]), ARGV[8])
redis.call('PEXPIRE', KEYS[2], wait + 2 * tonumber(ARGV[7]))
return {'granted', wait}
`);

const slowScript = new RedisScript(`${stateInScript}
paused = math.max(paused, now + tonumber(ARGV[5]))
local half = tostring(math.max(tonumber(ARGV[6]), share / 2))
redis.call('HSET', KEYS[1], 'share', half, 'slowed', now, 'until', paused)
store(math.min(tokens, 0))
return 'OK'
`);

export interface HostBudgetOptions extends RedisLocation {
  /** `{feedmesh}` by default. */
  readonly prefix?: string;
  /** The time in milliseconds since 1970 in place of that of Redis. */
  readonly now?: () => number;
  /** How long Redis may take to answer, in milliseconds. */
  readonly answerTimeout: number;
}

/** Budgets, and leases of polls, that all fetchers share. What Redis does not answer throws. */
export interface SharedBudget extends HostBudget {
  readonly polls: PollLeases;
  /** Keeps the requests of this process in flight; to be called from time to time. */
  renew(): Promise<void>;
  close(): void;
}

/** Milliseconds between two calls of `renew`. */
export const budgetRenewal = renewal;

/**
 * Opens the budgets in Redis: for each group a bucket of tokens, which may be overdrawn by those who wait,
 * and its requests in flight. Throws `RedisAddressError`.
 */
export function openHostBudget({
  prefix = '{feedmesh}',
  now,
  answerTimeout,
  ...location
}: HostBudgetOptions): SharedBudget {
  const redis = openRedis(
    location,
    { maxRetriesPerRequest: 1, commandTimeout: answerTimeout },
    new ConnectionLog('HostBudget'),
  );
  return new RedisHostBudget(redis, prefix, now);
}

class RedisHostBudget implements SharedBudget {
  readonly polls: PollLeases;
  readonly #redis: RedisClient;
  readonly #prefix: string;
  readonly #now: (() => number) | undefined;
  readonly #process = randomUUID();
  /** The requests in flight, each with the key of its group. */
  readonly #held = new Map<string, string>();
  #count = 0;

  constructor(redis: RedisClient, prefix: string, now: (() => number) | undefined) {
    this.#redis = redis;
    this.#prefix = prefix;
    this.#now = now;
    this.polls = new RedisPollLeases(redis, prefix, now);
  }

  async take(group: string, limits: BudgetLimits, longest: number): Promise<BudgetAnswer> {
    const [bucket, flight] = this.#keys(group);
    const id = `${this.#process} ${(this.#count += 1)}`;
    const terms = [...this.#arguments(limits), limits.connections, longest, lease, id];
    const [kind, wait] = (await takeScript.run(this.#redis, [bucket, flight], terms)) as [
      'granted' | 'busy' | 'used-up' | 'paused',
      number,
    ];
    if (kind === 'busy') return { kind };
    if (kind !== 'granted') return { kind, wait };
    this.#held.set(id, flight);
    return { kind, wait, release: () => this.#release(id, flight) };
  }

  async slow(group: string, limits: BudgetLimits, pause: number): Promise<void> {
    const [bucket] = this.#keys(group);
    await slowScript.run(this.#redis, [bucket], [...this.#arguments(limits), pause, slowestShare]);
  }

  async renew(): Promise<void> {
    const now = await serverTime(this.#redis);
    for (const [id, flight] of this.#held) await this.#redis.zadd(flight, 'XX', now + lease, id);
  }

  close(): void {
    this.#redis.disconnect();
  }

  #release(id: string, flight: string): void {
    // What Redis does not hear of expires.
    if (this.#held.delete(id)) this.#redis.zrem(flight, id).catch(() => {});
  }

  #arguments({ rate, burst }: BudgetLimits): (string | number)[] {
    return [this.#now?.() ?? '', rate, burst, budgetRecovery];
  }

  #keys(group: string): [bucket: string, flight: string] {
    return [`${this.#prefix}:budget:${group}`, `${this.#prefix}:in-flight:${group}`];
  }
}
