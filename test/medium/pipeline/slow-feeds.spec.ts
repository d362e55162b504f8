import { afterEach, describe, expect, test } from '@jest/globals';
import { gzipSync } from 'node:zlib';
import { requestFetch } from '#contracts';
import { collectionKey, subscriptionId, subscriptionState } from '#core';
import type { Subscription } from '#core';
import { sampleCollection, sampleSubscription } from '#in-memory';
import { feed as treeFeed, file } from '../../../apps/fetcher/src/tree/__fixtures__/feed.ts';
import { DrippingServer } from './dripping-server.ts';
import type { Drip } from './dripping-server.ts';
import { entry, feed } from './feed.ts';
import { PipelineUnderTest } from './pipeline-under-test.ts';
import { TestHub } from './test-hub.ts';
import { until } from '../../support/until.ts';

const body = 'HTTP/1.1 200 OK\r\nContent-Type: application/atom+xml\r\nConnection: close\r\n';
const endless = ' '.repeat(100_000);
const begun = feed([entry('a', ['1 there'])]).replace('</feed>', '');

let pipeline: PipelineUnderTest;
let slow: DrippingServer;

/** Starts services whose limits on time end nothing during a test. */
async function start(settings: Record<string, string> = {}, hosts = 4): Promise<void> {
  const patient = { FETCH_HEADERS_SECONDS: '600', FETCH_IDLE_SECONDS: '600', ...settings };
  slow = await DrippingServer.open(Array.from({ length: hosts }, (_, place) => `127.50.9.${place + 1}`));
  pipeline = await PipelineUnderTest.open(patient);
  await pipeline.start('fetcher', 'merger', 'publisher');
}

afterEach(async () => {
  // What waits for it would hold up the end of the fetcher.
  await slow.close();
  await pipeline.close();
});

/** Makes so many feeds of the slow server due. */
async function subscribeSlow(count: number, path: string, given: Partial<Subscription> = {}): Promise<void> {
  await pipeline.collect('slow');
  const createdAt = new Date();
  await pipeline.store.subscriptions.createAll(
    Array.from({ length: count }, (_, place) =>
      sampleSubscription({
        collection: collectionKey('slow'),
        id: subscriptionId(`slow-${place}`),
        url: `${slow.url(place, path)}?${place}`,
        createdAt,
        ...given,
      }),
    ),
  );
}

function serveSlowly(count: number, path: string, drip: Drip): void {
  for (let place = 0; place < count; place += 1) slow.serve(`${path}?${place}`, drip);
}

async function untilConnected(count: number): Promise<void> {
  await until(
    () => slow.connected,
    (connected) => connected >= count,
  );
}

/** Fetches a feed of another server, by the schedule. */
async function fetchesHealthyFeed(): Promise<void> {
  pipeline.feeds.serve('/healthy', feed([entry('a', ['1 there'])]));
  await pipeline.subscribe('healthy');
  await pipeline.fetch('healthy');
}

const slowOnes = (): Promise<Subscription[]> =>
  pipeline.store.subscriptions.list(collectionKey('slow'), { limit: 1000 });

const packed = gzipSync(Buffer.from(begun.padEnd(60_000, 'x y z')));

