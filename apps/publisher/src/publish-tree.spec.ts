import { beforeEach, describe, expect, test } from '@jest/globals';
import { createMemoryEventStream, createMemoryStore } from '#memory';
import { rootFeed } from '#ports';
import type { CollectionSettings, Store, StoredItem } from '#ports';
import { publishCollection } from './publish-collection.ts';
import { feedPurge } from './purge-feeds.ts';

const name = 'news';
const hour = 3600;
let time: Date;
/** By which leases run out. */
let leaseTime = 0;
let store: Store;
const clock = { now: () => time, wait: () => Promise.resolve() };

beforeEach(() => begin());

/** Begins with an empty collection of these feeds. */
async function begin({ feeds = [rootFeed], settings = {} }: { feeds?: readonly string[]; settings?: Partial<CollectionSettings> } = {}): Promise<void> {
  time = new Date('2026-01-01T12:00:00.400Z');
  store = createMemoryStore({ clock: { now: () => new Date(leaseTime) } });
  const createdAt = new Date(time.getTime() - 60_000);
  await store.collections.create({
    name, protocol: 'cse', format: 'rss', title: 'News', endpoint: 'test:here', createdAt,
    settings: { windowItems: 1, expiresAfter: hour, cleanUpHistory: false, ...settings }, publication: { sequence: 0, since: 0, relayed: 0 },
  });
  for (const id of feeds) await store.feeds.put({ collection: name, id, title: id, head: [], createdAt });
}

function pass(seconds: number): void {
  time = new Date(time.getTime() + seconds * 1000);
}

/** Writes items as their next revisions, each given as `<feed>:<guid>`, then ` > ` and the feed that it links to, or ` deleted`. */
async function change(...changes: readonly string[]): Promise<void> {
  const wishes = changes.map((text) => ({ id: text.split(' ')[0] ?? '', nested: text.split(' > ')[1], deleted: text.endsWith(' deleted') }));
  const stored = await store.items.load(name, wishes.map(({ id }) => id));
  await store.items.compareAndSet(wishes.map(({ id, nested, deleted }) => {
    const [feed = '', guid = ''] = id.split(':');
    const version = (stored.get(id)?.revision ?? 0) + 1;
    const [when, position] = [time.toISOString(), { parent: feed, key: 'V' }];
    return {
      expected: version - 1,
      item: {
        collection: name, id, entry: '', deleted, conflictCount: 0, position, branch: { guid, files: [], ...(nested !== undefined && { nested }) },
        version: { updates: version, history: { sequence: version, when } }, sources: [], createdAt: time, updatedAt: time,
        content: { feed, guid, hidden: false, deleted, version, when, data: { format: 'rss', children: [], scope: { namespaces: [] } }, links: [], position },
      },
    };
  }));
}

async function publish(through: Store = store): Promise<void> {
  const ports = { store: through, stream: createMemoryEventStream(), clock, publicUrl: 'http://here.example', holder: String(Math.random()) };
  await publishCollection(ports, { block: 500, lease: 15_000, retention: 100_000 }, { version: 1, collection: name });
}

/** When every feed was published, as a clock time. */
async function dates(): Promise<Record<string, string | undefined>> {
  const feeds = await store.feeds.list(name, { limit: 1000 });
  return Object.fromEntries(feeds.map(({ id, publishedAt }) => [id, publishedAt?.toISOString().slice(11, 19)]));
}

async function item(id: string): Promise<StoredItem | undefined> {
  return (await store.items.load(name, [id])).get(id);
}

/** The store, telling of every call of one of its methods; one that `before` throws for is not made. */
function watched({ before, after }: { before?: () => void; after?: () => Promise<void> }): Store {
  const watch = (port: object): object => new Proxy(port, {
    get: (target, key) => async (...values: readonly unknown[]): Promise<unknown> => {
      before?.();
      const answer: unknown = await Reflect.apply(Reflect.get(target, key, target) as () => Promise<unknown>, target, values);
      await after?.();
      return answer;
    },
  });
  return Object.fromEntries(Object.entries(store).map(([room, port]) => [room, watch(port as object)])) as unknown as Store;
}

/** A feed as readers are given it, dates in milliseconds. */
interface ShownFeed {
  readonly lastBuildDate: number;
  readonly items: ReadonlyMap<string, { readonly lastBuildDate: number; readonly revision: number; readonly nested: string | undefined }>;
}

