import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { freePort } from '#databases';
import { collectionKey, reliedReason, subscriptionId, unannouncedReason } from '#core';
import type { Subscription } from '#core';
import { entry, feed } from './feed.ts';
import { PipelineUnderTest } from './pipeline-under-test.ts';
import { TestHub } from './test-hub.ts';
import { until } from '../../support/until.ts';

let pipeline: PipelineUnderTest;
let hub: TestHub;
/** What the hub under test calls the feed of this collection. */
let topic: string;
let name: string;
let names = 0;

const settings = {
  WEBSUB: 'on',
  WEBSUB_SCHEDULE_MS: '50',
  WEBSUB_RETRY_SECONDS: '3600',
  WEBSUB_FETCH_SECONDS: '0.001',
  WEBSUB_SHORTEST_LEASE_SECONDS: '2',
  FETCH_HEADERS_SECONDS: '1',
  FETCH_HOST_LONGEST_PAUSE_SECONDS: '0.01',
};

beforeAll(async () => {
  const PORT = String(await freePort());
  pipeline = await PipelineUnderTest.open({ ...settings, PORT, PUBLIC_URL: `http://127.0.0.1:${PORT}` });
  await pipeline.start('fetcher', 'merger', 'publisher', 'gateway');
});
afterAll(() => pipeline.close());

beforeEach(async () => {
  hub = await TestHub.open();
  names += 1;
  name = `feed-${names}`;
  topic = `https://feeds.example/${name}`;
});
afterEach(() => hub.close());

function serve(items: number, link = `<link rel="hub" href="${hub.url()}"/>`): void {
  const entries = Array.from({ length: items }, (_, place) => entry(`item-${place}`, ['1 there']));
  const links = `${link}<link rel="self" href="${topic}"/>`;
  pipeline.feeds.serve(`/${name}`, feed(entries).replace('</title>', `</title>${links}`));
}

/** Lets the hub grant a lease and announce a change, so that the feed is left to it. */
async function leftToTheHub(lease = 3600): Promise<void> {
  hub.behave({ lease });
  serve(1);
  await pipeline.subscribe(name);
  await until(() => hub.hasVerified(topic, 'subscribe'));
  serve(2);
  expect(await hub.distribute(topic, '<feed/>')).toBe(202);
  await until(
    () => pipeline.subscription(name),
    ({ nextFetchReason, manifest }) => nextFetchReason === reliedReason && manifest === undefined,
  );
}

/** Waits until the feed has been polled again, and is not left to the hub any more. */
async function polledAsUsual(): Promise<Subscription> {
  return until(
    () => pipeline.subscription(name),
    ({ nextFetchReason, manifest }) =>
      ![reliedReason, unannouncedReason].includes(nextFetchReason) && manifest === undefined,
  );
}

/** Has the lease renewed now. */
const renew = (): Promise<void> =>
  pipeline.store.hubs.wake(collectionKey(name), subscriptionId('peer'), new Date());

const polls = (): number => pipeline.feeds.requests(`/${name}`).length;

test.each([301, 403, 404, 410, 429, 500, 503])(
  'a feed is polled as usual at once if the renewal of its lease is answered with %i',
  async (status) => {
    await leftToTheHub();
    const before = polls();
    hub.behave({ status });
    await renew();
    const { hub: known } = await polledAsUsual();
    expect(polls()).toBeGreaterThan(before);
    expect(known?.reason).toContain(`${status}`);
  },
);

test.each([
  ['says nothing', async () => hub.behave({ deed: 'silence' })],
  ['is gone', async () => hub.close()],
])('a feed is polled as usual at once if its hub %s when the lease is renewed', async (_how, fail) => {
  await leftToTheHub();
  await fail();
  await renew();
  expect((await polledAsUsual()).hub?.reason).toBeDefined();
  hub = await TestHub.open();
});

test('a feed is polled as usual at once if its hub denies what it has granted', async () => {
  await leftToTheHub();
  const before = polls();
  const [asked] = hub.asked(topic);
  if (asked === undefined) throw new Error('The hub was not asked.');
  await hub.deny(asked);
  const { hub: known } = await polledAsUsual();
  expect(polls()).toBe(before + 1);
  expect(known?.reason).toBe('the hub has refused: this feed is too quiet');
  expect(known).not.toHaveProperty('leasedUntil');
});

test('a feed is polled as usual as soon as its lease ends that was not renewed', async () => {
  await leftToTheHub(4);
  hub.behave({ deed: 'nothing' });
  const { hub: known, last } = await polledAsUsual();
  expect(last?.at.getTime()).toBeGreaterThanOrEqual(known?.leasedUntil?.getTime() ?? Infinity);
});

test.each([
  ['another hub', '<link rel="hub" href="http://127.0.0.1:1/"/>', 'http://127.0.0.1:1/'],
  ['no hub', '', undefined],
])('a feed that names %s is polled as usual at once', async (_what, link, url) => {
  await leftToTheHub();
  serve(3, link);
  expect(await hub.distribute(topic, '<feed/>')).toBe(202);
  const found = await until(polledAsUsual, (one) => one.hub?.url === url);
  expect(found.hub?.leasedUntil).toBeUndefined();
});

test.each([
  ['WebSub is off', { WEBSUB: 'off' }],
  ['the gateway has another address', { PUBLIC_URL: 'http://127.0.0.1:1' }],
])('a feed is polled as usual at once when %s', async (_what, changed) => {
  await leftToTheHub();
  const before = polls();
  await pipeline.stop('fetcher');
  await pipeline.startWith(changed, 'fetcher');
  await polledAsUsual();
  expect(polls()).toBeGreaterThan(before);
  await pipeline.stop('fetcher');
  await pipeline.start('fetcher');
});

test('a lease that ends before it may be renewed is not relied on', async () => {
  hub.behave({ lease: 1 });
  serve(1);
  await pipeline.subscribe(name);
  await until(
    async () => (await pipeline.subscription(name)).hub?.reason,
    (reason) => reason?.includes('too short') === true,
  );
});
