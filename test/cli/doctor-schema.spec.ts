import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type mongoose from 'mongoose';
import { openStore } from '#store';
import { doctor } from '../../apps/cli/src/commands/doctor.ts';
import { mongodbUri, ownDatabase, withDatabase } from '../acceptance/store/mongodb.ts';
import { startMongosProxy } from '../support/mongos-proxy.ts';
import { memoryIo } from './memory-io.ts';

let database: string;
let ends: (() => Promise<unknown>)[];

beforeEach(async () => {
  ends = [];
  database = ownDatabase();
  const store = await openStore({ uri: mongodbUri(), database });
  await store.close();
});
afterEach(async () => {
  for (const end of ends.toReversed()) await end();
  await withDatabase(database, (db) => db.dropDatabase());
});

/** What doctor prints and ends with, at this MongoDB. */
async function diagnose({ uri = mongodbUri(), repair = false } = {}): Promise<{ code: number; out: string }> {
  const address = new URL(uri);
  address.pathname = `/${database}`;
  const environment = { REDIS_URL: process.env['REDIS_URL'] ?? '', MONGODB_URI: address.href };
  const io = memoryIo({ environment });
  return { code: await doctor({ repair, output: 'text' }, io), out: io.out() };
}

describe('doctor and indexes', () => {
  test('an index that was dropped is named, created on demand, and then well', async () => {
    await withDatabase(database, (db) =>
      db.collection('items').dropIndex('collection_1_sequence_1_deleted_1'),
    );
    await withDatabase(database, (db) => db.dropCollection('manifests'));
    const sequence =
      'items: the index {"key":{"collection":1,"sequence":1,"deleted":1},' +
      '"partialFilterExpression":{"sequence":{"$exists":true}}} is missing';
    const touched = 'manifests: the index {"key":{"touchedAt":1}} is missing';
    const before = await diagnose();
    expect(before.code).toBe(1);
    for (const line of [sequence, touched])
      expect(before.out).toContain(`mongodb: ${line}; feedmesh doctor --repair creates it\n`);
    const repaired = await diagnose({ repair: true });
    expect(repaired).toMatchObject({ code: 0 });
    expect(repaired.out).toContain(`mongodb: ${sequence}; created\n`);
    expect(await diagnose()).toEqual({ code: 0, out: 'redis: responds\nmongodb: responds\n' });
  });

  test('an index that MongoDB refuses to create is left with its reason', async () => {
    await withDatabase(database, async (db) => {
      await db.collection('subscriptions').dropIndex('feedKey_1');
      await db.collection('subscriptions').insertMany([{ feedKey: 'same' }, { feedKey: 'same' }]);
    });
    const { code, out } = await diagnose({ repair: true });
    expect(code).toBe(1);
    expect(out).toMatch(/"feedKey":1.* is missing; not created: .*E11000 duplicate key/);
  });

  test('the indexes of a newer version are not judged', async () => {
    await withDatabase(database, async (db) => {
      await db
        .collection<{ _id: string }>('schema')
        .updateOne({ _id: 'schema' }, { $set: { version: 1000 } });
      await db.collection('items').dropIndexes();
    });
    expect(await diagnose()).toEqual({
      code: 0,
      out:
        'redis: responds\nmongodb: responds\n' +
        'mongodb: not examined: indexes: the database has the schema of a newer version of Feedmesh\n',
    });
  });
});

describe('doctor and a sharded cluster, as config.collections describes it', () => {
  type Row = { readonly _id: string } & Readonly<Record<string, unknown>>;

  /** Has the MongoDB of the tests describe these collections as a mongos does, and returns its address. */
  async function sharded(rows: Readonly<Record<string, object>>): Promise<string> {
    const described = Object.entries(rows).map(([name, row]) => ({ _id: `${database}.${name}`, ...row }));
    const inConfig = <Answer>(
      work: (collections: mongoose.mongo.Collection<Row>) => Promise<Answer>,
    ): Promise<Answer> => withDatabase('config', (db) => work(db.collection<Row>('collections')));
    ends.push(() => inConfig((rows) => rows.deleteMany({ _id: { $in: described.map(({ _id }) => _id) } })));
    await inConfig((rows) => rows.insertMany(described));
    const proxy = await startMongosProxy(new URL(mongodbUri()).host);
    ends.push(() => proxy.close());
    return `mongodb://${proxy.host}/`;
  }

  test('the documented shard keys are well', async () => {
    const uri = await sharded({
      items: { key: { _id: 1 }, unique: false },
      changes: { key: { _id: 1 }, unique: false },
      'contents.chunks': { key: { files_id: 1, n: 1 }, unique: true },
      feeds: { key: { _id: 1 }, unsplittable: true },
      notices: { key: { other: 1 }, dropped: true },
    });
    expect(await diagnose({ uri })).toEqual({ code: 0, out: 'redis: responds\nmongodb: responds\n' });
  });

  test('another key, and a unique index that it can not keep, are named', async () => {
    const rows = { items: { key: { _id: 'hashed' } }, subscriptions: { key: { _id: 1 } } };
    const uri = await sharded(rows);
    expect(await diagnose({ uri, repair: true })).toEqual({
      code: 1,
      out: [
        'redis: responds',
        'mongodb: responds',
        'mongodb: items: sharded by {"_id":"hashed"}, but must be by {"_id":1}',
        'mongodb: subscriptions: sharded by {"_id":1}, but must not be sharded',
        'mongodb: subscriptions: sharded by {"_id":1}, so its unique index {"feedKey":1} holds within a ' +
          'shard alone\n',
      ].join('\n'),
    });
    expect(await diagnose()).toMatchObject({ code: 0 });
  });
});
