import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { freePort } from '#databases';
import { collectionKey, subscriptionId } from '#core';
import type { FeedHub, Subscription } from '#core';
import { entry, feed } from './feed.ts';
import { PipelineUnderTest } from './pipeline-under-test.ts';
import { TestHub } from './test-hub.ts';
import { until } from '../../support/until.ts';

const peer = subscriptionId('peer');
const longest = 86_400;
/** In milliseconds. */
const day = 86_400_000;

let pipeline: PipelineUnderTest;
let gateway: string;
let hub: TestHub;
beforeAll(async () => {
  hub = await TestHub.open();
  const PORT = String(await freePort());
  gateway = `http://127.0.0.1:${PORT}`;
  pipeline = await PipelineUnderTest.open({
    PORT,
    PUBLIC_URL: gateway,
    WEBSUB: 'on',
    WEBSUB_SCHEDULE_MS: '50',
    WEBSUB_RETRY_SECONDS: '0.5',
    WEBSUB_FETCH_SECONDS: '0.001',
    WEBSUB_SHORTEST_LEASE_SECONDS: '0.5',
    FETCH_HOST_LONGEST_PAUSE_SECONDS: '0.01',
  });
  await pipeline.start('fetcher', 'merger', 'publisher', 'gateway');
});
afterAll(async () => {
  await pipeline.close();
  await hub.close();
});

/** Serves a feed with so many items, which names a hub in its head. */
function serve(name: string, items: number, address = hub.url()): string {
  const entries = Array.from({ length: items }, (_, place) => entry(`item-${place}`, ['1 there']));
  const self = topicOf(name).replace('&', '&amp;');
  const links = `<link rel="hub" href="${address}"/><link rel="self" href="${self}"/>`;
  pipeline.feeds.serve(`/${name}`, feed(entries).replace('</title>', `</title>${links}`));
  return topicOf(name);
}

/** What the hub calls a feed: another address than the one that is read. */
function topicOf(name: string): string {
  return `https://feeds.example/${name}?format=atom&all`;
}

async function found(name: string): Promise<Subscription> {
  return pipeline.subscription(name);
}

/** Waits until what is known of a hub is as wanted. */
async function hubUntil(name: string, isRight: (known: FeedHub) => boolean): Promise<FeedHub> {
  const { hub: known } = await until(
    () => found(name),
    (subscription) => subscription.hub !== undefined && isRight(subscription.hub),
  );
  if (known === undefined) throw new Error(`${name} has no hub`);
  return known;
}

const isLeased = ({ leasedUntil = new Date(0) }: FeedHub): boolean => leasedUntil.getTime() > Date.now();

async function itemsUntil(name: string, count: number): Promise<void> {
  await until(
    () => pipeline.items(name),
    (items) => Object.keys(items).length === count,
  );
}

/** Lets a hub announce a change that makes it one to rely on; returns the subscription then. */
async function announced(name: string, items: number): Promise<Subscription> {
  const topic = serve(name, items);
  expect(await hub.distribute(topic, '<feed/>')).toBe(202);
  await itemsUntil(name, items);
  return until(
    () => found(name),
    ({ manifest, last, hub: known }) =>
      manifest === undefined && (last?.at ?? new Date(0)) > (known?.announcedAt ?? new Date()),
  );
}

test('a change that a hub announces is fetched, and polling goes down to the longest interval', async () => {
  hub.behave({});
  const topic = serve('announced', 1);
  await pipeline.subscribe('announced');
  await hubUntil('announced', isLeased);
  const [asked] = hub.asked(topic);
  expect(asked).toMatchObject({ lease: '864000', secret: expect.stringMatching(/^[0-9a-f]{64}$/) });
  expect(asked?.callback).toMatch(new RegExp(`^${gateway}/websub/[0-9a-f]{64}$`));
  await until(() => hub.hasVerified(topic, 'subscribe'));
  expect((await found('announced')).nextFetchReason).not.toContain('hub');

  const { nextFetchAt, nextFetchReason, last } = await announced('announced', 2);
  expect(nextFetchReason).toBe('the hub announces changes');
  const wait = (nextFetchAt.getTime() - (last?.at.getTime() ?? 0)) / 1000;
  expect(wait).toBeGreaterThan(longest / 1.2);
  expect(wait).toBeLessThanOrEqual(longest);

  // What is pushed is not merged: the feed is what its publisher serves.
  const pushed = feed([entry('pushed', ['1 there'])]);
  const requests = pipeline.feeds.requests('/announced').length;
  expect(await hub.distribute(topic, pushed)).toBe(202);
  await until(
    () => pipeline.feeds.requests('/announced').length,
    (count) => count > requests,
  );
  expect(Object.keys(await pipeline.items('announced'))).toEqual(['item-0', 'item-1']);
});

