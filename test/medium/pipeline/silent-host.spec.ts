import { afterEach, describe, expect, test } from '@jest/globals';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { Socket } from 'node:net';
import { collectionKey, subscriptionId } from '#core';
import type { Collection } from '#core';
import { sampleCollection, sampleSubscription } from '#in-memory';
import { feed as treeFeed, file } from '../../../apps/fetcher/src/tree/__fixtures__/feed.ts';
import { serveBytes } from '../../acceptance/http/local-server.ts';
import type { LocalServer } from '../../acceptance/http/local-server.ts';
import { openFeedServer } from './feed-server.ts';
import type { Answer, FeedServer } from './feed-server.ts';
import { entry, feed } from './feed.ts';
import { PipelineUnderTest } from './pipeline-under-test.ts';
import { until } from '../../support/until.ts';

const healthy = feed([entry('a', ['1 there'])]);

let pipeline: PipelineUnderTest;
/** Takes connections and requests, and never says anything. */
let silent: Pick<LocalServer, 'port' | 'close'>;
let silentAt: string;
let silentSockets: Socket[];
let others: FeedServer;

/** Starts fetchers that wait for a response for longer than any test, unless the settings say otherwise. */
async function start(settings: Record<string, string> = {}): Promise<void> {
  silentSockets = [];
  const server = await serveBytes((socket) => void silentSockets.push(socket));
  silent = server;
  silentAt = server.origin;
  others = await openFeedServer();
  const patient = { FETCH_HEADERS_SECONDS: '600', FETCH_TOTAL_SECONDS: '600', ...settings };
  pipeline = await PipelineUnderTest.open(patient);
  await pipeline.start('fetcher', 'merger', 'publisher');
}

afterEach(async () => {
  // What waits for it would hold up the end of the fetcher.
  await silent.close();
  await others.close();
  await pipeline.close();
});

async function subscribe(collection: string, id: string, url: string): Promise<void> {
  const createdAt = new Date();
  await pipeline.store.subscriptions.put(
    sampleSubscription({
      collection: collectionKey(collection),
      id: subscriptionId(id),
      url,
      interval: { minimum: 1, maximum: 1 },
      createdAt,
    }),
  );
}

/** Waits until a feed on another host has been fetched again and again. */
async function fetchesHealthyFeed(): Promise<void> {
  others.serve('/healthy', healthy);
  await subscribe('todo', 'healthy', others.url('/healthy'));
  await until(
    async () => others.requests('/healthy').length,
    (count) => count >= 2,
  );
}

