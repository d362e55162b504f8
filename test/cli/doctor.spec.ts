import 'reflect-metadata';
import { createHash } from 'node:crypto';
import { resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { freePort, ProcessRegister } from '#databases';
import { openStore } from '#store';
import type { OpenStore } from '#store';
import { collectionKey, subscriptionId } from '#core';
import { doctor } from '../../apps/cli/src/commands/doctor.ts';
import { mongodbUri, ownDatabase, withDatabase } from '../acceptance/store/mongodb.ts';
import {
  violation,
  cachedCopy,
  collection,
  cseContent,
  deadLetter,
  foundDocument,
  second,
  subscription,
  treeUrl,
  write,
} from '../acceptance/store/samples.ts';
import { memoryIo } from './memory-io.ts';
import { temporaryFolder } from './temporary-folder.ts';

const treeKey = collectionKey('tree');
const shared = collectionKey('shared');

let database: string;
let store: OpenStore;

beforeEach(async () => {
  database = ownDatabase();
  store = await openStore({ uri: mongodbUri(), database });
  await store.collections.create({ ...collection(collectionKey('tree')), protocol: 'cse', format: 'rss' });
  await store.collections.create(collection(shared));
});

afterEach(async () => {
  await store.close();
  await withDatabase(database, (db) => db.dropDatabase());
});

function environment(change: Record<string, string> = {}): Record<string, string> {
  const uri = new URL(mongodbUri());
  uri.pathname = `/${database}`;
  return { REDIS_URL: process.env['REDIS_URL'] ?? '', MONGODB_URI: uri.href, ...change };
}

interface Diagnosed {
  readonly collections: readonly {
    readonly collection: string;
    readonly contents: number;
    readonly findings: readonly Record<string, unknown>[];
    readonly unreferenced: object;
  }[];
  readonly incompleteBytes?: number;
}

/** What `doctor -o json` prints, and what it ends with. */
async function diagnose(
  options: { repair?: boolean } = {},
): Promise<Diagnosed & { readonly code: number; readonly healthy: boolean }> {
  const io = memoryIo({ environment: environment() });
  const code = await doctor({ repair: options.repair ?? false, output: 'json' }, io);
  return { code, ...(JSON.parse(io.out()) as Diagnosed & { healthy: boolean }) };
}

async function* bytesOf(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** Adds files with these texts, and an item that links to all of them. */
async function plant(texts: readonly string[], id = 'root:a'): Promise<readonly string[]> {
  for (const text of texts) await store.contents.write(treeKey, bytesOf(text), { at: second(0) });
  const branch = { guid: id.slice('root:'.length), files: texts.map(sha256) };
  await store.items.compareAndSet([
    write(collectionKey('tree'), id, 0, {
      content: cseContent(id),
      position: { parent: 'root', key: 'a0' },
      branch,
    }),
  ]);
  return branch.files;
}

/** The same as a mirror has it: a document for each file. */
async function plantMirror(texts: readonly string[]): Promise<readonly string[]> {
  await store.subscriptions.put(
    subscription(collectionKey('tree'), 'source', { nextFetchAt: new Date(Date.now() + 3_600_000) }),
  );
  const digests = await plant(texts);
  await store.documents.describe(
    treeKey,
    texts.map((text) => foundDocument(text)),
  );
  for (const [place, text] of texts.entries())
    await store.documents.record(
      treeKey,
      treeUrl(text),
      { manifest: 'm1', kind: 'arrived', bytes: 7 },
      cachedCopy(digests[place] ?? ''),
    );
  return digests;
}

/** Changes the bytes of a file past the store. */
async function damage(digest: string): Promise<void> {
  await withDatabase(database, async (db) => {
    const file = await db.collection('contents.files').findOne({ 'metadata.digest': digest });
    await db
      .collection('contents.chunks')
      .updateOne({ files_id: file?._id }, { $set: { data: Buffer.from('other') } });
  });
}

async function isDue(): Promise<boolean> {
  const [subscription] = await store.subscriptions.list(collectionKey('tree'), { limit: 1 });
  return subscription?.status === 'active' && subscription.nextFetchAt <= new Date();
}

describe('doctor', () => {
  test('ends with 0 if all is well, for the databases and each collection with a tree', async () => {
    await plantMirror(['one', 'two']);
    const io = memoryIo({ environment: environment() });
    expect(await doctor({ repair: false, output: 'text' }, io)).toBe(0);
    expect(io.out()).toBe('redis: responds\nmongodb: responds\ntree: 2 files read (6 bytes), 0 findings\n');
    expect(await diagnose({ repair: true })).toMatchObject({
      code: 0,
      healthy: true,
      redis: { answers: true },
      mongodb: { answers: true },
      collections: [{ collection: 'tree' }],
      incompleteBytes: 0,
    });
    expect(await isDue()).toBe(false);
  });

  test('names each file that is damaged or missing and what refers to it, and changes nothing', async () => {
    const [one = '', two = '', three = ''] = await plantMirror(['one', 'two', 'three']);
    await damage(one);
    await store.contents.remove(treeKey, two);
    const diagnosis = await diagnose();
    expect(diagnosis).toMatchObject({ code: 1, healthy: false });
    expect(diagnosis.collections[0]?.findings).toEqual([
      { digest: one, problem: 'damaged', itemCount: 1, items: ['root:a'], documents: [treeUrl('one')] },
      { digest: two, problem: 'missing', itemCount: 1, items: ['root:a'], documents: [treeUrl('two')] },
    ]);
    expect([...(await store.contents.load(treeKey, [one, two, three])).keys()].toSorted()).toEqual(
      [one, three].toSorted(),
    );
    expect((await store.documents.load(treeKey, [treeUrl('two')])).get(treeUrl('two'))).toHaveProperty(
      'copy',
    );
    expect(await isDue()).toBe(false);
  });

  test(
    'repairs a mirror: what is broken goes, its copies are forgotten, and the next fetch is due; what ' +
      'comes back has its old address',
    async () => {
      const [one = '', two = '', three = ''] = await plantMirror(['one', 'two', 'three']);
      await damage(one);
      await store.contents.remove(treeKey, two);
      const repaired = await diagnose({ repair: true });
      expect(repaired).toMatchObject({ code: 0, healthy: true });
      expect(repaired.collections[0]?.findings.map(({ digest, outcome }) => [digest, outcome])).toEqual([
        [one, 'requested'],
        [two, 'requested'],
      ]);
      expect([...(await store.contents.load(treeKey, [one, two, three])).keys()]).toEqual([three]);
      const documents = await store.documents.load(treeKey, ['one', 'two', 'three'].map(treeUrl));
      expect([...documents.values()].filter(({ copy }) => copy !== undefined).map(({ url }) => url)).toEqual([
        treeUrl('three'),
      ]);
      expect(await isDue()).toBe(true);
      for (const text of ['one', 'two'])
        await store.contents.write(treeKey, bytesOf(text), { at: second(1) });
      expect(await diagnose()).toMatchObject({ code: 0, healthy: true });
    },
  );

  test('leaves a paused subscription paused, and says that it waits for it', async () => {
    const [one = ''] = await plantMirror(['one']);
    await damage(one);
    await store.subscriptions.pause(treeKey, subscriptionId('source'));
    expect((await diagnose({ repair: true })).collections[0]?.findings).toMatchObject([
      { digest: one, outcome: 'paused' },
    ]);
    expect(await isDue()).toBe(false);
  });

  test('says that a file of our own is lost, also after a repair, until it is uploaded again', async () => {
    const [one = ''] = await plant(['one']);
    await damage(one);
    const repaired = await diagnose({ repair: true });
    expect(repaired).toMatchObject({
      code: 1,
      collections: [{ findings: [{ digest: one, problem: 'damaged', outcome: 'lost' }] }],
    });
    expect(await diagnose()).toMatchObject({
      code: 1,
      collections: [{ findings: [{ digest: one, problem: 'missing' }] }],
    });
    await store.contents.write(treeKey, bytesOf('one'), { at: second(1) });
    expect(await diagnose()).toMatchObject({ code: 0 });
  });

  test('names five of many items, and counts the others', async () => {
    const ids = Array.from({ length: 7 }, (_, number) => `root:${number}`);
    for (const id of ids) await plant(['one'], id);
    await store.contents.remove(treeKey, sha256('one'));
    const io = memoryIo({ environment: environment() });
    expect(await doctor({ repair: false, output: 'text' }, io)).toBe(1);
    expect(io.out()).toContain(
      `tree: the file ${sha256('one')} is missing; linked to by ${ids.slice(0, 5).join(', ')} and 2 others\n`,
    );
  });

  test('reports files that nothing refers to, which are not findings; a damaged one is removed', async () => {
    for (const text of ['one', 'three'])
      await store.contents.write(treeKey, bytesOf(text), { at: second(0) });
    await store.contents.markUnreferenced(treeKey, [sha256('one')], second(5));
    expect(await diagnose()).toMatchObject({
      code: 0,
      collections: [{ contents: 2, unreferenced: { contents: 2, bytes: 8, since: second(5).toISOString() } }],
    });
    await damage(sha256('three'));
    expect((await diagnose({ repair: true })).collections[0]?.findings).toMatchObject([
      { itemCount: 0, documents: [], outcome: 'removed' },
    ]);
    expect((await store.contents.list(treeKey, { limit: 10 })).map(({ digest }) => digest)).toEqual([
      sha256('one'),
    ]);
  });

  test('removes with a repair what writes have left that were cut short more than a day ago', async () => {
    await withDatabase(database, async (db) => {
      for (const began of [second(0), new Date()]) {
        const files_id = `tree/${began.toISOString()}/x`;
        await db
          .collection<{ _id: string; files_id: string; n: number; data: Buffer }>('contents.chunks')
          .insertOne({ _id: `${files_id}/0`, files_id, n: 0, data: Buffer.from('bytes') });
      }
    });
    expect(await diagnose({ repair: true })).toMatchObject({ incompleteBytes: 5 });
    expect(await diagnose({ repair: true })).toMatchObject({ incompleteBytes: 0 });
  });
});

describe('doctor beside a running launcher', () => {
  const data = temporaryFolder();
  let register: ProcessRegister;
  beforeEach(async () => {
    register = await ProcessRegister.open(data.path('.'), () => undefined);
  });
  afterEach(() => register.close());

  async function doctorWith(settings: Record<string, string>): Promise<{ code: number; out: string }> {
    const io = memoryIo({ environment: { FEEDMESH_DATA: data.path('.'), ...settings } });
    return { code: await doctor({ repair: false, output: 'text' }, io), out: io.out() };
  }

  test('finds the databases that it has started, and its URL', async () => {
    await plant(['one']);
    const { REDIS_URL, MONGODB_URI } = environment() as { REDIS_URL: string; MONGODB_URI: string };
    register.addAddresses({ redisUrl: REDIS_URL, mongodbUri: MONGODB_URI });
    const ready = `data in ${resolve(data.path('.'))}\nredis: responds\nmongodb: responds\ntree: 1 file read`;
    expect(await doctorWith({ REDIS_URL: '' })).toMatchObject({
      code: 0,
      out: expect.stringContaining(`feedmesh: starting (pid ${process.pid}), ${ready}`),
    });
    register.addAddresses({ url: 'http://127.0.0.1:8080' });
    expect(await doctorWith({})).toMatchObject({
      code: 0,
      out: expect.stringContaining(
        `feedmesh: running at http://127.0.0.1:8080 (pid ${process.pid}), ${ready}`,
      ),
    });
  });

  test('prefers the addresses of the environment', async () => {
    register.addAddresses({
      redisUrl: 'redis://127.0.0.1:1',
      mongodbUri: 'mongodb://127.0.0.1:1/x?directConnection=true',
    });
    expect(await doctorWith(environment())).toMatchObject({
      code: 0,
      out: expect.stringContaining('redis: responds\nmongodb: responds\n'),
    });
  });

  test('names the addresses that it was given and does not record, if the environment has none', async () => {
    register.addAddresses({ redisUrl: environment()['REDIS_URL'] ?? '', url: 'http://127.0.0.1:8080' });
    const { out } = await doctorWith({ MONGODB_URI: '' });
    expect(out).toMatch(/^feedmesh: running at http:\/\/127\.0\.0\.1:8080 /);
    expect(out).toContain(
      '; it was given MONGODB_URI, which must be set here too\nredis: responds\nmongodb: ',
    );
  });

  test('that has ended does not look for it', async () => {
    register.addAddresses({
      redisUrl: 'redis://127.0.0.1:1',
      mongodbUri: 'mongodb://127.0.0.1:1/x?directConnection=true',
    });
    register.close();
    expect(await doctorWith(environment())).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^redis: responds\n/),
    });
  });
});

