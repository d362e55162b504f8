import { describe, expect, test } from '@jest/globals';
import { readPayload } from '#xml';
import { collectionKey, finish, itemId } from '#core';
import type { Collection, TreeContent, LatestItem } from '#core';
import type { FeedSyncContent } from '#feedsync';
import { sampleCollection } from '#in-memory';
import { readerEntry } from './reader-entry.ts';
import { itemWrite } from './stored-item.ts';

const milk = itemId('milk');

const publicUrl = 'http://here.example';
const time = (text: string): Date => new Date(`2026-01-${text}Z`);
const collection = sampleCollection({
  key: collectionKey('todo'),
  endpoint: 'example.org:todo',
  createdAt: time('01T00:00:00'),
  settings: { expiresAfter: 86_400 },
});
const tree: Collection = { ...collection, key: collectionKey('tree'), protocol: 'cse', format: 'rss' };
const feedsync = (children: string, ...whens: readonly string[]): FeedSyncContent => ({
  sync: {
    id: milk,
    updates: whens.length,
    deleted: false,
    history: whens.map((when, index) => ({ sequence: whens.length - index, when, by: 'A' })),
  },
  data: readPayload(`<entry xmlns="http://www.w3.org/2005/Atom">${children}</entry>`),
  conflicts: [],
});
const cse = (children: string, change: Partial<TreeContent> = {}): TreeContent => ({
  feed: 'root',
  guid: '1',
  hidden: false,
  deleted: false,
  version: 1,
  when: '2026-01-02T00:00:00Z',
  data: readPayload(`<item>${children}</item>`),
  links: [],
  position: { parent: 'root', key: 'V' },
  ...change,
});
const latest = (change: Partial<LatestItem> = {}): LatestItem => ({
  id: milk,
  content: feedsync('<title>Milk</title>'),
  version: { updates: 1, history: { sequence: 1, when: '2026-01-03T00:00:00Z' } },
  sequence: 42,
  createdAt: time('02T00:00:00.500'),
  updatedAt: time('04T00:00:00'),
  publishedAt: time('04T00:00:01'),
  ...change,
});

describe('an entry for feed readers', () => {
  test('has the id of the other feeds, when the item was made, and when it was last changed', () => {
    expect(finish(readerEntry(collection, latest(), publicUrl))).toMatchObject({
      title: 'Milk',
      id: expect.stringMatching(/^urn:uuid:[0-9a-f-]{36}$/),
      published: '2026-01-02T00:00:00Z',
      updated: '2026-01-03T00:00:00.000042Z',
    });
  });

  test.each([
    [
      'of an author whose clock is ahead not after its publication',
      { version: { updates: 1, history: { sequence: 1, when: '2030-01-01T00:00:00Z' } } },
      '2026-01-04T00:00:01.000042Z',
    ],
    [
      'not before it was made',
      { version: { updates: 1, history: { sequence: 1, when: '2020-01-01T00:00:00Z' } } },
      '2026-01-02T00:00:00.000042Z',
    ],
    [
      'when it was stored, of a version without a time',
      { version: { updates: 1 } },
      '2026-01-04T00:00:00.000042Z',
    ],
    ['at another instant than the item after it', { sequence: 43 }, '2026-01-03T00:00:00.000043Z'],
  ])('was updated %s', (_what, change, updated) => {
    expect(finish(readerEntry(collection, latest(change), publicUrl))?.updated).toBe(updated);
  });

  test('of a tree has its files as enclosures, and is none if a viewer does not show it', () => {
    const place = { child: 0, start: 0, end: 0 };
    const file = {
      place,
      nestedFeed: false,
      onDemand: false,
      target: { file: 'd1', name: 'a.txt', length: 5, type: 'text/plain' },
    };
    const links = [
      file,
      { place, nestedFeed: true, onDemand: false, target: { feed: 'news' } },
      { place, nestedFeed: false, onDemand: true, url: 'http://a.example/b' },
    ];
    expect(
      finish(readerEntry(tree, latest({ content: cse('<title>T</title>', { links }) }), publicUrl))
        ?.enclosures,
    ).toEqual([
      { url: 'http://here.example/files/tree/d1/a.txt', length: 5, type: 'text/plain' },
      { url: 'http://a.example/b' },
    ]);
    expect(
      finish(readerEntry(tree, latest({ content: cse('<title>T</title>', { hidden: true }) }), publicUrl)),
    ).toBeUndefined();
  });
});

describe('when an item was made', () => {
  const now = time('10T00:00:00');
  const madeAt = (content: FeedSyncContent | TreeContent, of = collection): Date =>
    itemWrite({ collection: of, now }, undefined, content).item.createdAt;

  test.each([
    [
      'the time of its first version',
      feedsync('', '2026-01-05T00:00:00Z', '2026-01-04T00:00:00Z'),
      '04T00:00:00',
    ],
    [
      'what it says of its publication',
      feedsync('<published>2026-01-03T00:00:00Z</published>', '2026-01-04T00:00:00Z'),
      '03T00:00:00',
    ],
    ['now, where a clock is ahead', feedsync('', '2026-02-01T00:00:00Z'), '10T00:00:00'],
    [
      'now, where nothing says it',
      {
        ...feedsync('', '2026-01-04T00:00:00Z'),
        sync: { id: milk, updates: 1, deleted: false, history: [{ sequence: 1, by: 'A' }] },
      },
      '10T00:00:00',
    ],
  ])('is %s', (_what, content, expected) => {
    expect(madeAt(content)).toEqual(time(expected));
  });

  test('is the pubDate of an item of a tree', () => {
    expect(madeAt(cse('<pubDate>Fri, 02 Jan 2026 03:04:05 GMT</pubDate>'), tree)).toEqual(
      time('02T03:04:05'),
    );
    expect(madeAt(cse('<pubDate>soon</pubDate>'), tree)).toEqual(now);
  });

  test('stays, whatever later versions say', () => {
    const stored = {
      ...itemWrite({ collection, now }, undefined, feedsync('', '2026-01-04T00:00:00Z')).item,
      revision: 1,
    };
    expect(
      itemWrite({ collection, now }, stored, feedsync('', '2026-01-05T00:00:00Z')).item.createdAt,
    ).toEqual(time('04T00:00:00'));
  });
});
