import { beforeEach, expect, test } from '@jest/globals';
import {
  createMemoryHttp,
  createMemoryQueue,
  createMemoryStore,
  sampleCollection,
  sampleSubscription,
} from '#in-memory';
import type { MemoryHttp, MemoryQueue } from '#in-memory';
import type { MergeJob } from '#contracts';
import { collectionKey, subscriptionId } from '#core';
import type { Cursor, Manifest, Store } from '#core';
import { fetchSubscription } from './fetch-subscription.ts';
import { usualFetch } from '../../../test/support/fetch-settings.ts';

const todo = collectionKey('todo');
const peer = subscriptionId('peer');

const now = new Date('2026-03-01T00:00:00Z');
const clock = { now: () => now, wait: () => Promise.resolve() };
const [url, completeUrl] = ['http://a.example/feed', 'http://a.example/all'];
let store: Store;
let http: MemoryHttp;
let queue: MemoryQueue;

beforeEach(() => {
  store = createMemoryStore({ clock: { now: () => new Date() } });
  http = createMemoryHttp();
  queue = createMemoryQueue();
});

const item = (id: string): string =>
  `<item><title>${id}</title><sx:sync id="${id}" version="1">` +
  '<sx:history when="Sat, 21 May 2005 09:43:33 GMT" by="A"/></sx:sync></item>';

function rss(sharing: string, ids: readonly string[]): string {
  return (
    '<rss version="2.0" xmlns:sx="http://www.microsoft.com/schemas/rss/sse"><channel>' +
    `<title>Family</title>${sharing}${ids.map(item).join('\n')}</channel></rss>`
  );
}

/** Fetches once, from a cursor; returns what is to be merged and what the fetch came to. */
async function fetch(
  cursor: Cursor = {},
): Promise<{ fragments: MergeJob['fragments'] } & Pick<Manifest, 'seal'>> {
  await store.collections.create(
    sampleCollection({
      key: todo,
      protocol: 'sse',
      format: 'rss',
      createdAt: now,
      settings: { windowItems: 10, expiresAfter: 3600, ordered: true },
    }),
  );
  await store.subscriptions.put({
    collection: todo,
    id: peer,
    url,
    status: 'active',
    interval: { minimum: 60, maximum: 10_000_000 },
    cursor,
    cursorVersion: Object.keys(cursor).length,
    nextFetchAt: now,
    nextFetchReason: 'it is new',
    failures: 0,
    createdAt: now,
  });
  await fetchSubscription(
    { store, queue, http, clock, random: { fraction: () => 0, identifier: () => 'm' } },
    usualFetch,
    { version: 1, collection: todo, subscription: peer },
  );
  const fragments: MergeJob['fragments'] = [];
  while (
    await queue.deliver({
      merge: async (job) => void fragments.push(...job.fragments),
      finalize: async () => {},
      publish: async () => {},
    })
  );
  return { fragments, seal: (await store.manifests.find(todo, 'm'))?.seal };
}

test(
  'an ordered feed hands on its items with their places, and with its complete feed the smaller until ' +
    'is cached',
  async () => {
    const partial =
      '<sx:sharing version="0.91" since="Sun, 01 Feb 2026 00:00:00 GMT" ' +
      'until="Sat, 28 Feb 2026 23:59:59 GMT" window="2">' +
      `<sx:related type="complete" link="${completeUrl}"/></sx:sharing>`;
    http.serve(url, () => ({
      status: 200,
      headers: { 'cache-control': 'max-age=1000000' },
      body: rss(partial, ['b']),
    }));
    http.serve(completeUrl, () => ({
      status: 200,
      body: rss('<sx:sharing version="0.91" until="Sat, 28 Feb 2026 12:00:00 GMT"/>', ['a', 'b', 'c']),
    }));
    const { fragments, seal } = await fetch();
    expect(fragments.map(({ id, place }) => ({ id, place }))).toEqual([
      { id: 'b', place: { after: '' } },
      { id: 'a', place: { after: '', before: 'b' } },
      { id: 'c', place: { after: 'b' } },
    ]);
    expect(seal).toMatchObject({
      cursor: { until: '2026-02-28T12:00:00Z' },
      items: 3,
      known: 0,
      resynced: false,
      feed: { title: 'Family', markup: [], aggregated: [] },
      nextFetchAt: new Date('2026-03-02T00:00:00Z'),
      nextFetchReason: 'the feed keeps its changes for 2 days',
    });
  },
);

test.each([410, 404])('a feed whose complete feed answers %i is not gone itself', async (status) => {
  const sharing =
    '<sx:sharing version="0.91" since="Sun, 01 Feb 2026 00:00:00 GMT" ' +
    `until="Sat, 28 Feb 2026 23:59:59 GMT"><sx:related type="complete" link="${completeUrl}"/></sx:sharing>`;
  http.serve(url, () => ({ status: 200, body: rss(sharing, ['b']) }));
  http.serve(completeUrl, () => ({ status }));
  await fetch();
  expect(await store.subscriptions.find(todo, peer)).toMatchObject({
    status: 'active',
    failures: 1,
    last: { outcome: 'failed' },
  });
});

test('a feed that begins after what was read and names no complete feed is reported', async () => {
  http.serve(url, () => ({
    status: 200,
    body: rss(
      '<sx:sharing version="0.91" since="Sun, 01 Feb 2026 00:00:00 GMT" until="Sat, 28 Feb 2026 23:59:59 ' +
        'GMT"/>',
      ['b'],
    ),
  }));
  const { seal } = await fetch({ until: '2026-01-31T00:00:00Z' });
  expect(seal).toMatchObject({
    cursor: { until: '2026-02-28T23:59:59Z' },
    resynced: false,
    violations: [{ rule: 'out-of-sync-no-complete', section: 'SSE 2.2.1' }],
  });
});

test('what is left of a subscription whose collection is gone is not fetched', async () => {
  http.serve(url, () => ({ status: 200, body: rss('', ['a']) }));
  await fetch();
  await store.collections.remove(todo);
  await store.subscriptions.put(
    sampleSubscription({
      collection: todo,
      id: peer,
      url,
      createdAt: now,
    }),
  );
  await fetchSubscription(
    { store, queue, http, clock, random: { fraction: () => 0, identifier: () => 'm' } },
    usualFetch,
    { version: 1, collection: todo, subscription: peer },
  );
  expect(await store.subscriptions.lease(todo, peer, 'another', 1)).toBeDefined();
  expect(await queue.backlog('merge')).toBe(0);
});
