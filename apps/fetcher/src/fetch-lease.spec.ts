import { expect, test } from '@jest/globals';
import { createMemoryStore, sampleSubscription } from '#in-memory';
import { collectionKey, subscriptionId } from '#core';
import { FetchLease, LeaseLostError } from './fetch-lease.ts';

const began = Date.parse('2026-03-01T12:00:00Z');
const duration = 60_000;

test('a lease is renewed after a quarter of its time, and lost once another fetch has taken it', async () => {
  let now = began;
  const clock = { now: () => new Date(now), wait: async () => {} };
  const store = createMemoryStore({ clock });
  const subscription = sampleSubscription({
    collection: collectionKey('news'),
    id: subscriptionId('peer'),
    url: 'http://peer.example/feed',
    createdAt: clock.now(),
  });
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
