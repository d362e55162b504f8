import 'reflect-metadata';
import { afterEach, beforeAll, expect, test } from '@jest/globals';
import { collectionKey } from '#core';
import { entry, feed } from '../medium/pipeline/feed.ts';
import { usePipeline } from '../medium/pipeline/use-pipeline.ts';
import { RawRequest } from '../support/raw-request.ts';
import { residentPeak } from '../support/resident-peak.ts';
import { ServiceProcess } from '../support/service-process.ts';
import { StalledDownload } from '../support/stalled-download.ts';
import { isStress } from '../support/stress.ts';
import { until } from '../support/until.ts';

/** What the gateway may have at most, in megabytes. */
const largestMemory = 350;

const itemCount = isStress ? 1000 : 250;
const itemLength = 20_000;
const streamCount = isStress ? 1000 : 300;
const completeFeed = '/feeds/large/complete.atom';

/** Items of the second collection, each larger than what the operating system holds of a response. */
const largeItemCount = isStress ? 40 : 12;
const largeItemLength = 1_900_000;
/** How many of 100 readers read to the end after they have stalled. */
const finishingReaders = isStress ? 99 : 20;

const pipeline = usePipeline({}, 'fetcher', 'merger', 'publisher');
let gateway: ServiceProcess;
let readers: RawRequest[] = [];

// A collection of items of 20 kB.
beforeAll(async () => {
  const text = 'x'.repeat(itemLength);
  pipeline.feeds.serve(
    '/large',
    feed(
      Array.from({ length: itemCount }, (_, number) =>
        entry(`i${number}`, ['1 there'], '', `${number} ${text}`),
      ),
    ),
  );
  await pipeline.subscribe('large');
  await pipeline.fetch('large');
  await pipeline.published(collectionKey('large'));
  const largeText = 'some text '.repeat(largeItemLength / 10);
  pipeline.feeds.serve(
    '/huge',
    feed(
      Array.from({ length: largeItemCount }, (_, number) =>
        entry(`i${number}`, ['1 there']).replace(
          '<sx:sync',
          `<content>${number} ${largeText}</content><sx:sync`,
        ),
      ),
    ),
  );
  await pipeline.subscribe('huge');
  await pipeline.fetch('huge');
  await pipeline.published(collectionKey('huge'));
});

afterEach(async () => {
  for (const reader of readers) reader.close();
  readers = [];
  await gateway.kill();
});

/** Starts a gateway that disconnects no slow client, unless the settings say so. */
async function start(settings: Record<string, string> = {}): Promise<void> {
  const patient = { GATEWAY_STALL_SECONDS: '3600' };
  gateway = await ServiceProcess.start('gateway', { ...pipeline.environment, ...patient, ...settings });
}

/** Has so many clients request a path and read no more than the beginning of the response. */
async function readNothing(count: number, path: string): Promise<void> {
  const more = await Promise.all(
    Array.from({ length: count }, async () => {
      const reader = await RawRequest.open(gateway.url);
      reader.send(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
      await reader.begun;
      reader.stall();
      return reader;
    }),
  );
  readers = [...readers, ...more];
}

const megabytes = (): number => residentPeak(gateway.pid) / 1e6;

test(
  `100 clients that request a complete feed of ${(itemCount * itemLength) / 1e6} MB and do not read it ` +
    'take little memory, and others are served',
  async () => {
    await start();
    await readNothing(100, completeFeed);
    expect(readers.filter(({ received }) => !received.startsWith('HTTP/1.1 200'))).toEqual([]);
    await gateway.ready();
    expect(await gateway.status('/v1/collections/large')).toBe(200);
    expect(megabytes()).toBeGreaterThan(50);
    expect(megabytes()).toBeLessThan(largestMemory);
  },
);

test.each(['/feeds/huge/complete.atom', '/feeds/huge/complete.rss', '/feeds/huge/reader.atom'])(
  `100 clients that read %s, of ${largeItemCount} items of 1.9 MB, take little memory, and get all of it`,
  async (path) => {
    await start({ GATEWAY_TENANT_DOWNLOADS: '100' });
    const downloads = await Promise.all(
      Array.from({ length: 100 }, () => StalledDownload.begin(`${gateway.url}${path}`)),
    );
    expect(downloads.filter(({ response }) => response.statusCode !== 200)).toEqual([]);
    await gateway.ready();
    expect(await gateway.status('/v1/collections/huge')).toBe(200);
    // One reads to the end while the others read nothing; they go on then.
    const [first, ...others] = downloads;
    const whole = await first?.read();
    expect(whole).toMatchObject({ isWhole: true });
    expect(whole?.length).toBeGreaterThan(largeItemCount * largeItemLength);
    const going = others.splice(0, finishingReaders);
    for (const read of await Promise.all(going.map((download) => download.read())))
      expect(read).toEqual(whole);
    expect(megabytes()).toBeLessThan(largestMemory);
    for (const { response } of others) response.destroy();
  },
);

test(`${streamCount} event streams that nobody reads take little memory, and others are served`, async () => {
  await start();
  await readNothing(streamCount, '/v1/collections/large/changes?mode=stream');
  expect(readers.filter(({ received }) => !received.startsWith('HTTP/1.1 200'))).toEqual([]);
  await gateway.ready();
  expect(megabytes()).toBeLessThan(largestMemory);
});

test('a client that reads nothing for GATEWAY_STALL_SECONDS is disconnected; its place is free', async () => {
  await start({ GATEWAY_STALL_SECONDS: '1', GATEWAY_DOWNLOADS: '1' });
  await readNothing(1, completeFeed);
  await until(async () => (await gateway.status('/feeds/large.atom')) === 200);
  const [reader] = readers;
  reader?.resume();
  await reader?.closed;
  expect(reader?.received).toContain('<feed');
  expect(reader?.received).not.toContain('</feed>');
});

test('more clients at a time than a limit get 503, with the setting and when to come back', async () => {
  await start({ GATEWAY_DOWNLOADS: '2', GATEWAY_CHANGE_READERS: '2' });
  for (const [setting, path] of [
    ['GATEWAY_DOWNLOADS', completeFeed],
    ['GATEWAY_CHANGE_READERS', '/v1/collections/large/changes?mode=stream'],
  ] as const) {
    await readNothing(2, path);
    const response = await fetch(`${gateway.url}${path}`);
    expect([response.status, Number(response.headers.get('retry-after')) > 0]).toEqual([503, true]);
    expect(await response.text()).toContain(setting);
  }
});
