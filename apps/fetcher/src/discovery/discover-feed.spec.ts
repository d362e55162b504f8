import { beforeEach, describe, expect, test } from '@jest/globals';
import { adoptionOf } from '#protocols';
import { collectionKey, FetchError, sealCredentials, subscriptionId } from '#core';
import {
  createMemoryHttp,
  createMemoryQueue,
  createMemoryStore,
  sampleCollection,
  sampleSubscription,
} from '#in-memory';
import type { MemoryHttp, MemoryQueue } from '#in-memory';
import type { Store, Subscription } from '#core';
import { fetchSubscription } from '../fetch-subscription.ts';
import { Robots } from './robots.ts';
import { usualFetch } from '../../../../test/support/fetch-settings.ts';

const news = collectionKey('news');
const blog = subscriptionId('blog');
const [site, page, feedUrl] = ['https://s.example', 'https://s.example/blog', 'https://s.example/feed'];
const now = new Date('2026-03-01T00:00:00Z');
const credentialKeys = [{ name: 'k', bytes: new Uint8Array(32) }];
const clock = { now: () => now, wait: async () => {} };
const collection = sampleCollection({ key: news, createdAt: now });
const endpointOf = (url: string): string | undefined => adoptionOf(collection)?.endpointOf(url);

let store: Store;
let http: MemoryHttp;
let queue: MemoryQueue;
beforeEach(async () => {
  store = createMemoryStore({ clock });
  http = createMemoryHttp();
  queue = createMemoryQueue();
  await store.collections.create(collection);
  http.serve(`${site}/robots.txt`, () => ({ status: 404 }));
});

async function subscribe(given: Partial<Subscription> = {}): Promise<void> {
  const adoptedAs = endpointOf(page);
  await store.subscriptions.put(
    sampleSubscription({
      collection: news,
      id: blog,
      url: page,
      discover: true,
      ...(adoptedAs !== undefined && { adoptedAs }),
      createdAt: now,
      ...given,
    }),
  );
}

function servePage(...links: readonly string[]): void {
  const named = links.map((href) => `<link rel="alternate" type="application/rss+xml" href="${href}">`);
  const text = '<p>x</p>'.repeat(2000);
  const body = `<!DOCTYPE html><html><head>${named.join('')}</head><body>${text}</body></html>`;
  http.serve(page, () => ({ status: 200, headers: { 'content-type': 'text/html' }, body }));
}

function serveFeed(url: string): void {
  const body = '<rss version="2.0"><channel><title>Blog</title></channel></rss>';
  http.serve(url, () => ({ status: 200, body }));
}

/** Fetches the subscription; returns what it is then. */
async function fetch(): Promise<Subscription | undefined> {
  const random = { fraction: () => 0, identifier: () => 'm' };
  const robots = new Robots('Feedmesh/0.1.0', clock);
  await fetchSubscription({ store, queue, http, clock, random, robots, credentialKeys }, usualFetch, {
    version: 1,
    collection: news,
    subscription: blog,
  });
  return store.subscriptions.find(news, blog);
}

