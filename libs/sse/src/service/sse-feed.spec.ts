import { expect, test } from '@jest/globals';
import { collectionKey } from '#core';
import type { Collection } from '#core';
import { composeSseFeed } from './sse-feed.ts';

const at = (second: number): Date => new Date(Date.UTC(2026, 0, 1, 12, 0, second));
const collection: Collection = {
  key: collectionKey('todo'),
  protocol: 'sse',
  format: 'rss',
  title: 'To do',
  endpoint: 'test:here',
  createdAt: at(0),
  settings: { windowItems: 1, expiresAfter: 10, cleanUpHistory: false },
  publication: { sequence: 7, since: 6, relayed: 7, updatedAt: at(20) },
};

test.each([
  ['an earlier item', at(15), at(15)],
  ['one that was published since the collection was read', at(21), at(20)],
  ['no item any more', undefined, at(20)],
])(
  'a window that begins with %s is announced up to the last publication, and no further',
  (_what, firstPublishedAt, since) => {
    const { head } = composeSseFeed(collection, {
      variant: 'partial',
      format: 'rss',
      ...(firstPublishedAt && { firstPublishedAt }),
      subscriptions: [],
      publicUrl: 'http://here.example',
      now: at(30),
    });
    expect(head.sharing).toMatchObject({
      since: since.toISOString().replace('.000', ''),
      until: '2026-01-01T12:00:20Z',
    });
  },
);
