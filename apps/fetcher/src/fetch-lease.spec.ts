import { expect, test } from '@jest/globals';
import { createMemoryStore } from '#in-memory';
import { collectionKey, subscriptionId } from '#core';
import { FetchLease, LeaseLostError } from './fetch-lease.ts';

const began = Date.parse('2026-03-01T12:00:00Z');
const duration = 60_000;

test('a lease is renewed after a quarter of its time, and lost once another fetch has taken it', async () => {
  let now = began;
  const clock = { now: () => new Date(now), wait: async () => {} };
  const store = createMemoryStore({ clock });
  const subscription = {
    collection: collectionKey('news'),
    id: subscriptionId('peer'),
    url: 'http://peer.example/feed',
    status: 'active',
    interval: { minimum: 60, maximum: 3600 },
    cursor: {},
    cursorVersion: 0,
    nextFetchAt: clock.now(),
    nextFetchReason: 'it is new',
    failures: 0,
    createdAt: clock.now(),
  } as const;
  await store.subscriptions.put(subscription);
  const take = async (manifest: string): Promise<boolean> =>
    (await store.subscriptions.lease(subscription.collection, subscription.id, manifest, duration)) !==
    undefined;
  expect(await take('first')).toBe(true);
  const lease = new FetchLease({ store, clock }, subscription, 'first', duration);
  now += duration / 4 - 1;
  expect(lease.isDue).toBe(false);
  now += 1;
  expect(lease.isDue).toBe(true);
  await lease.renew();
  expect(lease.isDue).toBe(false);
  now += duration - 1;
  expect(await take('second')).toBe(false);
  now += 1;
  expect(await take('second')).toBe(true);
  await expect(lease.renew()).rejects.toThrow(LeaseLostError);
});
