import { expect, test } from '@jest/globals';
import type { Feed, Link } from '#cse';
import { findReferences } from './tree-references.ts';

const day = (number: number): string => `2026-01-0${number}T00:00:00Z`;
const feed = (...items: readonly (readonly [at: number, ...links: Link[]])[]): Feed => ({
  lastBuildDate: day(1),
  items: items.map(([at, ...links], index) => ({
    id: String(index),
    lastBuildDate: day(at),
    hidden: false,
    links,
  })),
});
const link = (url: string, marks: Partial<Link> = {}): Link => ({
  url,
  nestedFeed: false,
  onDemand: false,
  ...marks,
});
const nested = (url: string, onDemand = false): Link => link(url, { nestedFeed: true, onDemand });

test('the root and all that its feeds link to are found, level by level, with the newest date', async () => {
  const feeds = new Map([
    ['root', feed([2, nested('a')], [3, link('x')])],
    ['a', feed([4, nested('b')], [5, link('x')])],
    ['b', feed([1, link('y')])],
    ['elsewhere', feed([1, link('z')])],
  ]);
  expect([...(await findReferences('root', feeds)).values()]).toEqual([
    { url: 'root', isFeed: true, onDemand: false, lastBuildDate: '1601-01-01T00:00:00Z' },
    { url: 'a', isFeed: true, onDemand: false, lastBuildDate: day(2) },
    { url: 'x', isFeed: false, onDemand: false, lastBuildDate: day(5) },
    { url: 'b', isFeed: true, onDemand: false, lastBuildDate: day(4) },
    { url: 'y', isFeed: false, onDemand: false, lastBuildDate: day(1) },
  ]);
});

test('a document is on demand where every link to it is, and a feed where one link says so', async () => {
  const feeds = new Map([
    [
      'root',
      feed(
        [2, link('a', { onDemand: true }), link('b', { onDemand: true })],
        [2, nested('a', true)],
        [2, link('b')],
      ),
    ],
  ]);
  const found = await findReferences('root', feeds);
  expect(found.get('a')).toMatchObject({ isFeed: true, onDemand: true });
  expect(found.get('b')).toMatchObject({ isFeed: false, onDemand: false });
});

test('a cycle is gone round once, and gives the root the date of the link that leads back', async () => {
  const feeds = new Map([
    ['root', feed([2, nested('a')])],
    ['a', feed([3, nested('root')])],
  ]);
  expect(
    [...(await findReferences('root', feeds)).values()].map(({ url, lastBuildDate }) => [url, lastBuildDate]),
  ).toEqual([
    ['root', day(3)],
    ['a', day(2)],
  ]);
});

test('what is below a feed on demand that is in the cache belongs to the tree', async () => {
  const feeds = new Map([
    ['root', feed([2, nested('a', true)])],
    ['a', feed([3, link('x')])],
  ]);
  expect([...(await findReferences('root', feeds)).keys()]).toEqual(['root', 'a', 'x']);
});
