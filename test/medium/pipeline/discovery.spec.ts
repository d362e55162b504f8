import { beforeAll, expect, test } from '@jest/globals';
import type { SubscriptionView } from '#contracts';
import { collectionKey } from '#core';
import { freePort } from '#databases';
import { entry, feed } from './feed.ts';
import { usePipeline } from './use-pipeline.ts';
import { until } from '../../support/until.ts';

const pipeline = usePipeline();
let gateway: string;

beforeAll(async () => {
  const PORT = `${await freePort()}`;
  gateway = `http://127.0.0.1:${PORT}`;
  await pipeline.start('fetcher', 'merger', 'publisher');
  await pipeline.startWith({ PORT, PUBLIC_URL: gateway }, 'gateway');
  pipeline.feeds.serve('/robots.txt', {
    headers: { 'content-type': 'text/plain' },
    body: 'User-agent: feedmesh\nDisallow: /closed\n',
  });
});

function html(...links: readonly string[]): { headers: Record<string, string>; body: string } {
  const named = links.map((href) => `<link rel="alternate" type="application/atom+xml" href="${href}">`);
  const head = `<title>A blog</title>${named.join('')}`;
  const body = `<!doctype html><html><head>${head}</head><body>Hello</body></html>`;
  return { headers: { 'content-type': 'text/html; charset=utf-8' }, body };
}

async function send(method: string, path: string, body?: object): Promise<Response> {
  return fetch(`${gateway}/v1/collections/${path}`, {
    method,
    ...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  });
}

/** Subscribes a collection to a page, and waits until a fetch has ended; returns the name. */
async function discover(collection: string, path: string): Promise<SubscriptionView> {
  await send('PUT', collection);
  const body = { url: pipeline.feeds.url(path), discover: true };
  const response = await send('POST', `${collection}/subscriptions`, body);
  const { id } = (await response.json()) as SubscriptionView;
  return until(
    async () => (await (await send('GET', `${collection}/subscriptions/${id}`)).json()) as SubscriptionView,
    ({ last, isFetching }) => last !== undefined && !isFetching,
  );
}

test('a page is subscribed to by the feed that it names, with an event', async () => {
  pipeline.feeds.serve('/blog', html('/blog/feed.atom', '/blog/other.atom'));
  pipeline.feeds.serve('/blog/feed.atom', feed([entry('a', ['1 there'])]));
  const [page, found] = ['/blog', '/blog/feed.atom'].map((path) => pipeline.feeds.url(path));
  const subscription = await discover('blog', '/blog');
  expect(subscription).toMatchObject({
    url: found,
    discoveredOn: page,
    last: { outcome: 'fetched', items: 1 },
  });
  expect(await pipeline.store.items.list(collectionKey('blog'), { limit: 9 })).toHaveLength(1);
  const events = await until(
    () => pipeline.relayed('blog'),
    (all) => all.some(({ type }) => type === 'feedmesh.subscription.moved.v1'),
  );
  expect(events.find(({ type }) => type.includes('moved'))?.data).toMatchObject({
    url: found,
    formerUrl: page,
  });

  // The same request again finds what has come of it.
  const again = await send('POST', 'blog/subscriptions', { url: page, discover: true });
  expect([again.status, await again.json()]).toMatchObject([200, { id: subscription.id, url: found }]);
  const { items } = (await (await send('GET', 'blog/subscriptions')).json()) as { items: unknown[] };
  expect(items).toHaveLength(1);
});

test('a page whose first feed is missing is subscribed to by the next one', async () => {
  const type = 'Application/RSS+XML; charset=utf-8';
  const links = ['dead', 'living'].map((name) => `<link rel="alternate" type="${type}" href="${name}.atom">`);
  pipeline.feeds.serve('/moved', {
    headers: { 'content-type': 'text/html' },
    body: `<html><head><base href="/moved/">${links.join('')}</head></html>`,
  });
  pipeline.feeds.serve('/moved/living.atom', feed([entry('a', ['1 there'])]));
  expect(await discover('moved', '/moved')).toMatchObject({
    url: pipeline.feeds.url('/moved/living.atom'),
    last: { outcome: 'fetched', items: 1 },
  });
  expect(pipeline.feeds.requests('/moved/dead.atom')).toHaveLength(1);
});

test('a page whose feed is read already ends with a failure, and with no second subscription', async () => {
  pipeline.feeds.serve('/twice', html('/twice.atom'));
  pipeline.feeds.serve('/twice.atom', feed([]));
  await send('PUT', 'twice');
  await send('PUT', 'twice/subscriptions/first', { url: pipeline.feeds.url('/twice.atom') });
  expect(await discover('twice', '/twice')).toMatchObject({
    url: pipeline.feeds.url('/twice'),
    state: 'failing',
    last: { rule: 'already-subscribed', reason: expect.stringContaining('reads as "first" already') },
  });
  const reading = await pipeline.store.subscriptions.list(collectionKey('twice'), { limit: 9 });
  expect(reading.filter(({ url }) => url === pipeline.feeds.url('/twice.atom'))).toHaveLength(1);
});

test('a page that robots.txt forbids is not requested; a feed there that a person names is', async () => {
  pipeline.feeds.serve('/closed/page', html('/closed/feed'));
  pipeline.feeds.serve('/closed/feed', feed([]));
  expect(await discover('closed', '/closed/page')).toMatchObject({
    last: { rule: 'robots-disallowed', cause: 'robots', reason: expect.stringContaining('/closed') },
  });
  expect(pipeline.feeds.requests('/closed/page')).toEqual([]);

  const before = pipeline.feeds.requests('/robots.txt').length;
  await pipeline.subscribe('open', undefined, { url: pipeline.feeds.url('/closed/feed') });
  expect(await pipeline.fetch('open')).toMatchObject({ last: { outcome: 'fetched' } });
  expect(pipeline.feeds.requests('/robots.txt')).toHaveLength(before);
});

test('an address that is that of a feed is subscribed to as it is', async () => {
  pipeline.feeds.serve('/plain.atom', feed([]));
  const subscription = await discover('plain', '/plain.atom');
  expect(subscription).toMatchObject({ last: { outcome: 'fetched' } });
  expect(subscription).not.toHaveProperty('discover');
  expect(subscription).not.toHaveProperty('discoveredOn');
});

test('a page that names no feed says so', async () => {
  pipeline.feeds.serve('/bare', html());
  expect(await discover('bare', '/bare')).toMatchObject({
    discover: true,
    last: { rule: 'no-feed-link', reason: expect.stringContaining('is an HTML page that names no feed') },
  });
});
