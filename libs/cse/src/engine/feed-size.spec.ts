import { expect, test } from '@jest/globals';
import { feedSize } from './feed-size.ts';

const link = (url: string) => ({ url, nestedFeed: false, onDemand: true });

test('a feed counts its items and their links, and long identities and URLs more than once', () => {
  expect(feedSize({ items: [] })).toBe(0);
  const item = { lastBuildDate: '2026-01-01T00:00:00Z', hidden: false };
  expect(
    feedSize({
      items: [
        { ...item, id: 'a', links: [] },
        { ...item, id: 'b', links: [link('x'), link('y'.repeat(999))] },
      ],
    }),
  ).toBe(4);
  expect(feedSize({ items: [{ ...item, id: 'a'.repeat(3500), links: [link('x'.repeat(1000))] }] })).toBe(6);
});
