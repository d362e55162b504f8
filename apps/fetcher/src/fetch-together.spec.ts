import { expect, test } from '@jest/globals';
import { collectionKey, subscriptionId, UnavailableError } from '#core';
import { createMemoryHttp, createMemoryQueue, createMemoryStore } from '#in-memory';
import { sampleCollection, sampleSubscription } from '#in-memory';
import { fetchSubscription } from './fetch-subscription.ts';
import { usualFetch } from '../../../test/support/fetch-settings.ts';

const todo = collectionKey('todo');
const first = subscriptionId('first');
const second = subscriptionId('second');
const third = subscriptionId('third');
const now = new Date('2026-03-01T00:00:00Z');
const clock = { now: () => now, wait: () => Promise.resolve() };
const feed = '<feed xmlns="http://www.w3.org/2005/Atom"><title>News</title></feed>';

async function subscribed() {
  const store = createMemoryStore({ clock });
  await store.collections.create(sampleCollection({ key: todo, createdAt: now }));
  for (const id of [first, second, third])
    await store.subscriptions.put(
      sampleSubscription({ collection: todo, id, url: `http://${id}.example/feed`, createdAt: now }),
    );
  const http = createMemoryHttp();
  for (const id of [first, second, third])
    http.serve(`http://${id}.example/feed`, () => ({ status: 200, body: feed }));
  let made = 0;
  const random = { fraction: () => 0, identifier: () => `m-${(made += 1)}` };
  return { store, http, ports: { store, http, queue: createMemoryQueue(), clock, random } };
}

test('a job fetches all subscriptions that it names', async () => {
  const { store, ports } = await subscribed();
  await fetchSubscription(ports, usualFetch, {
    version: 1,
    collection: todo,
    subscription: first,
    others: [second, third],
  });
  for (const id of [first, second, third])
    expect((await store.subscriptions.find(todo, id))?.last?.outcome).toBe('fetched');
});

test('if one of them fails for a reason of ours, the others are fetched, and the job fails', async () => {
  const { store, http, ports } = await subscribed();
  http.serve('http://first.example/feed', () => {
    throw new UnavailableError('MongoDB', 'it is away', 'none');
  });
  const job = { version: 1 as const, collection: todo, subscription: first, others: [second, third] };
  await expect(fetchSubscription(ports, usualFetch, job)).rejects.toThrow(UnavailableError);
  for (const id of [second, third])
    expect((await store.subscriptions.find(todo, id))?.last?.outcome).toBe('fetched');
});
