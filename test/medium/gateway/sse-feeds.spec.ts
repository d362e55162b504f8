import { sseDialect } from '#sse';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { SaxesParser } from 'saxes';
import { FeedScanner } from '#xml';
import { readSseItem } from '#sse';
import type { FeedHead, Fragment } from '#xml';
import { formatCursor } from '#contracts';
import { collectionKey, itemId } from '#core';
import { problemIn } from './gateway-under-test.ts';
import { useGateway } from './use-gateway.ts';

const gateway = useGateway();

const minute = 60_000;

async function send(method: string, path: string, body?: unknown): Promise<void> {
  const response = await gateway.send(method, path, body);
  if (!response.ok) throw new Error(`${method} ${path}: ${await response.text()}`);
}

/**
 * Makes a collection with the items given, each published by itself, a minute after the one before it;
 * answers when the first was.
 */
async function published(
  name: string,
  collection: object,
  items: readonly object[],
  first = Date.now() - 2 * 60 * minute,
): Promise<Date> {
  const start = new Date(Math.floor(first / 1000) * 1000);
  await send('PUT', `/v1/collections/${name}`, collection);
  await gateway.makeOlder(name, new Date(start.getTime() - minute));
  for (const [index, item] of items.entries()) {
    await gateway.holdBack(name);
    await send('POST', `/v1/collections/${name}/items`, item);
    await gateway.publish(name, { at: new Date(start.getTime() + index * minute) });
  }
  return start;
}

interface ReadFeed {
  readonly xml: string;
  readonly head: FeedHead;
  readonly fragments: readonly Fragment[];
}

/** Reads a feed as a strict XML parser and as a subscriber do. */
async function fetchFeed(path: string): Promise<ReadFeed> {
  const response = await gateway.send('GET', `/feeds/${path}`);
  expect(response.status).toBe(200);
  const xml = await response.text();
  new SaxesParser({ xmlns: true }).write(xml).close();
  const scanner = new FeedScanner(sseDialect);
  const fragments = scanner.write(xml);
  for (const fragment of fragments) {
    const reading = readSseItem(fragment);
    expect([fragment.id, reading.kind, reading.violations]).toEqual([fragment.id, 'item', []]);
  }
  const head = scanner.end();
  expect(head.violations).toEqual([]);
  return { xml, head, fragments };
}

const idsOf = ({ fragments }: ReadFeed): (string | undefined)[] => fragments.map(({ id }) => id);

const dateTime = (time: Date, seconds = 0): string =>
  `${new Date(time.getTime() + seconds * 1000).toISOString().slice(0, 19)}Z`;

const settings = { windowItems: 2, expiresAfter: 3600 };
const notes = ['n1', 'n2', 'n3', 'n4'].map((id) => ({
  id,
  title: `Note ${id} & <more>`,
  content: 'é ]]>',
  payload: '<m:x xmlns:m="urn:m"><![CDATA[a & b]]></m:x>',
}));

/**
 * Items a, b (with b1 and b2, which has b21) and c; the order of their publication is another than that of
 * the outline.
 */
const outlines = [
  ['c', {}],
  ['b', { position: 0 }],
  ['a', { position: 0 }],
  ['b2', { parent: 'b' }],
  ['b1', { parent: 'b', position: 0 }],
  ['b21', { parent: 'b2' }],
].map(([id, place]) => ({ id, attributes: { text: `Node ${id as string}` }, ...(place as object) }));

