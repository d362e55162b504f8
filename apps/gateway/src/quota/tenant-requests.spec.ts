import { expect, test } from '@jest/globals';
import type { TokenGrant } from '#core';
import { TenantRequests } from './tenant-requests.ts';

const limits = { rate: 10, burst: 10 };

/** Requests of tenants that wait for leases until a test grants some. */
function underTest() {
  const world = { now: 1_000_000, asked: [] as ((granted: TokenGrant) => void)[] };
  const lease = (): Promise<TokenGrant> => new Promise((resolve) => void world.asked.push(resolve));
  return { world, requests: new TenantRequests({ lease }, () => world.now) };
}

test('a request is known to be refused while nothing is left, and not before that is known', async () => {
  const { world, requests } = underTest();
  expect([requests.isRefusing, requests.refusedFor('acme')]).toEqual([false, undefined]);
  const first = requests.take('acme', limits);
  expect(requests.refusedFor('acme')).toBeUndefined();
  world.asked.pop()?.({ granted: 0, wait: 80 });
  expect(await first).toBe(80);
  expect([requests.isRefusing, requests.refusedFor('acme')]).toEqual([true, 80]);
  expect(requests.refusedFor('other')).toBeUndefined();
  world.now += 80;
  expect(requests.refusedFor('acme')).toBeUndefined();
  world.now += 1000;
  expect(requests.isRefusing).toBe(false);
});

test('while a tenant that had nothing left is looked up again, few of its requests wait', async () => {
  const { world, requests } = underTest();
  const first = requests.take('acme', limits);
  world.asked.pop()?.({ granted: 0, wait: 80 });
  await first;
  world.now += 80;
  const waiting = [requests.take('acme', limits)];
  expect(requests.refusedFor('acme')).toBeUndefined();
  waiting.push(requests.take('acme', limits));
  expect(requests.refusedFor('acme')).toBe(1);
  world.asked.pop()?.({ granted: 2, wait: 0 });
  expect([await waiting[0], await waiting[1]]).toEqual([0, 0]);
  expect(requests.refusedFor('acme')).toBeUndefined();
});
