import { beforeAll, expect, test } from '@jest/globals';
import type { FetchesView, FetchView } from '#contracts';
import { collectionKey, subscriptionId } from '#core';
import { entry, feed } from './feed.ts';
import { usePipeline } from './use-pipeline.ts';
import { until } from '../../support/until.ts';

const pipeline = usePipeline(
  { FETCH_HOST_LONGEST_PAUSE_SECONDS: '0.01' },
  'fetcher',
  'merger',
  'publisher',
  'gateway',
);
let url: string;

beforeAll(async () => {
  url = await pipeline.healthUrl('gateway');
});

async function fetchesOf(name: string, count: number): Promise<readonly FetchView[]> {
  const read = async (): Promise<readonly FetchView[]> => {
    const response = await fetch(`${url}/v1/collections/${name}/subscriptions/peer/fetches`);
    return ((await response.json()) as FetchesView).items;
  };
  return until(read, ({ length }) => length >= count);
}

test('the fetches of a subscription are listed with what they brought, took and failed with', async () => {
  const document = feed([entry('a', ['1 there']), entry('b', ['1 there'])]);
  pipeline.feeds.serve('/seen', (request, response) => {
    if (request.headers['if-none-match'] === '"1"') response.writeHead(304, { etag: '"1"' }).end();
    else response.writeHead(200, { etag: '"1"' }).end(document);
  });
  await pipeline.subscribe('seen');
  await pipeline.fetch('seen');
  await pipeline.fetch('seen');
  pipeline.feeds.serve('/seen', (_, response) => void response.writeHead(500).end());
  await pipeline.fetch('seen');
  pipeline.feeds.serve('/seen', '<feed');
  await pipeline.fetch('seen');
  const found = await fetchesOf('seen', 4);
  expect(found).toMatchObject([
    { outcome: 'failed', status: 200, bytes: 5, cause: 'invalid-feed' },
    { outcome: 'failed', status: 500, bytes: 0, rule: 'http-status', cause: 'http-500' },
    { outcome: 'not-modified', status: 304, bytes: 0 },
    { outcome: 'fetched', status: 200, bytes: Buffer.byteLength(document), items: 2, rejected: 0 },
  ]);
  for (const { startedAt, durationMs } of found) {
    expect(Math.abs(Date.now() - Date.parse(startedAt))).toBeLessThan(600_000);
    expect(durationMs).toBeGreaterThanOrEqual(0);
  }
  expect(found[0]?.reason).toMatch(/./);
});

test('a subscription that has a former name begins without fetches', async () => {
  pipeline.feeds.serve('/again', feed([entry('a', ['1 there'])]));
  await pipeline.subscribe('again');
  await pipeline.fetch('again');
  expect(await fetchesOf('again', 1)).toHaveLength(1);
  const path = `${url}/v1/collections/again/subscriptions/peer`;
  expect((await fetch(path, { method: 'DELETE' })).status).toBe(204);
  expect((await fetch(`${path}/fetches`)).status).toBe(404);
  const body = JSON.stringify({ url: pipeline.feeds.url('/other') });
  const headers = { 'content-type': 'application/json' };
  expect((await fetch(path, { method: 'PUT', body, headers })).status).toBe(201);
  const stored = await pipeline.queue.recentFetches(collectionKey('again'), subscriptionId('peer'));
  expect(stored.length).toBeGreaterThan(0);
  const shown = (await (await fetch(`${path}/fetches`)).json()) as FetchesView;
  expect(shown.items.filter(({ outcome }) => outcome === 'fetched')).toEqual([]);
});
