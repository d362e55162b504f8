import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { FallbackQuota } from './fallback-quota.ts';
import { LocalQuota } from './local-quota.ts';

const limits = { rate: 8, burst: 8 };

/** A quota whose Redis a test takes away, shared by four gateways. */
function underTest() {
  const world = { time: 0, isAway: false, asked: 0, seen: [] as boolean[] };
  const answer = async <T>(value: T): Promise<T> => {
    world.asked += 1;
    if (world.isAway) throw new Error('away');
    return value;
  };
  const now = (): number => world.time;
  const quota = new FallbackQuota({
    shared: {
      lease: () => answer({ granted: 5, wait: 0 }),
      openStreams: () => answer(true),
      renew: () => answer(4),
    },
    local: new LocalQuota(now),
    now,
    logger: { warn: () => {}, log: () => {} },
    observe: (isLocal) => void world.seen.push(isLocal),
  });
  return { world, quota };
}

test('while Redis is away a gateway keeps to its share, and returns to the others afterwards', async () => {
  const { world, quota } = underTest();
  await quota.renew();
  expect(await quota.lease('acme', limits, 1)).toEqual({ granted: 5, wait: 0 });
  world.isAway = true;
  world.asked = 0;
  const lease = async (): Promise<number> => (await quota.lease('acme', limits, 1)).granted;
  expect([await lease(), await lease(), await lease()]).toEqual([1, 1, 0]);
  expect(world.asked).toBe(1);
  // 8 a second are 2 for each of 4 gateways.
  world.time += 499;
  expect(await lease()).toBe(0);
  world.time += 1;
  expect(await lease()).toBe(1);
  expect(world.asked).toBe(1);

  world.isAway = false;
  world.time += 500;
  expect(await lease()).toBe(1);
  await turn();
  expect(await lease()).toBe(5);
  expect(world.seen).toEqual([true, false]);
});

test('while Redis is away a gateway opens its share of the event streams, or one', async () => {
  const { world, quota } = underTest();
  await quota.renew();
  world.isAway = true;
  expect(await quota.openStreams('acme', 2, 8)).toBe(true);
  expect(await quota.openStreams('acme', 3, 8)).toBe(false);
  expect(await quota.openStreams('b', 1, 2)).toBe(true);
  expect(await quota.openStreams('b', 2, 2)).toBe(false);
  expect(await quota.openStreams('c', 1, 0)).toBe(false);
});
