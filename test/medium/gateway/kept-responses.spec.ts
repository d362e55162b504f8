import { randomBytes } from 'node:crypto';
import { request } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { RawRequest } from '../../support/raw-request.ts';
import { until } from '../../support/until.ts';
import { useGateway } from './use-gateway.ts';

const administrator = 'x'.repeat(40);
const origin = 'https://console.example';

const gateway = useGateway({
  AUTH: 'required',
  AUTH_ADMIN_KEY: administrator,
  AUTH_SECRETS: randomBytes(32).toString('base64'),
  GATEWAY_ORIGINS: origin,
  GATEWAY_HOSTS: 'known.example',
  TENANT_BURST_SECONDS: '3',
});
let key: string;
/** How many requests have come to Express. */
let routed = 0;

beforeAll(async () => {
  await send('PUT', '/v1/tenants/acme', {});
  await send('PUT', '/v1/tenants/full', { limits: { requestsPerSecond: 1 } });
  for (const name of ['news', 'open', 'acme.todo', 'full.todo']) {
    await send('PUT', `/v1/collections/${name}`, {});
    await send('POST', `/v1/collections/${name}/items`, {
      id: 'a',
      title: `First ${'of many '.repeat(200)}`,
    });
    await gateway.publish(name);
  }
  await send('PUT', '/v1/collections/lists', { protocol: 'sse', format: 'opml' });
  await gateway.publish('lists');
  for (const name of ['open', 'full.todo'])
    await send('PUT', `/v1/collections/${name}/visibility`, { visibility: 'public' });
  await send('PUT', '/v1/collections/tree', { protocol: 'cse' });
  await send('PUT', '/v1/collections/tree/feeds/east');
  await send('POST', '/v1/collections/tree/items', { guid: 'e', title: 'East', links: [{ feed: 'east' }] });
  await gateway.publish('tree');
  // They are dated only after the second in which they were published.
  for (const path of ['news.atom', 'open.atom', 'acme.todo.atom', 'lists.opml', 'tree.rss'])
    await until(async () => (await send('GET', `/feeds/${path}`)).headers.has('last-modified'));
  const grants = [{ permissions: ['feeds'], collections: '*' }];
  const issued = await send('POST', '/v1/keys', { name: 'reader', grants });
  key = ((await issued.json()) as { key: string }).key;
  const express = gateway.application.getHttpAdapter().getInstance() as { handle: unknown };
  const handle = express.handle as (...values: unknown[]) => void;
  express.handle = (...values: unknown[]) => {
    routed += 1;
    handle.apply(express, values);
  };
});

async function send(method: string, path: string, body?: object): Promise<Response> {
  const response = await gateway.send(method, path, body, { authorization: `Bearer ${administrator}` });
  if (!response.ok) throw new Error(`${method} ${path}: ${await response.text()}`);
  return response;
}

/** A response as it came, without what differs each time. */
async function responseTo(method: string, path: string, headers: Readonly<Record<string, string>>) {
  const sent = request(gateway.url + path, {
    method,
    headers: { 'x-request-id': 'same', ...headers },
    agent: false,
  });
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    sent.once('response', resolve).once('error', reject).end();
  });
  const { rawHeaders } = response;
  const names = rawHeaders.filter((_, place) => place % 2 === 0);
  return {
    status: response.statusCode,
    headers: names.map((name, place) => [name, name === 'Date' ? '' : rawHeaders[2 * place + 1]]),
    body: (await buffer(response)).toString('latin1').replace(/\?",?/g, '"'),
  };
}

/** The same feed at a path that only its route knows. */
const routeOf = (path: string): string => (path.includes('?') ? `${path}&` : `${path}?`);

/** Compares the responses to a request in front and by the route; returns their status. */
async function compare(
  method: string,
  path: string,
  headers: Readonly<Record<string, string>>,
  isInFront: boolean,
) {
  const what = `${method} ${path} ${JSON.stringify(headers)}`;
  const byRoute = await responseTo(method, routeOf(path), headers);
  const before = routed;
  const inFront = await responseTo(method, path, headers);
  expect([what, inFront]).toEqual([what, byRoute]);
  expect([what, routed - before]).toEqual([what, isInFront ? 0 : 1]);
  return inFront;
}

