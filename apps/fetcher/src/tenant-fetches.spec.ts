import { expect, test } from '@jest/globals';
import { createMemoryStore, MemoryHostBudget } from '#in-memory';
import { collectionKey } from '#core';
import type { BudgetAnswer, HostBudget, NextFetch } from '#core';
import { TenantFetches } from './tenant-fetches.ts';

const begin = Date.UTC(2026, 0, 1);

/** Fetchers with one budget, the clock that they share, and the tenants that were delayed. */
function fetchersOf(count: number, perMinute = 6) {
  let now = begin;
  const clock = { now: () => new Date(now) };
  const store = createMemoryStore({ clock });
  const delayed: string[] = [];
  const budget = new MemoryHostBudget(() => now);
  const open = (shared: Pick<HostBudget, 'take'>): TenantFetches =>
    new TenantFetches({
      store,
      budget: shared,
      clock,
      random: { fraction: () => 0.5 },
      perMinute,
      delayed: (tenant) => void delayed.push(tenant),
    });
  return {
    store,
    delayed,
    open,
    fetchers: Array.from({ length: count }, () => open(budget)),
    pass: (milliseconds: number) => {
      now += milliseconds;
    },
  };
}

const due = (collection: string, nextFetchReason = 'it was just subscribed') => ({
  collection: collectionKey(collection),
  nextFetchReason,
});
const reason = 'the tenant "acme" may have 6 fetches a minute (setting TENANT_FETCHES_PER_MINUTE)';
const after = (seconds: number): NextFetch => ({
  nextFetchAt: new Date(begin + seconds * 1000),
  nextFetchReason: reason,
});

test('fetches beyond the rate are put off to places one after the other, at all fetchers', async () => {
  const { fetchers, delayed } = fetchersOf(2);
  const [one, two] = fetchers as [TenantFetches, TenantFetches];
  expect(await one.delay(due('acme.a'))).toBeUndefined();
  expect(await two.delay(due('acme.b'))).toEqual(after(10));
  expect(await one.delay(due('acme.c'))).toEqual(after(20));
  expect(await two.delay(due('acme.a'))).toEqual(after(30));
  expect(delayed).toEqual(['acme', 'acme', 'acme']);
});

test('what has waited takes no other place, and other tenants, or none, do not wait', async () => {
  const { fetchers } = fetchersOf(1);
  const [one] = fetchers as [TenantFetches];
  await one.delay(due('acme.a'));
  expect(await one.delay(due('acme.b'))).toEqual(after(10));
  expect(await one.delay(due('acme.b', reason))).toBeUndefined();
  expect(await one.delay(due('other.a'))).toBeUndefined();
  for (let fetch = 0; fetch < 100; fetch += 1) expect(await one.delay(due('plain'))).toBeUndefined();
});

test('a limit of its own goes before the setting, and is named', async () => {
  const { fetchers, store, pass } = fetchersOf(1);
  const [one] = fetchers as [TenantFetches];
  await one.delay(due('acme.a'));
  await store.tenants.put('acme', { limits: { fetchesPerMinute: 1 }, isSuspended: false }, new Date(begin));
  pass(1000);
  const delay = await one.delay(due('acme.b', reason));
  expect(delay?.nextFetchReason).toBe('the tenant "acme" may have 1 fetch a minute (its own limit)');
});

test('no more than an hour of places is given away', async () => {
  const { fetchers } = fetchersOf(1, 1);
  const [one] = fetchers as [TenantFetches];
  for (let fetch = 0; fetch <= 60; fetch += 1) await one.delay(due('acme.a'));
  const delay = await one.delay(due('acme.a'));
  expect(delay?.nextFetchAt).toEqual(new Date(begin + 1.5 * 3_600_000));
  expect(delay?.nextFetchReason).toContain('and many others wait');
});

test('the place among the requests in flight is given back at once', async () => {
  const { open } = fetchersOf(0);
  const calls: string[] = [];
  const take = async (group: string): Promise<BudgetAnswer> => {
    calls.push(group);
    return { kind: 'granted', wait: 0, release: () => void calls.push('released') };
  };
  await open({ take }).delay(due('acme.a'));
  expect(calls).toEqual(['tenant acme', 'released']);
});
