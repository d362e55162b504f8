import { expect, test } from '@jest/globals';
import { LatestTenants } from './latest-tenants.ts';

test('a tenant has others beside it for a minute after the last request of one', () => {
  const latest = new LatestTenants();
  expect(latest.hasOther('a', 0)).toBe(false);
  latest.note('a', 0);
  latest.note('a', 10);
  expect([latest.hasOther('a', 10), latest.hasOther('b', 10)]).toEqual([false, true]);
  latest.note('b', 20_000);
  latest.note('a', 30_000);
  expect(latest.hasOther('a', 79_999)).toBe(true);
  expect(latest.hasOther('a', 80_000)).toBe(false);
  expect(latest.hasOther('b', 80_000)).toBe(true);
});

test('of several tenants, the one that sent a request last counts, whichever sent some before', () => {
  const latest = new LatestTenants();
  for (const [tenant, now] of [
    ['a', 0],
    ['b', 10_000],
    ['c', 20_000],
    ['a', 30_000],
    ['a', 70_000],
  ] as const)
    latest.note(tenant, now);
  expect(latest.hasOther('a', 79_999)).toBe(true);
  expect(latest.hasOther('a', 80_000)).toBe(false);
  expect(latest.hasOther('c', 100_000)).toBe(true);
});
