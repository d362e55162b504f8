import { feedsyncDialect, readItem } from '#feedsync';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { randomBytes } from 'node:crypto';
import { get } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { SaxesParser } from 'saxes';
import { convertPayload, createFeedDecoder, FeedScanner, fieldsOfPayload } from '#xml';
import type { FeedHead } from '#xml';
import { formatCursor } from '#contracts';
import { collectionKey, itemId, subscriptionId } from '#core';
import type { CollectionKey, FeedItem, FeedSummary, SubscriptionId } from '#core';
import type { FeedSyncContent } from '#feedsync';
import { content } from '../../acceptance/store/samples.ts';
import { problemIn } from './gateway-under-test.ts';
import { useGateway } from './use-gateway.ts';
import { until } from '../../support/until.ts';

const listingKey = collectionKey('listing');
const listing = collectionKey('listing');
const aId = subscriptionId('a');

const gateway = useGateway();

/**
 * Makes a collection with items `1` to `count`, published now or at another time; RSS and Atom both take the
 * fields.
 */
async function publishItems(
  name: string,
  count: number,
  collection: object = {},
  at = new Date(),
): Promise<void> {
  await gateway.send('PUT', `/v1/collections/${name}`, collection);
  for (let number = 1; number <= count; number += 1) {
    await gateway.send('POST', `/v1/collections/${name}/items`, {
      id: `${name}-${number}`,
      title: `Item ${number} & <more>`,
      content: 'é\r\n ]]>',
      payload: '<m:x xmlns:m="urn:m"><![CDATA[a & b]]></m:x>',
    });
    await gateway.publish(name, { at });
  }
}

/** Reads a feed as a strict XML parser and as a subscriber do. */
function readFeed(xml: string): { head: FeedHead; items: FeedSyncContent[] } {
  new SaxesParser({ xmlns: true }).write(xml).close();
  const scanner = new FeedScanner(feedsyncDialect);
  const items = scanner.write(xml).map((fragment) => {
    const reading = readItem(fragment);
    if (reading.kind !== 'item') throw new Error(`not an item: ${JSON.stringify(reading)}`);
    return reading.item;
  });
  return { head: scanner.end(), items };
}

async function fetchFeed(path: string): Promise<ReturnType<typeof readFeed>> {
  const response = await gateway.send('GET', path);
  expect(response.status).toBe(200);
  return readFeed(await response.text());
}

const idsOf = ({ items }: { items: readonly FeedSyncContent[] }): string[] =>
  items.map(({ sync }) => sync.id);

