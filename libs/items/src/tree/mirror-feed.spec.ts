import { describe, expect, test } from '@jest/globals';
import { createMemoryStore, sampleCollection } from '#in-memory';
import { cacheDocument } from '../../../../test/support/cache-document.ts';
import { collectionKey, itemId, subscriptionId } from '#core';
import type { ItemId, Store } from '#core';
import { feedIdOf } from './feed-id.ts';
import { mirrorFeed } from './mirror-feed.ts';
import { removeFeed } from './remove-feed.ts';
import { treeContent } from '#cse';
import { raced } from '../../../../test/support/raced.ts';

const mirrorKey = collectionKey('mirror');
const root1 = itemId('root:1');

const root = 'http://site.example/root.xml';
const subUrl = 'http://site.example/sub.xml';
const collection = sampleCollection({
  key: mirrorKey,
  protocol: 'cse',
  format: 'rss',
  title: 'Mirror',
  createdAt: new Date('2026-01-01T00:00:00Z'),
  settings: { expiresAfter: 86_400 },
});

/** A collection that mirrors a tree, of which the cache is filled by hand. */
function mirror(itemBytes?: number) {
  let alive = 0;
  const store = createMemoryStore({
    clock: { now: () => new Date('2026-02-01T00:00:00Z') },
    ...(itemBytes !== undefined && { itemBytes }),
  });
  const { items } = store;
  const ports = (change: Partial<Store> = {}) => ({
    store: { ...store, ...change },
    now: () => new Date('2026-02-01T00:00:00Z'),
    heartbeat: async () => {
      alive += 1;
    },
  });
  return {
    store,
    ports,
    get alive() {
      return alive;
    },
    /** Puts the copy of a document into the cache, in step with this day of January. */
    async cache(url: string, body: string, day = 9, isFeed = url.endsWith('.xml')) {
      const lastBuildDate = `2026-01-0${day}T00:00:00Z`;
      const limits = {
        depth: 1000,
        attributes: 1000,
        itemLength: 10_000_000,
        itemLinks: 20_000,
        items: 100_000,
        headLength: 10_000_000,
      };
      const document = {
        url,
        text: body,
        isFeed,
        lastBuildDate,
        limits,
        ...(isFeed && { type: 'text/xml' }),
      };
      return (await cacheDocument(store, collectionKey('mirror'), document)).digest;
    },
    run: (url = root, change: Partial<Store> = {}) =>
      mirrorFeed(ports(change), collection, { subscription: subscriptionId('source'), url, root }),
    /** The live items of a feed, in its order: `title[file or feed …]`. */
    async shown(feed = 'root') {
      const live = (await items.children(mirrorKey, [feed])).filter(({ deleted }) => !deleted);
      const stored = await items.load(
        mirrorKey,
        live.map(({ id }) => id),
      );
      return live.map(({ id }) => {
        const { data, links } = treeContent(stored.get(id)?.content ?? missing(id));
        const title = /<title>(.*)<\/title>/.exec(data.children.map(({ xml }) => xml).join(''))?.[1];
        const named = links.map(({ target }) =>
          target === undefined ? '-' : 'feed' in target ? target.feed : target.file.slice(0, 6),
        );
        return `${title}[${named.join(' ')}]`;
      });
    },
    item: async (id: ItemId) => (await items.load(mirrorKey, [id])).get(id) ?? missing(id),
    keys: async (feed = 'root') =>
      new Map((await items.children(mirrorKey, [feed])).map(({ id, position }) => [id, position.key])),
  };
}

function missing(id: string): never {
  throw new Error(`There is no item ${id}.`);
}

const file = (url: string): string => `<csx:link>${url}</csx:link>`;
const item = (guid: string, inside = '', { title = guid, day = 2 } = {}): string =>
  `<item><guid>${guid}</guid><title>${title}</title><csx:lastBuildDate>0${day} Jan 2026 00:00:00 GMT` +
  `</csx:lastBuildDate>${inside}</item>`;