test('a forged announcement leads to no request', async () => {
  hub.behave({});
  const topic = serve('forged', 1);
  await pipeline.subscribe('forged');
  await hubUntil('forged', isLeased);
  await itemsUntil('forged', 1);
  expect(await hub.distribute(topic, '<feed/>', 'another secret')).toBe(202);
  // The next one, which is right, is taken after it.
  await announced('forged', 2);
  expect(pipeline.feeds.requests('/forged')).toHaveLength(2);
});

test('a lease is renewed before it ends, with the same callback and secret', async () => {
  hub.behave({ lease: 2 });
  const topic = serve('renewed', 1);
  await pipeline.subscribe('renewed');
  await until(
    () => hub.asked(topic),
    (asked) => asked.length >= 3,
  );
  const asked = hub.asked(topic);
  expect(new Set(asked.map(({ callback }) => callback)).size).toBe(1);
  expect(new Set(asked.map(({ secret }) => secret)).size).toBe(1);
  expect((await announced('renewed', 2)).hub?.reason).toBeUndefined();
});

test('a change that the hub does not announce brings the usual polling back until it does', async () => {
  hub.behave({});
  serve('missed', 1);
  await pipeline.subscribe('missed');
  await hubUntil('missed', isLeased);
  expect((await announced('missed', 2)).nextFetchReason).toBe('the hub announces changes');
  serve('missed', 3);
  await pipeline.store.subscriptions.refresh(
    collectionKey('missed'),
    peer,
    { nextFetchAt: new Date(), nextFetchReason: 'a test asks' },
    false,
  );
  await itemsUntil('missed', 3);
  await hubUntil('missed', ({ missedAt }) => missedAt !== undefined);
  expect((await found('missed')).nextFetchReason).not.toContain('hub');
  expect((await announced('missed', 4)).nextFetchReason).toBe('the hub announces changes');
});

test('polling goes on while the hub fails, and the hub is asked again', async () => {
  hub.behave({ status: 503 });
  const topic = serve('failing', 1);
  await pipeline.subscribe('failing', { minimum: 1, maximum: 1 });
  const { reason } = await hubUntil('failing', (known) => known.reason !== undefined);
  expect(reason).toBe(`${hub.url()}: the server responded with 503`);
  await until(
    () => pipeline.feeds.requests('/failing').length,
    (count) => count >= 3,
  );
  hub.behave({ deed: 'nothing' });
  const failed = hub.asked(topic).length;
  await until(
    () => hub.asked(topic).length,
    (count) => count >= failed + 2,
  );
  expect(await found('failing')).not.toHaveProperty('hub.leasedUntil');
  hub.behave({});
  expect(await hubUntil('failing', isLeased)).not.toHaveProperty('reason');
});

test('a hub that goes away after its lease began is not relied on once that has ended', async () => {
  hub.behave({ lease: 3 });
  serve('gone', 1);
  await pipeline.subscribe('gone', { minimum: 1, maximum: 2 });
  await hubUntil('gone', isLeased);
  await announced('gone', 2);
  hub.behave({ status: 500 });
  const { leasedUntil } = await hubUntil('gone', (known) => !isLeased(known));
  expect(leasedUntil?.getTime()).toBeLessThanOrEqual(Date.now());
  const { nextFetchReason } = await until(
    () => found('gone'),
    ({ last }) => (last?.at ?? new Date(0)) > (leasedUntil ?? new Date()),
  );
  expect(nextFetchReason).not.toContain('hub');
  serve('gone', 3);
  await itemsUntil('gone', 3);
});

