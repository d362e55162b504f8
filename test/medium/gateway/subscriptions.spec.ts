import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Violation } from '#xml';
import { collectionKey, subscriptionId } from '#core';
import type { CollectionKey, FeedSummary, SubscriptionId } from '#core';
import { openJobQueue } from '#queue';
import type { BullQueue } from '#queue';
import { problemIn } from './gateway-under-test.ts';
import { until } from '../../support/until.ts';
import { useGateway } from './use-gateway.ts';

const readersKey = collectionKey('readers');

const subscriptions = '/v1/collections/readers/subscriptions';

const gateway = useGateway();
let queue: BullQueue;
beforeAll(async () => {
  queue = openJobQueue({ redisUrl: gateway.redisUrl });
  await gateway.send('PUT', '/v1/collections/readers');
});
afterAll(() => queue.close());

interface SubscriptionAnswer {
  readonly id: string;
  readonly status: string;
  readonly nextFetchAt: string;
}

/** Ends the subscription's latest fetch as its feed being gone. */
async function beGone(id: SubscriptionId): Promise<void> {
  await gateway.store.subscriptions.lease(readersKey, id, `fetch-${id}`, 60_000);
  const at = new Date();
  await gateway.store.subscriptions.complete(readersKey, id, `fetch-${id}`, {
    report: { at, outcome: 'gone', reason: 'HTTP 410' },
    status: 'gone',
    nextFetchAt: at,
    nextFetchReason: 'gone',
  });
}

