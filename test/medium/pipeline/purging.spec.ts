import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import mongoose from 'mongoose';
import { payloadFromFields } from '#xml';
import { editItem } from '#items';
import { createMemoryEventStream, sampleCollection } from '#in-memory';
import { collectionKey, itemId } from '#core';
import type { Collection, CollectionSettings, Store, StoredItem } from '#core';
import { openStore } from '#store';
import type { OpenStore } from '#store';
import { feedPurge } from '../../../apps/publisher/src/purge-feeds.ts';
import { publishCollection } from '../../../apps/publisher/src/publish-collection.ts';
import { replaced } from '../../support/replaced.ts';

const hour = 3600;
const beginning = new Date('2026-01-01T00:00:00Z');
const uri = new URL(process.env['MONGODB_URI'] ?? '');
uri.pathname = `/feedmesh-test-${randomBytes(8).toString('hex')}`;

let store: OpenStore;
let time = beginning;
const clock = { now: () => time, wait: () => Promise.resolve() };

beforeAll(async () => {
  store = await openStore({ uri: uri.href });
});

beforeEach(() => {
  time = beginning;
});

afterAll(async () => {
  await store.close();
  const connection = await mongoose.createConnection(uri.href).asPromise();
  await connection.dropDatabase();
  await connection.close();
});

function pass(seconds: number): void {
  time = new Date(time.getTime() + seconds * 1000);
}

async function collect(name: string, settings: Partial<CollectionSettings> = {}): Promise<void> {
  await store.collections.create(
    sampleCollection({
      key: collectionKey(name),
      createdAt: time,
      settings: { expiresAfter: hour, ...settings },
    }),
  );
}

async function found(name: string): Promise<Collection> {
  const collection = await store.collections.find(collectionKey(name));
  if (collection === undefined) throw new Error(`there is no collection ${name}`);
  return collection;
}

async function edit(
  name: string,
  id: string,
  action: 'create' | 'update' | 'delete' | 'undelete',
): Promise<void> {
  const payload = payloadFromFields('atom', { title: id });
  await editItem(
    { store, now: () => time, publicUrl: 'http://here.example' },
    await found(name),
    itemId(id),
    action === 'create' ? { action, id: itemId(id), payload } : { action, payload },
  );
}

function publish(name: string, through: Store = store): Promise<void> {
  const ports = {
    store: through,
    stream: createMemoryEventStream(),
    clock,
    publicUrl: 'http://here.example',
  };
  return publishCollection(
    ports,
    { block: 500, retention: 100_000 },
    { version: 1, collection: collectionKey(name) },
  );
}

/** Each change is published before the next is made, so that the sequences are in their order. */
async function publishEach(
  name: string,
  ...changes: readonly (readonly [id: string, action: 'create' | 'update' | 'delete'])[]
): Promise<void> {
  for (const [id, action] of changes) {
    await edit(name, id, action);
    await publish(name);
  }
}

/** What stands in the feed that begins at `since`. */
async function feedAfter(name: string, since: number): Promise<string[]> {
  const ids: string[] = [];
  for await (const { id } of store.items.published(collectionKey(name), since)) ids.push(id);
  return ids;
}

async function partialFeed(name: string): Promise<string[]> {
  return feedAfter(name, (await found(name)).publication.since);
}

async function stored(name: string): Promise<Map<string, StoredItem>> {
  return store.items.load(collectionKey(name), [
    itemId('a'),
    itemId('b'),
    itemId('c'),
    itemId('d'),
    itemId('e'),
  ]);
}

