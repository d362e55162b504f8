import { readFile } from 'node:fs/promises';
import { describe, expect, test } from '@jest/globals';
import { schemaFindings, shardKeys } from './schema-finding.ts';
import type { IndexDescription } from './schema-finding.ts';

const due: IndexDescription = { key: { a: 1, b: -1 }, partialFilterExpression: { b: { $exists: true } } };
const unique: IndexDescription = { key: { feedKey: 1 }, unique: true, sparse: true };

test('the shard keys are those that the page on scaling has operators create', async () => {
  const page = await readFile('docs/scaling.md', 'utf8');
  const commands = [...page.matchAll(/sh\.shardCollection\("feedmesh\.([^"]+)", (\{.*\})\)/g)];
  const documented = commands.map(([, collection = '', key = '']): [string, unknown] => [
    collection,
    JSON.parse(key.replaceAll(/(\w+):/g, '"$1":')),
  ]);
  expect(Object.fromEntries(documented)).toEqual(shardKeys);
  expect(documented.length).toBe(Object.keys(shardKeys).length);
});

describe('indexes', () => {
  test('are complete with others beside them', () => {
    const found = [{ key: { _id: 1 } }, unique, due, { key: { mine: 1 } }];
    expect(schemaFindings({ collection: 'items', needed: [due, unique], found })).toEqual([]);
  });

  test.each([
    ['it was dropped', []],
    ['its fields stand in another order', [{ ...due, key: { b: -1, a: 1 } }]],
    ['it holds other rows', [{ key: due.key }]],
    ['it is unique', [{ ...due, unique: true }]],
    ['it ages', [{ ...due, expireAfterSeconds: 0 }]],
  ])('one is missing if %s', (_why, found) => {
    expect(schemaFindings({ collection: 'items', needed: [due], found })).toEqual([
      { problem: 'missing-index', collection: 'items', index: due },
    ]);
  });

  test('that are unknown are not missing', () => {
    expect(schemaFindings({ collection: 'items', needed: [due] })).toEqual([]);
  });
});

describe('shard keys', () => {
  test.each(Object.entries(shardKeys))('%s may be sharded by %j', (collection, shardKey) => {
    const needed = [{ key: shardKey, unique: true }];
    expect(schemaFindings({ collection, needed, found: needed, shardKey })).toEqual([]);
  });

  test.each([{ _id: 'hashed' }, { collection: 1, _id: 1 }, { _id: 1, collection: 1 }])(
    'items must not be sharded by %j',
    (shardKey) => {
      expect(schemaFindings({ collection: 'items', needed: [], shardKey })).toEqual([
        { problem: 'wrong-shard-key', collection: 'items', shardKey, expected: { _id: 1 } },
      ]);
    },
  );

  test('a collection without a documented key must not be sharded', () => {
    const shardKey = { _id: 1 };
    expect(schemaFindings({ collection: 'manifests', needed: [due], found: [due], shardKey })).toEqual([
      { problem: 'wrong-shard-key', collection: 'manifests', shardKey },
    ]);
  });

  test('a unique index that does not begin with the shard key is named', () => {
    const found = [unique];
    const of = { collection: 'subscriptions', needed: [unique], found };
    expect(schemaFindings({ ...of, shardKey: { _id: 1 } })).toContainEqual({
      problem: 'unique-across-shards',
      collection: 'subscriptions',
      shardKey: { _id: 1 },
      index: unique,
    });
    expect(schemaFindings({ ...of, shardKey: { feedKey: 1 } }).map(({ problem }) => problem)).toEqual([
      'wrong-shard-key',
    ]);
  });
});
