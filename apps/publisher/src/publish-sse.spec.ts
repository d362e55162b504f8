import { beforeEach, describe, expect, test } from '@jest/globals';
import { createMemoryStore, sampleCollection } from '#in-memory';
import { collectionKey, itemId } from '#core';
import type { Collection, CollectionSettings, ItemId, Publication, Store, StoredItem } from '#core';
import { publishOnce } from './__fixtures__/publish-once.ts';
import { feedPurge } from './purge-feeds.ts';

const name = collectionKey('todo');
const aId = itemId('a');
const bId = itemId('b');
const c = itemId('c');
const d = itemId('d');
const e = itemId('e');
const hour = 3600;
const beginning = new Date('2026-01-01T12:00:00.400Z');
let time: Date;
let store: Store;
const clock = { now: () => time, wait: () => Promise.resolve() };

beforeEach(() => {
  time = beginning;
  store = createMemoryStore({ clock: { now: () => new Date() } });
});

function pass(seconds: number): void {
  time = new Date(time.getTime() + seconds * 1000);
}

async function collect(
  settings: Partial<CollectionSettings> = {},
  protocol: Collection['protocol'] = 'sse',
  createdAt = new Date(beginning.getTime() - 1000),
): Promise<void> {
  await store.collections.create(
    sampleCollection({
      key: name,
      protocol,
      format: 'rss',
      createdAt,
      settings: { expiresAfter: hour, ...settings },
    }),
  );
}

async function publish(through: Store = store): Promise<Publication> {
  await publishOnce(through, name, clock);
  const found = await store.collections.find(name);
  if (found === undefined) throw new Error('there is no collection');
  return found.publication;
}

/** Changes these items and publishes them in one block. */
async function publishItems(ids: readonly ItemId[], deleted = false): Promise<Publication> {
  await change(ids, deleted);
  return publish();
}

async function change(ids: readonly ItemId[], deleted = false): Promise<void> {
  const stored = await store.items.load(name, ids);
  await store.items.compareAndSet(
    ids.map((id) => ({
      expected: stored.get(itemId(id))?.revision ?? 0,
      item: {
        collection: name,
        id,
        deleted,
        conflictCount: 0,
        version: { updates: 1 },
        sources: [],
        createdAt: time,
        updatedAt: time,
        content: {
          sync: { id, version: 1, deleted, conflict: false, history: [{ by: 'A' }] },
          data: { format: 'rss', children: [], scope: { namespaces: [] } },
          conflicts: [],
        },
      },
    })),
  );
}

async function item(id: ItemId): Promise<StoredItem | undefined> {
  return (await store.items.load(name, [id])).get(id);
}

