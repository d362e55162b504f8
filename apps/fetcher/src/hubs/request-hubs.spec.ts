import { expect, jest, test } from '@jest/globals';
import { createMemoryStore, sampleCollection, sampleSubscription } from '#in-memory';
import { collectionKey, subscriptionId } from '#core';
import type { HttpPost, Store } from '#core';
import { requestHubs } from './request-hubs.ts';

const collection = collectionKey('todo');
const callbacks = 'https://here.example/websub/';
const now = new Date(Date.UTC(2026, 0, 1));
const clock = { now: () => now, wait: () => Promise.resolve() };

/** A store with so many hubs that are due. */
async function withHubs(count: number): Promise<Store> {
  const store = createMemoryStore({ clock });
  await store.collections.create(sampleCollection({ key: collection, protocol: 'feedsync', createdAt: now }));
  for (let place = 0; place < count; place += 1) {
    const [id, hub, token] = [subscriptionId(`s${place}`), `https://hub${place}.example/`, `${place}`];
    const topic = `https://feeds${place}.example/`;
    await store.subscriptions.put(
      sampleSubscription({ collection, id, url: topic, createdAt: now, hub: { url: hub, topic } }),
    );
    const key = { collection, subscription: id, hub, topic, token, secret: '' };
    await store.hubs.add({ ...key, callback: callbacks + token, attempts: 0, nextAt: now, revision: 0 });
  }
  return store;
}

const request = (store: Store, post: HttpPost['post']): Promise<void> =>
  requestHubs(
    { store, clock, random: { fraction: () => 0 }, http: { post } },
    { callbacks, lease: 60, retry: 60 },
  );

test('the store is asked once if nothing is due', async () => {
  const store = await withHubs(0);
  const look = jest.spyOn(store.hubs, 'takeDue');
  await request(store, () => Promise.reject(new Error('nothing is due')));
  expect(look).toHaveBeenCalledTimes(1);
});

test('four hubs are requested at the same time, and each of them once', async () => {
  const requested: string[] = [];
  let [running, most] = [0, 0];
  await request(await withHubs(9), async ({ url }) => {
    requested.push(url);
    most = Math.max(most, (running += 1));
    await new Promise((resolve) => void setImmediate(resolve));
    running -= 1;
  });
  expect([requested.length, new Set(requested).size, most]).toEqual([9, 9, 4]);
});
