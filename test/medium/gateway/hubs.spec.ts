import { createHmac, randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { announcedReason, collectionKey, subscriptionId } from '#core';
import type { HubSubscription, Subscription } from '#core';
import { sampleCollection, sampleSubscription } from '#in-memory';
import { RawRequest } from '../../support/raw-request.ts';
import { startGateway } from './gateway-under-test.ts';
import type { GatewayUnderTest } from './gateway-under-test.ts';

const todo = collectionKey('todo');
const future = new Date('2099-01-01T00:00:00Z');
const limit = 100_000;

let gateway: GatewayUnderTest;
/** All that was logged, of every level. */
let log = '';
/** Every token and secret that a test has used. */
const secrets: string[] = [];

beforeAll(async () => {
  gateway = await startGateway({ WEBSUB_BODY_BYTES: `${limit}`, WEBSUB_FETCH_SECONDS: '3600' });
  const write = (...parts: unknown[]): void => void (log += `${parts.map(String).join(' ')}\n`);
  gateway.application.useLogger({
    log: write,
    error: write,
    warn: write,
    debug: write,
    verbose: write,
    fatal: write,
  });
  await gateway.store.collections.create(sampleCollection({ key: todo }));
});
afterAll(() => gateway.close());

let count = 0;

/** A subscription to a feed with a hub, and what is known of it there. */
async function subscribe(
  given: Partial<HubSubscription> = {},
  more: Partial<Subscription> = {},
): Promise<HubSubscription> {
  count += 1;
  const id = subscriptionId(`feed-${count}`);
  const url = `https://feeds.example/${count}`;
  const topic = `${url}?a=1&b=ü`;
  const hub = 'https://hub.example/';
  await gateway.store.subscriptions.put(
    sampleSubscription({
      collection: todo,
      id,
      url,
      createdAt: new Date(),
      nextFetchAt: future,
      hub: { url: hub, topic },
      ...more,
    }),
  );
  const [token, secret] = [randomBytes(32).toString('hex'), randomBytes(32).toString('hex')];
  secrets.push(token, secret);
  const callback = `${gateway.url}/websub/${token}`;
  const row = { collection: todo, subscription: id, hub, topic, token, secret, callback };
  const added: HubSubscription = { ...row, attempts: 0, nextAt: future, revision: 0, ...given };
  await gateway.store.hubs.add(added);
  return added;
}

async function found({ subscription }: HubSubscription): Promise<Subscription> {
  const subscriptionFound = await gateway.store.subscriptions.find(todo, subscription);
  if (subscriptionFound === undefined) throw new Error(`there is no ${subscription}`);
  return subscriptionFound;
}

const pending = { pending: 'subscribe' } as const;

/** A verification, with other fields than the right ones if they are given. */
function verify({ token, topic }: HubSubscription, given: Record<string, string> = {}): Promise<Response> {
  const fields = {
    'hub.mode': 'subscribe',
    'hub.topic': topic,
    'hub.challenge': 'a challenge <b>&amp;',
    'hub.lease_seconds': '3600',
    ...given,
  };
  return gateway.send('GET', `/websub/${token}?${new URLSearchParams(fields).toString()}`);
}

function sign(secret: string, body: string, method = 'sha256'): string {
  return `${method}=${createHmac(method, secret).update(body).digest('hex')}`;
}

function announce(
  { token, secret }: HubSubscription,
  { body = '<feed/>', signature = sign(secret, body), type = 'application/atom+xml' } = {},
): Promise<Response> {
  return gateway.send('POST', `/websub/${token}`, body, {
    'content-type': type,
    'x-hub-signature': signature,
  });
}

describe('a verification', () => {
  test('of what was requested returns the challenge as plain text, and begins the lease', async () => {
    const row = await subscribe(pending);
    const response = await verify(row);
    expect(response.status).toBe(200);
    expect(await response.text()).toBe('a challenge <b>&amp;');
    expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    expect(response.headers.get('cache-control')).toBe('no-store');
    const { hub } = await found(row);
    const left = ((hub?.leasedUntil?.getTime() ?? 0) - Date.now()) / 1000;
    expect(left).toBeGreaterThan(3000);
    expect(left).toBeLessThanOrEqual(3600);
    const leased = await gateway.store.hubs.find(row.token);
    expect(leased).toMatchObject({ leasedUntil: hub?.leasedUntil, attempts: 0 });
    expect(leased).not.toHaveProperty('pending');
    expect(leased?.nextAt.getTime()).toBeLessThan(hub?.leasedUntil?.getTime() ?? 0);
  });

  test('that is replayed is refused, and changes nothing', async () => {
    const row = await subscribe(pending);
    expect((await verify(row)).status).toBe(200);
    const leased = await gateway.store.hubs.find(row.token);
    expect((await verify(row, { 'hub.lease_seconds': '99999' })).status).toBe(404);
    expect(await gateway.store.hubs.find(row.token)).toEqual(leased);
  });

  test('of several at the same time one is right', async () => {
    const row = await subscribe(pending);
    const responses = await Promise.all(Array.from({ length: 8 }, () => verify(row)));
    const right = responses.filter(({ status }) => status === 200);
    expect(right).toHaveLength(1);
    expect(responses.filter(({ status }) => status === 404)).toHaveLength(7);
  });

  test.each([
    ['of another topic', { 'hub.topic': 'https://feeds.example/other' }],
    ['of a topic that only begins so', { 'hub.topic': 'https://feeds.example/' }],
    ['of another mode', { 'hub.mode': 'unsubscribe' }],
    ['of no mode', { 'hub.mode': '' }],
    ['without a challenge', { 'hub.challenge': '' }],
    ['with an odd lease', { 'hub.lease_seconds': '1e3' }],
  ])('%s is refused', async (_what, given) => {
    const row = await subscribe(pending);
    expect((await verify(row, given)).status).toBe(404);
    expect(await gateway.store.hubs.find(row.token)).toEqual(row);
  });

  test.each([
    'hub.mode=subscribe',
    'hub.topic=x',
    'hub.challenge=x',
    'hub.lease_seconds=9',
    'hub.reason=x&hub.reason=y',
  ])('that says something twice (%s) is refused', async (more) => {
    const row = await subscribe(pending);
    const { topic, token } = row;
    const fields = new URLSearchParams({
      'hub.mode': 'subscribe',
      'hub.topic': topic,
      'hub.challenge': 'c',
      'hub.lease_seconds': '3600',
    });
    for (const query of [`${fields.toString()}&${more}`, `${more}&${fields.toString()}`])
      expect((await gateway.send('GET', `/websub/${token}?${query}`)).status).toBe(404);
    expect(await gateway.store.hubs.find(token)).toEqual(row);
  });

  test('by HEAD is refused', async () => {
    const row = await subscribe(pending);
    const fields = { 'hub.mode': 'subscribe', 'hub.topic': row.topic, 'hub.challenge': 'c' };
    const path = `/websub/${row.token}?${new URLSearchParams(fields).toString()}`;
    expect((await gateway.send('HEAD', path)).status).toBe(404);
    expect(await gateway.store.hubs.find(row.token)).toEqual(row);
  });

  test('of a feed that is not read any more is refused', async () => {
    const [paused, other, removed] = [
      await subscribe(pending, { status: 'paused' }),
      await subscribe(pending, {
        hub: { url: 'https://hub.example/', topic: 'https://feeds.example/other' },
      }),
      await subscribe(pending),
    ];
    await gateway.store.subscriptions.remove(todo, removed.subscription);
    for (const row of [paused, other, removed]) expect((await verify(row)).status).toBe(404);
  });

  test('of an end is right if it was requested', async () => {
    const leased = await subscribe({ leasedUntil: future });
    expect((await verify(leased, { 'hub.mode': 'unsubscribe' })).status).toBe(404);
    const ended = await subscribe({ pending: 'unsubscribe', leasedUntil: future });
    await gateway.store.subscriptions.remove(todo, ended.subscription);
    const response = await verify(ended, { 'hub.mode': 'unsubscribe' });
    expect([response.status, await response.text()]).toEqual([200, 'a challenge <b>&amp;']);
    expect((await announce(ended)).status).toBe(404);
  });

  test('that is a denial is recorded with its reason, which shows no secret', async () => {
    const row = await subscribe(pending);
    const reason = `no\r\nmore of ${row.token} ${row.secret}`;
    expect((await verify(row, { 'hub.mode': 'denied', 'hub.reason': reason })).status).toBe(200);
    expect((await found(row)).hub).toMatchObject({ reason: 'the hub has refused: no more of … …' });
    expect((await verify(row)).status).toBe(404);
    const shown = await gateway.send('GET', `/v1/collections/todo/subscriptions/${row.subscription}`);
    expect(await shown.json()).toMatchObject({
      hub: { url: 'https://hub.example/', reason: 'the hub has refused: no more of … …' },
    });
  });
});

describe('an announcement', () => {
  test.each(['sha1', 'sha256', 'sha384', 'sha512'])(
    'that is signed with %s lets the feed be fetched',
    async (method) => {
      const row = await subscribe({ leasedUntil: future });
      const response = await announce(row, { signature: sign(row.secret, '<feed/>', method) });
      expect([response.status, await response.text()]).toEqual([202, '']);
      const { nextFetchAt, nextFetchReason, hub } = await found(row);
      expect(nextFetchReason).toBe(announcedReason);
      expect(nextFetchAt.getTime()).toBeLessThanOrEqual(Date.now());
      expect(hub?.announcedAt).toEqual(nextFetchAt);
    },
  );

  test('may have any type and content, which is not read', async () => {
    for (const [type, body] of [
      ['application/json', '{"a":'],
      ['application/json; charset=utf-16', 'x'],
      ['application/atom+xml', '<feed'],
      ['image/png', 'x'],
      ['multipart/form-data', 'x'],
      ['application/x-www-form-urlencoded', 'a=b'],
    ] as const) {
      const row = await subscribe({ leasedUntil: future });
      expect((await announce(row, { type, body })).status).toBe(202);
      expect((await found(row)).nextFetchReason).toBe(announcedReason);
    }
  });

  test('that is forged gets the same response, and nothing comes of it', async () => {
    const row = await subscribe({ leasedUntil: future });
    for (const signature of [
      sign('another', '<feed/>'),
      sign(row.secret, '<feed />'),
      sign(row.secret, '<feed/>').slice(0, -2),
      sign(row.secret, '<feed/>').replace('sha256', 'sha1'),
      sign(row.secret, '<feed/>', 'md5'),
      'sha256=',
      '',
      undefined,
    ]) {
      const response = await gateway.send('POST', `/websub/${row.token}`, '<feed/>', {
        'content-type': 'application/atom+xml',
        ...(signature !== undefined && { 'x-hub-signature': signature }),
      });
      expect([response.status, await response.text()]).toEqual([202, '']);
    }
    expect((await found(row)).nextFetchAt).toEqual(future);
  });

  test('leads to one fetch, however many there are', async () => {
    const row = await subscribe({ leasedUntil: future });
    const burst = (): Promise<unknown> => Promise.all(Array.from({ length: 20 }, () => announce(row)));
    await burst();
    const first = (await found(row)).nextFetchAt;
    expect(first.getTime()).toBeLessThanOrEqual(Date.now());
    await gateway.store.subscriptions.lease(todo, row.subscription, 'm1', 60_000);
    await burst();
    const report = { at: new Date(), outcome: 'not-modified' } as const;
    const result = { report, nextFetchAt: future, nextFetchReason: 'x' };
    await gateway.store.subscriptions.complete(todo, row.subscription, 'm1', result);
    await burst();
    const { nextFetchAt, hub } = await found(row);
    // Not sooner than WEBSUB_FETCH_SECONDS after the one before.
    expect(nextFetchAt.getTime() - first.getTime()).toBe(3_600_000);
    expect(hub?.announcedAt).toEqual(nextFetchAt);
  });

  test('leads to none while the feed fails or is paused', async () => {
    for (const more of [{ failures: 1 }, { status: 'paused' }] as const) {
      const row = await subscribe({ leasedUntil: future }, more);
      expect((await announce(row)).status).toBe(202);
      expect((await found(row)).nextFetchAt).toEqual(future);
    }
  });

  test('of a feed that is not read any more says so', async () => {
    const removed = await subscribe({ leasedUntil: future });
    expect(
      (await gateway.send('DELETE', `/v1/collections/todo/subscriptions/${removed.subscription}`)).status,
    ).toBe(204);
    expect((await announce(removed)).status).toBe(410);
    // The hub learns it at once.
    expect((await gateway.store.hubs.find(removed.token))?.nextAt.getTime()).toBeLessThanOrEqual(Date.now());
    const moved = await subscribe({ leasedUntil: future });
    const body = { url: 'https://feeds.example/elsewhere' };
    await gateway.send('PUT', `/v1/collections/todo/subscriptions/${moved.subscription}`, body);
    expect((await announce(moved)).status).toBe(410);
    expect((await gateway.store.hubs.find(moved.token))?.nextAt.getTime()).toBeLessThanOrEqual(Date.now());
  });

  test('that is too large is refused, said to be or not', async () => {
    const row = await subscribe({ leasedUntil: future });
    const body = 'x'.repeat(limit + 1);
    expect((await announce(row, { body })).status).toBe(413);
    const raw = await RawRequest.open(gateway.url);
    raw.send(
      `POST /websub/${row.token} HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n` +
        `X-Hub-Signature: ${sign(row.secret, body)}\r\n\r\n${(limit + 1).toString(16)}\r\n${body}\r\n`,
    );
    await raw.begun;
    expect(raw.received).toMatch(/^HTTP\/1\.1 413 .*WEBSUB_BODY_BYTES/s);
    raw.close();
    expect((await found(row)).nextFetchAt).toEqual(future);
    expect((await announce(row, { body: 'x'.repeat(limit) })).status).toBe(202);
    expect((await found(row)).nextFetchReason).toBe(announcedReason);
  });
});

test('nothing is at any other token', async () => {
  for (const token of ['0', 'g'.repeat(64), 'A'.repeat(64), 'ab'.repeat(32), 'ab'.repeat(500), '%00', '~'])
    for (const method of ['GET', 'POST'])
      expect((await gateway.send(method, `/websub/${token}`)).status).toBe(404);
});

test('hubs need no key where others do', async () => {
  const open = gateway;
  gateway = await startGateway({ AUTH: 'required', AUTH_ADMIN_KEY: 'x'.repeat(40) });
  try {
    const row = await subscribe(pending);
    expect((await gateway.send('GET', '/v1/collections')).status).toBe(401);
    expect((await verify(row)).status).toBe(200);
    expect((await announce(row)).status).toBe(202);
    expect((await found(row)).nextFetchReason).toBe(announcedReason);
    const path = `/v1/collections/todo/subscriptions/${row.subscription}`;
    expect((await gateway.send('DELETE', path)).status).toBe(401);
  } finally {
    await gateway.close();
    gateway = open;
  }
});

test('tokens and secrets are in no log, no metric and no list', async () => {
  const row = await subscribe(pending);
  for (const path of ['', '/', '/more', '?hub.mode=x'])
    for (const method of ['GET', 'POST', 'PUT', 'DELETE'])
      await gateway.send(method, `/websub/${row.token}${path}`);
  const [metrics, list, index] = await Promise.all(
    ['/metrics', '/v1/collections/todo/subscriptions?limit=1000', '/'].map(async (path) =>
      (await gateway.send('GET', path)).text(),
    ),
  );
  expect(log).toContain('GET /websub/…: 404 callback-not-found');
  expect(metrics).toContain('feedmesh_hub_calls_total{kind="announcement",outcome="forged"}');
  expect(list).toContain('"hub":{"url":"https://hub.example/"');
  for (const secret of secrets)
    for (const text of [log, metrics, list, index]) expect(text).not.toContain(secret);
});
