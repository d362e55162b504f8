import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { openStore } from '#store';
import type { OpenStore } from '#store';
import { collectionKey, subscriptionId } from '#core';
import { mongodbUri, ownDatabase, withDatabase } from './mongodb.ts';
import { subscription } from './samples.ts';

const tasks = collectionKey('tasks');
const none = subscriptionId('none');
const feed = 'http://feeds.example/beta';

let database: string;
let store: OpenStore;

/** Subscriptions as they were kept before they had the keys of their feeds, two of them to one feed. */
beforeEach(async () => {
  database = ownDatabase();
  store = await openStore({ uri: mongodbUri(), database });
  for (const id of ['alpha', 'beta', 'gamma']) await store.subscriptions.put(subscription(tasks, id));
  await withDatabase(database, async (mongodb) => {
    const rows = mongodb.collection<{ _id: string }>('subscriptions');
    await rows.updateMany({}, { $unset: { feedKey: '' } });
    await rows.updateOne({ _id: 'tasks/gamma' }, { $set: { url: `${feed}#gamma` } });
  });
});
afterEach(async () => {
  await store.close();
  await withDatabase(database, (mongodb) => mongodb.dropDatabase());
});

async function readers(): Promise<string[]> {
  const found = await store.subscriptions.matching(tasks, none, feed);
  return found.map(({ id }) => id).toSorted();
}

test('subscriptions without a key are found by their feed, and have one from then on', async () => {
  expect(await readers()).toEqual(['beta', 'gamma']);
  await withDatabase(database, async (mongodb) => {
    expect(await mongodb.collection('subscriptions').countDocuments({ feedKey: null })).toBe(0);
  });
  expect(await readers()).toEqual(['beta', 'gamma']);
  await store.subscriptions.remove(tasks, subscriptionId('beta'));
  expect(await readers()).toEqual(['gamma']);
});

test('a url that was changed without its key does not keep others from the former feed', async () => {
  await readers();
  await withDatabase(database, (mongodb) =>
    mongodb
      .collection<{ _id: string }>('subscriptions')
      .updateOne({ _id: 'tasks/alpha' }, { $set: { url: 'http://feeds.example/elsewhere' } }),
  );
  const delta = subscription(tasks, 'delta', { url: 'http://feeds.example/alpha' });
  expect(await store.subscriptions.put(delta)).toEqual({ created: true, subscription: delta });
});
