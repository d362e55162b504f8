import 'reflect-metadata';
import { randomBytes } from 'node:crypto';
import { userInfo } from 'node:os';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { openStore } from '#store';
import type { OpenStore } from '#store';
import { collectionKey } from '#core';
import type { AuditEntry } from '#core';
import { doctor } from '../../apps/cli/src/commands/doctor.ts';
import { reseal } from '../../apps/cli/src/commands/reseal.ts';
import { restore } from '../../apps/cli/src/commands/restore.ts';
import { audited } from '../../apps/cli/src/databases/audited.ts';
import type { Io } from '../../apps/cli/src/io.ts';
import { mongodbUri, ownDatabase, withDatabase } from '../acceptance/store/mongodb.ts';
import { collection } from '../acceptance/store/samples.ts';
import { memoryIo } from './memory-io.ts';

/** The commands that write to MongoDB without a gateway, by what their entries call them. */
const commands: Readonly<Record<string, (io: Io) => Promise<number>>> = {
  reseal: (io) => reseal({ output: 'text' }, io),
  restore: (io) => restore({ output: 'text' }, io),
  'doctor --repair': (io) => doctor({ repair: true, output: 'text' }, io),
};

let database: string;
let store: OpenStore;

beforeEach(async () => {
  database = ownDatabase();
  store = await openStore({ uri: mongodbUri(), database });
  await store.collections.create(collection(collectionKey('todo')));
});
afterEach(async () => {
  await store.close();
  await withDatabase(database, (db) => db.dropDatabase());
});

/** The settings of an operator. */
function environment(change: Record<string, string> = {}): Record<string, string> {
  const uri = new URL(mongodbUri());
  uri.pathname = `/${database}`;
  return {
    REDIS_URL: process.env['REDIS_URL'] ?? '',
    MONGODB_URI: uri.href,
    CREDENTIALS_KEYS: `first:${randomBytes(32).toString('base64')}`,
    ...change,
  };
}

async function run(name: string, change?: Record<string, string>): Promise<number | undefined> {
  return commands[name]?.(memoryIo({ environment: environment(change) }));
}

async function entries(): Promise<AuditEntry[]> {
  const all = await store.audit.list({ limit: 100 });
  return all.filter(({ outcome }) => outcome !== 'link');
}

const operator = { via: 'database', actor: { kind: 'operator', id: userInfo().username } };

test.each(Object.keys(commands))('feedmesh %s enters that it begins, and that it is done', async (name) => {
  expect(await run(name)).toBe(0);
  const [begun, done, ...others] = await entries();
  expect(begun).toMatchObject({ ...operator, operation: name, outcome: 'begun' });
  expect(done).toMatchObject({ ...operator, operation: name, outcome: 'done', begun: begun?.id });
  expect(others).toEqual([]);
});

test.each(Object.keys(commands))('feedmesh %s enters nothing if AUDIT is off', async (name) => {
  expect(await run(name, { AUDIT: 'off' })).toBe(0);
  expect(await entries()).toEqual([]);
});

test('a doctor that repairs nothing enters nothing', async () => {
  await doctor({ repair: false, output: 'text' }, memoryIo({ environment: environment() }));
  expect(await entries()).toEqual([]);
});

test('what fails is entered as failed', async () => {
  const io = memoryIo({ environment: environment() });
  const work = async (): Promise<never> => {
    throw new Error('cut short');
  };
  await expect(audited(store, io, 'restore', work)).rejects.toThrow('cut short');
  const [begun, failed] = await entries();
  expect(failed).toMatchObject({ ...operator, operation: 'restore', outcome: 'failed', begun: begun?.id });
});

test('what cannot be entered is not begun', async () => {
  const io = memoryIo({ environment: environment() });
  const audit = { ...store.audit, heads: failing, append: failing };
  let isBegun = false;
  const work = async (): Promise<void> => void (isBegun = true);
  await expect(audited({ audit }, io, 'restore', work)).rejects.toThrow('not written');
  expect(isBegun).toBe(false);
});

async function failing(): Promise<never> {
  throw new Error('not written');
}
