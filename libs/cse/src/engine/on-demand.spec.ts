import { expect, test } from '@jest/globals';
import type { Feed } from './feed.ts';
import { asRequested } from './on-demand.ts';

test('links on demand that are requested are not on demand any more, and all else stays', () => {
  const link = (url: string, onDemand: boolean) => ({ url, nestedFeed: false, onDemand });
  const feed = (...links: Feed['items'][number]['links']): Feed => ({
    lastBuildDate: '2026-01-02T00:00:00Z',
    items: [{ id: 'i', lastBuildDate: '2026-01-01T00:00:00Z', hidden: true, links }],
  });
  const given = feed(link('asked', true), link('not', true), link('plain', false));
  expect(asRequested(given, (url) => url !== 'not')).toEqual(
    feed(link('asked', false), link('not', true), link('plain', false)),
  );
  expect(asRequested(given, () => false)).toEqual(given);
});
