import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import mongoose from 'mongoose';
import { collectionKey, itemId, subscriptionId } from '#core';
import { openStore } from '#store';
import type { OpenStore } from '#store';
import { mongodbOperations } from '../../support/mongodb-operations.ts';
import { publishBlock } from '../../support/published-blocks.ts';
import { removeCollections } from '../../../apps/merger/src/deletions/remove-collections.ts';
import { mongodbUri, ownDatabase, withDatabase } from './mongodb.ts';
import { block, collection, second, subscription, write } from './samples.ts';

const key = collectionKey('acme.news');
const beside = collectionKey('acme.news-2');
const size = 20_000;
/** Rows that one step removes of each kind. */
const step = 1000;

let database: string;
let store: OpenStore;
beforeEach(async () => {
  database = ownDatabase();
  store = await open();
  for (const each of [key, beside]) {
    await store.collections.create(collection(each));
    await store.subscriptions.put(subscription(each, 'beta'));
    await store.items.compareAndSet([write(each, 'one')]);
    await publishBlock(store, block(each, 1, 1));
  }
});
afterEach(async () => {
  await store.close();
  await withDatabase(database, (mongodb) => mongodb.dropDatabase());
});

const open = (): Promise<OpenStore> => openStore({ uri: mongodbUri(), database });

/** Adds so many items to the collection. */
async function fill(count: number): Promise<void> {
  for (let start = 0; start < count; start += step)
    await store.items.compareAndSet(
      Array.from({ length: Math.min(step, count - start) }, (_, place) => write(key, `i${start + place}`)),
    );
}

const remaining = async (): Promise<number> => (await store.items.list(key, { limit: 2 * size })).length;

test('a request to remove a large collection has a bounded number of operations', async () => {
  await fill(size);
  const operations = await mongodbOperations(mongodbUri(), database, async () => {
    expect(await store.collections.remove(key)).toBe(true);
  });
  expect(operations.length).toBeLessThan(60);
  const documents = operations.reduce((sum, operation) => sum + operation.documents, 0);
  expect(documents).toBeLessThan(step * 4);
  expect(await remaining()).toBe(size + 1 - step);
});

test('it is gone at once for all who look for it, and does not count for its tenant', async () => {
  await fill(2 * step);
  const former = (await store.collections.find(key)) ?? collection(key);
  await store.collections.remove(key);
  expect(await remaining()).toBeGreaterThan(0);
  const { collections } = store;
  expect(await collections.find(key)).toBeUndefined();
  expect((await collections.list({ limit: 10 })).map((each) => each.key)).toEqual([beside]);
  expect(await collections.sequences([key, beside])).toEqual(new Map([[beside, 1]]));
  expect(await collections.remove(key)).toBe(false);
  expect(await collections.publish(former, block(key, 2, 1))).toBe(false);
  expect(await collections.setPublicationTime(former, second(9))).toBe(false);
  await collections.follow(key, { relayed: 1, since: 1 }, second(0));
  expect(await collections.unfollowed()).toEqual([beside]);
  expect(await collections.update(key, { title: 'x', settings: collection(key).settings })).toBe(false);
  expect(await collections.setPublic(key, true)).toBe(false);
  expect(await collections.renewEndpoint(key, collection(key).endpoint, 'test:other')).toBe(false);
  await collections.postponePurge(collection(key));
  for await (const due of collections.duePurges(new Date(), 10))
    expect(due.map((each) => each.key)).not.toContain(key);
  expect(await store.subscriptions.find(key, subscriptionId('beta'))).toBeUndefined();
  await store.tenants.counted();
  expect(await store.tenants.usage('acme')).toMatchObject({ collections: 1, subscriptions: 1, items: 1 });
});

test('its name is taken until all is gone, by whichever process comes to it', async () => {
  await fill(3 * step);
  await store.collections.remove(key);
  expect(await store.collections.create(collection(key))).toBe(false);
  expect(await store.collections.isBeingRemoved(key)).toBe(true);
  expect(await store.collections.isBeingRemoved(beside)).toBe(false);
  expect(await store.collections.removals(10)).toEqual([key]);
  expect(await store.collections.continueRemoval(key)).toBe(false);
  const others = await Promise.all([open(), open()]);
  try {
    await Promise.all(others.map(removeCollections));
  } finally {
    await Promise.all(others.map((other) => other.close()));
  }
  expect(await store.collections.removals(10)).toEqual([]);
  expect(await remaining()).toBe(0);
  expect(await store.collections.isBeingRemoved(key)).toBe(false);
  expect(await store.collections.continueRemoval(key)).toBe(true);
  expect(await store.collections.create(collection(key))).toBe(true);
  expect((await store.collections.find(key))?.publication.sequence).toBe(1);
  expect(await remaining()).toBe(0);
  await store.items.compareAndSet([write(key, 'new')]);
  await removeCollections(store);
  expect(await remaining()).toBe(1);
  expect([...(await store.items.load(beside, [itemId('one')])).keys()]).toEqual(['one']);
});

test('a gateway that is killed once it has marked a collection leaves the rest to others', async () => {
  await publishBlock(store, block(key, 2, 2 * step));
  await fill(10);
  await withDatabase(database, (mongodb) =>
    mongodb
      .collection<{ _id: string }>('collections')
      .updateOne({ _id: key }, { $currentDate: { removedAt: true } }),
  );
  expect(await store.collections.find(key)).toBeUndefined();
  expect(await store.collections.create(collection(key))).toBe(false);
  await removeCollections(store);
  expect(await remaining()).toBe(0);
  expect(await store.collections.create(collection(key))).toBe(true);
  expect((await store.collections.find(key))?.publication.sequence).toBe(2 * step + 1);
});

test('created while its removal ends, it never goes on with numbers that were given before', async () => {
  const rows = mongoose.mongo.Collection.prototype;
  const insertOne: Function = Reflect.get(rows, 'insertOne');
  const inserted = jest.spyOn(rows, 'insertOne').mockImplementationOnce(async function (
    this: typeof rows,
    ...given
  ) {
    await store.collections.remove(key);
    return insertOne.apply(this, given);
  });
  expect(await store.collections.create(collection(key))).toBe(false);
  inserted.mockRestore();
  await store.collections.remove(key);
  expect(await store.collections.create(collection(key))).toBe(true);
  expect((await store.collections.find(key))?.publication.sequence).toBe(1);
});
