import { afterEach, describe, expect, test } from '@jest/globals';
import { Redis } from 'ioredis';
import type { PollLeases } from '#core';
import { MemoryPollLeases } from '#in-memory';
import { openHostBudget } from '#queue';
import { hangLimit } from '../../support/until.ts';
import { ownName, redisUrl, removeKeys } from './support/redis.ts';

const start = Date.parse('2026-01-01T00:00:00Z');

/** What ends with a test. */
const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

/** The leases as two fetchers have them, at a time that a test sets. */
interface UnderTest {
  readonly one: PollLeases;
  readonly other: PollLeases;
  readonly pass: (milliseconds: number) => void;
}

function inMemory(): UnderTest {
  let time = start;
  const leases = new MemoryPollLeases({ now: () => new Date(time) });
  return { one: leases, other: leases, pass: (milliseconds) => void (time += milliseconds) };
}

function inRedis(): UnderTest {
  let time = start;
  const prefix = ownName();
  const open = (): PollLeases => {
    const budget = openHostBudget({
      redisUrl: redisUrl(),
      prefix,
      now: () => time,
      answerTimeout: hangLimit,
    });
    ends.push(() => budget.close());
    return budget.polls;
  };
  const redis = new Redis(redisUrl());
  ends.push(async () => {
    await removeKeys(redis, prefix);
    redis.disconnect();
  });
  return { one: open(), other: open(), pass: (milliseconds) => void (time += milliseconds) };
}

describe.each([
  ['in memory', inMemory],
  ['in Redis', inRedis],
])('leases of polls %s', (_, open) => {
  const listed = async (leases: PollLeases): Promise<string[]> => [...(await leases.list())].toSorted();

  test('are given to one fetcher each, and are seen by the others until they end', async () => {
    const { one, other } = open();
    expect(await one.take([], 60_000)).toEqual([]);
    expect(await one.take(['a/x', 'a/y'], 60_000)).toEqual(['a/x', 'a/y']);
    expect(await other.take(['a/y', 'b/z'], 60_000)).toEqual(['b/z']);
    expect(await listed(one)).toEqual(['a/x', 'a/y', 'b/z']);
    await one.end(['a/y']);
    await one.end([]);
    expect(await listed(other)).toEqual(['a/x', 'b/z']);
    expect(await other.take(['a/y', 'a/x'], 60_000)).toEqual(['a/y']);
  });

  test('run out if nobody ends them', async () => {
    const { one, other, pass } = open();
    await one.take(['a'], 1000);
    await one.take(['b'], 5000);
    pass(999);
    expect(await other.take(['a'], 1000)).toEqual([]);
    pass(1);
    expect(await listed(other)).toEqual(['b']);
    expect(await other.take(['a'], 1000)).toEqual(['a']);
  });

  test('are given once, however many fetchers want them', async () => {
    const { one, other } = open();
    const keys = Array.from({ length: 50 }, (_each, index) => `s/${index}`);
    const taken = await Promise.all([one, other, one, other].map((leases) => leases.take(keys, 60_000)));
    expect(taken.flat().toSorted()).toEqual(keys.toSorted());
  });
});
