import { beforeEach, describe, expect, test } from '@jest/globals';
import { createMemoryStore, sampleCollection } from '#in-memory';
import { collectionKey, itemId, rootFeed, subscriptionId } from '#core';
import type { CollectionSettings, ItemId, Store, StoredItem } from '#core';
import { allTrees, titledTrees, trees } from './__fixtures__/changing-trees.ts';
import { publishOnce } from './__fixtures__/publish-once.ts';
import { latest, Reader } from './__fixtures__/tree-reader.ts';
import { lastBlock } from '../../../test/support/published-blocks.ts';
import { feedPurge } from './purge-feeds.ts';

const name = collectionKey('news');
const root1 = itemId('root:1');
const hour = 3600;
let time: Date;
/** How many titles of feeds have changed. */
let titles: number;
let store: Store;
const clock = { now: () => time, wait: () => Promise.resolve() };

beforeEach(() => begin());

/** Begins with an empty collection of these feeds. */
async function begin({
  feeds = [rootFeed],
  settings = {},
}: { feeds?: readonly string[]; settings?: Partial<CollectionSettings> } = {}): Promise<void> {
  time = new Date('2026-01-01T12:00:00.400Z');
  titles = 0;
  store = createMemoryStore({ clock });
  const createdAt = new Date(time.getTime() - 60_000);
  await store.collections.create(
    sampleCollection({
      key: name,
      protocol: 'cse',
      format: 'rss',
      title: 'News',
      createdAt,
      settings: { windowItems: 1, expiresAfter: hour, ...settings },
    }),
  );
  for (const id of feeds) await store.feeds.put({ collection: name, id, title: id, head: [], createdAt });
}

function pass(seconds: number): void {
  time = new Date(time.getTime() + seconds * 1000);
}

/**
 * Writes items as their next revisions, each given as `<feed>:<guid>`, then ` > ` and the feed that it links
 * to, or ` deleted`; and gives feeds, each given as `<feed> titled`, another title.
 */
async function change(...changes: readonly string[]): Promise<void> {
  for (const text of changes) if (text.endsWith(' titled')) await entitle(text.slice(0, -' titled'.length));
  const requested = changes
    .filter((text) => !text.endsWith(' titled'))
    .map((text) => ({
      id: itemId(text.split(' ')[0] ?? ''),
      nested: text.split(' > ')[1],
      deleted: text.endsWith(' deleted'),
    }));
  const stored = await store.items.load(
    name,
    requested.map(({ id }) => id),
  );
  await store.items.compareAndSet(
    requested.map(({ id, nested, deleted }) => {
      const [feed = '', guid = ''] = id.split(':');
      const version = (stored.get(id)?.revision ?? 0) + 1;
      const [when, position] = [time.toISOString(), { parent: feed, key: 'V' }];
      return {
        expected: version - 1,
        item: {
          collection: name,
          id,
          deleted,
          conflictCount: 0,
          position,
          branch: { guid, files: [], ...(nested !== undefined && { nested }) },
          version: { updates: version, history: { sequence: version, when } },
          sources: [],
          createdAt: time,
          updatedAt: time,
          content: {
            feed,
            guid,
            hidden: false,
            deleted,
            version,
            when,
            data: { format: 'rss', children: [], scope: { namespaces: [] } },
            links: [],
            position,
          },
        },
      };
    }),
  );
}

async function entitle(id: string): Promise<void> {
  titles += 1;
  await store.feeds.put({ collection: name, id, title: `${id} ${titles}`, head: [], createdAt: time });
}

async function publish(through: Store = store): Promise<void> {
  await publishOnce(through, name, clock);
}

/** When every feed was published, as a clock time. */
async function dates(): Promise<Record<string, string | undefined>> {
  const feeds = await store.feeds.list(name, { limit: 1000 });
  return Object.fromEntries(feeds.map(({ id, publishedAt }) => [id, timeOf(publishedAt)]));
}

function timeOf(date: Date | undefined): string | undefined {
  return date?.toISOString().slice(11, 19);
}

async function item(id: ItemId): Promise<StoredItem | undefined> {
  return (await store.items.load(name, [id])).get(id);
}