describe('feeds that drip', () => {
  test.each<[string, number, Drip, number]>([
    ['16 bodies', 16, { begins: `${body}\r\n`, drips: endless }, 16],
    ['64 bodies', 64, { begins: `${body}\r\n`, drips: endless }, 64],
    ['17 bodies after a fast start', 17, { begins: `${body}\r\n${begun}`, drips: endless }, 17],
    ['16 bodies after a long fast start', 16, { begins: `${body}\r\n${begun}${endless}`, drips: endless }, 8],
    ['16 packed bodies', 16, { begins: `${body}content-encoding: gzip\r\n\r\n`, drips: packed }, 16],
    ['16 headers', 16, { begins: 'HTTP/1.1 200 OK\r\nx: ', drips: endless }, 16],
  ])('%s keep no other feed from being fetched', async (_what, count, drip, connected) => {
    await start({}, count / 4 + 1);
    serveSlowly(count, '/feed', drip);
    await subscribeSlow(count, '/feed');
    await untilConnected(Math.min(count, connected));
    await fetchesHealthyFeed();
    expect(slow.connected).toBeGreaterThanOrEqual(connected);
  });

  test('300 of them at once keep no other feed from being fetched', async () => {
    await start({}, 76);
    serveSlowly(300, '/feed', { begins: `${body}\r\n`, drips: endless });
    await subscribeSlow(300, '/feed');
    await untilConnected(256);
    await fetchesHealthyFeed();
    expect(slow.connected).toBeGreaterThanOrEqual(256);
  });

  test('more of them than FETCH_POLLS keep no other feed from being fetched, and as many go on', async () => {
    await start({ FETCH_POLLS: '16' }, 8);
    serveSlowly(32, '/feed', { begins: 'HTTP/1.1 200 OK\r\nx: ', drips: endless });
    await subscribeSlow(32, '/feed');
    await untilConnected(16);
    await fetchesHealthyFeed();
    expect(slow.connected).toBeGreaterThanOrEqual(16);
    const found = await until(slowOnes, (all) => all.some(({ last }) => last !== undefined));
    expect(found.find(({ last }) => last !== undefined)).toMatchObject({
      failures: 1,
      last: { rule: 'slow-places', cause: 'slow' },
    });
  });

  test('as jobs they keep no other job from being worked on', async () => {
    await start({ FETCH_SCHEDULE_MS: '3600000' });
    serveSlowly(16, '/feed', { begins: `${body}\r\n`, drips: endless });
    await subscribeSlow(16, '/feed');
    const jobs = (await slowOnes()).map(({ collection, id }) => requestFetch(collection, id));
    await pipeline.queue.send(jobs);
    await untilConnected(16);
    pipeline.feeds.serve('/healthy', feed([entry('a', ['1 there'])]));
    await pipeline.subscribe('healthy');
    await pipeline.queue.send([requestFetch(collectionKey('healthy'), subscriptionId('peer'))]);
    await pipeline.fetch('healthy');
    expect(slow.connected).toBe(16);
  });

  test.each<[string, Partial<Subscription>, string]>([
    ['pages on which a feed is discovered', { discover: true }, '/page'],
    ['complete feeds', {}, '/partial'],
  ])('as %s they keep no other feed from being fetched', async (_what, given, path) => {
    await start();
    const html = body.replace('application/atom+xml', 'text/html');
    serveSlowly(16, '/page', { begins: `${html}\r\n<html><head>`, drips: endless });
    slow.serve('/complete', { begins: `${body}\r\n${begun}`, drips: endless });
    for (let place = 0; place < 16; place += 1) {
      const complete = slow.url(place, '/complete');
      const sharing = { since: '2026-01-01T00:00:00Z', until: '2026-01-02T00:00:00Z', complete };
      pipeline.feeds.serve(`/partial?${place}`, feed([entry(`item-${place}`, ['1 there'])], sharing));
    }
    if (path === '/page') await subscribeSlow(16, path, given);
    else {
      await pipeline.collect('slow');
      for (let place = 0; place < 16; place += 1)
        await pipeline.subscribe('slow', undefined, {
          id: subscriptionId(`slow-${place}`),
          url: pipeline.feeds.url(`/partial?${place}`),
        });
    }
    await untilConnected(8);
    await fetchesHealthyFeed();
    expect(slow.connected).toBeGreaterThanOrEqual(8);
  });

  test('as files of a tree they keep no other tree from being downloaded', async () => {
    await start({ DOWNLOAD_CONCURRENCY: '2' });
    const tree = async (name: string, files: readonly string[]): Promise<void> => {
      const settings = { protocol: 'cse', format: 'rss', title: name, createdAt: new Date() } as const;
      await pipeline.store.collections.create(sampleCollection({ key: collectionKey(name), ...settings }));
      pipeline.feeds.serve(`/${name}`, {
        headers: { 'content-type': 'application/rss+xml' },
        body: treeFeed('A tree', ['files', 1, ...files.map(file)]),
      });
      await pipeline.subscribe(name);
    };
    const html = body.replace('application/atom+xml', 'image/jpeg');
    serveSlowly(16, '/a.jpg', { begins: `${html}\r\n`, drips: endless });
    await tree(
      'dripping',
      Array.from({ length: 16 }, (_, place) => `${slow.url(place, '/a.jpg')}?${place}`),
    );
    await untilConnected(8);
    pipeline.feeds.serve('/well.jpg', { headers: { 'content-type': 'image/jpeg' }, body: 'x' });
    await tree('well', [pipeline.feeds.url('/well.jpg')]);
    await until(
      () => pipeline.feeds.requests('/well.jpg').length,
      (count) => count > 0,
    );
    expect(slow.connected).toBeGreaterThanOrEqual(8);
  });
});