/** An item has the later date of its own and that of the feed that it links to, but none later than that of the feed that it is in. */
async function show(feed: string): Promise<ShownFeed> {
  const lastBuildDate = latest((await store.feeds.load(name, [feed])).get(feed)?.publishedAt);
  const places = await store.items.children(name, [feed]);
  const items = [...(await store.items.load(name, places.map(({ id }) => id))).values()].filter(({ deleted, sequence }) => !deleted && sequence !== undefined);
  const feeds = await store.feeds.load(name, items.flatMap(({ branch }) => branch?.nested ?? []));
  const dateOf = ({ publishedAt, branch }: StoredItem): number => Math.min(lastBuildDate, latest(publishedAt, feeds.get(branch?.nested ?? '')?.publishedAt));
  return { lastBuildDate, items: new Map(items.map((item) => [item.id, { lastBuildDate: dateOf(item), revision: item.revision, nested: item.branch?.nested }])) };
}

function latest(...dates: readonly (Date | undefined)[]): number {
  return Math.max(0, ...dates.map((date) => date?.getTime() ?? 0));
}

/**
 * A subscriber that keeps a tree in step by the printed algorithm: a nested feed is downloaded for an item that is new or newer, and
 * looked through where it is newer itself. It reads one feed at a time, so that the tree may change while it is read.
 */
class Reader {
  readonly #cache: Map<string, ShownFeed>;
  #queue = [rootFeed];

  /** @param former one that has what this one begins with */
  constructor(former?: Reader) {
    this.#cache = new Map(former === undefined ? [] : former.#cache);
  }

