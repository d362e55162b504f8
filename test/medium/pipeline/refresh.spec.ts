import { beforeAll, describe, expect, test } from '@jest/globals';
import type { ServerResponse } from 'node:http';
import { collectionKey, subscriptionId } from '#core';
import { systemRandom, systemClock } from '#service';
import { MemoryFetchHistory, sampleCollection } from '#in-memory';
import { JobRequests } from '../../../apps/gateway/src/jobs/job-requests.ts';
import type { GatewayPorts } from '../../../apps/gateway/src/gateway-ports.ts';
import { refresh } from '../../../apps/gateway/src/subscriptions/change-subscription.ts';
import { subscribe } from '../../../apps/gateway/src/subscriptions/subscribe.ts';
import { gatewayLimits } from '../../support/gateway-limits.ts';
import { entry, feed } from './feed.ts';
import { opml, outline } from './opml.ts';
import { usePipeline } from './use-pipeline.ts';
import { until } from '../../support/until.ts';

const peer = subscriptionId('peer');

const pipeline = usePipeline({}, 'fetcher', 'merger', 'publisher');
/** What a gateway beside these services would do its work with. */
let gateway: GatewayPorts;

beforeAll(async () => {
  const { store, queue } = pipeline;
  gateway = {
    store,
    jobs: new JobRequests(queue),
    clock: systemClock,
    fetches: new MemoryFetchHistory(),
    random: systemRandom,
    publicUrl: 'http://here.example',
    endpointBase: async () => 'test',
    ...gatewayLimits(),
  };
});

/** Serves a path whose first response is held back until it is given; the others are `later`. */
function hold(path: string, later: string): { first: Promise<ServerResponse> } {
  let held = false;
  const first = new Promise<ServerResponse>((resolve) => {
    pipeline.feeds.serve(path, (_request, response) => {
      if (held) response.writeHead(200, { etag: '"later"' }).end(later);
      else resolve(response);
      held = true;
    });
  });
  return { first };
}

/** Waits until no fetch job is left, running or waiting. */
async function allFetched(): Promise<void> {
  const jobs = async () =>
    (await pipeline.redis.llen('{feedmesh}:fetch:active')) + (await pipeline.queue.backlog('fetch'));
  await until(jobs, (count) => count === 0);
}

const outlines = sampleCollection({
  key: collectionKey('outlines'),
  protocol: 'sse',
  format: 'opml',
  title: 'Reading',
  createdAt: new Date(),
});

describe('a refresh that is requested while a fetch runs', () => {
  test.each([
    [
      'todo',
      'FeedSync',
      feed([entry('a', ['1 there'])]),
      feed([entry('a', ['1 there']), entry('b', ['1 there'])]),
    ],
    ['outlines', 'SSE', opml([outline('a')]), opml([outline('a'), outline('b')])],
  ])('of %s (%s) is followed by one more fetch', async (collection, _protocol, before, after) => {
    if (collection === outlines.key) await pipeline.store.collections.create(outlines);
    const { first } = hold(`/${collection}`, after);
    await pipeline.subscribe(collection);
    const response = await first;
    const { nextFetchReason } = await refresh(gateway, collectionKey(collection), peer);
    response.writeHead(200, { etag: '"first"' }).end(before);

    const found = await until(
      () => pipeline.subscription(collection),
      ({ cursorVersion }) => cursorVersion === 2,
    );
    expect(found).toMatchObject({ cursor: { etag: '"later"' }, last: { outcome: 'fetched', items: 2 } });
    expect(Object.keys(await pipeline.items(collection))).toEqual(['a', 'b']);
    expect(found.nextFetchReason).not.toBe(nextFetchReason);
    expect(found.nextFetchAt.getTime()).toBeGreaterThan(Date.now());
    await allFetched();
    expect(pipeline.feeds.requests(`/${collection}`)).toHaveLength(2);
  });

  test('is not lost if that fetch fails', async () => {
    const { first } = hold('/failing', feed([entry('a', ['1 there'])]));
    await pipeline.subscribe('failing');
    const response = await first;
    await refresh(gateway, collectionKey('failing'), peer);
    response.writeHead(500).end();
    await until(
      () => pipeline.subscription('failing'),
      ({ cursorVersion }) => cursorVersion === 1,
    );
    expect(pipeline.feeds.requests('/failing')).toHaveLength(2);
  });
});

test.each([
  [404, 'fails'],
  [200, 'succeeds'],
])('a new subscription is fetched once (%i: the fetch %s)', async (status) => {
  const collection = collectionKey(`new-${status}`);
  await pipeline.collect(collection);
  const { first } = hold(`/${collection}`, feed([]));
  const url = pipeline.feeds.url(`/${collection}`);
  await subscribe(gateway, collection, { subscription: peer, url });
  const response = await first;
  // As the schedule does, if it comes between the subscription and its fetch.
  await pipeline.queue.send([{ queue: 'fetch', data: { version: 1, collection, subscription: peer } }]);
  gateway.jobs.fetch(collection, peer);
  response.writeHead(status).end(status === 200 ? feed([entry('a', ['1 there'])]) : '');
  await until(
    () => pipeline.subscription(collection),
    ({ last, manifest }) => last !== undefined && manifest === undefined,
  );
  // A job that is only enqueued once the first has ended.
  await pipeline.queue.send([{ queue: 'fetch', data: { version: 1, collection, subscription: peer } }]);
  await allFetched();
  expect(pipeline.feeds.requests(`/${collection}`)).toHaveLength(1);
});