describe('doctor without its databases', () => {
  test('ends with 69 and names the one that does not respond; findings of the other are shown', async () => {
    await plant(['one']);
    const port = await freePort();
    const io = memoryIo({ environment: environment({ REDIS_URL: `redis://127.0.0.1:${port}` }) });
    expect(await doctor({ repair: false, output: 'text' }, io)).toBe(69);
    expect(io.out()).toMatch(
      /^redis: does not respond: .*ECONNREFUSED.*\nmongodb: responds\ntree: 1 file read/,
    );
    const other = memoryIo({
      environment: environment({ MONGODB_URI: `mongodb://127.0.0.1:${port}/x?directConnection=true` }),
    });
    expect(await doctor({ repair: false, output: 'json' }, other)).toBe(69);
    expect(JSON.parse(other.out())).toMatchObject({
      healthy: false,
      redis: { answers: true },
      mongodb: { answers: false, reason: expect.stringMatching(/./) },
      collections: [],
    });
  });

  test('refuses an address that is none', async () => {
    await expect(
      doctor(
        { repair: false, output: 'text' },
        memoryIo({ environment: environment({ REDIS_URL: 'localhost' }) }),
      ),
    ).rejects.toMatchObject({ exitCode: 64, message: expect.stringContaining('REDIS_URL') });
  });
});

test('someone else who signs as we do is a finding', async () => {
  await store.deadLetters.add([
    { ...deadLetter(shared, 'l1'), violations: [{ ...violation(1), rule: 'endpoint-not-unique' }] },
    deadLetter(shared, 'l2'),
  ]);
  expect(await diagnose()).toMatchObject({
    code: 1,
    healthy: false,
    signedElsewhere: [{ collection: 'shared', subscription: 'beta', items: 1 }],
  });
  const io = memoryIo({ environment: environment() });
  expect(await doctor({ repair: true, output: 'text' }, io)).toBe(1);
  expect(io.out()).toContain(
    'shared: someone else signs with its endpoint identifier; 1 item of beta not merged (feedmesh ' +
      'collection endpoint shared)\n',
  );
});