describe('a subscription', () => {
  test('keeps what a merge patch does not name; what that makes null is as by default', async () => {
    const url = 'https://plain.example/feed';
    await gateway.send('PUT', `${subscriptions}/plain`, { url, adopt: true });
    const patched = async (patch: object): Promise<unknown> => {
      const response = await gateway.send('PATCH', `${subscriptions}/plain`, patch);
      expect(response.status).toBe(200);
      return response.json();
    };
    const interval = { minimum: 120, maximum: 600 };
    expect(await patched({ interval })).toMatchObject({ url, adopt: true, interval });
    expect(await patched({ interval: { maximum: 900 } })).toMatchObject({
      adopt: true,
      interval: { minimum: 120, maximum: 900 },
    });
    expect(await patched({ adopt: false })).toMatchObject({ adopt: false });
    expect(await patched({ adopt: null })).toMatchObject({ adopt: 'auto' });
  });

  test('is made under its name, is due at once, and a fetch is requested', async () => {
    const response = await gateway.send('PUT', `${subscriptions}/news`, { url: 'https://news.example/feed' });
    expect(response.status).toBe(201);
    const subscription = (await response.json()) as SubscriptionAnswer;
    expect(subscription).toMatchObject({
      collection: 'readers',
      id: 'news',
      url: 'https://news.example/feed',
      status: 'active',
      interval: { minimum: 60, maximum: 86_400 },
      failures: 0,
      cursor: {},
      isFetching: false,
    });
    expect(Date.parse(subscription.nextFetchAt)).toBeLessThanOrEqual(Date.now());
    expect(await (await gateway.send('GET', `${subscriptions}/news`)).json()).toEqual(subscription);
    await until(async () => (await queue.backlog('fetch')) > 0);
  });

  test('gets a name from its address, the same for the same address', async () => {
    const body = { url: 'https://Planet.Example:8443/a/feed.xml?x=1' };
    const first = await gateway.send('POST', subscriptions, body);
    const { id } = (await first.json()) as SubscriptionAnswer;
    expect([first.status, first.headers.get('location')]).toEqual([
      201,
      `${gateway.url}${subscriptions}/${id}`,
    ]);
    expect(id).toMatch(/^planet-example-[0-9a-f]{8}$/);
    const second = await gateway.send('POST', subscriptions, body);
    expect([second.status, ((await second.json()) as SubscriptionAnswer).id]).toEqual([200, id]);
  });

  test('to a page says that its feed is looked for, also if that is requested later', async () => {
    const body = { url: 'https://page.example/blog' };
    expect(await (await gateway.send('POST', subscriptions, body)).json()).not.toHaveProperty('discover');
    const second = await gateway.send('POST', subscriptions, { ...body, discover: true });
    expect([second.status, await second.json()]).toMatchObject([200, { discover: true }]);
    const again = await gateway.send('POST', subscriptions, body);
    expect(await again.json()).toMatchObject({ discover: true });
  });

  test('of a tree of feeds discovers nothing', async () => {
    await gateway.send('PUT', '/v1/collections/discovering-tree', { protocol: 'cse' });
    const body = { url: 'https://page.example/blog', discover: true };
    const refused = await gateway.send('POST', '/v1/collections/discovering-tree/subscriptions', body);
    expect((await problemIn(refused)).errors).toMatchObject([{ path: 'body.discover' }]);
  });

  test('to a feed with a subscription is that one, with its interval unless another is given', async () => {
    const interval = { minimum: 5, maximum: 50 };
    const first = (await (
      await gateway.send('PUT', `${subscriptions}/once`, { url: 'https://once.example/feed', interval })
    ).json()) as SubscriptionAnswer;
    const again = await gateway.send('POST', subscriptions, { url: 'https://ONCE.example/feed#top' });
    expect([again.status, again.headers.get('location')]).toEqual([
      200,
      `${gateway.url}${subscriptions}/once`,
    ]);
    expect(await again.json()).toEqual(first);
    const changed = await gateway.send('POST', subscriptions, {
      url: 'https://once.example/feed',
      interval: { minimum: 6, maximum: 60 },
    });
    expect([changed.status, await changed.json()]).toEqual([
      200,
      { ...first, interval: { minimum: 6, maximum: 60 } },
    ]);
  });

  test('to a feed that is subscribed to under another name is refused with that name', async () => {
    await gateway.send('PUT', `${subscriptions}/here`, { url: 'https://here.example/feed' });
    await gateway.send('PUT', `${subscriptions}/there`, { url: 'https://there.example/feed' });
    const url = 'https://here.example/feed';
    for (const [method, path, body] of [
      ['PUT', `${subscriptions}/other`, { url }],
      ['POST', subscriptions, { url, subscription: 'other' }],
      ['PUT', `${subscriptions}/there`, { url }],
    ] as const) {
      const problem = await problemIn(await gateway.send(method, path, body));
      expect(problem).toMatchObject({
        status: 409,
        rule: 'already-subscribed',
        detail: `The collection "readers" is already subscribed to ${url} as "here".`,
        subscription: 'here',
      });
    }
  });

  test('takes another address, and begins anew', async () => {
    await gateway.send('PUT', `${subscriptions}/moving`, { url: 'https://old.example/feed' });
    const response = await gateway.send('PUT', `${subscriptions}/moving`, {
      url: 'https://new.example/feed',
      interval: { minimum: 5, maximum: 50 },
    });
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({
      url: 'https://new.example/feed',
      interval: { minimum: 5, maximum: 50 },
      cursor: {},
    });
  });

  test('is paused, stays so, and is resumed', async () => {
    const body = { url: 'https://calm.example/feed' };
    await gateway.send('PUT', `${subscriptions}/calm`, body);
    const statusAfter = async (method: string, path: string, sent?: object): Promise<string> =>
      (
        (await (
          await gateway.send(method, `${subscriptions}/calm${path}`, sent)
        ).json()) as SubscriptionAnswer
      ).status;
    expect(await statusAfter('POST', '/pause')).toBe('paused');
    expect(await statusAfter('POST', '/refresh')).toBe('paused');
    expect(await statusAfter('PUT', '', body)).toBe('paused');
    expect(await statusAfter('POST', '/resume')).toBe('active');
  });

  test('is due after a refresh, with the reason', async () => {
    await gateway.send('PUT', `${subscriptions}/soon`, { url: 'https://soon.example/feed' });
    const response = await gateway.send('POST', `${subscriptions}/soon/refresh`);
    expect(response.status).toBe(202);
    expect(await response.json()).toMatchObject({ nextFetchReason: 'it was requested' });
  });

  test('whose feed is gone is only resumed by a PUT', async () => {
    const body = { url: 'https://gone.example/feed' };
    await gateway.send('PUT', `${subscriptions}/gone`, body);
    await beGone(subscriptionId('gone'));
    expect(await (await gateway.send('GET', `${subscriptions}/gone`)).json()).toMatchObject({
      status: 'gone',
      last: { outcome: 'gone', reason: 'HTTP 410' },
      failures: 1,
    });
    for (const action of ['refresh', 'pause', 'resume']) {
      expect(await problemIn(await gateway.send('POST', `${subscriptions}/gone/${action}`))).toMatchObject({
        status: 409,
        rule: 'subscription-gone',
      });
    }
    const back = (await (
      await gateway.send('PUT', `${subscriptions}/gone`, body)
    ).json()) as SubscriptionAnswer;
    expect(back).toMatchObject({ status: 'active', nextFetchReason: 'it was just subscribed' });
  });

  test('is ended, once', async () => {
    await gateway.send('PUT', `${subscriptions}/ended`, { url: 'https://ended.example/feed' });
    expect((await gateway.send('DELETE', `${subscriptions}/ended`)).status).toBe(204);
    expect(await problemIn(await gateway.send('DELETE', `${subscriptions}/ended`))).toMatchObject({
      status: 404,
      rule: 'subscription-not-found',
    });
  });

  test.each(['refresh', 'pause', 'resume'])('that does not exist is refused: %s', async (action) => {
    expect(await problemIn(await gateway.send('POST', `${subscriptions}/nobody/${action}`))).toMatchObject({
      status: 404,
      rule: 'subscription-not-found',
    });
  });

  test.each([
    ['ftp://files.example/feed', {}, 'body.url'],
    ['no address', {}, 'body.url'],
    ['https://a.example/', { interval: { minimum: 0, maximum: 5 } }, 'body.interval.minimum'],
    ['https://a.example/', { interval: { minimum: 60, maximum: 5 } }, 'body.interval'],
    ['https://a.example/', { interval: { minimum: 60, maximum: 31_536_001 } }, 'body.interval.maximum'],
    ['https://a.example/', { every: 5 }, 'body'],
  ])('to %s with %j is refused', async (url, more, path) => {
    expect(
      await problemIn(await gateway.send('PUT', `${subscriptions}/wrong`, { url, ...more })),
    ).toMatchObject({ status: 400, errors: [{ path }] });
  });

  test('to a URL without a scheme is refused, and the response names the probable one', async () => {
    const message = '`example.org/feed` has no scheme; did you mean `https://example.org/feed`?';
    for (const [method, path] of [
      ['PUT', `${subscriptions}/schemeless`],
      ['POST', subscriptions],
    ] as const) {
      const problem = await problemIn(await gateway.send(method, path, { url: 'example.org/feed' }));
      expect(problem).toMatchObject({ status: 400, errors: [{ path: 'body.url', message }] });
    }
  });

  test('under a wrong name, or in no collection, is refused', async () => {
    const body = { url: 'https://a.example/' };
    expect(await problemIn(await gateway.send('PUT', `${subscriptions}/UPPER`, body))).toMatchObject({
      status: 400,
      errors: [{ path: 'path.subscription' }],
    });
    expect(
      await problemIn(await gateway.send('PUT', '/v1/collections/nowhere/subscriptions/a', body)),
    ).toMatchObject({ status: 404, rule: 'collection-not-found' });
  });
});

