import { feedsyncDialect } from '#feedsync';
import { createHash } from 'node:crypto';
import { brotliDecompressSync } from 'node:zlib';
import { get } from 'node:http';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { SaxesParser } from 'saxes';
import { CseFeedReader, CseItemsReader } from '#cse';
import { FeedScanner } from '#xml';
import type { ParsedCseItem } from '#cse';
import { feedIdOf } from '#items';
import { collectionKey, subscriptionId } from '#core';
import type { CollectionKey } from '#core';
import { problemIn } from './gateway-under-test.ts';
import { useGateway } from './use-gateway.ts';
import { mirrorTree, sourceFeed, sourceItem } from './tree-source.ts';
import type { SourceDocument } from './tree-source.ts';

const sourceId = subscriptionId('source');
const requestedKey = collectionKey('requested');
const watchedKey = collectionKey('watched');

const gateway = useGateway({ GATEWAY_PAGE_ITEMS: '50' });

const root = 'http://source.example/tree/root.xml';
const at = (path: string): string => `http://source.example/tree/${path}`;
const nested = feedIdOf(at('news/today.xml'), root);
const [picture, story] = ['not really a picture', '<p>Once upon a time</p>'];
const digestOf = (text: string): string => createHash('sha256').update(text).digest('hex');

/** A root with a nested feed, an item with links of every kind, and one whose file could not be fetched. */
const documents: readonly SourceDocument[] = [
  {
    url: root,
    isFeed: true,
    type: 'application/rss+xml',
    body: sourceFeed(
      'All &amp; &lt;sundry&gt;',
      sourceItem(
        'news',
        '<csx:link nestedFeed="true">news/today.xml</csx:link><csx:link>ignored.txt</csx:link>',
        ' csx:hiddenItem="true"',
      ),
      sourceItem(
        'photos',
        '<m:Photos xmlns:m="urn:m"><m:Photo><csx:link>a%20b.jpg?x=1&amp;y=2</csx:link></m:Photo>' +
          '</m:Photos><csx:link onDemand="true">film.mp4</csx:link>',
      ),
      sourceItem('broken', '<csx:link>missing.pdf</csx:link>'),
    ),
  },
  {
    url: at('news/today.xml'),
    isFeed: true,
    body: sourceFeed('Today', sourceItem('story', '<csx:link>story.html</csx:link>')),
  },
  { url: at('news/story.html'), type: 'text/html; charset=iso-8859-1', body: story },
  { url: at('a%20b.jpg?x=1&y=2'), type: 'image/jpeg', body: picture },
  { url: at('film.mp4'), onDemand: true },
  { url: at('missing.pdf'), failure: { rule: 'http-status', reason: 'The server answered 404.' } },
];

/** Makes a mirror of a tree, published a minute ago. */
async function mirror(key: CollectionKey, settings: object = {}): Promise<void> {
  const put = (): Promise<Response> =>
    gateway.send('PUT', `/v1/collections/${key}`, { protocol: 'cse', settings });
  expect((await put()).status).toBe(201);
  const { collections } = gateway.store;
  const found = await collections.find(key);
  if (found === undefined) throw new Error(`there is no collection ${key}`);
  // Nothing is published before its collection is there.
  await collections.remove(key);
  await collections.create({ ...found, createdAt: new Date(Date.now() - 120_000) });
  expect((await put()).status).toBe(200);
  expect(
    (await gateway.send('PUT', `/v1/collections/${key}/subscriptions/source`, { url: root })).status,
  ).toBe(201);
  await mirrorTree(gateway, key, root, documents, new Date(Date.now() - 60_000));
}

interface ReadFeed {
  readonly xml: string;
  readonly title: string | undefined;
  readonly lastBuildDate: string;
  readonly readings: readonly ParsedCseItem[];
}