describe('a page on which a feed is to be discovered', () => {
  test('gives its subscription the address of its feed, which is fetched at once', async () => {
    await subscribe();
    servePage('/comments', '/feed');
    serveFeed(feedUrl);
    const found = await fetch();
    expect(found).toMatchObject({
      url: feedUrl,
      discoveredOn: page,
      adoptedAs: endpointOf(feedUrl),
      nextFetchAt: now,
      nextFetchReason: `its feed was found on the page ${page}`,
      failures: 0,
      cursor: {},
    });
    expect(found).not.toHaveProperty('discover');
    expect(found?.manifest).toBeUndefined();
    expect(await store.notices.pending(news, 9)).toMatchObject([
      { type: 'moved', subscription: blog, url: feedUrl, formerUrl: page },
    ]);
    expect(await fetch()).toMatchObject({ url: feedUrl, last: { outcome: 'fetched' } });
  });

  test('keeps an endpoint identifier that was given by name', async () => {
    await subscribe({ adoptedAs: 'feed:named' });
    servePage('/feed');
    expect(await fetch()).toMatchObject({ url: feedUrl, adoptedAs: 'feed:named' });
  });

  test('that names no feed but itself is a failure, and is read again', async () => {
    await subscribe();
    servePage('/blog', 'javascript:void(0)', `/${'x'.repeat(8192)}`);
    expect(await fetch()).toMatchObject({
      url: page,
      discover: true,
      failures: 1,
      last: { outcome: 'failed', rule: 'no-feed-link', cause: 'no-feed' },
    });
  });

  test('whose feed is read already is a failure that says by which subscription', async () => {
    await subscribe();
    const other = { collection: news, id: subscriptionId('other'), url: feedUrl, createdAt: now };
    await store.subscriptions.put(sampleSubscription(other));
    servePage('/feed');
    expect(await fetch()).toMatchObject({
      url: page,
      last: {
        rule: 'already-subscribed',
        cause: 'duplicate',
        reason: expect.stringContaining(
          `names the feed ${feedUrl}, which the collection reads as "other" already`,
        ),
      },
    });
    expect(await store.subscriptions.list(news, { limit: 9 })).toHaveLength(2);
  });

  test.each([
    ['is missing', 404, ''],
    ['is gone', 410, ''],
    ['is a page', 200, '<!DOCTYPE html><html></html>'],
    ['is empty', 200, ''],
  ])('whose first feed %s leads to the next one', async (_what, status, body) => {
    await subscribe();
    servePage('/unreachable', '/dead', '/feed');
    http.serve(`${site}/dead`, () => ({ status, body }));
    serveFeed(feedUrl);
    expect(await fetch()).toMatchObject({ url: feedUrl, discoveredOn: page, failures: 0 });
  });

  test.each([401, 403, 429, 500])(
    'whose first feed fails with %i leads to it all the same',
    async (status) => {
      await subscribe();
      servePage('/first', '/feed');
      http.serve(`${site}/first`, () => ({ status }));
      serveFeed(feedUrl);
      expect(await fetch()).toMatchObject({ url: `${site}/first`, discoveredOn: page });
    },
  );

  test('whose feeds are dead is a failure that names them, after three', async () => {
    await subscribe();
    servePage('/1', '/2', '/3', '/feed');
    http.serve(`${site}/2`, () => ({ status: 410 }));
    http.serve(`${site}/3`, () => ({ status: 200, body: 'Not here' }));
    serveFeed(feedUrl);
    const reason =
      `${page} is an HTML page; of the 4 feeds that it names, the best 3 can't be read: ` +
      `${site}/1: nothing is served there; ${site}/2: the server responded with 410; ${site}/3 is not a feed`;
    expect(await fetch()).toMatchObject({
      url: page,
      status: 'active',
      discover: true,
      last: { outcome: 'failed', rule: 'no-feed-link', cause: 'no-feed', reason },
    });
  });

  test('whose first feed is on a busy host is read again later', async () => {
    await subscribe();
    servePage('/1', '/feed');
    http.serve(`${site}/1`, () => {
      throw new FetchError('host-busy', 'no connection is free', { host: 's.example' });
    });
    const later = await fetch();
    expect(later).toMatchObject({ url: page, discover: true, failures: 0 });
    expect(later?.nextFetchAt.getTime()).toBeGreaterThan(now.getTime());
  });

  test('whose site forbids it is not requested', async () => {
    await subscribe();
    let requests = 0;
    http.serve(page, () => ({ status: ((requests += 1), 500) }));
    http.serve(`${site}/robots.txt`, () => ({ status: 200, body: 'User-agent: *\nDisallow: /b' }));
    expect(await fetch()).toMatchObject({ last: { rule: 'robots-disallowed', cause: 'robots' } });
    expect(requests).toBe(0);
  });

  test('leads nowhere but to the origin that credentials are for', async () => {
    const given = { kind: 'bearer', token: 't' } as const;
    await subscribe({ credentials: sealCredentials(credentialKeys, news, site, given) });
    servePage('https://cdn.example/feed');
    expect(await fetch()).toMatchObject({
      url: page,
      last: { rule: 'no-feed-link', reason: expect.stringContaining(`at ${site}, for which`) },
    });
    servePage('https://cdn.example/feed', '/feed');
    await store.subscriptions.refresh(news, blog, { nextFetchAt: now, nextFetchReason: 'a test' }, false);
    expect(await fetch()).toMatchObject({ url: feedUrl, credentials: { origin: site } });
  });
});

test('an address that is that of a feed is read at once, and no page is looked for any more', async () => {
  await subscribe();
  serveFeed(page);
  const fetched = await fetch();
  expect(fetched).toMatchObject({ url: page, last: { outcome: 'fetched' } });
  expect(fetched).not.toHaveProperty('discover');
});

test('a page that nobody asked to discover a feed on is an error, and no rules are read', async () => {
  await store.subscriptions.put(
    sampleSubscription({ collection: news, id: blog, url: page, createdAt: now }),
  );
  let requests = 0;
  http.serve(`${site}/robots.txt`, () => ({ status: ((requests += 1), 404) }));
  servePage('/feed');
  expect(await fetch()).toMatchObject({ url: page, last: { rule: 'feed-root', cause: 'invalid-feed' } });
  expect(requests).toBe(0);
});