test('hubs that drip keep no other hub from being asked', async () => {
  await start({ WEBSUB: 'on', WEBSUB_SCHEDULE_MS: '50' });
  const hub = await TestHub.open();
  const named = (name: string, address: string): void =>
    pipeline.feeds.serve(
      `/${name}`,
      feed([entry('a', ['1 there'])]).replace(
        '</title>',
        `</title><link rel="hub" href="${address}"/><link rel="self" href="https://feeds.example/${name}"/>`,
      ),
    );
  slow.serve('/hub', { begins: 'HTTP/1.1 202 Accepted\r\nx: ', drips: endless });
  for (let place = 0; place < 8; place += 1) {
    named(`slow-${place}`, slow.url(place, '/hub'));
    await pipeline.subscribe(`slow-${place}`);
  }
  await untilConnected(4);
  named('well', hub.url());
  await pipeline.subscribe('well');
  await until(
    () => hub.asked('https://feeds.example/well').length,
    (count) => count > 0,
  );
  expect(slow.connected).toBe(8);
  await hub.close();
});

test('a slow feed is shown as such while it drips, and fetched only in a place for slow ones', async () => {
  await start({ FETCH_POLLS: '2' });
  serveSlowly(3, '/feed', { begins: `${body}\r\n`, drips: endless });
  await subscribeSlow(3, '/feed', { interval: { minimum: 1, maximum: 1 } });
  const states = async (): Promise<string[]> =>
    (await slowOnes()).map((one) => subscriptionState(one, new Date(0)));
  await until(states, (all) => all.every((state) => state === 'slow'));
  await until(
    () => slow.connected,
    (connected) => connected === 2,
  );
  await fetchesHealthyFeed();
  expect(await states()).toEqual(['slow', 'slow', 'slow']);
});

test('a feed over a thin line is read to its end, and is slow until it is fast', async () => {
  await start();
  const entries = Array.from({ length: 40 }, (_, place) => entry(`item-${place}`, ['1 there']));
  const whole = Buffer.from(feed(entries));
  let pause = 200;
  pipeline.feeds.serve('/thin', (_request, response) => {
    response.writeHead(200, { 'content-type': 'application/atom+xml' });
    let sent = 0;
    const line = setInterval(() => {
      response.write(whole.subarray(sent, sent + 400));
      sent += 400;
      if (sent < whole.length) return;
      clearInterval(line);
      response.end();
    }, pause);
  });
  await pipeline.subscribe('thin');
  const { last, isSlow } = await pipeline.fetch('thin');
  expect(last).toMatchObject({ outcome: 'fetched', items: 40 });
  expect(isSlow).toBe(true);
  pause = 1;
  await pipeline.fetch('thin');
  await until(
    () => pipeline.subscription('thin'),
    (found) => found.isSlow === undefined,
  );
});