/** Reads a feed as a strict XML parser and as another mirror do. */
async function fetchFeed(path: string): Promise<ReadFeed> {
  const response = await gateway.send('GET', path);
  expect([response.status, response.headers.get('content-type')]).toEqual([
    200,
    'application/rss+xml; charset=utf-8',
  ]);
  const xml = await response.text();
  new SaxesParser({ xmlns: true }).write(xml).close();
  const reader = new CseFeedReader({ base: `${gateway.url}${path}` });
  const readings = reader.write(Buffer.from(xml));
  const { feed, head } = reader.end();
  expect(readings.flatMap(({ violations }) => violations)).toEqual([]);
  return { xml, title: head.title, readings, lastBuildDate: feed.lastBuildDate };
}

const json = async (path: string): Promise<unknown> => {
  const response = await gateway.send('GET', path);
  expect(response.status).toBe(200);
  return response.json();
};

describe('the feeds of a mirrored tree', () => {
  beforeAll(() => mirror(collectionKey('readers')));

  test('hold the items that we have, with links to our copies, or to the source without one', async () => {
    const { title, readings, xml } = await fetchFeed('/feeds/readers.rss');
    expect(title).toBe('All & <sundry>');
    expect(xml).toContain('<description>About All');
    expect(readings.map(({ item, links }) => [item.id, item.hidden, links.map(({ url }) => url)])).toEqual([
      ['news', true, [`${gateway.url}/feeds/readers/${nested}.rss`, at('ignored.txt')]],
      ['photos', false, [`${gateway.url}/files/readers/${digestOf(picture)}/a%20b.jpg`, at('film.mp4')]],
    ]);
    const below = await fetchFeed(`/feeds/readers/${nested}.rss`);
    expect(below.title).toBe('Today');
    expect(below.readings.map(({ item, links }) => [item.id, links.map(({ url }) => url)])).toEqual([
      ['story', [`${gateway.url}/files/readers/${digestOf(story)}/story.html`]],
    ]);
  });

  test('say one date from the item to the root', async () => {
    const [above, below] = [
      await fetchFeed('/feeds/readers.rss'),
      await fetchFeed(`/feeds/readers/${nested}.rss`),
    ];
    expect(
      new Set([
        above.lastBuildDate,
        below.lastBuildDate,
        ...[...above.readings, ...below.readings].map(({ item }) => item.lastBuildDate),
      ]).size,
    ).toBe(1);
  });

  test('say a later date along the path of a change, and nowhere else', async () => {
    await mirror(collectionKey('dated'));
    const before = await fetchFeed('/feeds/dated.rss');
    const changed = sourceFeed(
      'Today',
      sourceItem('story', '<description>More</description><csx:link>story.html</csx:link>'),
    );
    await mirrorTree(gateway, collectionKey('dated'), root, [
      { url: at('news/today.xml'), isFeed: true, body: changed },
    ]);
    const [above, below] = [
      await fetchFeed('/feeds/dated.rss'),
      await fetchFeed(`/feeds/dated/${nested}.rss`),
    ];
    const dates = new Map(above.readings.map(({ item }) => [item.id, item.lastBuildDate]));
    expect(above.lastBuildDate > before.lastBuildDate).toBe(true);
    expect([dates.get('news'), below.lastBuildDate]).toEqual([above.lastBuildDate, above.lastBuildDate]);
    expect(dates.get('photos')).toBe(before.lastBuildDate);
  });

  test('say no date later than their own while the publisher is on its way up to them', async () => {
    await mirror(collectionKey('held'));
    const before = await fetchFeed('/feeds/held.rss');
    const { feeds } = gateway.store;
    const raise = feeds.raise.bind(feeds);
    // It stops after the nested feed has its date, before the root has.
    feeds.raise = async (collection, ids, date) => {
      await raise(collection, ids, date);
      throw new Error('the publisher went away');
    };
    try {
      const [above, below] = [
        sourceFeed(
          'All',
          sourceItem(
            'news',
            '<description>More</description><csx:link nestedFeed="true">news/today.xml</csx:link>',
          ),
        ),
        sourceFeed('Today', sourceItem('second', '')),
      ];
      await expect(
        mirrorTree(gateway, collectionKey('held'), root, [
          { url: root, isFeed: true, body: above },
          { url: at('news/today.xml'), isFeed: true, body: below },
        ]),
      ).rejects.toThrow('went away');
    } finally {
      feeds.raise = raise;
    }
    const [above, below] = [await fetchFeed('/feeds/held.rss'), await fetchFeed(`/feeds/held/${nested}.rss`)];
    expect(below.lastBuildDate > before.lastBuildDate).toBe(true);
    expect([above.lastBuildDate, ...above.readings.map(({ item }) => item.lastBuildDate)]).toEqual([
      before.lastBuildDate,
      before.lastBuildDate,
    ]);
  });

  test('keep the addresses of the source if configured, except for what never had one', async () => {
    await mirror(collectionKey('originals'), { links: 'original' });
    const { readings } = await fetchFeed('/feeds/originals.rss');
    expect(readings.map(({ links }) => links.map(({ url }) => url))).toEqual([
      [at('news/today.xml'), at('ignored.txt')],
      [at('a%20b.jpg?x=1&y=2'), at('film.mp4')],
    ]);
    const etag = (await gateway.send('HEAD', '/feeds/originals.rss')).headers.get('etag');
    await gateway.send('PUT', '/v1/collections/originals', { settings: { links: null } });
    expect((await gateway.send('HEAD', '/feeds/originals.rss')).headers.get('etag')).not.toBe(etag);
  });

  test('are not sent again while nothing changed', async () => {
    const first = await gateway.send('GET', '/feeds/readers.rss');
    const [etag, lastModified] = ['etag', 'last-modified'].map((name) => first.headers.get(name) ?? '');
    expect(etag).toMatch(/^W\/"/);
    expect(
      (await gateway.send('GET', '/feeds/readers.rss', undefined, { 'if-none-match': etag ?? '' })).status,
    ).toBe(304);
    expect(
      (
        await gateway.send('GET', '/feeds/readers.rss', undefined, {
          'if-modified-since': lastModified ?? '',
        })
      ).status,
    ).toBe(304);
    expect(
      (await gateway.send('GET', '/feeds/readers.rss', undefined, { 'if-none-match': 'W/"other"' })).status,
    ).toBe(200);
  });

  test('have another tag, and show a new item, once a change is published', async () => {
    await mirror(collectionKey('tagged'));
    const look = async (): Promise<[tag: string | null, guids: string[]]> => [
      (await gateway.send('HEAD', `/feeds/tagged/${nested}.rss`)).headers.get('etag'),
      (await fetchFeed(`/feeds/tagged/${nested}.rss`)).readings.map(({ item }) => item.id),
    ];
    const [first] = await look();
    const changed = sourceFeed(
      'Today',
      sourceItem('second', ''),
      sourceItem('story', '<description>More</description><csx:link>story.html</csx:link>'),
    );
    await mirrorTree({ ...gateway, publish: async () => {} }, collectionKey('tagged'), root, [
      { url: at('news/today.xml'), isFeed: true, body: changed },
    ]);
    const [second, guids] = await look();
    expect([second === first, guids]).toEqual([true, ['story']]);
    await gateway.publish('tagged');
    const [third, published] = await look();
    expect([third === second, published]).toEqual([false, ['second', 'story']]);
  });

  test('come compressed', async () => {
    const chunks: Buffer[] = await new Promise((resolve, reject) => {
      get(`${gateway.url}/feeds/readers.rss`, { headers: { 'accept-encoding': 'br' } }, (response) => {
        expect(response.headers).toMatchObject({ 'content-encoding': 'br', vary: 'Accept-Encoding' });
        const received: Buffer[] = [];
        response.on('data', (chunk: Buffer) => received.push(chunk)).on('end', () => resolve(received));
      }).on('error', reject);
    });
    expect(brotliDecompressSync(Buffer.concat(chunks)).toString()).toBe(
      (await fetchFeed('/feeds/readers.rss')).xml,
    );
  });

  test('are had in no other format and form', async () => {
    for (const path of ['readers.atom', 'readers/complete.rss', 'readers/complete.atom']) {
      expect(await problemIn(await gateway.send('GET', `/feeds/${path}`))).toMatchObject({
        status: 404,
        rule: 'feed-not-found',
        feeds: { rss: `${gateway.url}/feeds/readers.rss` },
      });
    }
    expect(await problemIn(await gateway.send('GET', `/feeds/readers/${nested}.atom`))).toMatchObject({
      status: 404,
      feeds: { rss: `${gateway.url}/feeds/readers/${nested}.rss` },
    });
    expect(await problemIn(await gateway.send('GET', '/feeds/readers/nowhere.rss'))).toMatchObject({
      status: 404,
      rule: 'feed-not-found',
    });
    expect(
      await problemIn(await gateway.send('GET', '/feeds/readers.rss?since=0000000000000001')),
    ).toMatchObject({ status: 400, errors: [{ path: 'query.since' }] });
  });

  test('are of trees alone', async () => {
    await gateway.send('PUT', '/v1/collections/shared');
    expect(await problemIn(await gateway.send('GET', '/feeds/shared/some.rss'))).toMatchObject({
      status: 404,
      rule: 'feed-not-found',
      detail: expect.stringContaining('no tree of feeds'),
    });
    for (const path of ['tree', 'feeds', 'documents'])
      expect(await problemIn(await gateway.send('GET', `/v1/collections/shared/${path}`))).toMatchObject({
        status: 409,
        rule: 'not-a-tree',
      });
  });

  test('come in as many pages as they need', async () => {
    await gateway.send('PUT', '/v1/collections/long', { protocol: 'cse' });
    await gateway.send('PUT', '/v1/collections/long/subscriptions/source', { url: root });
    const guids = Array.from({ length: 450 }, (_, number) => `item ${number}`);
    await mirrorTree(gateway, collectionKey('long'), root, [
      { url: root, isFeed: true, body: sourceFeed('Long', ...guids.map((guid) => sourceItem(guid, ''))) },
    ]);
    expect((await fetchFeed('/feeds/long.rss')).readings.map(({ item }) => item.id)).toEqual(guids);
  });
});

describe('the state of a mirrored tree', () => {
  beforeAll(() => mirror(watchedKey));

  test('shows a feed, its items in order and their links', async () => {
    const self = `${gateway.url}/v1/collections/watched/items`;
    expect(await json('/v1/collections/watched/tree')).toEqual({
      feed: {
        id: 'root',
        title: 'All & <sundry>',
        description: 'About All & <sundry>',
        link: 'http://source.example/',
        url: `${gateway.url}/feeds/watched.rss`,
        source: root,
        state: 'cached',
        lastBuildDate: expect.any(String),
        createdAt: expect.any(String),
      },
      items: [
        {
          id: 'root:news',
          guid: 'news',
          title: 'news',
          hidden: true,
          lastBuildDate: expect.any(String),
          links: [
            {
              url: `${gateway.url}/feeds/watched/${nested}.rss`,
              source: at('news/today.xml'),
              nestedFeed: true,
              onDemand: false,
              feed: nested,
              state: 'cached',
            },
            { url: at('ignored.txt'), source: at('ignored.txt'), nestedFeed: false, onDemand: false },
          ],
        },
        {
          id: 'root:photos',
          guid: 'photos',
          title: 'photos',
          hidden: false,
          lastBuildDate: expect.any(String),
          links: [
            {
              url: `${gateway.url}/files/watched/${digestOf(picture)}/a%20b.jpg`,
              source: at('a%20b.jpg?x=1&y=2'),
              nestedFeed: false,
              onDemand: false,
              inside: 'Photos',
              state: 'cached',
              file: {
                digest: digestOf(picture),
                name: 'a b.jpg',
                length: picture.length,
                type: 'image/jpeg',
              },
            },
            {
              url: at('film.mp4'),
              source: at('film.mp4'),
              nestedFeed: false,
              onDemand: true,
              state: 'on-demand',
              fetch: `${self}/root%3Aphotos/links/1/fetch`,
            },
          ],
        },
      ],
    });
    expect(await json(`/v1/collections/watched/tree?feed=${nested}`)).toMatchObject({
      feed: { id: nested, source: at('news/today.xml') },
      items: [{ id: `${nested}:story` }],
    });
    expect(
      await problemIn(await gateway.send('GET', '/v1/collections/watched/tree?feed=nowhere')),
    ).toMatchObject({ status: 404, rule: 'feed-not-found' });
  });

  test('shows an item again though it has not changed, because what it links to may have', async () => {
    const etag =
      (await gateway.send('HEAD', '/v1/collections/watched/items/root:photos')).headers.get('etag') ?? '';
    expect(
      (
        await gateway.send('GET', '/v1/collections/watched/items/root:photos', undefined, {
          'if-none-match': etag,
        })
      ).status,
    ).toBe(200);
  });

  test('leaves out hidden items if a viewer requests so', async () => {
    const guids = async (query: string): Promise<string[]> =>
      ((await json(`/v1/collections/watched/tree${query}`)) as { items: { guid: string }[] }).items.map(
        ({ guid }) => guid,
      );
    expect([await guids(''), await guids('?hidden=true'), await guids('?hidden=false')]).toEqual([
      ['news', 'photos'],
      ['news', 'photos'],
      ['photos'],
    ]);
    expect(
      await problemIn(await gateway.send('GET', '/v1/collections/watched/tree?hidden=no')),
    ).toMatchObject({ status: 400, errors: [{ path: 'query.hidden' }] });
  });

  test('comes without hidden items in pages that are as long as ever', async () => {
    await gateway.send('PUT', '/v1/collections/veiled', { protocol: 'cse' });
    await gateway.send('PUT', '/v1/collections/veiled/subscriptions/source', { url: root });
    const veiled = (...guids: string[]): string[] =>
      guids.map((guid) => sourceItem(guid, '', ' csx:hiddenItem="true"'));
    const items = [
      ...veiled('1', '2', '3', '4', '5'),
      sourceItem('a', ''),
      ...veiled('6'),
      sourceItem('b', ''),
    ];
    await mirrorTree(gateway, collectionKey('veiled'), root, [
      { url: root, isFeed: true, body: sourceFeed('Veiled', ...items) },
    ]);
    const first = (await json('/v1/collections/veiled/tree?hidden=false&limit=1')) as {
      items: { guid: string }[];
      next: string;
    };
    expect(first.items.map(({ guid }) => guid)).toEqual(['a']);
    const second = (await json(
      `/v1/collections/veiled/tree?hidden=false&limit=1&cursor=${first.next}`,
    )) as typeof first;
    expect([second.items.map(({ guid }) => guid), second.next]).toEqual([['b'], undefined]);
  });

  test('comes in pages', async () => {
    const first = (await json('/v1/collections/watched/tree?limit=1')) as {
      items: { id: string }[];
      next: string;
    };
    expect(first.items.map(({ id }) => id)).toEqual(['root:news']);
    const second = (await json(`/v1/collections/watched/tree?limit=1&cursor=${first.next}`)) as typeof first;
    expect([second.items.map(({ id }) => id), second.next]).toEqual([['root:photos'], undefined]);
  });

  test('shows an item as JSON, and as XML as in its feed', async () => {
    expect(await json('/v1/collections/watched/items/root:photos')).toMatchObject({
      id: 'root:photos',
      feed: 'root',
      guid: 'photos',
      hidden: false,
      title: 'photos',
      deleted: false,
      version: 1,
      revision: 1,
      lastBuildDate: expect.any(String),
      links: [{ state: 'cached' }, { state: 'on-demand' }],
    });
    const xml = await (
      await gateway.send('GET', '/v1/collections/watched/items/root:photos', undefined, {
        accept: 'application/rss+xml',
      })
    ).text();
    const [fragment] = new FeedScanner(feedsyncDialect).write(
      `<rss version="2.0"><channel>${xml.replace(/^<\?.*\?>/, '')}</channel></rss>`,
    );
    if (fragment === undefined) throw new Error('no item');
    expect(new CseItemsReader(root).read(fragment).links.map(({ url }) => url)).toEqual([
      `${gateway.url}/files/watched/${digestOf(picture)}/a%20b.jpg`,
      at('film.mp4'),
    ]);
  });

  test('lists every document, by address', async () => {
    const { items } = (await json('/v1/collections/watched/documents')) as {
      items: { url: string; state: string }[];
    };
    expect(items.map(({ url, state }) => [url, state])).toEqual([
      [at('a%20b.jpg?x=1&y=2'), 'cached'],
      [at('film.mp4'), 'on-demand'],
      [at('missing.pdf'), 'failed'],
      [at('news/story.html'), 'cached'],
      [at('news/today.xml'), 'cached'],
      [root, 'cached'],
    ]);
    expect(items[3]).toMatchObject({
      nestedFeed: false,
      copy: {
        length: story.length,
        type: 'text/html; charset=iso-8859-1',
        digest: digestOf(story),
        url: `${gateway.url}/files/watched/${digestOf(story)}`,
      },
    });
    expect(await json('/v1/collections/watched/documents?state=failed')).toEqual({
      items: [
        expect.objectContaining({
          url: at('missing.pdf'),
          reason: { rule: 'http-status', reason: 'The server answered 404.' },
        }),
      ],
    });
    const page = (await json('/v1/collections/watched/documents?state=cached&limit=3')) as {
      items: { url: string }[];
      next: string;
    };
    expect(await json(`/v1/collections/watched/documents?state=cached&limit=3&cursor=${page.next}`)).toEqual({
      items: [expect.objectContaining({ url: root })],
    });
  });

  test('has a subscription that says how far its walk is', async () => {
    const progress = { done: 3, total: 7, bytes: 1000, failed: 1 };
    await gateway.store.subscriptions.lease(watchedKey, sourceId, 'one', 60_000);
    await gateway.store.subscriptions.renew(watchedKey, sourceId, 'one', 60_000, progress);
    expect(await json('/v1/collections/watched/subscriptions/source')).toMatchObject({
      url: root,
      isFetching: true,
      progress,
    });
  });
});

describe('what is on demand', () => {
  beforeAll(() => mirror(requestedKey));
  const ask = (item: string, link: number): Promise<Response> =>
    gateway.send('POST', `/v1/collections/requested/items/${item}/links/${link}/fetch`);

  test('is requested, and the tree is walked again', async () => {
    await gateway.store.subscriptions.refresh(
      requestedKey,
      sourceId,
      { nextFetchAt: new Date(Date.now() + 3_600_000), nextFetchReason: 'later' },
      false,
    );
    const response = await ask('root:photos', 1);
    expect([response.status, await response.json()]).toEqual([
      202,
      {
        state: 'waiting',
        document: expect.objectContaining({ url: at('film.mp4'), isRequested: true, state: 'waiting' }),
      },
    ]);
    expect(
      (await gateway.store.subscriptions.find(requestedKey, sourceId))?.nextFetchAt.getTime(),
    ).toBeLessThanOrEqual(Date.now());
  });

  test.each([
    ['root:photos', 0, 409, 'not-on-demand'],
    ['root:news', 1, 409, 'not-on-demand'],
    ['root:photos', 2, 404, 'link-not-found'],
    ['root:nothing', 0, 404, 'item-not-found'],
  ])('is not what the item %s has as its link %s', async (item, link, status, rule) => {
    expect(await problemIn(await ask(item, link))).toMatchObject({ status, rule });
  });

  test('is not what is no number', async () => {
    expect(
      await problemIn(
        await gateway.send('POST', '/v1/collections/requested/items/root:photos/links/first/fetch'),
      ),
    ).toMatchObject({ status: 400, errors: [{ path: 'path.link' }] });
  });
});

describe('a mirror', () => {
  test('has one source', async () => {
    await mirror(collectionKey('single'));
    expect(
      await problemIn(
        await gateway.send('POST', '/v1/collections/single/subscriptions', { url: 'http://other.example/' }),
      ),
    ).toMatchObject({ status: 409, rule: 'mirror', detail: expect.stringContaining(root) });
    expect(
      (await gateway.send('PUT', '/v1/collections/single/subscriptions/source', { url: at('other.xml') }))
        .status,
    ).toBe(200);
  });

  test('has at most one source even if two are named at the same moment', async () => {
    await gateway.send('PUT', '/v1/collections/rivals', { protocol: 'cse' });
    const { subscriptions } = gateway.store;
    const put = subscriptions.put.bind(subscriptions);
    let come = 0;
    let meet = (): void => {};
    const met = new Promise<void>((resolve) => {
      meet = resolve;
    });
    subscriptions.put = async (subscription) => {
      come += 1;
      if (come === 2) meet();
      await met;
      return put(subscription);
    };
    try {
      const answers = await Promise.all(
        ['one', 'two'].map((id) =>
          gateway.send('PUT', `/v1/collections/rivals/subscriptions/${id}`, { url: root }),
        ),
      );
      const kept = await subscriptions.list(collectionKey('rivals'), { limit: 10 });
      expect(kept.length).toBeLessThan(2);
      expect(answers.map(({ status }) => status).sort((a, b) => a - b)).toEqual(
        kept.length === 1 ? [201, 409] : [409, 409],
      );
    } finally {
      subscriptions.put = put;
    }
  });

  test('is not written to', async () => {
    await mirror(collectionKey('closed'));
    const file = await gateway.send('POST', '/v1/collections/closed/files', 'text', {
      'content-type': 'text/plain',
    });
    const writes = [
      file,
      await gateway.send('PUT', '/v1/collections/closed/feeds/mine'),
      await gateway.send('DELETE', `/v1/collections/closed/feeds/${nested}`),
      await gateway.send('POST', '/v1/collections/closed/items', { title: 'Mine' }),
      await gateway.send('DELETE', '/v1/collections/closed/items/root:photos'),
    ];
    for (const response of writes)
      expect(await problemIn(response)).toMatchObject({
        status: 409,
        rule: 'mirror',
        detail: expect.stringContaining(root),
      });
  });

  test('becomes a tree of our own without its subscription, with all that it has', async () => {
    await mirror(collectionKey('freed'));
    expect((await gateway.send('DELETE', '/v1/collections/freed/subscriptions/source')).status).toBe(204);
    expect(await json('/v1/collections/freed/documents')).toEqual({ items: [] });
    expect(await json('/v1/collections/freed/tree')).toMatchObject({
      feed: { state: 'cached' },
      items: [
        { id: 'root:news' },
        { id: 'root:photos', links: [{ state: 'cached' }, { url: at('film.mp4') }] },
      ],
    });
    expect((await fetchFeed('/feeds/freed.rss')).readings).toHaveLength(2);
    expect((await gateway.send('PUT', '/v1/collections/freed/feeds/mine')).status).toBe(201);
    expect(
      await problemIn(await gateway.send('POST', '/v1/collections/freed/items/root:photos/links/1/fetch')),
    ).toMatchObject({ status: 409, rule: 'not-a-mirror' });
    expect(
      await problemIn(await gateway.send('PUT', '/v1/collections/freed/subscriptions/source', { url: root })),
    ).toMatchObject({ status: 409, rule: 'own-items' });
    expect(
      await problemIn(await gateway.send('DELETE', '/v1/collections/freed/subscriptions/source')),
    ).toMatchObject({ status: 404 });
  });

  test('has no letters that can be retried by themselves', async () => {
    await mirror(collectionKey('letters'));
    await gateway.store.deadLetters.add([
      {
        id: 'letters.1',
        collection: collectionKey('letters'),
        kind: 'item',
        fragment: { xml: '<item/>', line: 1, column: 1 },
        violations: [],
        at: new Date(),
      },
    ]);
    expect(await problemIn(await gateway.send('POST', '/v1/dead-letters/letters.1/retry'))).toMatchObject({
      status: 409,
      rule: 'mirror',
    });
  });
});