const feed = (...items: string[]): string =>
  '<rss version="2.0" xmlns:csx="http://schemas.microsoft.com/rss/2007/contentsyncextensions"><channel>' +
  `<title>The site</title><link>http://site.example/</link>${items.join('\n')}</channel></rss>`;

describe('mirroring a feed', () => {
  test('takes a feed that the fetcher has let through, whatever the limits are by default', async () => {
    const here = mirror();
    await here.cache(
      root,
      `<rss version="2.0"><channel><title>T</title><description>${'x'.repeat(1_100_000)}</description>` +
        '<item><guid>1</guid><title>1</title></item></channel></rss>',
    );
    expect(await here.run()).toMatchObject({ items: 1, changed: 1, violations: [] });
  });

  test('takes an item that is deep, wide and full of links as the fetcher has let it through', async () => {
    const here = mirror();
    const attributes = Array.from({ length: 300 }, (_, number) => ` a${number}=""`).join('');
    const links = Array.from(
      { length: 10_001 },
      (_, number) => `<csx:link onDemand="true">${number}.jpg</csx:link>`,
    ).join('');
    await here.cache(
      root,
      feed(item('1', `${'<x>'.repeat(200)}<y${attributes}/>${links}${'</x>'.repeat(200)}`)),
    );
    expect(await here.run()).toMatchObject({ changed: 1, violations: [] });
    expect(treeContent((await here.item(root1)).content).links).toHaveLength(10_001);
  });

  test.each([
    ['FeedSync', 'http://feedsync.org/2007/feedsync'],
    ['Simple Sharing Extensions', 'http://www.microsoft.com/schemas/rss/sse'],
  ])('does not republish what the head says of %s', async (_name, namespace) => {
    const here = mirror();
    await here.cache(
      root,
      `<rss version="2.0" xmlns:sx="${namespace}"><channel><title>T</title><ttl>5</ttl>` +
        '<sx:sharing since="1" until="2"/><item><guid>1</guid></item></channel></rss>',
    );
    await here.run();
    const stored = await here.store.feeds.load(mirrorKey, ['root']);
    expect(stored.get('root')?.head).toEqual(['<ttl>5</ttl>']);
  });

  test('writes its items in its order, with the files and feeds they lead to, and the feed', async () => {
    const here = mirror();
    const digest = await here.cache('http://site.example/a.jpg', 'a');
    await here.cache(subUrl, feed());
    await here.cache(
      root,
      feed(
        item('3', file('a.jpg')),
        item('1', '<csx:link nestedFeed="true">sub.xml</csx:link>'),
        item('2', '<csx:link onDemand="true">b.jpg</csx:link>'),
      ),
    );
    expect(await here.run()).toEqual({
      items: 3,
      refused: 0,
      changed: 3,
      incomplete: 0,
      lost: 0,
      violations: [],
    });
    expect(await here.shown()).toEqual([`3[${digest.slice(0, 6)}]`, `1[${feedIdOf(subUrl, root)}]`, '2[-]']);
    expect(await here.item(itemId('root:3'))).toMatchObject({
      subscription: 'source',
      branch: { guid: '3', files: [digest] },
      revision: 1,
    });
    expect((await here.item(root1)).branch).toEqual({
      guid: '1',
      nested: feedIdOf(subUrl, root),
      files: [],
    });
    expect((await here.store.feeds.load(mirrorKey, ['root'])).get('root')).toMatchObject({
      title: 'The site',
      head: ['<link>http://site.example/</link>'],
      url: root,
    });
    expect(here.alive).toBeGreaterThan(0);
  });

  test(
    'makes sure that a nested feed can be read before an item leads there, and leaves one that is ' +
      'mirrored already',
    async () => {
      const here = mirror();
      const nested = feedIdOf(subUrl, root);
      const sub = async () => (await here.store.feeds.load(mirrorKey, [nested])).get(nested);
      await here.cache(subUrl, feed());
      await here.cache(root, feed(item('1', '<csx:link nestedFeed="true">sub.xml</csx:link>')));
      let before: unknown;
      await here.run(root, {
        items: raced(here.store.items, 'compareAndSet', async () => (before = await sub())),
      });
      expect(before).toMatchObject({ title: '', head: [], url: subUrl });
      await here.run(subUrl);
      await here.cache(root, feed(item('2', '<csx:link nestedFeed="true">sub.xml</csx:link>')));
      await here.run();
      expect(await sub()).toMatchObject({ title: 'The site', url: subUrl });
    },
  );

  test('a second time writes nothing', async () => {
    const here = mirror();
    await here.cache('http://site.example/a.jpg', 'a');
    await here.cache(root, feed(item('1', file('a.jpg')), item('2')));
    await here.run();
    expect(await here.run()).toMatchObject({ items: 2, changed: 0 });
    expect((await here.item(root1)).revision).toBe(1);
  });

  test('leaves an item as it was until its files are there, and a new one out', async () => {
    const here = mirror();
    const before = (await here.cache('http://site.example/a.jpg', 'a', 2)).slice(0, 6);
    await here.cache(root, feed(item('1', file('a.jpg'))));
    await here.run();
    await here.cache(
      root,
      feed(item('2', file('b.jpg')), item('1', file('a.jpg'), { title: 'new', day: 3 })),
    );
    expect(await here.run()).toMatchObject({ items: 2, changed: 0, incomplete: 2 });
    expect(await here.shown()).toEqual([`1[${before}]`]);
    const after = (await here.cache('http://site.example/a.jpg', 'other', 3)).slice(0, 6);
    const b = (await here.cache('http://site.example/b.jpg', 'b', 2)).slice(0, 6);
    expect(await here.run()).toMatchObject({ changed: 2, incomplete: 0 });
    expect(await here.shown()).toEqual([`2[${b}]`, `new[${after}]`]);
  });

  test(
    'deletes what the feed does not have any more, which then refers to nothing, and takes back what ' +
      'returns',
    async () => {
      const here = mirror();
      await here.cache('http://site.example/a.jpg', 'a');
      await here.cache(root, feed(item('1', file('a.jpg')), item('2')));
      await here.run();
      await here.cache(root, feed(item('2')));
      expect(await here.run()).toMatchObject({ items: 1, changed: 1 });
      expect(await here.item(root1)).toMatchObject({
        deleted: true,
        subscription: 'source',
        branch: { files: [] },
        content: { links: [], data: { children: [] }, version: 2 },
      });
      expect(await here.run()).toMatchObject({ changed: 0 });
      await here.cache(root, feed(item('2'), item('1', file('a.jpg'))));
      expect(await here.run()).toMatchObject({ changed: 1 });
      expect(await here.item(root1)).toMatchObject({
        deleted: false,
        revision: 3,
        content: { version: 3 },
      });
      expect((await here.shown()).map((shown) => shown.charAt(0))).toEqual(['2', '1']);
    },
  );

  test('moves as few items as can be where the order is another', async () => {
    const here = mirror();
    await here.cache(root, feed(...['a', 'b', 'c', 'd'].map((guid) => item(guid))));
    await here.run();
    const before = await here.keys();
    await here.cache(root, feed(...['d', 'a', 'x', 'b', 'c'].map((guid) => item(guid))));
    expect(await here.run()).toMatchObject({ changed: 2 });
    expect(await here.shown()).toEqual(['d[]', 'a[]', 'x[]', 'b[]', 'c[]']);
    const after = await here.keys();
    expect(['root:a', 'root:b', 'root:c'].map((id) => after.get(itemId(id)))).toEqual(
      ['root:a', 'root:b', 'root:c'].map((id) => before.get(itemId(id))),
    );
  });

  test('counts the newest of items with the same guid, and says so', async () => {
    const here = mirror();
    await here.cache(
      root,
      feed(
        item('1', '', { title: 'old' }),
        item('2'),
        item('1', '', { title: 'new', day: 5 }),
        item('1', '', { title: 'same date', day: 5 }),
      ),
    );
    const { items, violations } = await here.run();
    expect(await here.shown()).toEqual(['2[]', 'new[]']);
    expect([items, violations.map(({ rule }) => rule)]).toEqual([2, ['cse-guid-unique', 'cse-guid-unique']]);
  });

  test('keeps the same guid in two feeds apart', async () => {
    const here = mirror();
    await here.cache(subUrl, feed(item('1', '', { title: 'below' })));
    await here.cache(root, feed(item('1', '', { title: 'above' })));
    await here.run();
    await here.run(subUrl);
    expect([await here.shown(), await here.shown(feedIdOf(subUrl, root))]).toEqual([
      ['above[]'],
      ['below[]'],
    ]);
  });

  test('takes a feed in batches', async () => {
    const here = mirror();
    const guids = Array.from({ length: 1001 }, (_, number) => `${number}`);
    await here.cache(
      root,
      feed(...guids.map((guid) => item(guid, `<description>${'x'.repeat(300)}</description>`))),
    );
    expect(await here.run()).toMatchObject({ items: 1001, changed: 1001 });
    expect(await here.shown()).toEqual(guids.map((guid) => `${guid}[]`));
    expect(here.alive).toBeGreaterThan(5);
  });

  test('decides again where somebody else writes an item at the same time', async () => {
    const here = mirror();
    await here.cache(root, feed(item('1'), item('2')));
    const racing = raced(here.store.items, 'compareAndSet', () => here.run());
    expect(await here.run(root, { items: racing })).toMatchObject({ changed: 0 });
    expect((await here.item(root1)).revision).toBe(1);
    await here.cache(root, feed());
    expect(
      await here.run(root, { items: raced(here.store.items, 'compareAndSet', () => here.run()) }),
    ).toMatchObject({
      items: 0,
      changed: 0,
    });
    expect(await here.item(root1)).toMatchObject({ deleted: true, revision: 2 });
  });
});