test('a hub that denies is asked no more today, with its reason at the subscription', async () => {
  hub.behave({ deed: 'deny' });
  const topic = serve('denied', 1);
  await pipeline.subscribe('denied', { minimum: 1, maximum: 1 });
  const { reason } = await hubUntil('denied', (known) => known.reason !== undefined);
  expect(reason).toBe('the hub has refused: this feed is too quiet');
  const token = hub.asked(topic)[0]?.callback.slice(-64) ?? '';
  const next = (await pipeline.store.hubs.find(token))?.nextAt.getTime();
  expect(next).toBeGreaterThan(Date.now() + day / 2);
  expect(next).toBeLessThanOrEqual(Date.now() + day);
  const polls = (): number => pipeline.feeds.requests('/denied').length;
  const polled = async (times: number): Promise<void> => {
    const wanted = polls() + times;
    await until(polls, (count) => count >= wanted);
  };
  // A refusal that is slow to arrive may come after another request, and that one may be on its way.
  await polled(1);
  const asked = hub.asked(topic).length;
  await polled(2);
  expect(hub.asked(topic)).toHaveLength(asked);
});

test('hub and topic are taken from the header, and 307 is followed', async () => {
  hub.behave({});
  const topic = topicOf('header');
  pipeline.feeds.serve('/header', {
    headers: { link: `<${hub.url('/elsewhere')}>; rel="hub", <${topic}>; rel="self"` },
    body: feed([entry('a', ['1 there'])]).replace('</title>', '</title><link rel="hub" href="/wrong"/>'),
  });
  await pipeline.subscribe('header');
  expect(await hubUntil('header', isLeased)).toMatchObject({ url: hub.url('/elsewhere'), topic });
});

test('a subscription that ends, ends at its hub', async () => {
  hub.behave({});
  const topic = serve('ended', 1);
  await pipeline.subscribe('ended');
  await hubUntil('ended', isLeased);
  const path = `${gateway}/v1/collections/ended/subscriptions/peer`;
  expect((await fetch(path, { method: 'DELETE' })).status).toBe(204);
  expect(await hub.distribute(topic, '<feed/>')).toBeGreaterThanOrEqual(404);
  await until(() => hub.hasVerified(topic, 'unsubscribe'));
  const [asked] = hub.asked(topic, 'unsubscribe');
  expect(asked).toMatchObject({ callback: hub.asked(topic)[0]?.callback, secret: null, lease: null });
  expect(await hub.distribute(topic, '<feed/>')).toBe(404);
});

test('a feed that names another hub has its former subscription ended', async () => {
  hub.behave({});
  const other = await TestHub.open();
  try {
    const topic = serve('changed', 1);
    await pipeline.subscribe('changed', { minimum: 1, maximum: 1 });
    await hubUntil('changed', isLeased);
    serve('changed', 1, other.url());
    await hubUntil('changed', (known) => known.url === other.url() && isLeased(known));
    await until(
      () => hub.asked(topic, 'unsubscribe'),
      (asked) => asked.length > 0,
    );
  } finally {
    await other.close();
  }
});

test('WebSub can be turned off: hubs are notified, and feeds are polled as usual', async () => {
  hub.behave({});
  const topic = serve('off', 1);
  await pipeline.subscribe('off');
  await hubUntil('off', isLeased);
  await announced('off', 2);
  await pipeline.stop('fetcher');
  await pipeline.startWith({ WEBSUB: 'off' }, 'fetcher');
  await pipeline.store.subscriptions.refresh(
    collectionKey('off'),
    peer,
    { nextFetchAt: new Date(), nextFetchReason: 'a test asks' },
    false,
  );
  await until(
    () => hub.asked(topic, 'unsubscribe'),
    (asked) => asked.length > 0,
  );
  const { nextFetchReason, hub: known } = await found('off');
  expect(known).toBeUndefined();
  expect(nextFetchReason).not.toContain('hub');
});