describe.each(['atom', 'rss'] as const)('the feed of a collection of %s', (format) => {
  const key = collectionKey(`things-${format}`);
  beforeAll(async () => {
    const settings = { windowItems: 2, expiresAfter: 3600 };
    await publishItems(key, 2, { format, title: 'Things & <more>', settings });
    const later = new Date(Date.now() + 7_200_000);
    await publishItems(key, 4, {}, later);
    await gateway.send('DELETE', `/v1/collections/${key}/items/${key}-3`);
    await gateway.publish(key, { at: later });
  });

  test('holds the window of the latest changes, and says which', async () => {
    const asked = Date.now();
    const response = await gateway.send('GET', `/feeds/${key}.${format}`);
    const answered = Date.now();
    expect(response.headers.get('content-type')).toBe(`application/${format}+xml; charset=utf-8`);
    const feed = readFeed(await response.text());
    expect(idsOf(feed)).toEqual([`${key}-4`, `${key}-3`]);
    expect(feed.head).toMatchObject({
      title: 'Things & <more>',
      sharing: {
        since: formatCursor(2),
        until: formatCursor(5),
        related: [{ type: 'complete', link: `${gateway.url}/feeds/${key}/complete.${format}` }],
      },
    });
    const expires = Date.parse(feed.head.sharing?.expires ?? '');
    // It is written in whole seconds.
    expect(expires).toBeGreaterThan(asked + 3_600_000 - 1000);
    expect(expires).toBeLessThanOrEqual(answered + 3_600_000);
  });

  test('is complete at the complete address, tombstones too', async () => {
    const feed = await fetchFeed(`/feeds/${key}/complete.${format}`);
    expect(idsOf(feed).toSorted()).toEqual([1, 2, 3, 4].map((number) => `${key}-${number}`));
    expect(feed.head.sharing).toMatchObject({ since: formatCursor(0), until: formatCursor(5), related: [] });
    expect(feed.items.find(({ sync }) => sync.id === `${key}-3`)?.sync.deleted).toBe(true);
  });

  test('brings every item with the sync data that is stored', async () => {
    const { items } = await fetchFeed(`/feeds/${key}/complete.${format}`);
    const stored = await gateway.store.items.load(
      key,
      items.map(({ sync }) => sync.id),
    );
    for (const { sync } of items) expect(stored.get(sync.id)).toMatchObject({ content: { sync } });
  });

  test('holds exactly what is newer than a cursor', async () => {
    for (const [path, since, ids] of [
      ['', 4, [`${key}-3`]],
      ['/complete', 3, [`${key}-4`, `${key}-3`]],
      ['', 5, []],
    ] as const) {
      const feed = await fetchFeed(`/feeds/${key}${path}.${format}?since=${formatCursor(since)}`);
      expect(idsOf(feed)).toEqual(ids);
      expect(feed.head.sharing).toMatchObject({ since: formatCursor(since), until: formatCursor(5) });
    }
  });

  test('has the same items in the other format, under a tag of its own', async () => {
    const other = format === 'atom' ? 'rss' : 'atom';
    for (const path of [key, `${key}/complete`]) {
      const [native, converted] = [
        await gateway.send('GET', `/feeds/${path}.${format}`),
        await gateway.send('GET', `/feeds/${path}.${other}`),
      ];
      expect(converted.headers.get('content-type')).toBe(`application/${other}+xml; charset=utf-8`);
      expect(converted.headers.get('etag')).not.toBe(native.headers.get('etag'));
      const [expected, feed] = [readFeed(await native.text()), readFeed(await converted.text())];
      expect(feed.head.format).toBe(other);
      expect(feed.head.sharing?.until).toBe(expected.head.sharing?.until);
      expect(feed.head.sharing?.related).toEqual(
        path === key ? [{ type: 'complete', link: `${gateway.url}/feeds/${key}/complete.${other}` }] : [],
      );
      expect(feed.items.map(({ sync }) => sync)).toEqual(expected.items.map(({ sync }) => sync));
      for (const [index, { data }] of feed.items.entries()) {
        const { title, content } = fieldsOfPayload(expected.items[index]?.data ?? data);
        expect(fieldsOfPayload(convertPayload(data, format))).toMatchObject({ title, content });
        expect(data.children.find(({ namespace }) => namespace === 'urn:m')?.xml).toContain(
          '<![CDATA[a & b]]>',
        );
      }
    }
  });

  test('is available in no third format', async () => {
    for (const path of [key, `${key}/complete`]) {
      for (const third of ['opml', 'json']) {
        const feeds = { atom: `${gateway.url}/feeds/${path}.atom`, rss: `${gateway.url}/feeds/${path}.rss` };
        expect(await problemIn(await gateway.send('GET', `/feeds/${path}.${third}`))).toMatchObject({
          status: 404,
          rule: 'feed-not-found',
          feeds,
        });
      }
    }
  });
});