const bearer = (secret: string) => ({ authorization: `Bearer ${secret}` });
const requests: readonly [method: string, headers: Readonly<Record<string, string>>][] = [
  ['GET', {}],
  ['HEAD', {}],
  ['GET', { 'accept-encoding': 'gzip' }],
  ['HEAD', { 'accept-encoding': 'gzip, br' }],
  ['GET', { 'accept-encoding': 'gzip;q=0.5, br;q=0.1' }],
  ['GET', { 'accept-encoding': 'br' }],
  ['GET', { 'accept-encoding': 'identity, *;q=0' }],
  ['GET', { 'if-none-match': '*' }],
  ['HEAD', { 'if-none-match': '*' }],
  ['GET', { 'if-none-match': '"another"', 'if-modified-since': new Date().toUTCString() }],
  ['GET', { 'if-modified-since': new Date().toUTCString() }],
  ['GET', { 'if-modified-since': new Date(0).toUTCString() }],
  ['GET', { range: 'bytes=0-9' }],
  ['GET', { origin }],
  ['GET', { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }],
  ['GET', { host: 'known.example' }],
  ['GET', { 'x-forwarded-for': '127.0.0.2', 'cache-control': 'no-cache' }],
];

test.each([
  '/feeds/news.atom',
  '/feeds/news/complete.rss',
  '/feeds/news.atom?since=0000000000000001',
  '/feeds/news/reader.rss',
  '/feeds/open.atom',
  '/feeds/acme.todo.atom',
  '/feeds/lists.opml',
  '/feeds/tree.rss',
  '/feeds/tree/east.rss',
  '/feeds/tree/reader.atom',
])('%s is sent in front of Express as its route sends it', async (path) => {
  const first = await responseTo('GET', path, bearer(key));
  expect(first.status).toBe(200);
  const etag = String(first.headers.find(([name]) => name === 'ETag')?.[1]);
  for (const [method, headers] of [...requests, ['GET', { 'if-none-match': etag }] as const])
    await compare(method, path, { ...bearer(key), ...headers }, true);
  expect((await compare('GET', path, { ...bearer(key), 'if-none-match': etag }, true)).status).toBe(304);
  expect((await compare('GET', `/r/${key}${path}`, { 'if-none-match': etag }, true)).status).toBe(304);
  expect((await compare('GET', path, bearer(administrator), true)).status).toBe(200);
});

describe('a feed that is kept', () => {
  const path = '/feeds/news.atom';

  test('is refused as by its route', async () => {
    await responseTo('GET', path, bearer(key));
    expect((await compare('GET', path, {}, false)).status).toBe(401);
    for (const [headers, status] of [
      [bearer('wrong'), 401],
      [{ authorization: 'Digest x' }, 401],
      [{ host: 'evil.example' }, 421],
    ] as const) {
      const before = routed;
      const [inFront, byRoute] = [
        await responseTo('GET', path, headers),
        await responseTo('GET', routeOf(path), headers),
      ];
      expect(inFront).toEqual(byRoute);
      expect([inFront.status, routed]).toEqual([status, before]);
    }
  });

  test('is public for everyone, and private for those with a key', async () => {
    for (const [feed, headers, control] of [
      ['/feeds/open.atom', {}, 'no-cache'],
      [path, bearer(key), 'private, no-cache'],
    ] as const) {
      await responseTo('GET', feed, headers);
      const response = await compare('GET', feed, headers, true);
      expect(response.headers).toContainEqual(['Cache-Control', control]);
    }
  });

  test('is sent to a client of HTTP/1.0', async () => {
    const texts: string[] = [];
    for (const target of [path, routeOf(path)]) {
      const raw = await RawRequest.open(gateway.url);
      raw.send(`GET ${target} HTTP/1.0\r\nAuthorization: Bearer ${key}\r\nX-Request-Id: same\r\n\r\n`);
      await raw.closed;
      texts.push(raw.received.replace(/^Date: .*$/m, ''));
    }
    expect(texts[0]).toContain('200 OK');
    expect(texts[0]).toBe(texts[1]);
  });

  test('is withheld once its tenant is suspended, but not from who administers all', async () => {
    const feed = '/feeds/acme.todo.atom';
    await responseTo('GET', feed, bearer(key));
    await send('PUT', '/v1/tenants/acme', { suspended: true });
    await until(async () => (await responseTo('GET', feed, bearer(key))).status === 403);
    expect((await compare('GET', feed, bearer(key), false)).status).toBe(403);
    expect((await compare('GET', feed, bearer(administrator), false)).status).toBe(200);
  });

  test('counts for its tenant, and is refused once the quota is used up', async () => {
    const feed = '/feeds/full.todo.atom';
    await until(async () => (await responseTo('GET', feed, {})).status === 429);
    const before = routed;
    const [inFront, byRoute] = [
      await responseTo('GET', feed, {}),
      await responseTo('GET', routeOf(feed), {}),
    ];
    expect([inFront.status, byRoute.status, routed]).toEqual([429, 429, before]);
    expect(inFront).toEqual(byRoute);
  });
});
