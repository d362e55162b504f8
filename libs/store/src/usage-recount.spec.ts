import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import mongoose from 'mongoose';
import { collectionKey, itemId } from '#core';
import { openStore } from '#store';
import type { OpenStore } from '#store';
import { sampleCollection } from '#in-memory';
import type { UsageDocument } from './usage-document.ts';

const uri = process.env['MONGODB_URI'] ?? '';
const key = collectionKey('acme.todo');
const at = new Date('2026-01-01T00:00:00Z');
const lease = 60_000;

let store: OpenStore;
let client: mongoose.mongo.MongoClient;
let rows: mongoose.mongo.Collection<UsageDocument>;

beforeEach(async () => {
  const database = `feedmesh-test-${randomBytes(8).toString('hex')}`;
  store = await openStore({ uri, database });
  client = await new mongoose.mongo.MongoClient(uri).connect();
  rows = client.db(database).collection('usage');
  await store.collections.create(sampleCollection({ key, createdAt: at }));
});
afterEach(async () => {
  await client.db(store === undefined ? '' : rows.dbName).dropDatabase();
  await store.close();
  await client.close();
});

const text = { sync: { id: itemId('x') }, data: [], conflicts: [] };

async function write(count: number): Promise<void> {
  const written = Array.from({ length: count }, (_value, number) => ({
    expected: 0,
    item: {
      collection: key,
      id: itemId(`i${number}`),
      content: text as never,
      deleted: number === 0,
      conflictCount: 0,
      version: { updates: 1 },
      sources: [],
      createdAt: at,
      updatedAt: at,
    },
  }));
  await store.items.compareAndSet(written);
  await store.tenants.counted();
}

const soon = (): Date => new Date(Date.now() + 60_000);

test('what a process that was killed has not counted is found, in steps of a range', async () => {
  await write(2500);
  await store.contents.write(key, [Buffer.from('bread')] as never, { at });
  const right = await store.tenants.stored('acme');
  expect(right).toEqual({ items: 2499, bytes: 2500 * JSON.stringify(text).length + 5, files: 1 });
  await rows.updateOne({}, { $inc: { items: -7, bytes: 1000, files: 3 } });
  expect(await store.tenants.recount(soon(), lease)).toEqual({
    collection: key,
    corrected: { items: 7, bytes: -1000, files: -3 },
  });
  expect(await store.tenants.stored('acme')).toEqual(right);
});

test('a collection of which nothing was counted is counted, and one that is gone is forgotten', async () => {
  await write(3);
  await rows.deleteMany({});
  await rows.insertOne({
    _id: 'gone.todo/stored',
    items: 3,
    bytes: 4,
    files: 5,
    moved: { items: 0, bytes: 0, files: 0 },
  });
  await store.tenants.recount(soon(), lease);
  expect(await store.tenants.stored('gone')).toEqual({ items: 0, bytes: 0, files: 0 });
  expect(await store.tenants.recount(soon(), lease)).toMatchObject({ corrected: { items: 2 } });
  expect(await rows.countDocuments()).toBe(1);
});

test('a collection is counted by one process at a time, and not again before its time', async () => {
  await write(3);
  const counts = await Promise.all([
    store.tenants.recount(soon(), lease),
    store.tenants.recount(soon(), lease),
  ]);
  expect(counts.filter((count) => count === undefined)).toHaveLength(1);
  expect(await store.tenants.recount(new Date(Date.now() - 60_000), lease)).toBeUndefined();
  expect(await store.tenants.recount(soon(), lease)).toMatchObject({ collection: key });
});

test('what is written while it is counted makes no right usage wrong', async () => {
  await write(1500);
  const counting = store.tenants.recount(soon(), lease);
  for (let number = 0; number < 200; number += 1)
    await store.items.remove(key, [{ id: itemId(`i${number}`), revision: 1 }]);
  await counting;
  expect(await store.tenants.stored('acme')).toEqual({
    items: 1300,
    bytes: 1300 * JSON.stringify(text).length,
    files: 0,
  });
});