describe('what is missing', () => {
  test(
    'a file that the store has lost is forgotten, so that it is downloaded again; its item stays as it ' +
      'was',
    async () => {
      const here = mirror();
      const before = (await here.cache('http://site.example/a.jpg', 'a')).slice(0, 6);
      await here.cache(root, feed(item('1', file('a.jpg'))));
      await here.run();
      const after = await here.cache('http://site.example/a.jpg', 'other');
      await here.store.contents.remove(mirrorKey, after);
      expect(await here.run()).toMatchObject({ changed: 0, incomplete: 1, lost: 1 });
      expect(await here.shown()).toEqual([`1[${before}]`]);
      expect(
        (await here.store.documents.load(mirrorKey, ['http://site.example/a.jpg'])).get(
          'http://site.example/a.jpg',
        )?.copy,
      ).toBeUndefined();
      expect(await here.run()).toMatchObject({ changed: 0, incomplete: 1, lost: 1 });
      await here.cache('http://site.example/a.jpg', 'other');
      expect(await here.run()).toMatchObject({ changed: 1, lost: 0 });
    },
  );

  test('a file that could not be had is not lost: it is known to be missing', async () => {
    const here = mirror();
    const url = 'http://site.example/a.jpg';
    await here.store.documents.describe(mirrorKey, [
      {
        url,
        isFeed: false,
        onDemand: false,
        lastBuildDate: '2026-01-02T00:00:00Z',
        failure: { rule: 'http-status', reason: 'It is missing.' },
      },
    ]);
    await here.cache(root, feed(item('1', file('a.jpg'))));
    expect(await here.run()).toMatchObject({ changed: 0, incomplete: 1, lost: 0 });
  });

  test('a feed that the store has lost is forgotten, too', async () => {
    const here = mirror();
    await here.cache(root, feed(item('1')));
    const { copy } = (await here.store.documents.load(collectionKey('mirror'), [root])).get(root) ?? {};
    await here.store.contents.remove(collectionKey('mirror'), copy?.parsed ?? '');
    expect(await here.run()).toEqual({
      items: 0,
      refused: 0,
      changed: 0,
      incomplete: 0,
      lost: 1,
      violations: [],
    });
    expect(await here.run()).toEqual({
      items: 0,
      refused: 0,
      changed: 0,
      incomplete: 0,
      lost: 1,
      violations: [],
    });
  });

  test('files that items are about to refer to are safe from removal', async () => {
    const here = mirror();
    const digest = await here.cache('http://site.example/a.jpg', 'a');
    await here.store.contents.markUnreferenced(mirrorKey, [digest], new Date(0));
    await here.cache(root, feed(item('1', file('a.jpg'))));
    await here.run();
    expect(await here.store.contents.removeUnreferenced(mirrorKey, [digest], new Date())).toEqual([]);
  });
});

