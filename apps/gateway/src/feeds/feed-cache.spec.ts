import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { collectionKey } from '#core';
import { BoundedReads } from '../requests/bounded-reads.ts';
import { FeedCache } from './feed-cache.ts';
import type { KeptFeed, SentFeed } from './feed-cache.ts';

const path = '/feeds/todo.atom';
const reads = new BoundedReads({ parallel: 1, bytes: 1_000_000, idle: 0, wait: 0 });
const second = (seconds: number): Date => new Date(Date.UTC(2026, 0, 1) + seconds * 1000);

const feed = (etag: string, keptFor?: number): SentFeed => ({
  etag,
  mediaType: 'application/atom+xml',
  text: async function* text() {},
  ...(keptFor !== undefined && { keptFor }),
});

const bytes = (length: number) => async (): Promise<Buffer> => Buffer.alloc(length, 'x');

/** Keeps a feed that was composed from a source. */
function keep(cache: FeedCache, source: string, at = second(0), where = path, sent = feed('1')): KeptFeed {
  const collection = { key: collectionKey('todo') };
  return cache.keep({ collection, path: where, source, readSource: async () => source }, sent, at);
}

test('a feed is found as long as its source is the same', () => {
  const cache = new FeedCache(100_000, reads);
  expect(cache.find(path)).toBeUndefined();
  const kept = keep(cache, 'one');
  expect(cache.find(path)).toBe(kept);
  expect(cache.findCurrent(path, 'one', second(10))).toBe(kept);
  expect(cache.findCurrent(path, 'two', second(10))).toBeUndefined();
  expect(cache.findCurrent('/feeds/todo.rss', 'one', second(10))).toBeUndefined();
});

test('a feed that depends on the time is kept for as long as it says', () => {
  const cache = new FeedCache(100_000, reads);
  keep(cache, 'one', second(0), path, feed('1', 60_000));
  expect(cache.findCurrent(path, 'one', second(60))).toBeDefined();
  expect(cache.findCurrent(path, 'one', second(61))).toBeUndefined();
  // A clock that was set back is no reason to keep it longer.
  expect(cache.findCurrent(path, 'one', second(-1))).toBeUndefined();
  keep(cache, 'one');
  expect(cache.findCurrent(path, 'one', second(1_000_000))).toBeDefined();
});

test('the source is read once for all that ask in one turn of the event loop', async () => {
  const cache = new FeedCache(100_000, reads);
  let [source, read] = ['one', 0];
  const readSource = async (): Promise<string> => {
    read += 1;
    return source;
  };
  const collection = { key: collectionKey('todo') };
  const kept = cache.keep({ collection, path, source, readSource }, feed('1'), second(0));
  const clock = { now: () => second(1) };
  const ask = () => cache.findUnchanged(kept, clock);
  expect(await Promise.all([ask(), ask(), ask()])).toEqual([kept, kept, kept]);
  expect(read).toBe(1);
  await nextTurn();
  source = 'two';
  expect([await ask(), read]).toEqual([undefined, 2]);
});

test('bytes are made once for all that request them at the same time, and kept by their coding', async () => {
  const cache = new FeedCache(100_000, reads);
  const kept = keep(cache, 'one');
  let made = 0;
  const make = async (): Promise<Buffer> => Buffer.from(`body ${(made += 1)}`);
  const bodies = await Promise.all([1, 2, 3].map(() => cache.body(kept, 'gzip', make)));
  expect(bodies.map(String)).toEqual(['body 1', 'body 1', 'body 1']);
  expect(String(await cache.body(kept, 'gzip', make))).toBe('body 1');
  expect(String(await cache.body(kept, 'br', make))).toBe('body 2');
});

test('an error in making bytes is for those that wait, and the next one tries again', async () => {
  const cache = new FeedCache(100_000, reads);
  const kept = keep(cache, 'one');
  const fail = (): Promise<never> => Promise.reject(new Error('away'));
  const waiting = await Promise.allSettled([1, 2].map(() => cache.body(kept, 'gzip', fail)));
  expect(waiting.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect((await cache.body(kept, 'gzip', bytes(3)))?.length).toBe(3);
});

test('after bytes that were too many, none are made for ten minutes, even of what replaces it', async () => {
  const cache = new FeedCache(100_000, reads);
  let tries = 0;
  const tooMany = async (): Promise<undefined> => void (tries += 1);
  expect(await cache.body(keep(cache, 'one'), 'gzip', tooMany)).toBeUndefined();
  expect(await cache.body(keep(cache, 'two', second(599)), 'gzip', tooMany)).toBeUndefined();
  expect(tries).toBe(1);
  expect(await cache.body(keep(cache, 'three', second(600)), 'gzip', bytes(3))).toHaveLength(3);
});

test('the feed that was used longest ago goes first if there is no space left', () => {
  const cache = new FeedCache(100_000, reads);
  const paths = ['/a', '/b', '/c'];
  for (const each of paths) keep(cache, 'one', second(0), each);
  cache.findCurrent('/a', 'one', second(1));
  for (let other = 0; other < 22; other += 1) keep(cache, 'one', second(2), `/${other}`);
  expect(paths.map((each) => cache.find(each) !== undefined)).toEqual([true, false, true]);
});

test('bytes count, and go with their feed', async () => {
  const cache = new FeedCache(100_000, reads);
  const paths = Array.from({ length: 12 }, (_, index) => `/${index}`);
  for (const each of paths)
    await cache.body(keep(cache, 'one', second(0), each), 'gzip', bytes(cache.bodyBytes));
  expect(paths.filter((each) => cache.find(each) !== undefined).length).toBe(9);
});

test('a feed that is sent while it is no longer kept counts as held, and can be cut off', async () => {
  const limit = 100_000;
  const cache = new FeedCache(limit, reads);
  const kept = keep(cache, 'one');
  await cache.body(kept, 'gzip', bytes(3000));
  const gone: number[] = [];
  const responses = [1, 2].map((number) => ({ destroy: () => void gone.push(number) }) as never);
  for (const response of responses) cache.open(kept, response);
  expect(reads.bytes).toBe(0);
  keep(cache, 'two');
  expect(reads.bytes).toBe(kept.bytes);
  kept.rest?.drop();
  expect(gone).toEqual([1, 2]);
  for (const response of responses) cache.close(kept, response);
  expect(reads.bytes).toBe(0);
});

test('a cache of no bytes keeps nothing', async () => {
  const cache = new FeedCache(0, reads);
  const kept = keep(cache, 'one');
  expect(cache.find(path)).toBeUndefined();
  expect(await cache.body(kept, 'gzip', bytes(1))).toBeUndefined();
});
