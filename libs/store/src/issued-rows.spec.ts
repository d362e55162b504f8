import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import mongoose from 'mongoose';
import { collectionKey, defaultItemBytes, itemId } from '#core';
import type { StoredItem } from '#core';
import type { IssuedDocument } from './issued-document.ts';
import { IssuedRows, removeItems } from './issued-rows.ts';
import type { ItemDocument } from './item-document.ts';
import { MongoItemStore } from './item-store.ts';
import { keysOf } from './key.ts';
import { UsageCounter } from './usage-counter.ts';

const news = collectionKey('news');
const x = itemId('x');

const { MongoClient } = mongoose.mongo;
const by = 'test:here';

let client: mongoose.mongo.MongoClient;
let db: mongoose.mongo.Db;
let items: mongoose.mongo.Collection<ItemDocument>;
let issued: mongoose.mongo.Collection<IssuedDocument>;

beforeEach(async () => {
  client = await new MongoClient(process.env['MONGODB_URI'] ?? '', { ignoreUndefined: true }).connect();
  db = client.db(`feedmesh-test-${randomBytes(8).toString('hex')}`);
  items = db.collection('items');
  issued = db.collection('issued');
});
afterEach(async () => {
  await db.dropDatabase();
  await client.close();
});

const at = new Date('2026-01-01T00:00:00Z');

/** Stores an item whose latest version got this sequence here; both are 1 for a new one. */
async function write(sequence: number): Promise<void> {
  const item: Omit<StoredItem, 'revision' | 'pending' | 'sequence'> = {
    id: x,
    collection: news,
    deleted: false,
    conflictCount: 0,
    version: { updates: sequence, noconflicts: false },
    sources: [],
    createdAt: at,
    updatedAt: at,
    content: {} as StoredItem['content'],
    issued: [{ by, highest: sequence, completeAbove: 0, versions: [{ sequence }] }],
  };
  const store = new MongoItemStore(items, issued, defaultItemBytes, new UsageCounter(db.collection('usage')));
  expect(await store.compareAndSet([{ expected: sequence - 1, item }])).toEqual([]);
}

/** The highest sequence that is known to have been given: by the row of the item, or by what it left. */
async function highest(): Promise<number> {
  const row = await items.findOne({ _id: 'news/x' });
  const left = (await new IssuedRows(issued).read(news, [x])).get(x);
  return Math.max(0, ...[...(row?.issued ?? []), ...(left ?? [])].map((record) => record.highest));
}

class Killed extends Error {}

/** A collection of MongoDB whose writes end with `Killed` once `isKilled` says so, before they begin. */
function mortal<Row extends { _id: string }>(
  rows: mongoose.mongo.Collection<Row>,
  isKilled: () => boolean,
): mongoose.mongo.Collection<Row> {
  return new Proxy(rows, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name, target);
      if (typeof member !== 'function') return member;
      if (name !== 'bulkWrite' && name !== 'deleteMany') return member.bind(target);
      return async (...parameters: unknown[]): Promise<unknown> => {
        if (isKilled()) throw new Killed();
        return Reflect.apply(member, target, parameters);
      };
    },
  });
}

type Removal = (rows: typeof items, left: typeof issued, revision: number) => Promise<unknown>;

describe('a process that is killed while it removes an item', () => {
  const removals: readonly (readonly [what: string, remove: Removal])[] = [
    [
      'by itself',
      (rows, left, revision) =>
        new MongoItemStore(rows, left, defaultItemBytes, new UsageCounter(db.collection('usage'))).remove(
          news,
          [{ id: x, revision }],
        ),
    ],
    ['with its collection', (rows, left) => removeItems(rows, left, keysOf(news))],
  ];

  test.each(removals)('%s, loses no number that was given for it', async (_what, remove) => {
    let kills = 0;
    for (let killedAt = 0; ; killedAt += 1) {
      await items.deleteMany({});
      await issued.deleteMany({});
      await write(1);
      await write(2);
      let writes = 0;
      const isKilled = (): boolean => (writes += 1) > killedAt;
      const outcome = await remove(mortal(items, isKilled), mortal(issued, isKilled), 2).then(
        () => 'removed',
        (error: unknown) => (error instanceof Killed ? 'killed' : Promise.reject(error as Error)),
      );
      expect(await highest()).toBe(2);
      if (outcome === 'removed') break;
      kills += 1;
      // The item is still there, or it is removed already: the removal is done once more in either case.
      const isThere = (await items.countDocuments({})) === 1;
      if (isThere) await write(3);
      await remove(items, issued, isThere ? 3 : 2);
      expect([await items.countDocuments({}), await highest()]).toEqual([0, isThere ? 3 : 2]);
    }
    // Before what was signed is copied, and before the item is removed.
    expect(kills).toBeGreaterThanOrEqual(2);
  });
});
