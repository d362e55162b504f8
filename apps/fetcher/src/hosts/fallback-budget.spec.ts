import { expect, test } from '@jest/globals';
import type { BudgetAnswer } from '#core';
import { FallbackBudget } from './fallback-budget.ts';
import { LocalBudget } from './local-budget.ts';

const limits = { rate: 8, burst: 8, connections: 8 };

test('while Redis is away a process keeps to its share, and returns to the others afterwards', async () => {
  let time = 0;
  let isAway = false;
  let asked = 0;
  const answer = async <T>(value: T): Promise<T> => {
    asked += 1;
    if (isAway) throw new Error('away');
    return value;
  };
  const granted: BudgetAnswer = { kind: 'granted', wait: 0, release: () => {} };
  const shared = {
    take: () => answer(granted),
    slow: () => answer(undefined),
    renew: () => answer(4),
  };
  const budget = new FallbackBudget(shared, new LocalBudget(() => time), () => time);
  await budget.renew();
  expect(await budget.take('a', limits, 0)).toBe(granted);
  isAway = true;
  asked = 0;
  const kinds: string[] = [];
  for (let count = 0; count < 3; count += 1) kinds.push((await budget.take('a', limits, 0)).kind);
  expect(kinds).toEqual(['granted', 'granted', 'busy']);
  expect(asked).toBe(1);
  isAway = false;
  time += 1000;
  expect(await budget.take('a', limits, 0)).toBe(granted);
});

test('a host that asks to be left alone is, though Redis does not hear of it', async () => {
  const away = (): Promise<never> => Promise.reject(new Error('away'));
  const shared = { take: away, slow: away, renew: away };
  const budget = new FallbackBudget(shared, new LocalBudget(() => 0), () => 0);
  await budget.slow('a', limits, 5000);
  expect(await budget.take('a', limits, 0)).toEqual({ kind: 'paused', wait: 5000 });
});
