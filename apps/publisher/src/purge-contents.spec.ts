import { beforeEach, describe, expect, test } from '@jest/globals';
import { createMemoryStore, sampleCollection, sampleSubscription } from '#in-memory';
import { collectionKey, itemId, subscriptionId } from '#core';
import type { Collection, CollectionKey, ItemId, Store } from '#core';
import { contentPurge } from './purge-contents.ts';

const name = collectionKey('news');
const gone = collectionKey('gone');
const again = collectionKey('again');
const one = itemId('one');
const day = 86_400;
let time: Date;
let store: Store;
const clock = { now: () => time };

beforeEach(async () => {
  time = new Date('2026-01-01T12:00:00Z');
  store = createMemoryStore({ clock });
  await collect(name, 'cse');
  await store.subscriptions.put(
    sampleSubscription({
      collection: name,
      id: subscriptionId('source'),
      url: 'http://source.example/',
      interval: { minimum: 60, maximum: 60 },
      createdAt: time,
    }),
  );
});

async function collect(collection: string, protocol: Collection['protocol']): Promise<void> {
  await store.collections.create(
    sampleCollection({
      key: collectionKey(collection),
      protocol,
      format: 'rss',
      title: 'News',
      createdAt: time,
      settings: { expiresAfter: 3600 },
    }),
  );
}

function pass(seconds: number): void {
  time = new Date(time.getTime() + seconds * 1000);
}

/** Records that a fetch has downloaded a photo, which is this file. */
async function recordPhoto(collection: CollectionKey, digest: string): Promise<void> {
  const base = 'http://source.example/photo';
  const copy = { lastBuildDate: '2026-01-01T00:00:00Z', digest, length: 7, base, isFeed: false };
  await store.documents.record(collection, base, { manifest: 'm', kind: 'arrived', bytes: 7 }, copy);
}

/** Keeps a text as a file, and returns its digest. */
async function keep(text: string, collection = name): Promise<string> {
  const { digest } = await store.contents.write(
    collectionKey(collection),
    (async function* () {
      yield Buffer.from(text);
    })(),
    { at: time },
  );
  return digest;
}

/**
 * Writes an item that refers to these files and to no other, or deletes it if they are none; returns
 * false, and writes nothing, if the files are missing.
 */
async function refer(id: ItemId, ...files: readonly string[]): Promise<boolean> {
  const [revision, deleted, position] = [
    (await store.items.load(name, [id])).get(id)?.revision ?? 0,
    files.length === 0,
    { parent: 'root', key: 'V' },
  ];
  if ((await store.contents.touch(name, files)).size < files.length) return false;
  await store.items.compareAndSet([
    {
      expected: revision,
      item: {
        collection: name,
        id,
        deleted,
        conflictCount: 0,
        position,
        branch: { guid: id, files },
        version: { updates: revision + 1 },
        sources: [],
        createdAt: time,
        updatedAt: time,
        content: {
          feed: 'root',
          guid: id,
          hidden: false,
          deleted,
          version: revision + 1,
          when: time.toISOString(),
          data: { format: 'rss', children: [], scope: { namespaces: [] } },
          links: [],
          position,
        },
      },
    },
  ]);
  return true;
}

async function purge(through: Store = store, grace = day): Promise<void> {
  await contentPurge(clock, grace)({ store: through });
}

/** The digests of the files that are kept. */
async function kept(collection = name): Promise<string[]> {
  return (await store.contents.list(collectionKey(collection), { limit: 10_000 })).map(
    ({ digest }) => digest,
  );
}

