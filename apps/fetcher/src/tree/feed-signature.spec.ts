import { expect, test } from '@jest/globals';
import type { Feed } from '#cse';
import type { CachedCopy } from '#core';
import { feedSignature } from './feed-signature.ts';

const copy = (digest: string, change: Partial<CachedCopy> = {}): CachedCopy => ({
  digest,
  length: 1,
  base: 'http://a.example/feed',
  isFeed: false,
  lastBuildDate: '2026-01-01T00:00:00Z',
  ...change,
});
const link = (url: string, nestedFeed = false) => ({ url, nestedFeed, onDemand: false });
const feed: Feed = {
  lastBuildDate: '2026-01-01T00:00:00Z',
  items: [
    { id: '1', lastBuildDate: '2026-01-01T00:00:00Z', hidden: false, links: [link('a'), link('b')] },
    { id: '2', lastBuildDate: '2026-01-01T00:00:00Z', hidden: false, links: [link('n', true)] },
  ],
};
const held: Readonly<Record<string, CachedCopy>> = { a: copy('aa'), n: copy('nn', { isFeed: true }) };
const signature = (
  changed: Readonly<Record<string, CachedCopy | undefined>> = {},
  own = copy('feed'),
  root = 'http://a.example/root',
): Promise<string> => feedSignature(root, own, feed, (url) => ({ ...held, ...changed })[url]);

test('it stays the same while nothing changes that an item is made of', async () => {
  expect(await signature()).toBe(await signature());
  expect(await signature()).toMatch(/^[0-9a-f]{64}$/);
  // What a nested feed says is the business of its own items.
  expect(await signature({ n: copy('other', { isFeed: true }) })).toBe(await signature());
  expect(await signature({ a: copy('aa', { etag: '"1"', base: 'http://b.example/' }) })).toBe(
    await signature(),
  );
});

test.each<[string, Promise<string>]>([
  ['the feed has other bytes', signature({}, copy('other'))],
  [
    'the feed comes from another address, so that its relative links lead elsewhere',
    signature({}, copy('feed', { base: 'http://b.example/' })),
  ],
  ['the feed has another charset', signature({}, copy('feed', { type: 'text/xml; charset=latin1' }))],
  ['a file has other bytes', signature({ a: copy('ab') })],
  [
    'a file is in step with a later date',
    signature({ a: copy('aa', { lastBuildDate: '2026-01-02T00:00:00Z' }) }),
  ],
  ['a file has arrived', signature({ b: copy('bb') })],
  ['a file is gone', signature({ a: undefined })],
  ['a nested feed is gone', signature({ n: undefined })],
  ['the tree has another root', signature({}, copy('feed'), 'http://a.example/feed')],
  ['a nested feed is one no longer', signature({ n: copy('nn') })],
])('it changes where %s', async (_change, changed) => {
  expect(await changed).not.toBe(await signature());
});
