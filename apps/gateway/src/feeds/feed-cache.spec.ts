import { expect, test } from '@jest/globals';
import { collectionKey } from '#contracts';
import type { Collection } from '#core';
import type { Feed } from './current-feed.ts';
import { FeedCache } from './feed-cache.ts';
import type { FeedName } from './feed-cache.ts';

const name: FeedName = { collection: collectionKey('todo'), variant: 'partial', format: 'atom' };
const second = (seconds: number): Date => new Date(Date.UTC(2026, 0, 1) + seconds * 1000);

/** A collection that has published so far; the head of its feeds counts for 24 hours by default. */
function published(sequence: number, expiresAfter = 86_400): Collection {
  const publication = { sequence, since: 0, relayed: sequence };
  return { key: collectionKey('todo'), settings: { expiresAfter }, publication } as unknown as Collection;
}

const feed = (etag: string): Feed => ({ etag }) as Feed;

const bytes = (length: number) => async (): Promise<Buffer> => Buffer.alloc(length, 'x');

test('a feed is found as long as its collection is the same', () => {
  const cache = new FeedCache(100_000);
  expect(cache.has(name)).toBe(false);
  const kept = cache.keep(name, published(1), feed('1'), second(0));
  expect(cache.has(name)).toBe(true);
  expect(cache.find(name, published(1), second(10))).toBe(kept);
  expect(cache.find(name, published(2), second(10))).toBeUndefined();
  expect(cache.find({ ...name, variant: 'complete' }, published(1), second(10))).toBeUndefined();
  expect(cache.find({ ...name, wanted: 1 }, published(1), second(10))).toBeUndefined();
});

test.each([
  [86_400, 60, 61],
  [100, 10, 11],
])('of a head that counts for %i s, a feed is kept for %i s and not for %i s', (expires, kept, late) => {
  const cache = new FeedCache(100_000);
  cache.keep(name, published(1, expires), feed('1'), second(0));
  expect(cache.find(name, published(1, expires), second(kept))).toBeDefined();
  expect(cache.find(name, published(1, expires), second(late))).toBeUndefined();
  // A clock that was set back is no reason to keep it longer.
  expect(cache.find(name, published(1, expires), second(-1))).toBeUndefined();
});

test('bytes are made once for all that request them at the same time, and kept by their coding', async () => {
  const cache = new FeedCache(100_000);
  const kept = cache.keep(name, published(1), feed('1'), second(0));
  let made = 0;
  const make = async (): Promise<Buffer> => Buffer.from(`body ${(made += 1)}`);
  const bodies = await Promise.all([1, 2, 3].map(() => cache.body(kept, 'gzip', make)));
  expect(bodies.map(String)).toEqual(['body 1', 'body 1', 'body 1']);
  expect(String(await cache.body(kept, 'gzip', make))).toBe('body 1');
  expect(String(await cache.body(kept, 'br', make))).toBe('body 2');
});

test('an error in making bytes is for those that wait, and the next one tries again', async () => {
  const cache = new FeedCache(100_000);
  const kept = cache.keep(name, published(1), feed('1'), second(0));
  const fail = (): Promise<never> => Promise.reject(new Error('away'));
  const waiting = await Promise.allSettled([1, 2].map(() => cache.body(kept, 'gzip', fail)));
  expect(waiting.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect((await cache.body(kept, 'gzip', bytes(3)))?.length).toBe(3);
});

test('after bytes that were too many, none are made for ten minutes, even of what replaces it', async () => {
  const cache = new FeedCache(100_000);
  let tries = 0;
  const tooMany = async (): Promise<undefined> => void (tries += 1);
  const first = cache.keep(name, published(1), feed('1'), second(0));
  expect(await cache.body(first, 'gzip', tooMany)).toBeUndefined();
  const replaced = cache.keep(name, published(2), feed('2'), second(599));
  expect(await cache.body(replaced, 'gzip', tooMany)).toBeUndefined();
  expect(tries).toBe(1);
  const later = cache.keep(name, published(3), feed('3'), second(600));
  expect(await cache.body(later, 'gzip', bytes(3))).toHaveLength(3);
});

test('the feed that was used longest ago goes first if there is no space left', async () => {
  const cache = new FeedCache(100_000);
  const names = ['a', 'b', 'c'].map((each) => ({ ...name, collection: collectionKey(each) }));
  for (const each of names) cache.keep(each, published(1), feed('1'), second(0));
  cache.find(names[0]!, published(1), second(1));
  for (let room = 0; room < 21; room += 1)
    cache.keep({ ...name, wanted: room }, published(1), feed('1'), second(2));
  expect(cache.has(names[1]!)).toBe(false);
  expect(cache.has(names[2]!)).toBe(true);
  expect(cache.has(names[0]!)).toBe(true);
});

test('bytes count, and go with their feed', async () => {
  const cache = new FeedCache(100_000);
  const many = Array.from({ length: 12 }, (_, index) => ({ ...name, wanted: index }));
  for (const each of many) {
    const kept = cache.keep(each, published(1), feed('1'), second(0));
    await cache.body(kept, 'gzip', bytes(cache.bodyBytes));
  }
  expect(many.filter((each) => cache.has(each)).length).toBe(9);
});

test('a cache of no bytes keeps nothing', async () => {
  const cache = new FeedCache(0);
  const kept = cache.keep(name, published(1), feed('1'), second(0));
  expect(cache.has(name)).toBe(false);
  expect(await cache.body(kept, 'gzip', bytes(1))).toBeUndefined();
});