describe('the feeds of an SSE collection in RSS', () => {
  let start: Date;
  beforeAll(async () => {
    start = await published('rss', { protocol: 'sse', title: 'Notes & <more>', settings }, notes);
    // The first two leave the window.
    await gateway.store.collections.raiseSince(collectionKey('rss'), 2);
  });

  test('hold the window of the latest changes, and say by dates which', async () => {
    const feed = await fetchFeed('rss.rss');
    expect(idsOf(feed)).toEqual(['n3', 'n4']);
    expect(feed.head).toMatchObject({ title: 'Notes & <more>', format: 'rss' });
    const until = dateTime(start, 180);
    expect(feed.head.sharing).toEqual({
      version: '0.91',
      since: dateTime(start, 120),
      until,
      related: [{ link: `${gateway.url}/feeds/rss/complete.rss`, type: 'complete', until }],
    });
  });

  test('are complete at the complete address, without a since', async () => {
    const feed = await fetchFeed('rss/complete.rss');
    expect(idsOf(feed)).toEqual(['n1', 'n2', 'n3', 'n4']);
    expect(feed.head.sharing).toEqual({ version: '0.91', until: dateTime(start, 180), related: [] });
  });

  test('hold exactly what is newer than a cursor', async () => {
    const feed = await fetchFeed(`rss/complete.rss?since=${formatCursor(1)}`);
    expect(idsOf(feed)).toEqual(['n2', 'n3', 'n4']);
    expect(feed.head.sharing).toMatchObject({ since: dateTime(start, 61), until: dateTime(start, 180) });
    const empty = await fetchFeed(`rss.rss?since=${formatCursor(4)}`);
    expect(empty).toMatchObject({
      fragments: [],
      head: { sharing: { since: dateTime(start, 181), until: dateTime(start, 181) } },
    });
  });

  test('bring every item with the data that is stored', async () => {
    const { fragments } = await fetchFeed('rss/complete.rss');
    const stored = await gateway.store.items.load(
      collectionKey('rss'),
      notes.map(({ id }) => id).map(itemId),
    );
    for (const fragment of fragments) {
      const reading = readSseItem(fragment);
      if (reading.kind !== 'item') throw new Error('no item');
      expect(stored.get(reading.item.sync.id)).toMatchObject({ content: { sync: reading.item.sync } });
      expect(fragment.xml).toContain('<![CDATA[a & b]]>');
    }
  });

  test('are had in no other format, as those of FeedSync are in no OPML', async () => {
    await send('PUT', '/v1/collections/feedsync');
    for (const [path, feeds] of [
      ['rss.atom', { rss: `${gateway.url}/feeds/rss.rss` }],
      ['rss/complete.opml', { rss: `${gateway.url}/feeds/rss/complete.rss` }],
      [
        'feedsync.opml',
        { atom: `${gateway.url}/feeds/feedsync.atom`, rss: `${gateway.url}/feeds/feedsync.rss` },
      ],
    ] as const) {
      expect(await problemIn(await gateway.send('GET', `/feeds/${path}`))).toMatchObject({
        status: 404,
        rule: 'feed-not-found',
        feeds,
        detail: expect.stringContaining(Object.values(feeds).join(', ')),
      });
    }
  });

  test('declare the form of the namespace that the collection is set to', async () => {
    await published('forms', { protocol: 'sse' }, notes.slice(0, 1));
    expect((await fetchFeed('forms.rss')).xml).toContain('"https://www.microsoft.com/schemas/rss/sse"');
    const before = (await gateway.send('HEAD', '/feeds/forms.rss')).headers.get('etag');
    await send('PUT', '/v1/collections/forms', { settings: { namespace: 'http' } });
    const { xml, fragments } = await fetchFeed('forms.rss');
    expect(xml).toContain('"http://www.microsoft.com/schemas/rss/sse"');
    expect(xml).not.toContain('https://www.microsoft.com');
    expect(fragments.map(({ id }) => id)).toEqual(['n1']);
    expect((await gateway.send('HEAD', '/feeds/forms.rss')).headers.get('etag')).not.toBe(before);
  });

  test.each([
    [86_399, undefined],
    [86_400, 1],
    [300_000, 3],
  ])('say of %s seconds as window in days %s', async (expiresAfter, window) => {
    await published(
      `window-${expiresAfter}`,
      { protocol: 'sse', settings: { expiresAfter } },
      notes.slice(0, 1),
    );
    expect((await fetchFeed(`window-${expiresAfter}.rss`)).head.sharing?.window).toBe(window);
  });

  test('name the subscribed feeds if the collection is configured so', async () => {
    await published('listing', { protocol: 'sse', settings: { listSubscriptions: true } }, notes.slice(0, 1));
    await send('PUT', '/v1/collections/listing/subscriptions/peer', { url: 'http://peer.example/feed.rss' });
    expect((await fetchFeed('listing/complete.rss')).head.sharing?.related).toEqual([
      { link: 'http://peer.example/feed.rss', type: 'aggregated' },
    ]);
  });

  test('are complete and empty before anything is published', async () => {
    await send('PUT', '/v1/collections/fresh', { protocol: 'sse' });
    const { fragments, head } = await fetchFeed('fresh.rss');
    const createdAt = (await gateway.store.collections.find(collectionKey('fresh')))?.createdAt;
    expect(fragments).toEqual([]);
    expect(head.sharing).toMatchObject({ until: dateTime(createdAt ?? new Date(0)) });
    expect(head.sharing?.since).toBeUndefined();
  });

  test('are not sent again while nothing was published', async () => {
    await published('calm', { protocol: 'sse' }, notes.slice(0, 1));
    const etag = (await gateway.send('HEAD', '/feeds/calm.rss')).headers.get('etag') ?? '';
    expect((await gateway.send('GET', '/feeds/calm.rss', undefined, { 'if-none-match': etag })).status).toBe(
      304,
    );
    await send('PUT', '/v1/collections/calm/items/n1', { title: 'Other' });
    await gateway.publish('calm');
    expect((await gateway.send('GET', '/feeds/calm.rss', undefined, { 'if-none-match': etag })).status).toBe(
      200,
    );
  });

  test('say a later until after every publication, also within one second', async () => {
    await published('quick', { protocol: 'sse' }, []);
    const at = new Date();
    const untils: string[] = [];
    for (const { id, title } of notes) {
      await send('POST', '/v1/collections/quick/items', { id, title });
      await gateway.publish('quick', { at });
      untils.push((await fetchFeed('quick.rss')).head.sharing?.until ?? '');
    }
    expect(untils).toEqual(untils.map((_, seconds) => dateTime(new Date(untils[0] ?? ''), seconds)));
  });
});