/** The store, telling of every call of one of its methods; one that `before` throws for is not made. */
function watched({ before, after }: { before?: () => void; after?: () => Promise<void> }): Store {
  const watch = (port: object): object =>
    new Proxy(port, {
      get:
        (target, key) =>
        async (...values: readonly unknown[]): Promise<unknown> => {
          before?.();
          const answer: unknown = await Reflect.apply(
            Reflect.get(target, key, target) as () => Promise<unknown>,
            target,
            values,
          );
          await after?.();
          return answer;
        },
    });
  return Object.fromEntries(
    Object.entries(store).map(([name, port]) => [name, watch(port as object)]),
  ) as unknown as Store;
}

/** @param former one that has what this one begins with */
function newReader(former?: Reader): Reader {
  return new Reader(store, name, former);
}

/**
 * Publishes the first state of a tree, then the first change, then writes all changes, to be published;
 * answers a reader of the first state.
 */
async function prepare(kind: string): Promise<Reader> {
  const { feeds, first, changes } = allTrees[kind] ?? { feeds: [], first: [], changes: [] };
  await begin({ feeds });
  await change(...first);
  await publish();
  const reader = newReader();
  await reader.sync();
  await change(...changes.slice(0, 1));
  await publish();
  pass(60);
  await change(...changes);
  return reader;
}

/**
 * Publishes what is prepared, dying before each step in turn; returns whether there was such a step, with
 * readers of before and of that moment.
 */
async function publishUntilDeath(kind: string, steps: number): Promise<{ died: boolean; readers: Reader[] }> {
  const former = await prepare(kind);
  let left = steps;
  const dying = watched({
    before: () => {
      left -= 1;
      if (left <= 0) throw new Error('the publisher dies');
    },
  });
  const died = await publish(dying).then(
    () => false,
    () => true,
  );
  const readers = [newReader(), newReader(former)];
  for (const reader of readers) await reader.sync();
  return { died, readers };
}

test('a tree from a backup is dated anew, so that mirrors which are further read all of it', async () => {
  await begin({ feeds: [rootFeed, 'news', 'empty'] });
  await change('root:1 > news', 'root:2 > empty', 'news:a');
  await publish();
  pass(60);
  await store.collections.restart(name, 'test:here', 'test:restored', 1000);
  await store.items.publishAgain(name);
  await store.feeds.publishAgain(name);
  await publish();
  expect(await dates()).toEqual({ empty: '12:01:00', news: '12:01:00', root: '12:01:00' });
  for (const id of ['root:1', 'root:2', 'news:a'])
    expect(timeOf((await item(itemId(id)))?.publishedAt)).toBe('12:01:00');
});