describe('what is published', () => {
  test('first has a window from before the least recent item to the most recent (4.2.1)', async () => {
    await collect('first');
    await edit('first', 'a', 'create');
    await edit('first', 'b', 'create');
    await publish('first');
    const sequences = new Set([...(await stored('first')).values()].map(({ sequence }) => sequence));
    expect(sequences).toEqual(new Set([1, 2]));
    expect((await found('first')).publication).toMatchObject({ since: 0, sequence: 2 });
  });

  test('later moves the end of the window; the item keeps the new value with the time (4.2.3)', async () => {
    await collect('later');
    await publishEach('later', ['a', 'create'], ['b', 'create']);
    pass(60);
    await publishEach('later', ['a', 'update']);
    expect((await found('later')).publication).toMatchObject({ since: 0, sequence: 3 });
    const items = await stored('later');
    expect(items.get('a')).toMatchObject({ sequence: 3, publishedAt: time });
    expect(items.get('b')).toMatchObject({ sequence: 2, publishedAt: beginning });
  });
});

describe('an item leaves the partial feed (4.2.4)', () => {
  test('when there are too many and its readers have had the time that "expires" gave them', async () => {
    await collect('count', { windowItems: 2 });
    await publishEach('count', ['a', 'create'], ['b', 'create'], ['c', 'create'], ['d', 'create']);
    expect(await partialFeed('count')).toEqual(['a', 'b', 'c', 'd']);

    pass(hour);
    await publishEach('count', ['e', 'create']);
    expect((await found('count')).publication).toMatchObject({ since: 3, sequence: 5 });
    expect(await partialFeed('count')).toEqual(['d', 'e']);
    expect(await feedAfter('count', 0)).toEqual(['a', 'b', 'c', 'd', 'e']);
  });

  test('by the passing of time alone, at the next purge', async () => {
    await collect('quiet', { windowItems: 2 });
    await publishEach('quiet', ['a', 'create'], ['b', 'create'], ['c', 'create']);
    const purge = feedPurge(clock, 10);
    pass(hour - 1);
    await purge({ store });
    expect(await partialFeed('quiet')).toEqual(['a', 'b', 'c']);
    pass(1);
    await purge({ store });
    expect(await partialFeed('quiet')).toEqual(['b', 'c']);
    expect((await found('quiet')).publication).toMatchObject({ since: 1, sequence: 3, relayed: 3 });
  });

  test('at an age, if one is set, although there is space', async () => {
    await collect('age', { windowAge: 2 * hour });
    await publishEach('age', ['a', 'create'], ['b', 'create']);
    pass(hour);
    await publishEach('age', ['c', 'create'], ['a', 'update']);
    const purge = feedPurge(clock, 10);
    pass(hour);
    await purge({ store });
    expect(await partialFeed('age')).toEqual(['b', 'c', 'a']);
    pass(1);
    await purge({ store });
    expect(await partialFeed('age')).toEqual(['c', 'a']);
    pass(hour);
    await purge({ store });
    expect(await partialFeed('age')).toEqual([]);
    expect((await found('age')).publication).toMatchObject({ since: 4, sequence: 4 });
  });
});

