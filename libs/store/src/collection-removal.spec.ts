import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import mongoose from 'mongoose';
import type { mongo } from 'mongoose';
import { collectionKey } from '#core';
import type { CollectionDocument } from './collection-document.ts';
import { CollectionRemoval } from './collection-removal.ts';
import { retiredSchema } from './retired-document.ts';
import type { RetiredDocument } from './retired-document.ts';

const key = collectionKey('news');
const row = { _id: key, publication: { sequence: 3 }, unfollowed: true, purgeAt: new Date(0) };

let connection: mongoose.Connection;
let rows: mongo.Collection<CollectionDocument>;
/** Ends the passes that were begun, in their order; whether each has removed all there was. */
let passes: ((isLast: boolean) => void)[];
let removal: CollectionRemoval;

beforeEach(async () => {
  const uri = new URL(process.env['MONGODB_URI'] ?? '');
  uri.pathname = `/feedmesh-test-${randomBytes(8).toString('hex')}`;
  connection = await mongoose.createConnection(uri.href).asPromise();
  rows = connection.collection<CollectionDocument>('collections');
  await rows.insertOne(row as unknown as CollectionDocument);
  passes = [];
  removal = new CollectionRemoval(rows, connection.model<RetiredDocument>('Retired', retiredSchema), {
    removeFirst: () => new Promise((resolve) => passes.push(resolve)),
  });
});
afterEach(async () => {
  await connection.dropDatabase();
  await connection.close();
});

async function untilBegun(count: number): Promise<void> {
  while (passes.length < count) await new Promise((resolve) => setImmediate(resolve));
}

/** Ends the next pass once it has begun. */
async function endPass(isLast: boolean): Promise<void> {
  await untilBegun(1);
  passes.shift()?.(isLast);
}

test('one removes at a time, so that none is left when the name is free', async () => {
  const remover = await removal.begin(key);
  const first = removal.continue(key, remover);
  expect(await removal.continue(key)).toBe(false);
  await endPass(true);
  expect(await removal.continue(key)).toBe(false);
  await endPass(true);
  expect(await first).toBe(true);
  expect([await rows.findOne({ _id: key }), passes]).toEqual([null, []]);
  expect(await removal.continue(key)).toBe(true);
});

test('another one goes on after a pass that has left something, or that took too long', async () => {
  const first = removal.continue(key, await removal.begin(key));
  await endPass(false);
  expect(await first).toBe(false);
  const second = removal.continue(key);
  await untilBegun(1);
  await rows.updateOne({ _id: key }, { $set: { 'pass.until': new Date(0) } });
  const third = removal.continue(key);
  await untilBegun(2);
  await endPass(true);
  expect(await second).toBe(false);
  for (let pass = 0; pass < 2; pass += 1) await endPass(true);
  expect(await third).toBe(true);
  expect(await rows.findOne({ _id: key })).toBeNull();
});

test('the marked row keeps its numbers, and nothing is due in it', async () => {
  await removal.begin(key);
  expect(await rows.findOne({ _id: key })).toEqual({
    _id: key,
    publication: { sequence: 3 },
    removedAt: expect.any(Date),
    pass: { remover: expect.any(String), until: expect.any(Date) },
  });
  expect(await removal.begin(key)).toBeUndefined();
});