describe('a host that never responds', () => {
  test('keeps no other host from being fetched from, however many subscriptions it has', async () => {
    await start();
    await pipeline.collect('todo');
    for (let index = 0; index < 120; index += 1)
      await subscribe('todo', `silent-${index}`, `${silentAt}/${index}`);
    await until(
      async () => silentSockets.length,
      (count) => count === 4,
    );
    await fetchesHealthyFeed();
    expect(silentSockets).toHaveLength(4);
  });

  test('does so no more as the target of redirects', async () => {
    await start();
    await pipeline.collect('todo');
    for (let index = 0; index < 40; index += 1) {
      pipeline.feeds.serve(`/${index}`, { status: 302, headers: { location: `${silentAt}/${index}` } });
      await subscribe('todo', `moved-${index}`, pipeline.feeds.url(`/${index}`));
    }
    await until(
      async () => silentSockets.length,
      (count) => count === 4,
    );
    await fetchesHealthyFeed();
    const waiting = await until(
      async () =>
        (await pipeline.store.subscriptions.list(collectionKey('todo'), { limit: 100 })).filter((one) =>
          /no free conn/.test(one.nextFetchReason),
        ),
      (found) => found.length > 0,
    );
    expect(waiting[0]).toMatchObject({
      failures: 0,
      nextFetchReason: expect.stringContaining(`127.0.0.1:${silent.port}`),
    });
    expect(silentSockets).toHaveLength(4);
  });

  test('does so no more as the host of the files of mirrored trees', async () => {
    // A walk notices that its subscription is gone when it renews its lease, after a quarter of that.
    await start({
      FETCH_CONCURRENCY: '4',
      DOWNLOAD_CONCURRENCY: '4',
      TREE_WALKS: '3',
      FETCH_LEASE_MS: '24000',
    });
    await pipeline.collect('todo');
    const trees = ['tree-1', 'tree-2', 'tree-3', 'tree-4', 'tree-5'];
    for (const name of trees) {
      await pipeline.store.collections.create(tree(name));
      const files = Array.from({ length: 40 }, (_, index) => `${silentAt}/${name}/${index}.jpg`);
      pipeline.feeds.serve(`/${name}`, treeOf(files));
      await subscribe(name, 'source', pipeline.feeds.url(`/${name}`));
    }
    await until(
      async () => silentSockets.length,
      (count) => count === 4,
    );
    await fetchesHealthyFeed();
    const found = await Promise.all(
      trees.map((name) => pipeline.store.subscriptions.find(collectionKey(name), subscriptionId('source'))),
    );
    expect(found.filter((one) => one?.manifest !== undefined)).toHaveLength(3);

    // A download elsewhere finds a worker too: one of the trees is removed, and another one takes its place.
    await pipeline.store.collections.create(tree('well'));
    others.serve('/well.jpg', { headers: { 'content-type': 'image/jpeg' }, body: 'x' });
    others.serve('/well', treeOf([others.url('/well.jpg')]));
    for (const name of trees)
      await pipeline.store.subscriptions.remove(collectionKey(name), subscriptionId('source'));
    await subscribe('well', 'source', others.url('/well'));
    await until(
      async () => others.requests('/well.jpg').length,
      (count) => count > 0,
    );
  });

  test('is left alone for longer and longer, and says so, until it responds', async () => {
    await start({
      FETCH_HEADERS_SECONDS: '0.2',
      FETCH_HOST_FAILURES: '5',
      FETCH_HOST_PAUSE_SECONDS: '1',
      FETCH_HOST_LONGEST_PAUSE_SECONDS: '2',
    });
    await pipeline.collect('todo');
    for (let index = 0; index < 8; index += 1)
      await subscribe('todo', `silent-${index}`, `${silentAt}/${index}`);
    const host = `127.0.0.1:${silent.port}`;
    const paused = new RegExp(`^${host} failed \\d+ times in a row \\(.*no header within 0.2 s`);
    const subscriptions = () => pipeline.store.subscriptions.list(collectionKey('todo'), { limit: 100 });
    await until(subscriptions, (found) => found.every(({ nextFetchReason }) => paused.test(nextFetchReason)));
    const report = await until(
      () => hosts(),
      (found) => found.some((one) => one.host === host && one.pausedUntil !== undefined),
    );
    expect(report.find((one) => one.host === host)).toMatchObject({
      failures: expect.any(Number),
      reason: expect.stringMatching(/no header/),
    });

    await fetchesHealthyFeed();
    const { port } = silent;
    await silent.close();
    const answered: string[] = [];
    silent = await serveFeedsAt(port, (path) => void answered.push(path));
    const all = Array.from({ length: 8 }, (_, index) => `/${index}`);
    await until(
      async () => new Set(answered).size,
      (count) => count === all.length,
    );
    await until(
      () => hosts(),
      (found) => !found.some((one) => one.host === host && one.failures > 0),
    );
  });
});

/** Serves a feed at every path of a port that has just become free. */
async function serveFeedsAt(
  port: number,
  announce: (path: string) => void,
): Promise<Pick<LocalServer, 'port' | 'close'>> {
  const server = createServer((request, response) => {
    announce(request.url ?? '');
    response.writeHead(200, { 'content-type': 'application/atom+xml' }).end(healthy);
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    port,
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

function tree(name: string): Collection {
  return sampleCollection({
    key: collectionKey(name),
    protocol: 'cse',
    format: 'rss',
    title: name,
    createdAt: new Date(),
  });
}

/** The root of a tree with one item that links to these files. */
function treeOf(files: readonly string[]): Answer {
  const body = treeFeed('A tree', ['files', 1, ...files.map(file)]);
  return { headers: { 'content-type': 'application/rss+xml' }, body };
}

interface ShownHost {
  readonly host: string;
  readonly failures: number;
  readonly pausedUntil?: string;
}

async function hosts(): Promise<ShownHost[]> {
  const response = await fetch(`${await pipeline.healthUrl('fetcher')}/health/hosts`);
  return ((await response.json()) as { hosts: ShownHost[] }).hosts;
}
