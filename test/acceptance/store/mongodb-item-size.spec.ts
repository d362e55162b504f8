import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { ItemWrite } from '#core';
import { collectionKey, ItemSizeError, subscriptionId } from '#core';
import { openStore } from '#store';
import type { OpenStore } from '#store';
import { mongodbUri, ownDatabase, withDatabase } from './mongodb.ts';
import { content, cseContent, sseContent, write } from './samples.ts';

const sizesKey = collectionKey('sizes');

const database = ownDatabase();
let store: OpenStore;

beforeAll(async () => {
  store = await openStore({ uri: mongodbUri(), database });
});

afterAll(async () => {
  await store.close();
  await withDatabase(database, (mongodb) => mongodb.dropDatabase());
});

const files = Array.from({ length: 12 }, (_, number) => `${number}`.padStart(64, '0'));
const source = { subscription: subscriptionId('peer'), digest: 'd'.repeat(43), fetchPass: 'm1.feed' };
const rows: [what: string, change: Partial<ItemWrite['item']>][] = [
  [
    'in an Atom collection',
    {
      sources: [source, { ...source, subscription: subscriptionId('other') }],
      subscription: subscriptionId('peer'),
    },
  ],
  ['with characters of several bytes', { content: content('i', '\u00e9\u4e16\u{1f600}') }],
  ['of an outline', { content: sseContent('i'), position: { parent: 'p', key: 'a0', after: '' } }],
  [
    'of a tree',
    {
      content: cseContent('g'),
      branch: { guid: 'g', nested: 'n', files },
      position: { parent: 'root', key: 'a0' },
    },
  ],
  [
    'with large numbers',
    {
      version: {
        updates: 2 ** 31,
        noconflicts: false,
        history: { sequence: 2 ** 31 - 1, when: '2026-01-01T00:00:00Z' },
      },
    },
  ],
];

test.each(rows.map((row, number) => [`item ${number}`, ...row] as const))(
  '%s, %s, is as large as it was measured before the write',
  async (id, _what, change) => {
    await store.items.compareAndSet([write(sizesKey, id, 0, change)]);
    const size = await withDatabase(database, async (mongodb) => {
      const [row] = await mongodb
        .collection<{ _id: string }>('items')
        .aggregate<{ size: number }>([
          { $match: { _id: `sizes/${id}` } },
          { $project: { size: { $bsonSize: '$$ROOT' } } },
        ])
        .toArray();
      return row?.size ?? 0;
    });
    const [exact, smaller] = await Promise.all(
      [size, size - 1].map((itemBytes) => openStore({ uri: mongodbUri(), database, itemBytes })),
    );
    try {
      expect(await exact?.items.compareAndSet([write(sizesKey, id, 1, change)])).toEqual([]);
      await expect(smaller?.items.compareAndSet([write(sizesKey, id, 2, change)])).rejects.toThrow(
        ItemSizeError,
      );
    } finally {
      await Promise.all([exact?.close(), smaller?.close()]);
    }
  },
);