/** Ends the subscription's latest fetch with what the feed says of itself. */
async function beRead(
  collection: CollectionKey,
  id: SubscriptionId,
  aggregated: FeedSummary['aggregated'],
  violations?: readonly Violation[],
): Promise<void> {
  const at = new Date();
  await gateway.store.subscriptions.lease(collection, id, `fetch-${id}`, 60_000);
  await gateway.store.subscriptions.complete(collection, id, `fetch-${id}`, {
    report: { at, outcome: 'fetched', ...(violations && { violations }) },
    feed: { title: `Feed ${id}`, markup: ['<x xmlns="urn:x"/>'], aggregated },
    nextFetchAt: new Date(at.getTime() + 3_600_000),
    nextFetchReason: 'a test',
  });
}

test('a subscription shows what its feed says of itself, and where it departs from the rules', async () => {
  await gateway.send('PUT', `${subscriptions}/shown`, { url: 'https://shown.example/feed' });
  const violations = [
    {
      rule: 'sharing-since-until',
      section: 'FeedSync 2.2',
      message: 'only one',
      severity: 'warning' as const,
      line: 3,
      column: 4,
    },
  ];
  const aggregated = [{ link: 'https://b.example/', title: 'B' }];
  await beRead(readersKey, subscriptionId('shown'), aggregated, violations);
  const shown = (await (await gateway.send('GET', `${subscriptions}/shown`)).json()) as { feed: unknown };
  expect(shown).toMatchObject({ last: { outcome: 'fetched', violations } });
  expect(shown.feed).toEqual({ title: 'Feed shown', aggregated });
});

