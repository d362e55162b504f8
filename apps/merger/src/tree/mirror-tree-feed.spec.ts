import { beforeEach, describe, expect, test } from '@jest/globals';
import { feedIdOf } from '#items';
import { createMemoryQueue, createMemoryStore, sampleCollection, sampleSubscription } from '#in-memory';
import { collectionKey, subscriptionId } from '#core';
import type { Manifest, Store } from '#core';
import { cacheDocument } from '../../../../test/support/cache-document.ts';
import { failing } from '../../../../test/support/failing.ts';
import { finalizeManifest } from '../finalize-manifest.ts';
import { mirrorTreeFeed } from './mirror-tree-feed.ts';
import { removeDropped } from './remove-dropped.ts';

const name = collectionKey('news');
const source = subscriptionId('source');
const root = 'http://source.example/root.rss';
const at = (path: string): string => new URL(path, root).href;
const now = (): Date => new Date('2026-02-01T00:00:00Z');
const date = '2026-01-01T00:00:00Z';
let store: Store;
let queue: ReturnType<typeof createMemoryQueue>;
const ports = () => ({
  store,
  queue,
  clock: { now, wait: () => Promise.resolve() },
  publicUrl: 'http://here.example',
});

beforeEach(async () => {
  store = createMemoryStore({ clock: { now } });
  queue = createMemoryQueue();
  await store.collections.create(
    sampleCollection({
      key: name,
      protocol: 'cse',
      format: 'rss',
      title: 'News',
      createdAt: now(),
    }),
  );
  await store.subscriptions.put(
    sampleSubscription({
      collection: name,
      id: source,
      url: root,
      interval: { minimum: 60, maximum: 60 },
      createdAt: now(),
    }),
  );
});

/** Begins a fetch. */
async function begin(manifest: string): Promise<void> {
  await store.subscriptions.lease(name, source, manifest, 60_000);
  await store.manifests.open({
    id: manifest,
    collection: name,
    subscription: source,
    openedAt: now(),
    touchedAt: now(),
    done: [],
    rejected: 0,
  });
}

/** Puts a document into the cache, as a download does. */
async function download(path: string, text: string, isFeed = true): Promise<string> {
  const document = { url: at(path), text, isFeed, lastBuildDate: date, at: now() };
  return (await cacheDocument(store, name, document)).digest;
}

/**
 * A feed with these items, each with a link to a document, which is a nested feed if it ends in `.rss`.
 */
function feed(title: string, links: Readonly<Record<string, string>>): string {
  const items = Object.entries(links).map(
    ([guid, link]) =>
      `<item><guid>${guid}</guid><pubDate>Thu, 01 Jan 2026 00:00:00 GMT</pubDate>` +
      `<csx:link nestedFeed="${link.endsWith('.rss')}">${link}</csx:link></item>`,
  );
  return (
    '<rss version="2.0" xmlns:csx="http://schemas.microsoft.com/rss/2007/contentsyncextensions">' +
    `<channel><title>${title}</title>${items.join('')}</channel></rss>`
  );
}

async function mirror(path: string, manifest = 'm1', batch = 0): Promise<Manifest | undefined> {
  await mirrorTreeFeed(ports(), {
    version: 1,
    collection: name,
    subscription: source,
    manifest,
    batch,
    url: at(path),
    merged: `as of ${manifest}`,
  });
  return store.manifests.find(name, manifest);
}

async function seal(manifest: string, batches: number, items = batches): Promise<void> {
  const progress = { done: 3, total: 3, bytes: 100, failed: 1 };
  await store.manifests.seal(
    name,
    manifest,
    {
      cursor: {},
      batches,
      items,
      known: 0,
      resynced: false,
      progress,
      nextFetchAt: now(),
      nextFetchReason: 'later',
    },
    now(),
  );
}

async function finalize(manifest: string): Promise<void> {
  await finalizeManifest(ports(), { version: 1, collection: name, manifest });
}

/** The items in the tree: whether each is deleted, and what it refers to. */
async function items() {
  const stored = await store.items.list(name, { limit: 1000 });
  return Object.fromEntries(
    stored.map(({ id, deleted, branch }) => [
      id.split(':')[1],
      { deleted, nested: branch?.nested, files: branch?.files },
    ]),
  );
}

const merged = async (path: string) => (await store.documents.load(name, [at(path)])).get(at(path))?.merged;
/** The queues of the jobs that wait. */
const waiting = async () => ({
  publish: await queue.backlog('publish'),
  finalize: await queue.backlog('finalize'),
});

