import { afterEach, expect, test } from '@jest/globals';
import type { RequestListener } from 'node:http';
import { performance } from 'node:perf_hooks';
import { setTimeout as wait } from 'node:timers/promises';
import { collectionKey, subscriptionId } from '#core';
import { sampleSubscription } from '#in-memory';
import { feed } from './feed.ts';
import { PipelineUnderTest } from './pipeline-under-test.ts';
import { until } from '../../support/until.ts';

const todo = collectionKey('todo');
const fetchers = ['fetcher', 'fetcher', 'fetcher'] as const;

let pipeline: PipelineUnderTest;
afterEach(() => pipeline.close());

/** Subscribes to so many feeds of one host, which all answer alike. */
async function subscribe(count: number, answer: RequestListener): Promise<void> {
  await pipeline.collect('todo');
  const createdAt = new Date();
  const paths = Array.from({ length: count }, (_, place) => `/feed-${place}`);
  for (const path of paths) pipeline.feeds.serve(path, answer);
  await pipeline.store.subscriptions.createAll(
    paths.map((path) =>
      sampleSubscription({
        collection: todo,
        id: subscriptionId(path.slice(1)),
        url: pipeline.feeds.url(path),
        interval: { minimum: 3600, maximum: 86_400 },
        createdAt,
      }),
    ),
  );
}

test('several fetchers together keep to the rate and the requests in flight of a host', async () => {
  const [rate, burst, connections, count] = [40, 5, 2, 45];
  pipeline = await PipelineUnderTest.open({
    FETCH_HOST_RATE: String(rate),
    FETCH_HOST_BURST: String(burst),
    FETCH_HOST_CONNECTIONS: String(connections),
    // On a busy machine this process itself is away for longer than Redis may be.
    FETCH_BUDGET_TIMEOUT_MS: '10000',
  });
  let [inFlight, most, answered] = [0, 0, 0];
  await subscribe(count, (_, response) => {
    inFlight += 1;
    most = Math.max(most, inFlight);
    void wait(20).then(() => {
      inFlight -= 1;
      answered += 1;
      response.writeHead(200, { 'content-type': 'application/atom+xml' }).end(feed([]));
    });
  });
  const begun = performance.now();
  await pipeline.start(...fetchers, 'merger', 'publisher');
  await until(
    async () => answered,
    (done) => done >= count,
  );
  // A slow machine takes longer; none may take less. A timer may be a millisecond early.
  expect(performance.now() - begun).toBeGreaterThan(((count - burst) / rate) * 1000 - 10);
  expect(most).toBeLessThanOrEqual(connections);
  const failures = (await pipeline.store.subscriptions.list(todo, { limit: 100 })).filter(
    (subscription) => subscription.failures > 0,
  );
  expect(failures).toEqual([]);
});

test('429 with Retry-After keeps every fetcher from the host, whose feeds come back one by one', async () => {
  pipeline = await PipelineUnderTest.open({ FETCH_CONNECTIONS_PER_HOST: '1', FETCH_HOST_CONNECTIONS: '1' });
  let answered = 0;
  await subscribe(20, (_, response) => {
    answered += 1;
    response.writeHead(429, { 'retry-after': '600' }).end();
  });
  await pipeline.start(...fetchers);
  const postponed = await until(
    () => pipeline.store.subscriptions.list(todo, { limit: 100 }),
    (all) => all.every(({ nextFetchAt }) => nextFetchAt.getTime() > Date.now() + 60_000),
  );
  // Those that were on their way when the first answer came.
  expect(answered).toBeLessThanOrEqual(fetchers.length);
  const times = postponed.map(({ nextFetchAt }) => nextFetchAt.getTime());
  expect(Math.max(...times) - Math.min(...times)).toBeGreaterThan(60_000);
  expect(postponed.map(({ nextFetchReason }) => nextFetchReason).join('\n')).toMatch(
    /asked to be left alone/,
  );
});
