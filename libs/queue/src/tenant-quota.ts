import { randomUUID } from 'node:crypto';
import { grantedPart, grantedPartOfRate, streamLease } from '#core';
import type { BucketLimits, TenantQuota, TokenGrant } from '#core';
import { countLiving } from './living-processes.ts';
import { ConnectionLog, openRedis } from './redis.ts';
import type { RedisClient, RedisLocation } from './redis.ts';
import { timeInScript } from './server-time.ts';

/** `grantTokens`. KEYS: bucket. ARGV: time, rate, burst, wanted, part, part of the rate. */
const leaseScript = `${timeInScript}
local rate, burst = tonumber(ARGV[2]), tonumber(ARGV[3])
local state = redis.call('HMGET', KEYS[1], 'tokens', 'at')
local passed = math.max(0, now - (tonumber(state[2]) or now))
local tokens = math.min(burst, (tonumber(state[1]) or burst) + passed / 1000 * rate)
local part = math.max(math.ceil(rate / tonumber(ARGV[6])), math.floor(tokens / tonumber(ARGV[5])))
local granted = math.max(0, math.min(tonumber(ARGV[4]), part, math.floor(tokens)))
local wait = 0
if tokens < 1 then wait = math.ceil((1 - tokens) / rate * 1000) end
redis.call('HSET', KEYS[1], 'tokens', tostring(tokens - granted), 'at', now)
redis.call('PEXPIRE', KEYS[1], math.ceil(burst / rate * 1000) + 3600000)
return {granted, wait}
`;

/** KEYS: the open streams of each gateway. ARGV: time, gateway, how many it has, most, lease. */
const streamsScript = `${timeInScript}
local gateway, own, most = ARGV[2], tonumber(ARGV[3]), tonumber(ARGV[4])
local all, others = redis.call('HGETALL', KEYS[1]), 0
for place = 1, #all, 2 do
  local count, ends = string.match(all[place + 1], '(%d+) (%d+)')
  if tonumber(ends) <= now then redis.call('HDEL', KEYS[1], all[place])
  elseif all[place] ~= gateway then others = others + tonumber(count) end
end
if most ~= nil and others + own > most then return 0 end
if own == 0 then
  redis.call('HDEL', KEYS[1], gateway)
else
  redis.call('HSET', KEYS[1], gateway, string.format('%d %d', own, now + tonumber(ARGV[5])))
  redis.call('PEXPIRE', KEYS[1], 2 * tonumber(ARGV[5]))
end
return 1
`;

export interface TenantQuotaOptions extends RedisLocation {
  /** `{feedmesh}` by default. */
  readonly prefix?: string;
  /** The time in milliseconds since 1970 in place of that of Redis. */
  readonly now?: () => number;
  /** How long Redis may take to answer, in milliseconds: requests wait for it. */
  readonly answerTimeout: number;
}

/** The quota that all gateways share. What Redis does not answer throws. */
export interface SharedQuota extends TenantQuota {
  /** Says that this gateway lives; to be called from time to time. Returns how many have said so lately. */
  renew(): Promise<number>;
  close(): void;
}

/** Opens the quota of tenants in Redis. Throws `RedisAddressError`. */
export function openTenantQuota({
  prefix = '{feedmesh}',
  now,
  answerTimeout,
  ...location
}: TenantQuotaOptions): SharedQuota {
  const redis = openRedis(
    location,
    { maxRetriesPerRequest: 1, commandTimeout: answerTimeout },
    new ConnectionLog('TenantQuota'),
  );
  return new RedisTenantQuota(redis, prefix, now);
}

class RedisTenantQuota implements SharedQuota {
  readonly #redis: RedisClient;
  readonly #prefix: string;
  readonly #now: (() => number) | undefined;
  readonly #gateway = randomUUID();

  constructor(redis: RedisClient, prefix: string, now: (() => number) | undefined) {
    this.#redis = redis;
    this.#prefix = prefix;
    this.#now = now;
  }

  async lease(tenant: string, { rate, burst }: BucketLimits, wanted: number): Promise<TokenGrant> {
    const [granted, wait] = (await this.#redis.eval(
      leaseScript,
      1,
      this.#keyOf(tenant, 'requests'),
      this.#now?.() ?? '',
      rate,
      burst,
      wanted,
      grantedPart,
      grantedPartOfRate,
    )) as [number, number];
    return { granted, wait };
  }

  async openStreams(tenant: string, own: number, most?: number): Promise<boolean> {
    const recorded = await this.#redis.eval(
      streamsScript,
      1,
      this.#keyOf(tenant, 'streams'),
      this.#now?.() ?? '',
      this.#gateway,
      own,
      most ?? '',
      streamLease,
    );
    return recorded === 1;
  }

  renew(): Promise<number> {
    return countLiving(this.#redis, `${this.#prefix}:gateways`, this.#gateway, streamLease);
  }

  close(): void {
    this.#redis.disconnect();
  }

  /** What is in braces is what a cluster goes by: the tenants are spread over its nodes. */
  #keyOf(tenant: string, what: string): string {
    return `${this.#prefix.replace(/\}$/, '')}:tenant:${tenant}}:${what}`;
  }
}
