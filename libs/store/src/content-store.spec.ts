import { createHash, randomBytes } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import mongoose from 'mongoose';
import { collectionKey, ContentError } from '#core';
import { sampleCollection } from '#in-memory';
import { openStore } from '#store';
import type { OpenStore } from '#store';
import { leaveMongodbDatabase, ownMongodbDatabase } from '../../../test/support/mongodb-database.ts';
import type { ContentChunk } from './content-chunk.ts';
import type { ContentFile } from './content-file.ts';
import { MongoContentStore } from './content-store.ts';
import { UsageCounter } from './usage-counter.ts';

const news = collectionKey('news');

const { GridFSBucket, MongoClient } = mongoose.mongo;
const at = new Date('2026-01-01T00:00:00Z');
const later = new Date('2026-01-01T00:00:00.001Z');
/** Three chunks, the last of them not full. */
const bytes = randomBytes(600_000);
const chunkSize = 255 * 1024;

let uri: string;
let store: OpenStore;
let client: mongoose.mongo.MongoClient;
let db: mongoose.mongo.Db;
let files: mongoose.mongo.Collection<ContentFile>;
let chunks: mongoose.mongo.Collection<ContentChunk>;

beforeEach(async () => {
  uri = await ownMongodbDatabase();
  store = await openStore({ uri, writeTimeout: 7000 });
  client = await new MongoClient(uri).connect();
  db = client.db();
  files = db.collection('contents.files');
  chunks = db.collection('contents.chunks');
});
afterEach(async () => {
  await store.close();
  await client.close();
  await leaveMongodbDatabase(uri);
});

async function* body(...pieces: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* pieces;
}

function sha256(data: Uint8Array): string {
  return createHash('sha256').update(data).digest('hex');
}

/** Reads to the end or to the error; returns how many bytes came. */
async function lengthRead(range?: {
  first: number;
  last: number;
}): Promise<{ length: number; error?: unknown }> {
  let length = 0;
  try {
    for await (const piece of store.contents.read(news, sha256(bytes), range)) {
      expect(
        Buffer.compare(piece, bytes.subarray((range?.first ?? 0) + length).subarray(0, piece.length)),
      ).toBe(0);
      length += piece.length;
    }
  } catch (error) {
    return { length, error };
  }
  return { length };
}

test('a content is a file of GridFS that any driver reads', async () => {
  await store.contents.write(news, body(bytes), { type: 'text/plain', at });
  const bucket = new GridFSBucket(db, { bucketName: 'contents' });
  const [file] = await bucket.find({ 'metadata.collection': 'news' }).toArray();
  expect(file).toMatchObject({
    length: bytes.length,
    metadata: { digest: sha256(bytes), type: 'text/plain' },
  });
  expect(sha256(await buffer(bucket.openDownloadStream(file!._id)))).toBe(sha256(bytes));
});

test('a range reads only the chunks that it is in', async () => {
  await store.contents.write(news, body(bytes), { at });
  await db.command({ profile: 2 });
  expect(await lengthRead({ first: chunkSize + 5, last: chunkSize + 5 })).toEqual({ length: 1 });
  await db.command({ profile: 0 });
  const [find] = await db.collection('system.profile').find({ op: 'query', ns: chunks.namespace }).toArray();
  expect(find).toMatchObject({ planSummary: 'IXSCAN { files_id: 1, n: 1 }', docsExamined: 1, nreturned: 1 });
});

test('a reader that stops leaves nothing open in the database', async () => {
  const { digest } = await store.contents.write(news, body(randomBytes(10 * chunkSize)), { at });
  const openCursors = () =>
    client
      .db('admin')
      .aggregate([
        { $currentOp: { idleCursors: true, allUsers: true } },
        { $match: { type: 'idleCursor', ns: chunks.namespace } },
      ])
      .toArray();
  const reading = store.contents.read(news, digest)[Symbol.asyncIterator]();
  await reading.next();
  expect(await openCursors()).toHaveLength(1);
  await reading.return?.();
  expect(await openCursors()).toEqual([]);
});

