import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import mongoose from 'mongoose';
import { openStore } from '#store';
import type { OpenStore } from '#store';
import { until } from '../../../test/support/until.ts';
import { ensureSchema, schemaVersion } from './schema-version.ts';
import type { SchemaRow } from './schema-version.ts';

const uri = process.env['MONGODB_URI'] ?? '';
let database: string;
let client: mongoose.mongo.MongoClient;
let rows: mongoose.mongo.Collection<SchemaRow>;
let opened: OpenStore[];

beforeEach(async () => {
  database = `feedmesh-test-${randomBytes(8).toString('hex')}`;
  client = await new mongoose.mongo.MongoClient(uri).connect();
  rows = client.db(database).collection<SchemaRow>('schema');
  opened = [];
});
afterEach(async () => {
  jest.restoreAllMocks();
  await Promise.all(opened.map((store) => store.close()));
  await client.db(database).dropDatabase();
  await client.close();
});

async function open(): Promise<void> {
  opened.push(await openStore({ uri, database }));
}

const later = (milliseconds: number): Date => new Date(Date.now() + milliseconds);

test('of several processes that start at once, one creates the indexes, a restart none', async () => {
  const creating = jest.spyOn(mongoose.Model, 'createIndexes');
  await Promise.all([1, 2, 3, 4].map(open));
  const models = new Set(creating.mock.contexts);
  expect(creating).toHaveBeenCalledTimes(models.size);
  await open();
  expect(creating).toHaveBeenCalledTimes(models.size);
  expect(await rows.findOne()).toEqual({ _id: 'schema', ...schemaVersion, indexes: expect.any(String) });
});

test('other indexes of the same version are created', async () => {
  await open();
  await rows.updateOne({}, { $set: { indexes: 'others' } });
  await client.db(database).collection('manifests').dropIndexes();
  await open();
  expect(await client.db(database).collection('manifests').indexes()).toHaveLength(2);
});

test('a process waits for the one that creates the indexes, and takes over from one that died', async () => {
  await rows.insertOne({ _id: 'schema', holder: 'other', leasedUntil: later(3_600_000) });
  const waits: string[] = [];
  let hasPrepared = false;
  const prepare = async (): Promise<void> => {
    hasPrepared = true;
  };
  const ensuring = ensureSchema(rows, 'mine', prepare, (reason) => waits.push(reason));
  await until(() => waits.length > 1);
  expect([hasPrepared, waits[0]]).toEqual([
    false,
    'another service is creating the indexes of a new version',
  ]);
  await rows.updateOne({}, { $set: { leasedUntil: later(-1) } });
  await ensuring;
  expect(hasPrepared).toBe(true);
});

test('a process that fails to create them leaves the lease to others', async () => {
  const failing = ensureSchema(
    rows,
    'mine',
    () => Promise.reject(new Error('the disk is full')),
    () => {},
  );
  await expect(failing).rejects.toThrow('the disk is full');
  expect(await rows.findOne()).toEqual({ _id: 'schema' });
});

test('services of two neighbouring versions run side by side, whichever starts last', async () => {
  const [one, two] = [schemaVersion, { version: schemaVersion.version + 1, usableFrom: 1 }];
  const prepared: number[] = [];
  const start = ({ version }: typeof one, known: typeof one): Promise<void> =>
    ensureSchema(
      rows,
      `indexes of ${version}`,
      async () => void prepared.push(version),
      () => {},
      known,
    );
  await start(one, one);
  await start(two, two);
  await start(one, one);
  await start(two, two);
  expect(prepared).toEqual([one.version, two.version]);
  expect(await rows.findOne()).toEqual({ _id: 'schema', ...two, indexes: `indexes of ${two.version}` });
});

test('a database that a version after next has upgraded is refused, and left as it is', async () => {
  const { version } = schemaVersion;
  const upgraded = { _id: 'schema', version: version + 2, usableFrom: version + 1, indexes: 'x' } as const;
  await rows.insertOne(upgraded);
  await expect(open()).rejects.toThrow(
    `the database was upgraded to schema ${version + 2}, which services from schema ${version + 1} on can ` +
      `use; this one has schema ${version}: run a newer version of Feedmesh`,
  );
  expect(await rows.findOne()).toEqual(upgraded);
  expect(await client.db(database).listCollections().toArray()).toHaveLength(1);
});
