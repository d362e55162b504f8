import { afterEach, describe, expect, test } from '@jest/globals';
import { Redis } from 'ioredis';
import type { BudgetAnswer, HostBudget, PollLeases } from '#core';
import { MemoryHostBudget, MemoryPollLeases } from '#in-memory';
import { openHostBudget } from '#queue';
import type { SharedBudget } from '#queue';
import { hangLimit } from '../../support/until.ts';
import { ownName, redisUrl, removeKeys } from './support/redis.ts';

const start = Date.parse('2026-01-01T00:00:00Z');
const limits = { rate: 10, burst: 4, connections: 100 };
const longest = 250;

/** What ends with a test. */
const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

/** Budgets and leases at a time that a test sets; those of Redis as two fetchers have them. */
interface UnderTest {
  readonly budgets: readonly [HostBudget, HostBudget];
  readonly polls: readonly [PollLeases, PollLeases];
  readonly pass: (milliseconds: number) => void;
}

function local(): UnderTest {
  let time = start;
  const budget = new MemoryHostBudget(() => time);
  const polls = new MemoryPollLeases({ now: () => new Date(time) });
  return {
    budgets: [budget, budget],
    polls: [polls, polls],
    pass: (milliseconds) => void (time += milliseconds),
  };
}

function shared(): UnderTest {
  let time = start;
  const prefix = ownName();
  const open = (): SharedBudget => {
    const budget = openHostBudget({
      redisUrl: redisUrl(),
      prefix,
      now: () => time,
      answerTimeout: hangLimit,
    });
    ends.push(() => budget.close());
    return budget;
  };
  const redis = new Redis(redisUrl());
  ends.push(async () => {
    await removeKeys(redis, prefix);
    redis.disconnect();
  });
  const budgets = [open(), open()] as const;
  const polls = [budgets[0].polls, budgets[1].polls] as const;
  return { budgets, polls, pass: (milliseconds) => void (time += milliseconds) };
}

const briefly = (answer: BudgetAnswer): string =>
  answer.kind === 'busy' ? answer.kind : `${answer.kind} ${answer.wait}`;

describe.each([
  ['in memory', local],
  ['in Redis', shared],
])('budgets %s', (_, open) => {
  test('grant a burst, then what the rate gives, in advance as far as a request may wait', async () => {
    const { budgets, pass } = open();
    const take = async (count: number): Promise<string[]> => {
      const answers: string[] = [];
      for (let place = 0; place < count; place += 1)
        answers.push(briefly(await (budgets[place % 2] as HostBudget).take('a', limits, longest)));
      return answers;
    };
    expect(await take(8)).toEqual([
      ...Array.from({ length: 4 }, () => 'granted 0'),
      'granted 100',
      'granted 200',
      'used-up 300',
      'used-up 300',
    ]);
    pass(300);
    expect(await take(4)).toEqual(['granted 0', 'granted 100', 'granted 200', 'used-up 300']);
    pass(3_600_000);
    expect(await take(5)).toEqual([...Array.from({ length: 4 }, () => 'granted 0'), 'granted 100']);
    expect(briefly(await budgets[0].take('b', limits, longest))).toBe('granted 0');
  });

  test('have no more requests in flight than there may be', async () => {
    const { budgets } = open();
    const few = { ...limits, connections: 2 };
    const [first, second] = [
      await budgets[0].take('a', few, longest),
      await budgets[1].take('a', few, longest),
    ];
    expect([first, second].map(briefly)).toEqual(['granted 0', 'granted 0']);
    expect(briefly(await budgets[0].take('a', few, longest))).toBe('busy');
    for (let times = 0; times < 2; times += 1) if (first.kind === 'granted') first.release();
    // What is released is heard of in order.
    expect(briefly(await budgets[0].take('a', few, longest))).toBe('granted 0');
    expect(briefly(await budgets[1].take('a', few, longest))).toBe('busy');
  });

  test('are halved each time a host asks for that, wait for its pause, and recover by and by', async () => {
    const { budgets, pass } = open();
    const wide = { rate: 16, burst: 16, connections: 16 };
    await budgets[0].slow('a', wide, 5000);
    expect(briefly(await budgets[1].take('a', wide, longest))).toBe('paused 5000');
    await budgets[1].slow('a', wide, 0);
    pass(4999);
    expect(briefly(await budgets[0].take('a', wide, longest))).toBe('paused 1');
    pass(1);
    const grantedNow = async (): Promise<number> => {
      const releases: (() => void)[] = [];
      for (;;) {
        const answer = await budgets[releases.length % 2]?.take('a', wide, 0);
        if (answer?.kind !== 'granted') {
          for (const release of releases) release();
          // So that the next question comes after them.
          for (const budget of budgets) await budget.take('b', wide, 0);
          return releases.length;
        }
        releases.push(answer.release);
      }
    };
    expect(await grantedNow()).toBe(4);
    pass(60_000);
    expect(await grantedNow()).toBe(8);
    pass(60_000);
    expect(await grantedNow()).toBe(16);
  });

  test('are never slower than a 64th', async () => {
    const { budgets } = open();
    for (let times = 0; times < 10; times += 1) await budgets[0].slow('a', limits, 0);
    expect(briefly(await budgets[0].take('a', limits, longest))).toBe('used-up 6400');
  });
});

describe.each([
  ['in memory', local],
  ['in Redis', shared],
])('leases of polls %s', (_, open) => {
  const listed = async (leases: PollLeases): Promise<string[]> => [...(await leases.list())].toSorted();

  test('are given to one fetcher each, and are seen by the others until they end', async () => {
    const [one, other] = open().polls;
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
    const { polls, pass } = open();
    const [one, other] = polls;
    await one.take(['a'], 1000);
    await one.take(['b'], 5000);
    pass(999);
    expect(await other.take(['a'], 1000)).toEqual([]);
    pass(1);
    expect(await listed(other)).toEqual(['b']);
    expect(await other.take(['a'], 1000)).toEqual(['a']);
  });

  test('are given once, however many fetchers want them', async () => {
    const [one, other] = open().polls;
    const keys = Array.from({ length: 50 }, (_each, index) => `s/${index}`);
    const taken = await Promise.all([one, other, one, other].map((leases) => leases.take(keys, 60_000)));
    expect(taken.flat().toSorted()).toEqual(keys.toSorted());
  });
});