test('the collections with contents are read from the index, one step each', async () => {
  await Promise.all(
    Array.from({ length: 60 }, (_, n) =>
      store.contents.write(collectionKey(`c${n % 3}`), body(Buffer.from(`file ${n}`)), { at }),
    ),
  );
  await db.command({ profile: 2 });
  expect((await store.contents.collections()).toSorted()).toEqual(['c0', 'c1', 'c2']);
  await db.command({ profile: 0 });
  const [read] = await db.collection('system.profile').find({ op: 'command', ns: files.namespace }).toArray();
  expect(read).toMatchObject({ planSummary: expect.stringContaining('DISTINCT_SCAN'), docsExamined: 0 });
});

test('what is incomplete is looked for in the index alone', async () => {
  await store.contents.write(news, body(bytes), { at });
  await db.command({ profile: 2 });
  await store.contents.removeIncomplete(later);
  await db.command({ profile: 0 });
  const finds = await db.collection('system.profile').find({ op: 'query', ns: chunks.namespace }).toArray();
  const fromIndex = { docsExamined: 0, hasSortStage: false };
  // The second one finds nothing any more.
  expect(finds.map(({ docsExamined, hasSortStage = false }) => ({ docsExamined, hasSortStage }))).toEqual([
    fromIndex,
    fromIndex,
  ]);
});

test('every chunk and every file waits for a majority and the journal', async () => {
  await db.command({ profile: 2 });
  // The profile holds nothing of what is large.
  await store.contents.write(news, body(bytes.subarray(0, 10)), { at });
  await db.command({ profile: 0 });
  const inserts = await db
    .collection('system.profile')
    .find({ op: 'insert', ns: { $in: [chunks.namespace, files.namespace] } })
    .toArray();
  expect(inserts.map(({ command }) => command.writeConcern)).toEqual(
    [1, 2].map(() => ({ w: 'majority', j: true, wtimeout: 7000 })),
  );
});

test('a content that is touched just before it would be removed stays, with its bytes', async () => {
  const { digest } = await store.contents.write(news, body(bytes), { at });
  await store.contents.markUnreferenced(news, [digest], at);
  const touched: Set<string>[] = [];
  /** The files, with the touch before any command that removes one. */
  const raced = new Proxy(files, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name, target);
      if (typeof member !== 'function') return member;
      return /delete|bulkWrite/i.test(String(name))
        ? async (...parameters: unknown[]): Promise<unknown> => {
            touched.push(await store.contents.touch(news, [digest]));
            return Reflect.apply(member, target, parameters);
          }
        : member.bind(target);
    },
  });
  const racing = new MongoContentStore(raced, chunks, new UsageCounter(db.collection('usage')));
  expect(await racing.removeUnreferenced(news, [digest], later)).toEqual([]);
  expect(touched).toEqual([new Set([digest])]);
  expect(await lengthRead()).toEqual({ length: bytes.length });
});

describe('Where bytes are missing', () => {
  beforeEach(async () => {
    await store.contents.write(news, body(bytes), { at });
  });

  test.each([0, 1, 2])(
    'at chunk %i, reading brings what is before it and says that the content is damaged',
    async (n) => {
      await chunks.deleteOne({ n });
      const { length, error } = await lengthRead();
      expect(length).toBe(n * chunkSize);
      expect(error).toBeInstanceOf(ContentError);
      expect(error).toMatchObject({ problem: 'damaged', digest: sha256(bytes) });
    },
  );

  test('within a chunk, the content is damaged', async () => {
    await chunks.updateOne({ n: 1 }, { $set: { data: bytes.subarray(chunkSize, chunkSize + 10) } });
    expect(await lengthRead()).toMatchObject({ length: chunkSize + 10, error: { problem: 'damaged' } });
  });

  test('outside of a range, the range is read', async () => {
    await chunks.deleteMany({ n: { $ne: 1 } });
    expect(await lengthRead({ first: chunkSize, last: chunkSize + 99 })).toEqual({ length: 100 });
  });

  test('because the content is removed while it is read, it is missing and not damaged', async () => {
    const { digest } = await store.contents.write(news, body(randomBytes(10 * chunkSize)), { at });
    const reading = store.contents.read(news, digest)[Symbol.asyncIterator]();
    await reading.next();
    await store.contents.remove(news, digest);
    const rest = (async () => {
      while ((await reading.next()).done !== true);
    })();
    await expect(rest).rejects.toMatchObject({ name: 'ContentError', problem: 'missing' });
  });

  test('a content that is removed can be written again', async () => {
    await chunks.deleteOne({ n: 0 });
    await store.contents.remove(news, sha256(bytes));
    await store.contents.write(news, body(bytes), { at });
    expect(await lengthRead()).toEqual({ length: bytes.length });
  });
});