describe('the feeds of a collection with subscriptions', () => {
  const note = (text: string): string => `<n:note xmlns:n="urn:note">${text}</n:note>`;

  /** Subscribes, and says of the feed what the merger would once it has been read. */
  async function subscribed(
    collection: CollectionKey,
    id: SubscriptionId,
    url: string,
    feed?: Partial<FeedSummary>,
  ): Promise<void> {
    const { subscriptions } = gateway.store;
    await gateway.send('PUT', `/v1/collections/${collection}/subscriptions/${id}`, { url });
    if (feed === undefined) return;
    const at = new Date();
    await subscriptions.lease(collection, id, `read-${id}`, 60_000);
    await subscriptions.complete(collection, id, `read-${id}`, {
      report: { at, outcome: 'fetched' },
      feed: { markup: [], aggregated: [], ...feed },
      nextFetchAt: new Date(at.getTime() + 3_600_000),
      nextFetchReason: 'a test',
    });
  }

  const notesIn = ({ head }: { head: FeedHead }): string[] =>
    head.children
      .filter(({ namespace }) => namespace === 'urn:note')
      .map(({ xml }) => />([^<]*)</.exec(xml)?.[1] ?? '');

  test('repeat the foreign markup of each subscribed feed once, in order of subscription', async () => {
    await publishItems('marked', 1);
    await subscribed(collectionKey('marked'), subscriptionId('b'), 'https://b.example/', {
      markup: [note('two'), note('one')],
    });
    await subscribed(collectionKey('marked'), aId, 'https://a.example/', {
      markup: [note('one')],
    });
    for (const path of ['marked.atom', 'marked.rss', 'marked/complete.atom', 'marked/complete.rss'])
      expect(notesIn(await fetchFeed(`/feeds/${path}`))).toEqual(['one', 'two']);
    await gateway.send('PUT', '/v1/collections/marked', { settings: { republishMarkup: false } });
    expect(notesIn(await fetchFeed('/feeds/marked.atom'))).toEqual([]);
  });

  test('name the active ones if the collection is set to, but no address with user information', async () => {
    await publishItems('listing', 1, { settings: { listSubscriptions: true } });
    await subscribed(listingKey, subscriptionId('b'), 'https://b.example/feed#latest', {
      title: 'B & co',
      aggregated: [{ link: 'https://hidden.example/', title: 'Not ours to name' }],
    });
    await subscribed(listingKey, aId, 'https://a.example/feed');
    await subscribed(listingKey, subscriptionId('c'), 'https://user:secret@c.example/feed', {
      title: 'C',
    });
    await subscribed(listingKey, subscriptionId('d'), 'https://d.example/feed');
    await gateway.send('POST', '/v1/collections/listing/subscriptions/d/pause');
    const aggregated = [
      { link: 'https://a.example/feed', type: 'aggregated' },
      { link: 'https://b.example/feed', type: 'aggregated', title: 'B & co' },
    ];
    for (const format of ['atom', 'rss']) {
      const complete = { link: `${gateway.url}/feeds/listing/complete.${format}`, type: 'complete' };
      expect((await fetchFeed(`/feeds/listing.${format}`)).head.sharing?.related).toEqual([
        complete,
        ...aggregated,
      ]);
      expect((await fetchFeed(`/feeds/listing/complete.${format}`)).head.sharing?.related).toEqual(
        aggregated,
      );
    }
    await gateway.send('PUT', '/v1/collections/listing', { settings: { listSubscriptions: false } });
    expect((await fetchFeed('/feeds/listing/complete.atom')).head.sharing?.related).toEqual([]);
  });

  test('are other feeds once a subscribed one says something else', async () => {
    await publishItems('listing', 1, { settings: { listSubscriptions: true } });
    const tag = async (): Promise<string | null> =>
      (await gateway.send('HEAD', '/feeds/listing.atom')).headers.get('etag');
    const tags = [await tag()];
    await subscribed(listing, aId, 'https://a.example/');
    tags.push(await tag());
    await subscribed(listing, aId, 'https://a.example/', { title: 'A' });
    tags.push(await tag());
    await subscribed(listing, aId, 'https://a.example/', {
      title: 'A',
      markup: [note('x')],
    });
    tags.push(await tag());
    expect(new Set(tags).size).toBe(4);
    expect(await tag()).toBe(tags[3]);
  });
});