describe('the date of a change to a tree of feeds', () => {
  test('is in whole seconds, that of its item, its feed and all feeds above, and of no other', async () => {
    await begin({ feeds: [rootFeed, 'a', 'b', 'c'] });
    await change('root:a > a', 'a:b > b', 'root:c > c', 'b:1', 'c:1');
    await publish();
    pass(60);
    await change('b:1');
    await publish();
    expect(await dates()).toEqual({ root: '12:01:00', a: '12:01:00', b: '12:01:00', c: '12:00:00' });
    expect((await item(itemId('b:1')))?.publishedAt).toEqual(new Date('2026-01-01T12:01:00Z'));
    expect((await item(itemId('root:a')))?.publishedAt).toEqual(new Date('2026-01-01T12:00:00Z'));
  });

  test('of an item that links to a feed is that of the feed, and of all else that links to it', async () => {
    await begin({ feeds: [rootFeed, 'a', 'b', 'c'] });
    await change('root:a > a', 'root:b > b', 'a:c > c', 'b:c > c', 'c:1');
    await publish();
    pass(60);
    await change('a:c > c');
    await publish();
    expect(await dates()).toEqual({ root: '12:01:00', a: '12:01:00', b: '12:01:00', c: '12:01:00' });
  });

  test('is not given to a feed to which an item links only since it was published', async () => {
    await begin({ feeds: [rootFeed, 'a'] });
    await change('root:a > a', 'root:1');
    await publish();
    pass(60);
    await change('root:1');
    const dying = watched({
      after: async () => {
        if ((await dates())['root'] === '12:01:00') throw new Error('the publisher dies');
      },
    });
    await expect(publish(dying)).rejects.toThrow('the publisher dies');
    await change('root:1 > a');
    const seen = new Set<string | undefined>();
    await publish(watched({ after: async () => void seen.add((await dates())['a']) }));
    expect([...seen]).toEqual(['12:00:00', '12:01:01']);
  });

  test('grows with every block, within one second and after the clock went back too', async () => {
    const seen: (string | undefined)[] = [];
    for (const step of [0, 0.1, -86_400]) {
      pass(step);
      await change('root:1');
      await publish();
      seen.push((await dates())['root']);
    }
    expect(seen).toEqual(['12:00:00', '12:00:01', '12:00:02']);
  });

  test('of a deletion stays on the feeds', async () => {
    await begin({ feeds: [rootFeed, 'a'] });
    await change('root:a > a', 'a:1');
    await publish();
    pass(60);
    await change('a:1 deleted');
    await publish();
    expect(await dates()).toEqual({ root: '12:01:00', a: '12:01:00' });
  });

  test('of another title is that of its feed and all feeds above, not of items or other feeds', async () => {
    await begin({ feeds: [rootFeed, 'a', 'b', 'c'] });
    await change('root:a > a', 'a:b > b', 'root:c > c', 'b:1', 'c:1');
    await publish();
    pass(60);
    await change('b titled');
    await publish();
    await publish();
    expect(await dates()).toEqual({ root: '12:01:00', a: '12:01:00', b: '12:01:00', c: '12:00:00' });
    expect((await item(itemId('b:1')))?.publishedAt).toEqual(new Date('2026-01-01T12:00:00Z'));
    expect((await store.collections.find(name))?.publication).toMatchObject({
      sequence: 5,
      updatedAt: new Date('2026-01-01T12:01:00Z'),
    });
  });

  test('of another title is that of the items that are published with it', async () => {
    await begin({ feeds: [rootFeed, 'a'] });
    await change('root:a > a', 'a:1', 'a titled', 'root titled');
    await publish();
    expect(await dates()).toEqual({ root: '12:00:00', a: '12:00:00' });
    expect(timeOf((await item(itemId('a:1')))?.publishedAt)).toBe('12:00:00');
  });

  test('of a title that changes while another is published is a later one', async () => {
    await change('root:1', 'root titled');
    let hasChanged = false;
    await publish(
      watched({
        after: async () => {
          if (hasChanged || (await dates())['root'] === undefined) return;
          hasChanged = true;
          await change('root titled');
        },
      }),
    );
    await publish();
    expect(await dates()).toEqual({ root: '12:00:01' });
    expect(await store.feeds.pending(name, 10)).toEqual([]);
  });

  test(
    'is given to another title again where others took over from a publisher that was slow, and ' +
      'readers got a later one before it went on',
    async () => {
      await begin({ feeds: [rootFeed, 'a'] });
      await change('root:a > a');
      await publish();
      pass(60);
      const reader = newReader();
      await reader.sync();
      await change('a titled');
      const stopWhere = (isThere: () => Promise<boolean>): Promise<boolean> => {
        const stopping = watched({
          after: async () => {
            if (await isThere()) throw new Error('it stops');
          },
        });
        return publish(stopping).then(
          () => false,
          () => true,
        );
      };
      const stopped: boolean[] = [];
      await publish(
        watched({
          after: async () => {
            if (
              stopped.length > 0 ||
              timeOf((await store.collections.find(name))?.publication.updatedAt) !== '12:01:00'
            )
              return;
            await change('root:1');
            stopped.push(
              await stopWhere(async () => timeOf((await lastBlock(store, name))?.at) === '12:01:01'),
            );
            stopped.push(await stopWhere(async () => (await dates())['root'] === '12:01:01'));
            await reader.sync();
          },
        }),
      );
      expect(stopped).toEqual([true, true]);
      await publish();
      expect(await reader.sync()).toEqual(await newReader().sync());
    },
  );

  test('of a notice is on no feed', async () => {
    await change('root:1');
    await publish();
    pass(60);
    await store.notices.add({
      id: 'm1',
      collection: name,
      subscription: subscriptionId('source'),
      type: 'progress',
      at: time,
      progress: { done: 1, total: 2, bytes: 3, failed: 0 },
    });
    await publish();
    expect(await dates()).toEqual({ root: '12:00:00' });
  });
});

