import { expect, test } from '@jest/globals';
import { collectionKey } from '#core';
import type { Collection } from '#core';
import { createMemoryStore } from '#in-memory';
import { collectionFeed } from './collection-feed.ts';

const now = new Date(Date.UTC(2026, 0, 1));

const collection = (expiresAfter: number, relayed = 7): Collection => ({
  key: collectionKey('todo'),
  protocol: 'feedsync',
  format: 'atom',
  title: 'To do',
  endpoint: 'here',
  settings: { windowItems: 10, expiresAfter, cleanUpHistory: false },
  publication: { sequence: 7, since: 0, relayed },
  createdAt: now,
});

const feed = (of: Collection, wanted?: number) =>
  collectionFeed(
    { store: createMemoryStore({ clock: { now: () => now } }), publicUrl: 'http://here.example' },
    of,
    {
      variant: 'complete',
      format: 'rss',
      ...(wanted !== undefined && { wanted }),
    },
  );

test.each([
  [86_400, 60],
  [100, 10],
])('a feed whose readers may miss an update after %i s is kept for %i s', async (expires, seconds) => {
  expect((await feed(collection(expires)).compose(now)).keptFor).toBe(seconds * 1000);
});

test('the path is the one that the route has, with the cursor that is wanted', () => {
  expect(feed(collection(100)).path).toBe('/feeds/todo/complete.rss');
  expect(feed(collection(100), 3).path).toBe('/feeds/todo/complete.rss?since=0000000000000003');
});

test('what has been relayed changes nothing that the feed shows', () => {
  expect(feed(collection(100, 5)).source).toBe(feed(collection(100)).source);
  expect(feed(collection(200)).source).not.toBe(feed(collection(100)).source);
});