describe("an item that can't be stored", () => {
  test('goes to the dead letters alone, and is named in the report', async () => {
    const here = mirror(10_000);
    await here.cache(
      root,
      feed(item('1'), item('2', `<description>${'x'.repeat(10_000)}</description>`), item('3')),
    );
    const report = {
      items: 3,
      refused: 1,
      changed: 2,
      incomplete: 0,
      lost: 0,
      violations: [{ rule: 'item-stored-size', severity: 'error', line: 2 }],
    };
    expect(await here.run()).toMatchObject(report);
    expect(await here.shown()).toEqual(['1[]', '3[]']);
    expect(await here.store.deadLetters.list({ limit: 10 })).toMatchObject([
      { collection: 'mirror', subscription: 'source', kind: 'item', violations: report.violations },
    ]);
    expect(await here.run()).toMatchObject({ ...report, changed: 0 });
    expect(await here.store.deadLetters.list({ limit: 10 })).toHaveLength(1);
  });

  test('stays as it was where it was stored before', async () => {
    const here = mirror(10_000);
    await here.cache(root, feed(item('1'), item('2')));
    await here.run();
    await here.cache(
      root,
      feed(item('1', '', { title: 'new' }), item('2', `<description>${'x'.repeat(10_000)}</description>`)),
    );
    expect(await here.run()).toMatchObject({ refused: 1, changed: 1 });
    expect(await here.shown()).toEqual(['new[]', '2[]']);
  });
});

describe('removing a feed', () => {
  test('deletes its items, and those of no other, then the feed; a second time does nothing', async () => {
    const here = mirror();
    const sub = feedIdOf(subUrl, root);
    await here.cache(root, feed(item('1')));
    await here.cache(subUrl, feed(...Array.from({ length: 450 }, (_, number) => item(`${number}`))));
    await here.run();
    await here.run(subUrl);
    expect(await removeFeed(here.ports(), collection, sub)).toBe(450);
    expect([await here.shown(), await here.shown(sub)]).toEqual([['1[]'], []]);
    expect((await here.store.feeds.list(mirrorKey, { limit: 10 })).map(({ id }) => id)).toEqual(['root']);
    expect(await removeFeed(here.ports(), collection, sub)).toBe(0);
  });

  test('deletes an item that somebody else has just written', async () => {
    const here = mirror();
    await here.cache(root, feed(item('1')));
    await here.run();
    await here.cache(root, feed(item('1', '', { title: 'new' })));
    const racing = raced(here.store.items, 'compareAndSet', () => here.run());
    expect(await removeFeed(here.ports({ items: racing }), collection, 'root')).toBe(1);
    expect(await here.item(root1)).toMatchObject({ deleted: true, revision: 3 });
  });
});
