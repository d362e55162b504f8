import { afterEach, describe, expect, test } from '@jest/globals';
import { Redis } from 'ioredis';
import { streamLease } from '#core';
import type { TenantQuota } from '#core';
import { openTenantQuota } from '#queue';
import { LocalQuota, LocalQuotaState } from '../../../apps/gateway/src/quota/local-quota.ts';
import { TenantRequests } from '../../../apps/gateway/src/quota/tenant-requests.ts';
import { hangLimit } from '../../support/until.ts';
import { ownName, redisUrl, removeKeys } from './support/redis.ts';

const start = Date.parse('2026-01-01T00:00:00Z');
const limits = { rate: 100, burst: 200 };

/** What ends with a test. */
const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

/** The quota as four gateways have it, at a time that a test sets. */
interface UnderTest {
  readonly quotas: readonly TenantQuota[];
  readonly now: () => number;
  readonly pass: (milliseconds: number) => void;
}

function local(): UnderTest {
  let time = start;
  const state = new LocalQuotaState();
  const now = (): number => time;
  const quotas = Array.from({ length: 4 }, () => new LocalQuota(now, state));
  return { quotas, now, pass: (milliseconds) => void (time += milliseconds) };
}

function shared(): UnderTest {
  let time = start;
  const prefix = ownName();
  const now = (): number => time;
  const quotas = Array.from({ length: 4 }, () => {
    const quota = openTenantQuota({ redisUrl: redisUrl(), prefix, now, answerTimeout: hangLimit });
    ends.push(() => quota.close());
    return quota;
  });
  const redis = new Redis(redisUrl());
  ends.push(async () => {
    await removeKeys(redis, prefix.slice(0, -1));
    redis.disconnect();
  });
  return { quotas, now, pass: (milliseconds) => void (time += milliseconds) };
}

describe.each([
  ['of one process', local],
  ['in Redis', shared],
])('the quota of tenants %s', (_, open) => {
  const quotaOf = ({ quotas }: UnderTest, place: number): TenantQuota => quotas[place] as TenantQuota;

  test('grants a burst to those who share it, each a part, then what the rate gives', async () => {
    const world = open();
    const take = async (gateway: number, wanted: number): Promise<string> => {
      const { granted, wait } = await quotaOf(world, gateway).lease('acme', limits, wanted);
      return `${granted} ${wait}`;
    };
    expect(await take(0, 30)).toBe('30 0');
    expect(await take(1, 1000)).toBe('42 0');
    expect(await take(2, 1000)).toBe('32 0');
    let left = 200 - 30 - 42 - 32;
    while (left > 0) left -= Number((await take(3, 1000)).split(' ')[0]);
    expect(left).toBe(0);
    expect(await take(0, 1)).toBe('0 10');
    world.pass(4);
    expect(await take(1, 1)).toBe('0 6');
    world.pass(6);
    expect(await take(2, 5)).toBe('1 0');
    expect(await take(3, 0)).toBe('0 10');
    expect((await quotaOf(world, 0).lease('other', limits, 1)).granted).toBe(1);
    world.pass(3_600_000);
    expect(await take(0, 1000)).toBe('50 0');
  });

  test('lets no more event streams be open than there may be, and forgets those of the dead', async () => {
    const world = open();
    const [one, other] = [quotaOf(world, 0), quotaOf(world, 1)];
    expect(await one.openStreams('acme', 2, 3)).toBe(true);
    expect(await other.openStreams('acme', 1, 3)).toBe(true);
    expect(await other.openStreams('acme', 2, 3)).toBe(false);
    expect(await other.openStreams('b', 3, 3)).toBe(true);
    expect(await one.openStreams('acme', 1)).toBe(true);
    expect(await other.openStreams('acme', 2, 3)).toBe(true);
    expect(await one.openStreams('acme', 0)).toBe(true);
    world.pass(streamLease - 1);
    expect(await one.openStreams('acme', 2, 3)).toBe(false);
    // What is said again is not forgotten, also if it is more than there may be.
    expect(await other.openStreams('acme', 4)).toBe(true);
    world.pass(1);
    expect(await one.openStreams('acme', 1, 3)).toBe(false);
    world.pass(streamLease);
    expect(await one.openStreams('acme', 3, 3)).toBe(true);
  });

  test('is kept to by four gateways that are flooded, and used up to the last request', async () => {
    const { quotas, now, pass } = open();
    const gateways = quotas.map((quota) => new TenantRequests(quota, now));
    const flood = { rate: 500, burst: 1000 };
    const seconds = 4;
    let through = 0;
    const refusals: number[] = [];
    for (let passed = 0; passed <= seconds * 1000; passed += 20) {
      const waits = gateways.flatMap((gateway) =>
        Array.from({ length: 12 }, async () => gateway.take('acme', flood)),
      );
      for (const wait of await Promise.all(waits)) {
        if (wait === 0) through += 1;
        else refusals.push(wait);
      }
      pass(20);
    }
    const quota = flood.burst + flood.rate * seconds;
    expect(through).toBeLessThanOrEqual(quota);
    expect(through).toBeGreaterThan(quota * 0.95);
    expect(refusals.length).toBeGreaterThan(5000);
    expect(Math.max(...refusals)).toBeLessThan(1000);
  });

  test('leaves requests to a gateway with few of them while others take all they get', async () => {
    const { quotas, now, pass } = open();
    const [flooded, quiet] = quotas.map((quota) => new TenantRequests(quota, now)) as [
      TenantRequests,
      TenantRequests,
    ];
    const outcomes: number[] = [];
    for (let turn = 0; turn < 200; turn += 1) {
      await Promise.all(Array.from({ length: 50 }, async () => flooded.take('acme', limits)));
      pass(60);
      outcomes.push(await quiet.take('acme', limits));
    }
    expect(outcomes.filter((wait) => wait === 0).length).toBeGreaterThan(190);
  });
});
