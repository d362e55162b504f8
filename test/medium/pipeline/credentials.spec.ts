import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { collectionKey, parseCredentialKeys, sealCredentials, subscriptionId } from '#core';
import type { Subscription } from '#core';
import { sampleCollection, sampleSubscription } from '#in-memory';
import { feed as treeFeed, file } from '../../../apps/fetcher/src/tree/__fixtures__/feed.ts';
import { openFeedServer } from './feed-server.ts';
import type { FeedServer } from './feed-server.ts';
import { entry, feed } from './feed.ts';
import { PipelineUnderTest } from './pipeline-under-test.ts';
import { until } from '../../support/until.ts';

const key = Buffer.alloc(32, 'k').toString('base64');
const keys = parseCredentialKeys(`own:${key}`);
const peer = subscriptionId('peer');
const document = feed([entry('a', ['1 there'])]);
const secret = 'Zaubertrank7';
const basic = `Basic ${Buffer.from(`ann:${secret}`).toString('base64')}`;

let pipeline: PipelineUnderTest;
/** Another origin than that of `pipeline.feeds`. */
let other: FeedServer;
let gatewayUrl: string;
beforeAll(async () => {
  other = await openFeedServer();
  pipeline = await PipelineUnderTest.open({ CREDENTIALS_KEYS: `own:${key}` });
  const [gateway] = await pipeline.start('gateway', 'fetcher', 'merger', 'publisher');
  gatewayUrl = (await gateway?.getUrl()) ?? '';
});
afterAll(async () => {
  await pipeline.close();
  await other.close();
});