/** A port of which one method fails, as where the publisher dies. */
function dying<Port extends object>(port: Port, method: keyof Port): Port {
  return new Proxy(port, {
    get(target, key) {
      if (key === method) return () => Promise.reject(new Error('the publisher dies'));
      const value: unknown = Reflect.get(target, key, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

describe('the time that an SSE collection is published at (SSE 2.1)', () => {
  test('is in whole seconds, and the one that its items keep', async () => {
    await collect();
    expect((await publishItems([aId])).updatedAt).toEqual(new Date('2026-01-01T12:00:00Z'));
    expect((await item(aId))?.publishedAt).toEqual(new Date('2026-01-01T12:00:00Z'));
  });

  test('is later than what the feed said before anything was published, within one second too', async () => {
    await collect({}, 'sse', beginning);
    expect((await publishItems([aId])).updatedAt).toEqual(new Date('2026-01-01T12:00:01Z'));
  });

  test('grows with every update, within one second and after the clock went back too', async () => {
    await collect();
    const times: (Date | undefined)[] = [];
    for (const step of [0, 0, 0.3, -86_400, 86_400 + 60]) {
      pass(step);
      const { updatedAt } = await publishItems([aId]);
      times.push(updatedAt);
      expect((await item(aId))?.publishedAt).toEqual(updatedAt);
    }
    expect(times).toEqual(
      ['12:00:00', '12:00:01', '12:00:02', '12:00:03', '12:01:00'].map(
        (clockTime) => new Date(`2026-01-01T${clockTime}Z`),
      ),
    );
  });

  test('does not move where nothing was updated', async () => {
    await collect();
    await publishItems([aId]);
    pass(60);
    expect((await publish()).updatedAt).toEqual(new Date('2026-01-01T12:00:00Z'));
  });

  test.each([hour, -hour])(
    'is the same when another publisher, whose clock is %i s on, finishes what one left that died',
    async (seconds) => {
      await collect();
      await publishItems([aId]);
      await change([bId, c]);
      await expect(publish({ ...store, collections: dying(store.collections, 'follow') })).rejects.toThrow(
        'the publisher dies',
      );
      expect((await item(bId))?.publishedAt).toEqual(new Date('2026-01-01T12:00:01Z'));
      pass(seconds);
      expect((await publish()).updatedAt).toEqual(new Date('2026-01-01T12:00:01Z'));
      expect((await item(c))?.publishedAt).toEqual(new Date('2026-01-01T12:00:01Z'));
    },
  );

  test('with FeedSync is that of the clock', async () => {
    await collect({}, 'feedsync');
    await publishItems([aId]);
    expect((await publishItems([aId])).updatedAt).toEqual(beginning);
    expect((await item(aId))?.publishedAt).toEqual(beginning);
  });
});

describe('the window of an SSE collection', () => {
  test('begins with all the items of one time, also where that is more than requested', async () => {
    await collect({ windowItems: 2 });
    await publishItems([aId]);
    await publishItems([bId, c, d]);
    pass(hour + 60);
    expect(await publishItems([e])).toMatchObject({ since: 1, sequence: 5 });
    expect(await publishItems([itemId('f')])).toMatchObject({ since: 4, sequence: 6 });
    pass(hour + 60);
    expect(await publishItems([itemId('g')])).toMatchObject({ since: 5, sequence: 7 });
  });

  test('with FeedSync begins wherever there are enough', async () => {
    await collect({ windowItems: 2 }, 'feedsync');
    await publishItems([aId]);
    await publishItems([bId, c, d]);
    pass(hour + 60);
    expect(await publishItems([e])).toMatchObject({ since: 3, sequence: 5 });
  });

  test('goes beyond its limit by the items of one time that begin within it', async () => {
    await collect({ windowItems: 1, windowLimit: 2 });
    await publishItems([aId, bId]);
    expect(await publishItems([c, d])).toMatchObject({ since: 2, sequence: 4 });
    expect(await publishItems([e])).toMatchObject({ since: 2, sequence: 5 });
    expect(await publishItems([aId])).toMatchObject({ since: 4, sequence: 6 });
    expect(await publishItems([aId, bId, c])).toMatchObject({ since: 5, sequence: 9 });
    await feedPurge(clock, 10)({ store });
    expect((await store.collections.find(name))?.publication).toMatchObject({ since: 5, sequence: 9 });
  });

  test('never lets go of the last publication, however old it is', async () => {
    await collect({ windowAge: hour, tombstoneAge: hour });
    await publishItems([aId]);
    await change([bId]);
    await change([c], true);
    await publish();
    pass(3 * hour);
    const purge = feedPurge(clock, 10);
    await purge({ store });
    await purge({ store });
    expect((await store.collections.find(name))?.publication).toMatchObject({ since: 1, sequence: 3 });
    expect(await item(c)).toBeDefined();

    await publishItems([d]);
    await purge({ store });
    await purge({ store });
    expect((await store.collections.find(name))?.publication).toMatchObject({ since: 3, sequence: 4 });
    expect(await item(c)).toBeUndefined();
  });

  test('lets go of an item that nothing crowds out once it is past its age', async () => {
    await collect({ windowItems: 3, windowAge: hour });
    await publishItems([aId]);
    pass(hour / 2);
    const { updatedAt } = await publishItems([bId]);
    pass(1);
    await publishItems([c]);
    const purge = feedPurge(clock, 10);
    time = new Date(Number(updatedAt) + hour * 1000);
    await purge({ store });
    expect((await store.collections.find(name))?.publication).toMatchObject({ since: 1, sequence: 3 });
    pass(1);
    await purge({ store });
    expect((await store.collections.find(name))?.publication).toMatchObject({ since: 2, sequence: 3 });
  });

  test('begins after all the items of one time once a tombstone among them is removed', async () => {
    await collect({ tombstoneAge: hour });
    await publishItems([aId]);
    await change([c, d]);
    await change([bId], true);
    await publish();
    await publishItems([e]);
    pass(hour + 60);
    const purge = feedPurge(clock, 10);
    await purge({ store });
    expect((await store.collections.find(name))?.publication).toMatchObject({ since: 4, sequence: 5 });
    await purge({ store });
    expect(await item(bId)).toBeUndefined();
    expect(await item(c)).toBeDefined();
  });
});