  /** Downloads the next feed; answers false where none is left. */
  async step(): Promise<boolean> {
    const feed = this.#queue.shift();
    if (feed === undefined) return false;
    const [cached, shown] = [this.#cache.get(feed), await show(feed)];
    if (cached === undefined || shown.lastBuildDate > cached.lastBuildDate) {
      for (const [id, { lastBuildDate, nested }] of shown.items)
        if (nested !== undefined && lastBuildDate > (cached?.items.get(id)?.lastBuildDate ?? -1)) this.#queue.push(nested);
    }
    this.#cache.set(feed, shown);
    return true;
  }

  /** Ends the reading under way, reads the tree once more, and answers the revision of every item that the root leads to. */
  async sync(): Promise<Record<string, number>> {
    while (await this.step());
    this.#queue = [rootFeed];
    while (await this.step());
    const revisions: [string, number][] = [];
    const feeds = new Set([rootFeed]);
    for (const feed of feeds) {
      for (const [id, { revision, nested }] of this.#cache.get(feed)?.items ?? []) {
        revisions.push([id, revision]);
        if (nested !== undefined) feeds.add(nested);
      }
    }
    return Object.fromEntries(revisions);
  }
}

/** Trees, each with what is in it at first and what is changed then, all at once. */
const trees: Record<string, { readonly feeds: readonly string[]; readonly first: readonly string[]; readonly changes: readonly string[] }> = {
  'of three levels': { feeds: [rootFeed, 'a', 'b'], first: ['root:a > a', 'a:b > b', 'b:1'], changes: ['b:1', 'b:2'] },
  'in which two children change': { feeds: [rootFeed, 'a', 'b'], first: ['root:a > a', 'root:b > b', 'a:1', 'b:1'], changes: ['a:1', 'b:1'] },
  'in which a feed and one above it change': { feeds: [rootFeed, 'a', 'b'], first: ['root:a > a', 'a:b > b', 'b:1'], changes: ['a:2', 'b:1', 'root:3'] },
  'in which feeds of two depths change': { feeds: [rootFeed, 'a', 'b', 'c', 'd'], first: ['root:a > a', 'a:c > c', 'a:b > b', 'b:d > d'], changes: ['c:1', 'd:1'] },
  'with a feed that two others nest, one of them in the other': { feeds: [rootFeed, 'a', 'b', 'c'], first: ['root:a > a', 'a:b > b', 'a:c > c', 'b:c > c', 'c:1'], changes: ['c:1', 'b:2'] },
  'with a new feed of two levels': { feeds: [rootFeed, 'a', 'b'], first: ['root:1'], changes: ['root:a > a', 'a:b > b', 'b:1'] },
  'in which an item and one that links to a feed are deleted': { feeds: [rootFeed, 'a', 'b'], first: ['root:a > a', 'a:b > b', 'a:1', 'b:1'], changes: ['a:b deleted', 'a:1 deleted', 'b:1 deleted'] },
  'with a circle below its root': { feeds: [rootFeed, 'a', 'b'], first: ['root:a > a', 'a:b > b', 'b:a > a', 'b:1'], changes: ['b:1'] },
};

/** Publishes the first state of a tree, then the first change, then writes all changes, to be published; answers a reader of the first state. */
async function prepare(kind: string): Promise<Reader> {
  const { feeds, first, changes } = trees[kind] ?? { feeds: [], first: [], changes: [] };
  await begin({ feeds });
  await change(...first);
  await publish();
  const reader = new Reader();
  await reader.sync();
  await change(...changes.slice(0, 1));
  await publish();
  pass(60);
  await change(...changes);
  return reader;
}

describe('the date of a change to a tree of feeds', () => {
  test('is in whole seconds, that of its item, its feed and all feeds above, and of no other', async () => {
    await begin({ feeds: [rootFeed, 'a', 'b', 'c'] });
    await change('root:a > a', 'a:b > b', 'root:c > c', 'b:1', 'c:1');
    await publish();
    pass(60);
    await change('b:1');
    await publish();
    expect(await dates()).toEqual({ root: '12:01:00', a: '12:01:00', b: '12:01:00', c: '12:00:00' });
    expect((await item('b:1'))?.publishedAt).toEqual(new Date('2026-01-01T12:01:00Z'));
    expect((await item('root:a'))?.publishedAt).toEqual(new Date('2026-01-01T12:00:00Z'));
  });

  test('of an item that links to a feed is that of the feed too, and of whatever else links to it', async () => {
    await begin({ feeds: [rootFeed, 'a', 'b', 'c'] });
    await change('root:a > a', 'root:b > b', 'a:c > c', 'b:c > c', 'c:1');
    await publish();
    pass(60);
    await change('a:c > c');
    await publish();
    expect(await dates()).toEqual({ root: '12:01:00', a: '12:01:00', b: '12:01:00', c: '12:01:00' });
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

  test('of a notice is on no feed', async () => {
    await change('root:1');
    await publish();
    pass(60);
    await store.notices.add({ id: 'm1', collection: name, subscription: 'source', type: 'progress', at: time, progress: { done: 1, total: 2, bytes: 3, failed: 0 } });
    await publish();
    expect(await dates()).toEqual({ root: '12:00:00' });
  });
});

describe.each(Object.keys(trees))('a tree %s', (kind) => {
  test('is complete for every reader that began before, while or after it was published', async () => {
    const former = await prepare(kind);
    const slow: Reader[] = [];
    const quick: Reader[] = [];
    await publish(watched({
      after: async () => {
        slow.push(new Reader(), new Reader(former));
        for (const reader of slow) await reader.step();
        const begun = [new Reader(), new Reader(former)];
        for (const reader of begun) await reader.sync();
        quick.push(...begun);
      },
    }));
    const whole = await new Reader().sync();
    expect(Object.keys(whole).length).toBeGreaterThan(0);
    expect(quick.length).toBeGreaterThan(10);
    for (const reader of [...slow, ...quick]) expect(await reader.sync()).toEqual(whole);
  });

  test('has the same dates where publishers died before any step, and another one, whose clock is behind, went on', async () => {
    await prepare(kind);
    await publish();
    const [whole, expected] = [await new Reader().sync(), await dates()];
    for (let steps = 1, isDone = false; !isDone; steps += 1) {
      const former = await prepare(kind);
      let left = steps;
      const dying = watched({
        before: () => {
          left -= 1;
          if (left <= 0) throw new Error('the publisher dies');
        },
      });
      isDone = await publish(dying).then(() => true, () => false);
      const readers = [new Reader(), new Reader(former)];
      for (const reader of readers) await reader.sync();
      // The dead one could not give its lease back.
      leaseTime += 60_000;
      pass(-30);
      await publish();
      const at = (await store.changes.last(name))?.at.toISOString().slice(11, 19);
      expect(await dates()).toEqual(Object.fromEntries(Object.entries(expected).map(([feed, date]) => [feed, date === '12:01:00' ? at : date])));
      for (const reader of readers) expect(await reader.sync()).toEqual(whole);
    }
  });
});

describe('the purge of a tree', () => {
  test('lets nothing leave a window, and removes tombstones once they have expired, without raising "since"', async () => {
    await change('root:1', 'root:2', 'root:3');
    await publish();
    await change('root:1 deleted', 'root:2 deleted');
    await publish();
    const purge = feedPurge(clock, 1);
    pass(hour - 60);
    await purge({ store });
    expect(await item('root:1')).toBeDefined();
    pass(120);
    await change('root:2 deleted');
    await purge({ store });
    expect(await item('root:1')).toBeUndefined();
    expect(await item('root:2')).toBeDefined();
    expect(await item('root:3')).toMatchObject({ sequence: 3 });
    expect((await store.collections.find(name))?.publication).toMatchObject({ since: 0, sequence: 5 });
  });

  test('goes by the age of tombstones where the collection has one', async () => {
    await begin({ settings: { tombstoneAge: 3 * hour } });
    await change('root:1 deleted');
    await publish();
    const purge = feedPurge(clock, 10);
    pass(2 * hour);
    await purge({ store });
    expect(await item('root:1')).toBeDefined();
    pass(2 * hour);
    await purge({ store });
    expect(await item('root:1')).toBeUndefined();
  });
});