describe('a feed', () => {
  test('is empty but well-formed before anything is published', async () => {
    await gateway.send('PUT', '/v1/collections/empty');
    const feed = await fetchFeed('/feeds/empty.atom');
    expect(feed).toMatchObject({
      items: [],
      head: { sharing: { since: formatCursor(0), until: formatCursor(0) } },
    });
  });

  test('is not sent again while nothing was published', async () => {
    await publishItems('calm', 1);
    const first = await gateway.send('GET', '/feeds/calm.atom');
    await first.text();
    const etag = first.headers.get('etag') ?? '';
    expect(etag).toMatch(/^W\/"[^"]+"$/);
    const second = await gateway.send('GET', '/feeds/calm.atom', undefined, {
      'if-none-match': `"other", ${etag}`,
    });
    expect([
      second.status,
      await second.text(),
      second.headers.get('etag'),
      second.headers.get('cache-control'),
      second.headers.get('vary'),
    ]).toEqual([304, '', etag, 'no-cache', 'Accept-Encoding']);
    expect(
      (await gateway.send('GET', '/feeds/calm/complete.atom', undefined, { 'if-none-match': etag })).status,
    ).toBe(200);
    await publishItems('calm', 2);
    const third = await gateway.send('GET', '/feeds/calm.atom', undefined, { 'if-none-match': etag });
    expect(third.status).toBe(200);
    expect(third.headers.get('etag')).not.toBe(etag);
  });

  test('goes by Last-Modified if there is no tag, but only after the second of the change', async () => {
    await gateway.send('PUT', '/v1/collections/dated');
    const collection = await gateway.store.collections.find(collectionKey('dated'));
    if (collection === undefined) throw new Error('no collection');
    const at = new Date('2026-01-02T03:04:05.600Z');
    expect(await gateway.store.collections.setPublicationTime(collection, at)).toBe(true);
    const modified = (await gateway.send('GET', '/feeds/dated.atom')).headers.get('last-modified');
    expect(modified).toBe('Fri, 02 Jan 2026 03:04:05 GMT');
    const statusSince = async (since: string, tag = {}): Promise<number> =>
      (await gateway.send('GET', '/feeds/dated.atom', undefined, { 'if-modified-since': since, ...tag }))
        .status;
    expect(await statusSince(modified ?? '')).toBe(304);
    expect(await statusSince('Fri, 02 Jan 2026 03:04:04 GMT')).toBe(200);
    expect(await statusSince('yesterday')).toBe(200);
    expect(await statusSince(modified ?? '', { 'if-none-match': '"other"' })).toBe(200);
    const dated = { ...collection, publication: { ...collection.publication, updatedAt: at } };
    expect(await gateway.store.collections.setPublicationTime(dated, new Date())).toBe(true);
    expect((await gateway.send('GET', '/feeds/dated.atom')).headers.get('last-modified')).toBeNull();
  });

  test.each([
    ['gzip', 'gzip', gunzipSync],
    ['br', 'br', brotliDecompressSync],
    ['gzip;q=0.5, br;q=0.1', 'gzip', gunzipSync],
    ['identity', undefined, undefined],
    ['gzip;q=0', undefined, undefined],
  ] as const)('is compressed as Accept-Encoding %s asks', async (acceptEncoding, coding, decompress) => {
    await publishItems('packed', 3);
    const response = await rawGet(`${gateway.url}/feeds/packed.atom`, { 'accept-encoding': acceptEncoding });
    expect(response.headers['content-encoding']).toBe(coding);
    const bytes = Buffer.concat((await response.toArray()) as Buffer[]);
    const decoder = createFeedDecoder(response.headers['content-type']);
    expect(idsOf(readFeed(decoder.write(decompress ? decompress(bytes) : bytes) + decoder.end()))).toEqual([
      'packed-1',
      'packed-2',
      'packed-3',
    ]);
  });

  test('has the same head without a body by HEAD', async () => {
    await publishItems('headed', 1);
    const [head, whole] = [
      await gateway.send('HEAD', '/feeds/headed.atom'),
      await gateway.send('GET', '/feeds/headed.atom'),
    ];
    expect([head.status, await head.text(), head.headers.get('etag')]).toEqual([
      200,
      '',
      whole.headers.get('etag'),
    ]);
    expect(head.headers.get('content-type')).toBe(whole.headers.get('content-type'));
    await whole.text();
  });

  test.each([
    ['1', 400, 'invalid-input'],
    ['000000000000000x', 400, 'invalid-input'],
    [formatCursor(7), 410, 'cursor-gone'],
  ])('since %s is refused', async (since, status, rule) => {
    await gateway.send('PUT', '/v1/collections/empty');
    expect(await problemIn(await gateway.send('GET', `/feeds/empty.atom?since=${since}`))).toMatchObject({
      status,
      rule,
    });
  });

  test.each([
    ['/feeds/nowhere.atom', 404, 'collection-not-found'],
    ['/feeds/No_Name.atom', 400, 'invalid-input'],
    ['/feeds/empty', 404, 'not-found'],
  ])('at %s is refused', async (path, status, rule) => {
    expect(await problemIn(await gateway.send('GET', path))).toMatchObject({ status, rule });
  });

  test('is read no further once its client has gone', async () => {
    await publishItems('endless', 1);
    let isReadTo: 'the middle' | 'the end' | undefined;
    const { items } = gateway.store;
    const published = items.published.bind(items);
    items.published = async function* endless(): AsyncGenerator<FeedItem> {
      isReadTo = 'the middle';
      try {
        for (let sequence = 1; ; sequence += 1)
          yield {
            id: itemId(String(sequence)),
            sequence,
            content: content(String(sequence)),
            updatedAt: new Date(),
          };
      } finally {
        isReadTo = 'the end';
      }
    };
    try {
      const response = await rawGet(`${gateway.url}/feeds/endless.atom`, {});
      expect(isReadTo).toBe('the middle');
      response.destroy();
      await until(() => isReadTo === 'the end');
    } finally {
      items.published = published;
    }
  });

  test('that fails in the middle breaks off, so that nobody takes it for whole', async () => {
    await publishItems('failing', 1);
    // More than a gateway makes before it sends anything.
    const title = randomBytes(3_000_000).toString('base64');
    await whileItemsFail(title, async () => {
      await expect(
        gateway.send('GET', '/feeds/failing.atom').then((response) => response.text()),
      ).rejects.toThrow('terminated');
    });
    expect(idsOf(await fetchFeed('/feeds/failing.atom'))).toEqual(['failing-1']);
  });

  test('that is small and fails in the middle is an error, and whole with the next request', async () => {
    await publishItems('failing-small', 1);
    await whileItemsFail('small', async () => {
      const responses = await Promise.all(
        [1, 2, 3].map(() => gateway.send('GET', '/feeds/failing-small.atom')),
      );
      for (const response of responses) expect((await problemIn(response)).status).toBe(500);
    });
    expect(idsOf(await fetchFeed('/feeds/failing-small.atom'))).toEqual(['failing-small-1']);
  });

  test('is read once for those that request it together, and then only if it has changed', async () => {
    await publishItems('shared', 3);
    const { items } = gateway.store;
    const published = items.published.bind(items);
    let reads = 0;
    items.published = (...given) => {
      reads += 1;
      return published(...given);
    };
    try {
      const get = async (): Promise<string> => (await gateway.send('GET', '/feeds/shared.atom')).text();
      const first = await Promise.all([get(), get(), get()]);
      expect(reads).toBeLessThanOrEqual(1 + 3);
      const before = reads;
      expect(await get()).toBe(first[0]);
      expect(await get()).toBe(first[0]);
      expect(reads).toBe(before);
      await gateway.send('DELETE', '/v1/collections/shared/items/shared-1');
      await gateway.publish('shared');
      expect(await get()).not.toBe(first[0]);
      expect(reads).toBe(before + 1);
    } finally {
      items.published = published;
    }
  });
});

/** Has the store give one item of each feed and fail then, during `work`. */
async function whileItemsFail(title: string, work: () => Promise<void>): Promise<void> {
  const { items } = gateway.store;
  const published = items.published.bind(items);
  items.published = async function* failing(): AsyncGenerator<FeedItem> {
    yield { id: itemId('1'), sequence: 1, content: content('1', title), updatedAt: new Date() };
    throw new Error('the database went away');
  };
  try {
    await work();
  } finally {
    items.published = published;
  }
}

/** A GET whose body comes as it was sent. */
async function rawGet(url: string, headers: Record<string, string>): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    get(url, { headers }, resolve).on('error', reject);
  });
}
