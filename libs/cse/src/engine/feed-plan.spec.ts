import { describe, expect, test } from '@jest/globals';
import { finish } from '#core';
import { planFeed } from './feed-plan.ts';
import { actionOf, earliestDate, isNewer } from './feed.ts';
import type { Feed, Item, Link } from './feed.ts';

const day = (number: number): string => `2026-01-${String(number).padStart(2, '0')}T00:00:00Z`;
const link = (url: string, marks: Partial<Link> = {}): Link => ({
  url,
  nestedFeed: false,
  onDemand: false,
  ...marks,
});
const item = (id: string, at: number, ...links: Link[]): Item => ({
  id,
  lastBuildDate: day(at),
  hidden: false,
  links,
});
const feed = (at: number, ...items: Item[]): Feed => ({ lastBuildDate: day(at), items });
const urls = (links: readonly Link[]): string[] => links.map(({ url }) => url);

test.each([
  [false, false, 'download'],
  [true, false, 'download-and-process'],
  [false, true, 'none'],
  [true, true, 'none'],
] as const)('a link with nestedFeed=%s and onDemand=%s: %s', (nestedFeed, onDemand, action) => {
  expect(actionOf({ nestedFeed, onDemand })).toBe(action);
});

test('newer is more recent, not as recent; nothing is older than 1601', () => {
  expect(isNewer({ lastBuildDate: day(2) }, { lastBuildDate: day(1) })).toBe(true);
  expect(isNewer({ lastBuildDate: day(2) }, { lastBuildDate: day(2) })).toBe(false);
  expect(isNewer({ lastBuildDate: day(1) }, { lastBuildDate: earliestDate })).toBe(true);
});

describe('a feed that is not in the cache', () => {
  test('requests every link but those on demand, each once and in order', () => {
    const fetched = feed(
      5,
      item('a', 1, link('b.jpg'), link('z.jpg', { onDemand: true })),
      item('b', 5, link('a.jpg'), link('b.jpg')),
      item('c', 2, link('n.xml', { nestedFeed: true })),
    );
    const plan = finish(planFeed(undefined, fetched));
    expect(urls(plan.download)).toEqual(['b.jpg', 'a.jpg', 'n.xml']);
    expect(plan).toMatchObject({ isNewer: true, feed: fetched, dropped: [] });
  });
});

test('what is a file to one item and a nested feed to another is requested as a feed', () => {
  const fetched = feed(
    5,
    item('a', 5, link('n.xml')),
    item('b', 5, link('n.xml', { nestedFeed: true })),
    item('c', 5, link('n.xml')),
  );
  expect(finish(planFeed(undefined, fetched)).download).toEqual([link('n.xml', { nestedFeed: true })]);
});

describe('a feed that is newer than the cached one', () => {
  test('requests the links of new and newer items only', () => {
    const cached = feed(
      3,
      item('same', 3, link('1')),
      item('newer', 2, link('2')),
      item('older', 3, link('3')),
    );
    const plan = finish(
      planFeed(
        cached,
        feed(
          4,
          item('same', 3, link('1'), link('1b')),
          item('newer', 4, link('2')),
          item('older', 2, link('3')),
          item('new', 1, link('4')),
        ),
      ),
    );
    expect(urls(plan.download)).toEqual(['2', '4']);
  });

  test('drops the links that no item has any more, on demand or not, but none that another item has', () => {
    const cached = feed(
      3,
      item('a', 1, link('shared'), link('gone'), link('asked', { onDemand: true })),
      item('b', 3, link('gone')),
    );
    expect(urls(finish(planFeed(cached, feed(4, item('c', 4, link('shared'))))).dropped)).toEqual([
      'gone',
      'asked',
    ]);
  });

  test('has an item newer than all that shared its identity before', () => {
    const cached = feed(3, item('twice', 3, link('1')), item('twice', 1, link('2')));
    expect(
      urls(
        finish(planFeed(cached, feed(4, item('twice', 2, link('2')), item('twice', 4, link('1'))))).download,
      ),
    ).toEqual(['1']);
  });
});

describe('a feed that is not newer than the cached one', () => {
  test.each([
    ['as old', 3],
    ['older', 2],
  ])('%s, asks for nothing, and is saved', (_case, at) => {
    const fetched = feed(at, item('a', 9, link('1')), item('new', 9, link('2')));
    expect(finish(planFeed(feed(3, item('a', 1, link('1'))), fetched))).toEqual({
      isNewer: false,
      download: [],
      feed: fetched,
      dropped: [],
    });
  });
});

test('a feed of many items is planned in short steps', () => {
  const many = (at: number): Feed =>
    feed(at, ...Array.from({ length: 1000 }, (_, n) => item(`${n}`, at, link(`${n}`))));
  const steps = planFeed(many(1), many(2));
  let count = 0;
  while (steps.next().done !== true) count += 1;
  expect(count).toBeGreaterThanOrEqual(4000);
});