describe('a mirror job', () => {
  test('writes the items of the feed, and updates the document, the manifest and the publisher', async () => {
    await begin('m1');
    const photo = await download('photo.jpg', 'a photo', false);
    await download('day.rss', feed('Day', {}));
    await download('root.rss', feed('News', { one: 'photo.jpg', two: 'day.rss' }));
    expect(await mirror('root.rss')).toMatchObject({ done: [0], rejected: 0 });
    expect(await items()).toEqual({
      one: { deleted: false, nested: undefined, files: [photo] },
      two: { deleted: false, nested: feedIdOf(at('day.rss'), root), files: [] },
    });
    expect((await store.feeds.load(name, ['root'])).get('root')).toMatchObject({ title: 'News', url: root });
    expect(await merged('root.rss')).toBe('as of m1');
    expect(await waiting()).toEqual({ publish: 1, finalize: 0 });
  });

  test('requests finalization of the fetch after the last batch; repeated, it writes nothing', async () => {
    await begin('m1');
    await download('photo.jpg', 'a photo', false);
    await download('root.rss', feed('News', { one: 'photo.jpg' }));
    await seal('m1', 1);
    await mirror('root.rss');
    const written = await store.items.list(name, { limit: 10 });
    expect(written).toHaveLength(1);
    expect(await mirror('root.rss')).toMatchObject({ done: [0] });
    expect(await store.items.list(name, { limit: 10 })).toEqual(written);
    expect(await waiting()).toMatchObject({ finalize: 1 });
  });

  test('counts the items that wait for a file as rejected, and needs no publisher for them', async () => {
    await begin('m1');
    await download('root.rss', feed('News', { one: 'absent.jpg' }));
    expect(await mirror('root.rss')).toMatchObject({ done: [0], rejected: 1 });
    expect(await items()).toEqual({});
    expect(await waiting()).toEqual({ publish: 0, finalize: 0 });
  });

  test('leaves the document to be merged again if the store has lost a file', async () => {
    await begin('m1');
    const photo = await download('photo.jpg', 'a photo', false);
    await download('root.rss', feed('News', { one: 'photo.jpg' }));
    await store.contents.remove(name, photo);
    expect(await mirror('root.rss')).toMatchObject({ done: [0] });
    expect(await merged('root.rss')).toBeUndefined();
    expect((await store.documents.load(name, [at('photo.jpg')])).get(at('photo.jpg'))?.copy).toBeUndefined();
  });

  test('leaves the document to be merged again if a file is now older than the walk saw it', async () => {
    await begin('m1');
    await download('photo.jpg', 'a photo', false);
    await download('root.rss', feed('News', { one: 'photo.jpg' }));
    await store.documents.describe(name, [
      { url: at('photo.jpg'), isFeed: false, onDemand: false, lastBuildDate: date },
    ]);
    const { copy } = (await store.documents.load(name, [at('photo.jpg')])).get(at('photo.jpg')) ?? {};
    if (copy !== undefined)
      await store.documents.record(
        name,
        at('photo.jpg'),
        { manifest: 'm0', kind: 'unchanged' },
        { ...copy, lastBuildDate: '2025-01-01T00:00:00Z' },
      );
    expect(await mirror('root.rss')).toMatchObject({ done: [0], rejected: 1 });
    expect(await merged('root.rss')).toBeUndefined();
  });

  test('holds the lease of the fetch, and stops if another fetch has begun', async () => {
    await begin('m1');
    await download('photo.jpg', 'a photo', false);
    await download('root.rss', feed('News', { one: 'photo.jpg' }));
    const { subscriptions } = store;
    const renewed: string[] = [];
    const isHeld = [true, false];
    store = {
      ...store,
      subscriptions: new Proxy(subscriptions, {
        get: (target, key) => {
          if (key !== 'renew') return (Reflect.get(target, key) as () => unknown).bind(target);
          return (_collection: string, _id: string, manifest: string) => {
            renewed.push(manifest);
            return Promise.resolve(isHeld.shift() ?? false);
          };
        },
      }),
    };
    expect(await mirror('root.rss')).toMatchObject({ done: [] });
    expect(renewed).toEqual(['m1', 'm1']);
    expect(await merged('root.rss')).toBeUndefined();
  });

  test.each([
    ['items', 'compareAndSet'],
    ['feeds', 'put'],
    ['documents', 'markMerged'],
  ] as const)('that fails at %s.%s is not done until it is repeated', async (port, method) => {
    await begin('m1');
    await download('photo.jpg', 'a photo', false);
    await download('root.rss', feed('News', { one: 'photo.jpg' }));
    const sound = store;
    store = { ...sound, [port]: failing<object>(sound[port], method as never, 'before') };
    await expect(mirror('root.rss')).rejects.toThrow('MongoDB is not available');
    expect(await sound.manifests.find(name, 'm1')).toMatchObject({ done: [] });
    expect(await merged('root.rss')).toBeUndefined();
    store = sound;
    expect(await mirror('root.rss')).toMatchObject({ done: [0] });
    expect(await items()).toMatchObject({ one: { deleted: false } });
    expect(await merged('root.rss')).toBe('as of m1');
  });

  test('of a fetch that is over is dropped', async () => {
    await begin('m1');
    await download('root.rss', feed('News', { one: 'photo.jpg' }));
    expect(await mirror('root.rss', 'm0')).toBeUndefined();
    expect(await merged('root.rss')).toBeUndefined();
    expect(await items()).toEqual({});
  });
});