describe('What a process leaves that ends while it writes', () => {
  /** Leaves the chunks of a write whose process loses the database, as one that is killed does. */
  async function writeAndDie(collection: string): Promise<void> {
    const dying = await openStore({ uri, database: db.databaseName });
    async function* cutShort(): AsyncGenerator<Uint8Array> {
      yield bytes;
      await dying.close();
      throw new Error('The process ends.');
    }
    await expect(dying.contents.write(collectionKey(collection), cutShort(), { at })).rejects.toThrow(
      'The process ends.',
    );
  }

  test('is removed once it is old enough, and its bytes are counted', async () => {
    await writeAndDie('news');
    expect(await store.contents.list(news, { limit: 10 })).toEqual([]);
    expect(await store.contents.removeIncomplete(at)).toBe(0);
    expect(await chunks.countDocuments()).toBe(2);
    expect(await store.contents.removeIncomplete(later)).toBe(2 * chunkSize);
    expect(await chunks.countDocuments()).toBe(0);
    expect(await store.contents.removeIncomplete(later)).toBe(0);
  });

  test('is found among any number of contents, of all collections, and they stay', async () => {
    const total = 1200;
    for (let first = 0; first < total; first += 50) {
      await Promise.all(
        Array.from({ length: 50 }, (_, n) =>
          store.contents.write(collectionKey(`c${n % 7}`), body(Buffer.from(`file ${first + n}`)), { at }),
        ),
      );
    }
    await store.contents.write(news, body(bytes), { at });
    for (const collection of ['a', 'c3', 'z']) await writeAndDie(collection);
    expect(await store.contents.removeIncomplete(later)).toBe(3 * 2 * chunkSize);
    expect(await chunks.countDocuments()).toBe(total + 3);
    expect(await lengthRead()).toEqual({ length: bytes.length });
  });

  test(
    'differs from a write that goes on only in when that began: one whose clock is behind fails, and ' +
      'leaves nothing',
    async () => {
      async function* slow(): AsyncGenerator<Uint8Array> {
        yield bytes;
        await store.contents.removeIncomplete(later);
        yield bytes;
      }
      const digest = sha256(Buffer.concat([bytes, bytes]));
      await expect(store.contents.write(news, slow(), { at })).rejects.toMatchObject({
        name: 'ContentError',
        problem: 'damaged',
        digest,
      });
      expect([await chunks.countDocuments(), await files.countDocuments()]).toEqual([0, 0]);
      expect((await store.contents.write(news, body(bytes, bytes), { at })).digest).toBe(digest);
    },
  );

  test('is removed where only its last chunks are left', async () => {
    await writeAndDie('news');
    await chunks.deleteOne({ n: 0 });
    expect(await store.contents.removeIncomplete(later)).toBe(chunkSize);
    expect(await chunks.countDocuments()).toBe(0);
  });

  test('goes with its collection', async () => {
    await store.collections.create(sampleCollection({ key: news, createdAt: at }));
    await writeAndDie('news');
    await store.collections.remove(news);
    expect(await chunks.countDocuments()).toBe(0);
  });
});