describe('the purge of files', () => {
  test('removes a file once nothing has referred to it for the time of grace', async () => {
    const photo = await keep('a photo');
    await refer(one, photo);
    pass(2 * day);
    await purge();
    await refer(one);
    await purge();
    pass(day - 60);
    await purge();
    expect(await kept()).toEqual([photo]);
    pass(120);
    await purge();
    expect(await kept()).toEqual([]);
  });

  test('keeps a file that several refer to until the last of them has gone', async () => {
    const photo = await keep('a photo');
    await refer(one, photo);
    await refer(itemId('two'), photo);
    await store.documents.record(
      name,
      'http://source.example/photo',
      { manifest: 'm1', kind: 'unchanged' },
      {
        lastBuildDate: '2026-01-01T00:00:00Z',
        digest: photo,
        length: 7,
        base: 'http://source.example/photo',
        isFeed: false,
      },
    );
    const whileGone = async (remove: () => Promise<unknown>): Promise<string[]> => {
      await remove();
      await purge();
      pass(2 * day);
      await purge();
      return kept();
    };
    expect(await whileGone(() => refer(one))).toEqual([photo]);
    expect(await whileGone(() => refer(itemId('two')))).toEqual([photo]);
    expect(await whileGone(() => store.documents.remove(name, ['http://source.example/photo']))).toEqual([]);
  });

  test('begins the time of grace anew for a file that was referred to meanwhile', async () => {
    const photo = await keep('a photo');
    await purge();
    pass(day - 60);
    await refer(one, photo);
    await purge();
    await refer(one);
    pass(120);
    await purge();
    pass(60);
    await purge();
    expect(await kept()).toEqual([photo]);
  });

  test('ends the mark of a file that is referred to without having been touched', async () => {
    const photo = await keep('a photo');
    await refer(one, photo);
    await store.contents.markUnreferenced(name, [photo], time);
    pass(2 * day);
    await purge();
    expect((await store.contents.load(name, [photo])).get(photo)?.unreferencedSince).toBeUndefined();
  });

  test('without a time of grace removes what two looks have found unreferred to', async () => {
    await keep('a photo');
    await purge(store, 0);
    expect(await kept()).toHaveLength(1);
    pass(1);
    await purge(store, 0);
    expect(await kept()).toEqual([]);
  });

  test('leaves a file that an item began to refer to, at whatever moment of a purge', async () => {
    const begun: (boolean | undefined)[] = [];
    do {
      const photo = await keep('a photo');
      await refer(one);
      await store.contents.markUnreferenced(name, [photo], new Date(0));
      let left = begun.length;
      let hasBegun: boolean | undefined;
      const meanwhile = async (): Promise<void> => {
        if (left === 0) hasBegun = await refer(one, photo);
        left -= 1;
      };
      await purge({
        ...store,
        items: interrupted(store.items, meanwhile),
        documents: interrupted(store.documents, meanwhile),
        contents: interrupted(store.contents, meanwhile),
      });
      expect(await kept()).toEqual(hasBegun === true ? [photo] : []);
      begun.push(hasBegun);
    } while (begun.at(-1) !== undefined);
    expect(begun.filter((hasBegun) => hasBegun === true).length).toBeGreaterThan(2);
    expect(begun).toContain(false);
  });

  test(
    'removes what a fetch has recorded of documents after its subscription was removed, and their files in ' +
      'time',
    async () => {
      const photo = await keep('a photo');
      await recordPhoto(name, photo);
      await purge();
      expect(await store.documents.list(name, { limit: 10 })).toHaveLength(1);
      await store.subscriptions.remove(name, subscriptionId('source'));
      await purge();
      expect(await store.documents.list(name, { limit: 10 })).toEqual([]);
      pass(2 * day);
      await purge();
      expect(await kept()).toEqual([]);
    },
  );

  test('goes through all files of all trees, and leaves those of other collections alone', async () => {
    await collect('archive', 'cse');
    await collect('todo', 'feedsync');
    const used = await Promise.all(Array.from({ length: 700 }, (_, number) => keep(`used ${number}`)));
    for (let number = 0; number < 700; number += 1) await keep(`unused ${number}`);
    await keep('of another tree', collectionKey('archive'));
    await keep('of no tree', collectionKey('todo'));
    await refer(one, ...used);
    await purge();
    pass(2 * day);
    await purge();
    expect(await kept()).toEqual(used.sort());
    expect(await kept(collectionKey('archive'))).toEqual([]);
    expect(await kept(collectionKey('todo'))).toHaveLength(1);
  });

  test(
    'removes what a fetch has left in a collection that was removed meanwhile: its files in time, its ' +
      'documents and feeds at once',
    async () => {
      await collect('gone', 'cse');
      await store.collections.remove(gone);
      const photo = await keep('a photo', collectionKey('gone'));
      const used = await keep('a photo');
      await refer(one, used);
      await recordPhoto(gone, photo);
      await store.feeds.put({ collection: gone, id: 'root', title: 'Root', head: [], createdAt: time });
      await purge();
      expect([
        await store.documents.list(gone, { limit: 10 }),
        await store.feeds.list(gone, { limit: 10 }),
      ]).toEqual([[], []]);
      expect(await kept(collectionKey('gone'))).toEqual([photo]);
      pass(2 * day);
      await purge();
      expect([await kept(collectionKey('gone')), await kept()]).toEqual([[], [used]]);
      expect(await store.contents.collections()).toEqual([name]);
    },
  );

  test('leaves what is written for a collection that is made anew under the same name', async () => {
    await keep('a photo', again);
    await purge();
    await collect('again', 'cse');
    await store.feeds.put({
      collection: again,
      id: 'root',
      title: 'Root',
      head: [],
      createdAt: time,
    });
    const photo = await keep('a photo', again);
    pass(2 * day);
    await purge();
    expect([await kept(again), await store.feeds.list(again, { limit: 10 })]).toEqual([
      [photo],
      [expect.objectContaining({ id: 'root' })],
    ]);
  });

  test('removes what interrupted writes have left before the grace period, or the last hour', async () => {
    const times: Date[] = [];
    const contents = new Proxy(store.contents, {
      get: (target, key) =>
        key === 'removeIncomplete'
          ? (before: Date) => Promise.resolve(times.push(before))
          : (Reflect.get(target, key) as () => unknown).bind(target),
    });
    await purge({ ...store, contents });
    await purge({ ...store, contents }, 60);
    expect(times.map((before) => before.toISOString())).toEqual([
      '2025-12-31T12:00:00.000Z',
      '2026-01-01T11:00:00.000Z',
    ]);
  });
});

/** A port of which every call lets somebody else do something first. */
function interrupted<Port extends object>(port: Port, meanwhile: () => Promise<void>): Port {
  return new Proxy(port, {
    get:
      (target, key) =>
      async (...values: readonly unknown[]): Promise<unknown> => {
        await meanwhile();
        return Reflect.apply(Reflect.get(target, key) as () => Promise<unknown>, target, values);
      },
  });
}