async function send(method: string, path: string, body?: unknown): Promise<{ status: number; text: string }> {
  const response = await fetch(`${gatewayUrl}/v1/collections/${path}`, {
    method,
    headers: { 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return { status: response.status, text: await response.text() };
}

/** Subscribes a new collection to a path of the publisher, and waits for the end of the first fetch. */
async function subscribe(collection: string, path: string, body: object): Promise<Subscription> {
  if ((await pipeline.store.collections.find(collectionKey(collection))) === undefined)
    await pipeline.collect(collection);
  const { status, text } = await send('PUT', `${collection}/subscriptions/peer`, {
    url: pipeline.feeds.url(path),
    ...body,
  });
  expect(text).not.toContain(secret);
  expect(status).toBe(201);
  return fetched(collection);
}

async function fetched(collection: string): Promise<Subscription> {
  return until(
    () => pipeline.store.subscriptions.find(collectionKey(collection), peer),
    (subscription) => subscription?.last !== undefined && subscription.manifest === undefined,
  ) as Promise<Subscription>;
}

describe('the credentials of a subscription', () => {
  test.each([
    [{ kind: 'basic', username: 'ann', password: secret }, { authorization: basic }],
    [{ kind: 'bearer', token: secret }, { authorization: `Bearer ${secret}` }],
    [{ kind: 'headers', headers: { 'X-Api-Key': secret } }, { 'x-api-key': secret }],
  ])('arrive as they were given: %j', async (credentials, expected) => {
    const path = `/${credentials.kind}`;
    pipeline.feeds.serve(path, document);
    const { last } = await subscribe(credentials.kind, path, { credentials });
    expect(last).toMatchObject({ outcome: 'fetched' });
    const [request] = pipeline.feeds.requests(path);
    expect(request?.headers).toMatchObject(expected);
    expect(request?.headers).not.toHaveProperty('cookie');
    expect(request?.headers).not.toHaveProperty('referer');
  });

  test('in the URL are separated from it', async () => {
    pipeline.feeds.serve('/in-url', document);
    const url = pipeline.feeds.url('/in-url').replace('//', `//ann:${secret}@`);
    const { url: stored } = await subscribe('in-url', '', { url });
    expect(stored).toBe(pipeline.feeds.url('/in-url'));
    expect(pipeline.feeds.requests('/in-url')[0]?.headers.authorization).toBe(basic);
  });

  test('are dropped by a redirect to another origin, and not taken up again on the way back', async () => {
    const { feeds } = pipeline;
    feeds.serve('/leaves', { status: 302, headers: { location: other.url('/returns') } });
    other.serve('/returns', { status: 302, headers: { location: feeds.url('/back') } });
    feeds.serve('/back', { status: 401 });
    const { last } = await subscribe('leaves', '/leaves', {
      credentials: { kind: 'basic', username: 'ann', password: secret },
    });
    expect(feeds.requests('/leaves')[0]?.headers.authorization).toBe(basic);
    expect(other.requests('/returns')[0]?.headers).not.toHaveProperty('authorization');
    expect(feeds.requests('/back')[0]?.headers).not.toHaveProperty('authorization');
    expect(last).toMatchObject({ outcome: 'failed', rule: 'unauthorized' });
    expect(last?.reason).toMatch(
      /401: it is of another origin than the feed, so the credentials were not sent/,
    );
  });

  test('go to the complete feed of the same origin, and to none of another', async () => {
    const { feeds } = pipeline;
    for (const [name, complete] of [
      ['here', feeds],
      ['there', other],
    ] as const) {
      const sharing = { since: '005', until: '009', complete: complete.url(`/${name}-all`) };
      feeds.serve(`/${name}`, feed([entry('a', ['1 there'])], sharing));
      complete.serve(`/${name}-all`, document);
      await subscribe(`complete-${name}`, `/${name}`, {
        credentials: { kind: 'headers', headers: { 'X-Api-Key': secret } },
      });
    }
    expect(feeds.requests('/here-all')[0]?.headers['x-api-key']).toBe(secret);
    expect(other.requests('/there-all')).toHaveLength(1);
    expect(other.requests('/there-all')[0]?.headers).not.toHaveProperty('x-api-key');
  });

  test('go to the nested documents of a tree that are of the same origin', async () => {
    const { feeds } = pipeline;
    const [near, far] = [feeds.url('/near.jpg'), other.url('/far.jpg')];
    const body = treeFeed('root', ['story', 1, file(near), file(far)]);
    feeds.serve('/root', { headers: { 'content-type': 'application/rss+xml' }, body });
    feeds.serve('/near.jpg', { headers: { 'content-type': 'image/jpeg' }, body: 'near' });
    other.serve('/far.jpg', { headers: { 'content-type': 'image/jpeg' }, body: 'far' });
    await pipeline.store.collections.create(
      sampleCollection({ key: collectionKey('tree'), protocol: 'cse', format: 'rss' }),
    );
    await subscribe('tree', '/root', { credentials: { kind: 'bearer', token: secret } });
    for (const path of ['/root', '/near.jpg'])
      expect(feeds.requests(path)[0]?.headers.authorization).toBe(`Bearer ${secret}`);
    expect(other.requests('/far.jpg')).toHaveLength(1);
    expect(other.requests('/far.jpg')[0]?.headers).not.toHaveProperty('authorization');
  });

  const refused = 'it does not accept the credentials';
  const advice =
    '. The host refuses this client; you can set a User-Agent, an Accept-Language or a cookie for the ' +
    'subscription.';
  test.each([
    [401, 'unauthorized', refused],
    [403, 'forbidden', `${refused}${advice}`],
  ])('that the server answers with %i fail by name', async (status, rule, hint) => {
    pipeline.feeds.serve(`/${rule}`, { status });
    const { last } = await subscribe(rule, `/${rule}`, { credentials: { kind: 'bearer', token: secret } });
    expect(last).toMatchObject({ outcome: 'failed', rule });
    expect(last?.reason).toBe(
      `${pipeline.feeds.url(`/${rule}`)}: the server responded with ${status}: ${hint}`,
    );
  });

  test.each([
    ['credentials-key', parseCredentialKeys(`lost:${key}`), undefined],
    [
      'credentials-damaged',
      parseCredentialKeys(`own:${Buffer.alloc(32, 'x').toString('base64')}`),
      undefined,
    ],
    ['credentials-origin', keys, 'https://elsewhere.example'],
  ])('that can not be read fail as %s, and nothing is requested', async (rule, sealingKeys, origin) => {
    const collection = collectionKey(rule);
    await pipeline.collect(rule);
    const url = pipeline.feeds.url(`/${rule}`);
    pipeline.feeds.serve(`/${rule}`, document);
    await pipeline.store.subscriptions.put({
      ...sampleSubscription({ collection, id: peer, url, createdAt: new Date() }),
      credentials: sealCredentials(sealingKeys, collection, origin ?? new URL(url).origin, {
        kind: 'bearer',
        token: secret,
      }),
    });
    expect((await fetched(rule)).last).toMatchObject({ outcome: 'failed', rule });
    expect(pipeline.feeds.requests(`/${rule}`)).toHaveLength(0);
  });

  test('are nowhere in MongoDB and Redis, in no answer and no list of feeds', async () => {
    const stored = JSON.stringify([...(await pipeline.rows())]);
    expect(stored).toContain('"key":"own"');
    expect(stored).not.toContain(secret);
    expect(stored).not.toContain(basic);
    for (const name of await pipeline.redis.keys('*')) expect(await dumped(name)).not.toContain(secret);
    const list = await send('GET', 'basic/subscriptions');
    expect(list.text).toContain('"credentials":{"kind":"basic"}');
    const opml = await fetch(`${gatewayUrl}/v1/collections/in-url/subscriptions`, {
      headers: { accept: 'text/x-opml' },
    });
    const outlines = await opml.text();
    expect(outlines).toContain(pipeline.feeds.url('/in-url'));
    for (const text of [list.text, outlines]) expect(text).not.toContain(secret);
  });
});

describe('a User-Agent, an Accept-Language and cookies', () => {
  const named = { userAgent: 'Reader/1', acceptLanguage: 'de' };
  const cookie = `session=${secret}; consent=1`;
  const sent = { ...named, credentials: { kind: 'headers', headers: { Cookie: cookie } } };

  test('are sent with the feed and the complete feed; cookies to the origin of the feed alone', async () => {
    const { feeds } = pipeline;
    const sharing = { since: '005', until: '009', complete: other.url('/all') };
    feeds.serve('/begin', { status: 302, headers: { location: feeds.url('/end') } });
    feeds.serve('/end', feed([entry('a', ['1 there'])], sharing));
    other.serve('/all', { status: 302, headers: { location: other.url('/all-end') } });
    other.serve('/all-end', document);
    expect((await subscribe('sends', '/begin', sent)).last).toMatchObject({ outcome: 'fetched' });
    const fields = { 'user-agent': 'Reader/1', 'accept-language': 'de' };
    for (const path of ['/begin', '/end'])
      expect(feeds.requests(path)[0]?.headers).toMatchObject({ ...fields, cookie });
    for (const path of ['/all', '/all-end']) {
      expect(other.requests(path)[0]?.headers).toMatchObject(fields);
      expect(other.requests(path)[0]?.headers).not.toHaveProperty('cookie');
    }
  });

  test('are sent to a page, and to the feed that is found there', async () => {
    const { feeds } = pipeline;
    const head = '<link rel="alternate" type="application/atom+xml" href="/paged.atom">';
    feeds.serve('/page', (request, response) => {
      const isReader = request.headers['user-agent'] === 'Reader/1';
      response.writeHead(isReader ? 200 : 403, { 'content-type': 'text/html' });
      response.end(`<html><head>${head}</head></html>`);
    });
    feeds.serve('/paged.atom', document);
    const { last } = await subscribe('paged', '/page', { discover: true });
    expect(last).toMatchObject({ outcome: 'failed', rule: 'forbidden', cause: 'http-403' });
    expect(last?.reason).toContain('the request carried no credentials. The host refuses this client;');
    const { status } = await send('PATCH', 'paged/subscriptions/peer', sent);
    expect(status).toBe(200);
    const found = await until(
      () => pipeline.store.subscriptions.find(collectionKey('paged'), peer),
      (subscription) => subscription?.last?.outcome === 'fetched',
    );
    expect(found).toMatchObject({ url: feeds.url('/paged.atom'), ...named, failures: 0 });
    expect(feeds.requests('/paged.atom')[0]?.headers).toMatchObject({ 'user-agent': 'Reader/1', cookie });
  });

  test('are sent to the documents of a tree', async () => {
    const { feeds } = pipeline;
    const [near, far] = [feeds.url('/leaf.jpg'), other.url('/leaf.jpg')];
    const body = treeFeed('root', ['story', 1, file(near), file(far)]);
    feeds.serve('/named-root', { headers: { 'content-type': 'application/rss+xml' }, body });
    feeds.serve('/leaf.jpg', { headers: { 'content-type': 'image/jpeg' }, body: 'near' });
    other.serve('/leaf.jpg', { headers: { 'content-type': 'image/jpeg' }, body: 'far' });
    const key = collectionKey('named-tree');
    await pipeline.store.collections.create(sampleCollection({ key, protocol: 'cse', format: 'rss' }));
    await subscribe('named-tree', '/named-root', sent);
    for (const path of ['/named-root', '/leaf.jpg'])
      expect(feeds.requests(path)[0]?.headers).toMatchObject({ 'user-agent': 'Reader/1', cookie });
    expect(other.requests('/leaf.jpg')[0]?.headers).toMatchObject({ 'accept-language': 'de' });
    expect(other.requests('/leaf.jpg')[0]?.headers).not.toHaveProperty('cookie');
  });

  test('bring each subscription its own document, without conditions once they change', async () => {
    const { feeds } = pipeline;
    const modified = 'Sun, 01 Mar 2026 00:00:00 GMT';
    feeds.serve('/languages', (request, response) => {
      if (request.headers['if-modified-since'] === modified) return void response.writeHead(304).end();
      const title = request.headers['accept-language'] ?? 'en';
      response.writeHead(200, { 'last-modified': modified, 'content-type': 'application/atom+xml' });
      return void response.end(feed([entry(title, ['1 there'])]));
    });
    const ids = async (collection: string): Promise<string[]> => {
      const items = await pipeline.store.items.list(collectionKey(collection), { limit: 9 });
      return items.map(({ id }) => id);
    };
    const languages = { german: 'de', french: 'fr', any: undefined };
    await Promise.all(
      Object.entries(languages).map(([collection, acceptLanguage]) =>
        subscribe(collection, '/languages', { acceptLanguage }),
      ),
    );
    expect(await Promise.all(Object.keys(languages).map(ids))).toEqual([['de'], ['fr'], ['en']]);
    await send('PATCH', 'any/subscriptions/peer', { acceptLanguage: 'it' });
    expect(
      await until(
        () => ids('any'),
        (found) => found.length > 1,
      ),
    ).toEqual(['en', 'it']);
  });
});

async function dumped(name: string): Promise<string> {
  return ((await pipeline.redis.dumpBuffer(name)) ?? Buffer.alloc(0)).toString('latin1');
}