describe('a tombstone', () => {
  test('stays, however old it is, if no age is set', async () => {
    await collect('kept');
    await publishEach('kept', ['a', 'create'], ['a', 'delete']);
    pass(100_000 * hour);
    const purge = feedPurge(clock, 10);
    await purge({ store });
    await purge({ store });
    expect(await feedAfter('kept', 0)).toEqual(['a']);
    expect((await found('kept')).publication.since).toBe(0);
  });

  test(
    'past its age is left out of the feed first and removed one purge later, so that no reader misses ' +
      'it',
    async () => {
      await collect('deadLettered', { tombstoneAge: 2 * hour });
      await publishEach('deadLettered', ['a', 'create'], ['b', 'create'], ['a', 'delete'], ['c', 'create']);
      const purge = feedPurge(clock, 10);
      pass(2 * hour);
      await purge({ store });
      expect(await partialFeed('deadLettered')).toEqual(['b', 'a', 'c']);

      pass(1);
      const reader = (await found('deadLettered')).publication.since;
      await purge({ store });
      expect((await found('deadLettered')).publication).toMatchObject({ since: 3, sequence: 4 });
      expect(await feedAfter('deadLettered', reader)).toEqual(['b', 'a', 'c']);
      expect(await partialFeed('deadLettered')).toEqual(['c']);

      await purge({ store });
      expect([...(await stored('deadLettered')).keys()].toSorted()).toEqual(['b', 'c']);
      expect((await found('deadLettered')).publication).toMatchObject({ since: 3, sequence: 4 });
    },
  );

  test("is not removed by a purge that comes right behind another publisher's", async () => {
    await collect('two', { tombstoneAge: hour });
    await publishEach('two', ['a', 'create'], ['a', 'delete']);
    const [one, other] = [feedPurge(clock, 10), feedPurge(clock, 10)];
    pass(hour + 1);
    await one({ store });
    await other({ store });
    expect(await feedAfter('two', 0)).toEqual(['a']);
    await one({ store });
    expect(await feedAfter('two', 0)).toEqual([]);
  });

  test('is removed with all the others, some in each step', async () => {
    await collect('steps', { tombstoneAge: hour });
    for (const id of ['a', 'b', 'c', 'd', 'e']) await publishEach('steps', [id, 'create'], [id, 'delete']);
    pass(hour + 1);
    const purge = feedPurge(clock, 2);
    const left: number[] = [];
    for (let run = 0; run < 4; run += 1) {
      await purge({ store });
      left.push((await feedAfter('steps', 0)).length);
    }
    // A run announces two tombstones to readers and removes those that were announced.
    expect(left).toEqual([5, 3, 1, 0]);
    expect((await found('steps')).publication).toMatchObject({ since: 10, sequence: 10 });
  });

  test('of which readers know goes in one run, however many steps it takes', async () => {
    await collect('known', { tombstoneAge: 2 * hour, windowAge: hour });
    for (const id of ['a', 'b', 'c', 'd', 'e']) await publishEach('known', [id, 'create'], [id, 'delete']);
    const purge = feedPurge(clock, 2);
    pass(hour + 1);
    await purge({ store });
    expect((await found('known')).publication.since).toBe(10);
    expect(await feedAfter('known', 0)).toHaveLength(5);
    pass(hour);
    await purge({ store });
    expect(await feedAfter('known', 0)).toEqual([]);
  });

  test('that is undeleted at the last moment stays', async () => {
    await collect('undeleted', { tombstoneAge: hour });
    await publishEach('undeleted', ['a', 'create'], ['a', 'delete']);
    pass(hour + 1);
    const purge = feedPurge(clock, 10);
    await purge({ store });
    const items = replaced(
      store.items,
      'remove',
      async (...removal: Parameters<typeof store.items.remove>) => {
        if (removal[0] === 'undeleted') await edit('undeleted', 'a', 'undelete');
        return store.items.remove(...removal);
      },
    );
    await purge({ store: { ...store, items } });
    expect((await stored('undeleted')).get('a')).toMatchObject({ deleted: false });
    await publish('undeleted');
    expect(await partialFeed('undeleted')).toEqual(['a']);
  });

  test('that waits to be published again stays', async () => {
    await collect('waits', { tombstoneAge: hour });
    await publishEach('waits', ['a', 'create'], ['a', 'delete']);
    await edit('waits', 'a', 'undelete');
    await edit('waits', 'a', 'delete');
    pass(hour + 1);
    const purge = feedPurge(clock, 10);
    await purge({ store });
    await purge({ store });
    expect((await stored('waits')).get('a')).toMatchObject({ deleted: true });
    await publish('waits');
    expect(await partialFeed('waits')).toEqual(['a']);
  });
});

describe('a purge', () => {
  test('reaches every collection, however many there are', async () => {
    for (let place = 0; place < 101; place += 1) await collect(`full-${place}`);
    await collect('the-last', { windowAge: hour });
    await publishEach('the-last', ['a', 'create']);
    pass(hour + 1);
    await feedPurge(clock, 10)({ store });
    expect(await partialFeed('the-last')).toEqual([]);
  });
});