describe('finalizing the fetch of a tree', () => {
  /**
   * A tree of two levels whose fetch is finalized, and a second fetch that has found the lower one dropped,
   * with its file.
   */
  async function dropLower(): Promise<void> {
    await begin('m1');
    await download('photo.jpg', 'a photo', false);
    await download('day.rss', feed('Day', { one: 'photo.jpg' }));
    await download('root.rss', feed('News', { two: 'day.rss' }));
    await seal('m1', 2);
    await mirror('root.rss');
    await mirror('day.rss', 'm1', 1);
    await finalize('m1');
    await begin('m2');
    await download('root.rss', feed('News', {}));
    await store.documents.drop(name, 'm2', [at('day.rss'), at('photo.jpg')]);
    await mirror('root.rss', 'm2');
  }
  const urls = async () => (await store.documents.list(name, { limit: 10 })).map(({ url }) => url);
  const notices = async () => (await store.notices.pending(name, 10)).map(({ id, type }) => `${id} ${type}`);

  test(
    'tombstones the items of feeds that were dropped, removes feeds and documents, and reports how far ' +
      'it came',
    async () => {
      await dropLower();
      expect(await items()).toMatchObject({ one: { deleted: false }, two: { deleted: true } });
      await seal('m2', 1);
      await finalize('m2');
      expect(await items()).toMatchObject({ one: { deleted: true, files: [] }, two: { deleted: true } });
      expect((await store.feeds.list(name, { limit: 10 })).map(({ id }) => id)).toEqual(['root']);
      expect(await urls()).toEqual([root]);
      const subscription = await store.subscriptions.find(name, source);
      expect(subscription?.last).toMatchObject({
        outcome: 'fetched',
        rejected: 0,
        progress: { done: 3, failed: 1 },
      });
      expect(subscription?.manifest).toBeUndefined();
      expect(await store.manifests.find(name, 'm2')).toBeUndefined();
      expect(await notices()).toEqual(['m1 fetched', 'm2 fetched']);
    },
  );

  test('continues after an interruption', async () => {
    await dropLower();
    await seal('m2', 1);
    const dying = {
      ...store,
      documents: new Proxy(store.documents, {
        get: (target, key) => {
          if (key === 'remove') return () => Promise.reject(new Error('the merger dies'));
          return (Reflect.get(target, key) as () => unknown).bind(target);
        },
      }),
    };
    await expect(
      finalizeManifest({ ...ports(), store: dying }, { version: 1, collection: name, manifest: 'm2' }),
    ).rejects.toThrow('the merger dies');
    expect((await store.subscriptions.find(name, source))?.manifest).toBe('m2');
    await finalize('m2');
    expect(await urls()).toEqual([root]);
    expect(await items()).toMatchObject({ one: { deleted: true } });
  });

  test('removes nothing once another fetch has begun', async () => {
    await dropLower();
    await seal('m2', 1);
    await store.subscriptions.complete(name, source, 'm2', {
      report: { at: now(), outcome: 'failed' },
      nextFetchAt: now(),
      nextFetchReason: 'soon',
    });
    await begin('m3');
    const collection = await store.collections.find(name);
    expect(
      collection &&
        (await removeDropped({ store, now }, collection, {
          manifest: { id: 'm2', subscription: source },
          root,
        })),
    ).toBeUndefined();
    await finalize('m2');
    expect(await urls()).toContain(at('day.rss'));
    expect(await items()).toMatchObject({ one: { deleted: false } });
    expect(await store.manifests.find(name, 'm2')).toBeUndefined();
  });

  test(
    'keeps a feed that an item still leads readers to, because what the item says now is not all ' +
      'there, until it has gone',
    async () => {
      await begin('m1');
      await download('photo.jpg', 'a photo', false);
      await download('day.rss', feed('Day', { one: 'photo.jpg', deep: 'hour.rss' }));
      await download('hour.rss', feed('Hour', { three: 'day.rss' }));
      await download('root.rss', feed('News', { two: 'day.rss' }));
      await seal('m1', 3);
      for (const [batch, path] of ['hour.rss', 'day.rss', 'root.rss'].entries())
        await mirror(path, 'm1', batch);
      await finalize('m1');

      await begin('m2');
      await download('root.rss', feed('News', { two: 'absent.rss' }));
      await store.documents.drop(name, 'm2', ['day.rss', 'hour.rss', 'photo.jpg'].map(at));
      await mirror('root.rss', 'm2');
      await seal('m2', 1);
      await finalize('m2');
      expect(await items()).toMatchObject({
        one: { deleted: false },
        two: { deleted: false, nested: feedIdOf(at('day.rss'), root) },
        three: { deleted: false },
      });

      await begin('m3');
      await download('absent.rss', feed('Absent no more', {}));
      await mirror('absent.rss', 'm3');
      await mirror('root.rss', 'm3', 1);
      await seal('m3', 2);
      await finalize('m3');
      expect(await items()).toMatchObject({
        one: { deleted: true },
        two: { deleted: false },
        three: { deleted: true },
      });
      expect(await urls()).toEqual(['absent.rss', 'root.rss'].map(at));
    },
  );

  test('removes a feed that the tree links to as a file from now on, and keeps the file', async () => {
    await dropLower();
    await store.documents.describe(
      name,
      ['day.rss', 'photo.jpg'].map((path) => ({
        url: at(path),
        isFeed: false,
        onDemand: false,
        lastBuildDate: date,
      })),
    );
    await seal('m2', 1);
    await finalize('m2');
    expect(await items()).toMatchObject({ one: { deleted: true, files: [] } });
    expect((await store.feeds.list(name, { limit: 10 })).map(({ id }) => id)).toEqual(['root']);
    expect(await urls()).toEqual(['day.rss', 'photo.jpg', 'root.rss'].map(at));
  });

  test('removes the feed that the root was while it was nested in another tree', async () => {
    await dropLower();
    await seal('m2', 1);
    await finalize('m2');
    const nested = feedIdOf(root, at('former.rss'));
    await store.feeds.put({
      collection: name,
      id: nested,
      title: 'News',
      head: [],
      url: root,
      createdAt: now(),
    });
    await begin('m3');
    await seal('m3', 0);
    await finalize('m3');
    expect((await store.feeds.list(name, { limit: 10 })).map(({ id }) => id)).toEqual(['root']);
  });

  test('schedules the next fetch at once if somebody has requested one since this one began', async () => {
    await begin('m1');
    await seal('m1', 0);
    const asked = new Date(now().getTime() + 1000);
    await store.subscriptions.refresh(
      name,
      source,
      { nextFetchAt: asked, nextFetchReason: 'it was requested' },
      false,
    );
    await store.manifests.seal(
      name,
      'm1',
      {
        cursor: {},
        batches: 0,
        items: 0,
        known: 0,
        resynced: false,
        nextFetchAt: new Date('2026-02-02T00:00:00Z'),
        nextFetchReason: 'later',
      },
      now(),
    );
    await finalize('m1');
    expect(await store.subscriptions.find(name, source)).toMatchObject({
      nextFetchAt: asked,
      nextFetchReason: 'it was requested',
    });
  });

  test(
    'announces a fetch in which something was dropped although no feed changed, and none in which ' +
      'nothing did',
    async () => {
      await dropLower();
      await seal('m2', 0, 0);
      await finalize('m2');
      await begin('m3');
      await seal('m3', 0, 0);
      await finalize('m3');
      expect(await notices()).toEqual(['m1 fetched', 'm2 fetched']);
    },
  );
});
