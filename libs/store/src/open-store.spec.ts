import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import mongoose from 'mongoose';
import { connectStore, openStore, StoreUnavailableError } from '#store';
import type { OpenStore } from '#store';
import { collectionKey, itemId } from '#core';
import { freePort } from '#databases';
import { publishBlock } from '../../../test/support/published-blocks.ts';
import { until } from '../../../test/support/until.ts';
import type { StoreOptions } from './open-store.ts';

const tasks = collectionKey('tasks');
const aId = itemId('a');

const uri = process.env['MONGODB_URI'] ?? '';
let database: string;
let client: mongoose.mongo.MongoClient;
let opened: OpenStore[];

beforeEach(async () => {
  database = `feedmesh-test-${randomBytes(8).toString('hex')}`;
  opened = [];
  client = await new mongoose.mongo.MongoClient(uri).connect();
});
afterEach(async () => {
  await Promise.all(opened.map((store) => store.close()));
  await client.db(database).dropDatabase();
  await client.close();
});

/** Opens a store that is closed after the test. */
async function open(options: StoreOptions): Promise<OpenStore> {
  const store = await openStore(options);
  opened.push(store);
  return store;
}

/** The connection string with something said differently. */
function uriWith(path: string, parameters: Record<string, string> = {}): string {
  const changed = new URL(uri);
  changed.pathname = path;
  for (const [name, value] of Object.entries(parameters)) changed.searchParams.set(name, value);
  return changed.href;
}

test('several processes may open the store at once, and the indexes are there', async () => {
  const stores = await Promise.all([1, 2, 3, 4].map(() => open({ uri, database })));
  await Promise.all(stores.map((store) => store.ping()));
  const indexes = await client.db(database).collection('items').indexes();
  expect(indexes.map(({ key }) => Object.keys(key))).toEqual(
    expect.arrayContaining([
      ['_id'],
      ['collection', 'pending'],
      ['collection', 'sequence', 'deleted'],
      ['collection', 'publishedAt', 'sequence'],
      ['collection', 'position.parent', 'position.key', '_id', 'deleted'],
      ['collection', 'branch', '_id'],
    ]),
  );
  const ofDocuments = await client.db(database).collection('documents').indexes();
  expect(ofDocuments.map(({ key }) => Object.keys(key))).toEqual([
    ['_id'],
    ['collection', 'copy.digest'],
    ['collection', 'copy.parsed'],
    ['collection', 'isRequested', '_id'],
    ['collection', 'dropped', '_id'],
    ['collection', 'changed'],
  ]);
  await open({ uri, database });
});

test('items are compressed with zstd', async () => {
  await open({ uri, database });
  const { storageEngine } = await client.db(database).collection('items').options();
  expect(storageEngine).toEqual({ wiredTiger: { configString: 'block_compressor=zstd' } });
});

test('every write waits for a majority and the journal, whatever the connection string says', async () => {
  const connecting = jest.spyOn(mongoose.Connection.prototype, 'openUri');
  const store = await open({
    uri: uriWith('/', { w: '1', journal: 'false', monitorCommands: 'true' }),
    database,
    writeTimeout: 7000,
  });
  const commands: mongoose.mongo.CommandStartedEvent[] = [];
  const [connection] = connecting.mock.contexts as mongoose.Connection[];
  connecting.mockRestore();
  connection?.getClient().on('commandStarted', (started) => commands.push(started));
  const content = {
    sync: { id: aId, updates: 1, deleted: false, history: [] },
    data: { format: 'atom', children: [], scope: { namespaces: [] } },
    conflicts: [],
  } as const;
  const usual = {
    deleted: false,
    conflictCount: 0,
    version: { updates: 1 },
    sources: [],
    createdAt: new Date(),
    updatedAt: new Date(),
  };
  await store.items.compareAndSet([{ expected: 0, item: { collection: tasks, id: aId, content, ...usual } }]);
  const published = { collection: tasks, first: 1, events: [], items: [], notices: [], at: new Date() };
  expect(await publishBlock(store, published)).toBe(true);
  await store.items.load(tasks, [aId]);
  const named = (name: string): readonly mongoose.mongo.Document[] =>
    commands.filter(({ commandName }) => commandName === name).map(({ command }) => command);
  // That of the block is in the transaction.
  const writes = [
    ...named('insert').filter(({ autocommit }) => autocommit !== false),
    ...named('commitTransaction'),
  ];
  expect(writes.map(({ writeConcern }) => writeConcern)).toEqual(
    [1, 2, 3].map(() => ({ w: 'majority', j: true, wtimeout: 7000 })),
  );
  expect(named('find').at(-1)?.['readConcern']).toMatchObject({ level: 'majority' });
});

test('the database is the one that the connection string names, unless another is requested', async () => {
  await open({ uri: uriWith(`/${database}`) });
  const { databases } = await client
    .db()
    .admin()
    .listDatabases({ nameOnly: true, filter: { name: database } });
  expect(databases).toHaveLength(1);
});

test("where nobody answers, opening fails with the limit's name", async () => {
  const uriOfNobody = `mongodb://127.0.0.1:${await freePort()}/?directConnection=true`;
  const opening = (): Promise<unknown> =>
    openStore({ uri: uriOfNobody, selectionTimeout: 1000 }).catch((error: unknown) => error);
  // A busy process may reach the limit before it sees that it is refused.
  const error = await until(opening, (found) => String(found).includes('ECONNREFUSED'));
  expect(error).toBeInstanceOf(StoreUnavailableError);
  expect(String(error)).toMatch(/ECONNREFUSED.*\(selectionTimeout is 1000 ms\)/);
});

test('a closed store answers no ping', async () => {
  const store = await open({ uri, database });
  await store.close();
  await expect(store.ping()).rejects.toThrow();
});

test.each([
  ['', { heartbeatFrequencyMS: 2000 }],
  ['&heartbeatFrequencyMS=900&readPreference=secondary', {}],
])('waits for a server, and for its answers, no longer than set%s', async (query, heartbeat) => {
  const connecting = jest.spyOn(mongoose.Connection.prototype, 'openUri');
  const { store, attempted } = connectStore({
    uri: `mongodb://127.0.0.1:1/?replicaSet=none${query}`,
    selectionTimeout: 50,
    answerTimeout: 70,
  });
  await expect(attempted).rejects.toThrow();
  await store.close();
  expect(connecting.mock.calls[0]?.[1]).toMatchObject({
    serverSelectionTimeoutMS: 50,
    connectTimeoutMS: 50,
    waitQueueTimeoutMS: 50,
    socketTimeoutMS: 70,
    readPreference: 'primary',
    ...heartbeat,
  });
  expect('heartbeatFrequencyMS' in (connecting.mock.calls[0]?.[1] ?? {})).toBe(query === '');
  connecting.mockRestore();
});
