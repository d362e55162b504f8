import { expect, test } from '@jest/globals';
import { createMemoryStore, sampleSubscription } from '#in-memory';
import { collectionKey, subscriptionId } from '#core';
import { FetchLease, LeaseLostError } from './fetch-lease.ts';

const began = Date.parse('2026-03-01T12:00:00Z');
const duration = 60_000;
const result = {
  report: { at: new Date(began), outcome: 'fetched' },
  nextFetchAt: new Date(began),
  nextFetchReason: 'a test',
} as const;

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
  const lease = new FetchLease({ store, clock }, subscription, 'first', duration);
  expect(lease.completion(result).found).toMatchObject({ cursorVersion: 0 });
  await Promise.all([lease.take(), lease.take()]);
  expect(lease.completion(result)).toEqual({
    collection: subscription.collection,
    id: subscription.id,
    manifest: 'first',
    result,
  });
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

test('a lease is not taken once the subscription is not as it was found', async () => {
  const clock = { now: () => new Date(began), wait: async () => {} };
  const store = createMemoryStore({ clock });
  const subscription = sampleSubscription({
    collection: collectionKey('news'),
    id: subscriptionId('peer'),
    url: 'http://peer.example/feed',
    createdAt: clock.now(),
  });
  await store.subscriptions.put(subscription);
  const lease = new FetchLease({ store, clock }, subscription, 'first', duration);
  const { collection, id } = subscription;
  await store.subscriptions.put({ ...subscription, userAgent: 'Other/1' });
  await expect(lease.renew()).rejects.toThrow(LeaseLostError);
  expect((await store.subscriptions.find(collection, id))?.manifest).toBeUndefined();
});