describe('discovered feeds', () => {
  const collection = '/v1/collections/curious';
  const discovered = async (query = '') =>
    (await (await gateway.send('GET', `${collection}/discovered-feeds${query}`)).json()) as {
      items: { url: string }[];
      next?: string;
    };

  beforeAll(async () => {
    await gateway.send('PUT', collection);
    for (const id of ['one', 'two'])
      await gateway.send('PUT', `${collection}/subscriptions/${id}`, { url: `https://${id}.example/feed` });
    await beRead(collectionKey('curious'), subscriptionId('one'), [
      { link: 'https://z.example/feed' },
      { link: 'https://TWO.example/feed' },
      { link: `${gateway.url}/feeds/curious/complete.rss` },
    ]);
    await beRead(collectionKey('curious'), subscriptionId('two'), [
      { link: 'https://z.example/feed#top', title: 'Z' },
      { link: 'https://a.example/feed', title: 'A' },
      { link: 'urn:not:fetchable' },
    ]);
  });

  test('are those that subscribed feeds name and nobody here reads or publishes, by address', async () => {
    const subscribe = (url: string) => ({
      method: 'POST',
      url: `${gateway.url}${collection}/subscriptions`,
      body: { url },
    });
    expect(await discovered()).toEqual({
      items: [
        {
          url: 'https://a.example/feed',
          title: 'A',
          foundIn: ['two'],
          subscribe: subscribe('https://a.example/feed'),
        },
        {
          url: 'https://z.example/feed',
          title: 'Z',
          foundIn: ['one', 'two'],
          subscribe: subscribe('https://z.example/feed'),
        },
      ],
    });
  });

  test('come in pages', async () => {
    const first = await discovered('?limit=1');
    const second = await discovered(`?limit=1&cursor=${first.next}`);
    expect([...first.items, ...second.items].map(({ url }) => url)).toEqual([
      'https://a.example/feed',
      'https://z.example/feed',
    ]);
    expect(second.next).toBeUndefined();
  });

  test('are no longer offered once they are subscribed to as they say', async () => {
    const [{ subscribe }] = (await discovered()).items as unknown as [
      { subscribe: { method: string; url: string; body: object } },
    ];
    const response = await fetch(subscribe.url, {
      method: subscribe.method,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(subscribe.body),
    });
    expect(response.status).toBe(201);
    expect((await discovered()).items.map(({ url }) => url)).toEqual(['https://z.example/feed']);
  });

  test('of no collection are refused', async () => {
    expect(
      await problemIn(await gateway.send('GET', '/v1/collections/nowhere/discovered-feeds')),
    ).toMatchObject({ status: 404, rule: 'collection-not-found' });
  });
});

test('the list of subscriptions comes in pages by name', async () => {
  await gateway.send('PUT', '/v1/collections/many');
  for (const id of ['a', 'b', 'c'])
    await gateway.send('PUT', `/v1/collections/many/subscriptions/${id}`, { url: `https://${id}.example/` });
  const first = (await (await gateway.send('GET', '/v1/collections/many/subscriptions?limit=2')).json()) as {
    items: SubscriptionAnswer[];
    next: string;
  };
  const second = (await (
    await gateway.send('GET', `/v1/collections/many/subscriptions?limit=2&cursor=${first.next}`)
  ).json()) as { items: SubscriptionAnswer[]; next?: string };
  expect([...first.items, ...second.items].map(({ id }) => id)).toEqual(['a', 'b', 'c']);
  expect(second.next).toBeUndefined();
});
