import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { Redis } from 'ioredis';
import { emptyRedis, ownRedisDatabase } from '../../support/redis-database.ts';
import { untilItemEvents } from './events.ts';

let redisUrl: string;
let redis: Redis;

beforeEach(async () => {
  redisUrl = await ownRedisDatabase();
  redis = new Redis(redisUrl);
});
afterEach(async () => {
  redis.disconnect();
  await emptyRedis(redisUrl);
});

/** Appends events, each with the time `since` plus `later` milliseconds in its id. */
async function append(since: number, events: readonly (readonly [type: string, later: number])[]) {
  for (const [type, later] of events) {
    const event = JSON.stringify({ type: `feedmesh.${type}.v1` });
    await redis.xadd('feedmesh:changes:0', `${since + later}-*`, 'event', event);
  }
}

test('the wait ends with the last event of an item, at the time when Redis had it', async () => {
  const now = Date.now();
  await append(now - 10_000, [['item.created', 0]]);
  const milliseconds = await untilItemEvents({ redisUrl }, 2, () =>
    append(now, [
      ['item.updated', 1000],
      ['subscription.moved', 2000],
      ['item.updated', 1_000_000],
      ['subscription.fetched', 2_000_000],
    ]),
  );
  expect(milliseconds).toBeGreaterThan(900_000);
  expect(milliseconds).toBeLessThanOrEqual(1_000_000);
});