describe.each(Object.keys(allTrees))('a tree %s', (kind) => {
  test('is complete for every reader that began before, while or after it was published', async () => {
    const former = await prepare(kind);
    const slow: Reader[] = [];
    const quick: Reader[] = [];
    await publish(
      watched({
        after: async () => {
          slow.push(newReader(), newReader(former));
          for (const reader of slow) await reader.step();
          const begun = [newReader(), newReader(former)];
          for (const reader of begun) await reader.sync();
          quick.push(...begun);
        },
      }),
    );
    const whole = await newReader().sync();
    expect(Object.keys(whole).length).toBeGreaterThan(0);
    expect(quick.length).toBeGreaterThan(10);
    for (const reader of [...slow, ...quick]) expect(await reader.sync()).toEqual(whole);
  });
});

test.each(Object.keys(trees))(
  'a tree %s has the same dates where publishers died before any step, and another one, whose clock is ' +
    'behind, went on',
  async (kind) => {
    await prepare(kind);
    await publish();
    const [whole, expected] = [await newReader().sync(), await dates()];
    for (let steps = 1, isDone = false; !isDone; steps += 1) {
      const { died, readers } = await publishUntilDeath(kind, steps);
      isDone = !died;
      pass(-30);
      await publish();
      const at = timeOf((await lastBlock(store, name))?.at);
      expect(await dates()).toEqual(
        Object.fromEntries(
          Object.entries(expected).map(([feed, date]) => [feed, date === '12:01:00' ? at : date]),
        ),
      );
      for (const reader of readers) expect(await reader.sync()).toEqual(whole);
    }
  },
);

test.each(Object.keys(titledTrees))(
  'a tree %s is found whole where publishers died before any step, and another one went on',
  async (kind) => {
    await prepare(kind);
    await publish();
    const [whole, expected] = [await newReader().sync(), await dates()];
    expect(Object.values(expected)).toContain('12:01:00');
    for (let steps = 1, isDone = false; !isDone; steps += 1) {
      const { died, readers } = await publishUntilDeath(kind, steps);
      isDone = !died;
      pass(-30);
      await publish();
      const kept = await dates();
      // What is on no way to a change keeps its date; no date is the publication's to give again.
      const former = Object.keys(expected).filter((feed) => (expected[feed] ?? '') < '12:01:00');
      expect(former.filter((feed) => kept[feed] === expected[feed])).toEqual(former);
      expect(
        latest(...(await store.feeds.list(name, { limit: 10 })).map(({ publishedAt }) => publishedAt)),
      ).toBe(latest((await store.collections.find(name))?.publication.updatedAt));
      expect(await store.feeds.pending(name, 10)).toEqual([]);
      for (const reader of readers) expect(await reader.sync()).toEqual(whole);
    }
  },
);

describe('the purge of a tree', () => {
  test(
    'lets nothing leave a window, and removes tombstones once they have expired, without raising ' +
      '"since"',
    async () => {
      await change('root:1', 'root:2', 'root:3');
      await publish();
      await change('root:1 deleted', 'root:2 deleted');
      await publish();
      const purge = feedPurge(clock, 1);
      pass(hour - 60);
      await purge({ store });
      expect(await item(root1)).toBeDefined();
      pass(120);
      await change('root:2 deleted');
      await purge({ store });
      expect(await item(root1)).toBeUndefined();
      expect(await item(itemId('root:2'))).toBeDefined();
      expect(await item(itemId('root:3'))).toMatchObject({ sequence: 3 });
      expect((await store.collections.find(name))?.publication).toMatchObject({ since: 0, sequence: 5 });
    },
  );

  test('goes by the age of tombstones where the collection has one', async () => {
    await begin({ settings: { tombstoneAge: 3 * hour } });
    await change('root:1 deleted');
    await publish();
    const purge = feedPurge(clock, 10);
    pass(2 * hour);
    await purge({ store });
    expect(await item(root1)).toBeDefined();
    pass(2 * hour);
    await purge({ store });
    expect(await item(root1)).toBeUndefined();
  });
});