describe('the feed of an ordered SSE collection in RSS', () => {
  test('shows the items in their order, whatever was published last', async () => {
    await published('ranking', { protocol: 'sse', settings: { ...settings, ordered: true } }, notes);
    await send('PUT', '/v1/collections/ranking/items/n4', { position: 1 });
    await gateway.publish('ranking');
    const feed = await fetchFeed('ranking/complete.rss');
    expect(idsOf(feed)).toEqual(['n1', 'n4', 'n2', 'n3']);
    expect(feed.fragments.map(({ place }) => place?.after)).toEqual(['', 'n1', 'n4', 'n2']);
    await gateway.store.collections.raiseSince(collectionKey('ranking'), 2);
    expect(idsOf(await fetchFeed('ranking.rss'))).toEqual(['n4', 'n3']);
  });
});

describe('the feeds of a collection of outlines', () => {
  let start: Date;
  beforeAll(async () => {
    start = await published('tree', { format: 'opml', title: 'Tree', settings }, outlines);
    await gateway.store.collections.raiseSince(collectionKey('tree'), 5);
  });

  const placesOf = ({ fragments }: ReadFeed): Record<string, string> =>
    Object.fromEntries(
      fragments.map(({ id, place }) => [id ?? '', `${place?.parent ?? ''}/${place?.after}`]),
    );

  test('show every outline nested and in order', async () => {
    const response = await gateway.send('GET', '/feeds/tree/complete.opml');
    expect(response.headers.get('content-type')).toBe('text/x-opml; charset=utf-8');
    await response.text();
    const feed = await fetchFeed('tree/complete.opml');
    expect(feed.head).toMatchObject({
      format: 'opml',
      title: 'Tree',
      sharing: { version: '0.91', until: dateTime(start, 300), related: [] },
    });
    expect(placesOf(feed)).toEqual({ a: '/', b: '/a', b1: 'b/', b2: 'b/b1', b21: 'b2/', c: '/b' });
  });

  test('hold new outlines with their ancestors', async () => {
    const feed = await fetchFeed('tree.opml');
    expect(placesOf(feed)).toEqual({ b: '/', b2: 'b/', b21: 'b2/' });
    expect(feed.head.sharing).toMatchObject({ since: dateTime(start, 300), until: dateTime(start, 300) });
  });

  test('keep deleted outlines in their positions, with their children', async () => {
    await published('graves', { format: 'opml' }, outlines);
    await send('DELETE', '/v1/collections/graves/items/b?children=keep');
    await gateway.publish('graves');
    const feed = await fetchFeed('graves/complete.opml');
    expect(placesOf(feed)).toEqual({ a: '/', b: '/a', b1: 'b/', b2: 'b/b1', b21: 'b2/', c: '/b' });
    expect(feed.xml).toMatch(/id="b"[^>]* deleted="true"/);
  });

  test('announce the exact place of an outline, the same for every endpoint that reads them', async () => {
    const stored = await gateway.store.items.load(collectionKey('tree'), [
      itemId('b21'),
      itemId('b2'),
      itemId('b'),
    ]);
    for (const fragment of (await fetchFeed('tree.opml')).fragments) {
      const reading = readSseItem(fragment);
      expect(reading.kind === 'item' && reading.item.position).toEqual(
        stored.get(itemId(fragment.id ?? ''))?.position,
      );
    }
  });

  test('nest outlines at their depth', async () => {
    await send('PUT', '/v1/collections/shaft', { format: 'opml' });
    const depth = 60;
    const document =
      `<opml version="1.0"><head/><body>${'<outline text="x">'.repeat(depth)}` +
      `${'</outline>'.repeat(depth)}</body></opml>`;
    expect(
      (
        await gateway.send('POST', '/v1/collections/shaft/outline', document, {
          'content-type': 'text/x-opml',
        })
      ).status,
    ).toBe(200);
    await gateway.publish('shaft');
    expect((await fetchFeed('shaft.opml')).fragments).toHaveLength(depth);
  });
});
