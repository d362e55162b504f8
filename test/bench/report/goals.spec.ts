import { expect, test } from '@jest/globals';
import type { Goal } from '../row.ts';
import type { ContenderResult, RowResult } from '../summary.ts';
import { goalResults, goalTable } from './goals.ts';

const spread = (median: number) => ({ minimum: median, median, maximum: median });

function contender(name: string, rate: number, processorTime: number): ContenderResult {
  return {
    name,
    milliseconds: spread(1000 / rate),
    rate,
    processorTime: { all: spread(processorTime), byProcess: {} },
    latency: { median: processorTime * 2, most: processorTime * 10 },
    memory: { merger: 150, fetcher: 200, mongod: 900 },
  };
}

function row(goals: readonly Goal[]): RowResult {
  const [ours, two, one] = [
    contender('four', 300, 6),
    contender('two', 200, 4.4),
    contender('one', 100, 4),
  ] as const;
  const references = [two, one].map((reference) => ({ ...reference, ratio: ours.rate / reference.rate }));
  return { name: 'row', operation: 'something', goals, ours, references };
}

const measured = (goal: Goal): number | undefined => goalResults(row([goal]))[0]?.measured;

test('a goal limits a figure of ours, or its ratio to that of a reference', () => {
  expect(measured({ figure: 'rate', atLeast: 1 })).toBe(300);
  expect(measured({ figure: 'rate', beside: 'one', atLeast: 1 })).toBe(3);
  expect(measured({ figure: 'processorTime', beside: 'one', atMost: 1 })).toBe(1.5);
  expect(measured({ figure: 'median', beside: 'one', atMost: 1 })).toBe(1.5);
  expect(measured({ figure: 'most', atMost: 1 })).toBe(60);
});

test('a goal may be about two references', () => {
  expect(measured({ figure: 'processorTime', of: 'two', beside: 'one', atMost: 1 })).toBeCloseTo(1.1);
});

test('a goal for memory is about the largest service, not about databases', () => {
  expect(measured({ figure: 'memory', atMost: 256 })).toBe(200);
});

test('a goal is met up to its limit', () => {
  const goals: Goal[] = [
    { figure: 'rate', atLeast: 300 },
    { figure: 'rate', atLeast: 301 },
    { figure: 'processorTime', atMost: 6 },
    { figure: 'processorTime', atMost: 5.9 },
  ];
  expect(goalResults(row(goals)).map(({ isMet }) => isMet)).toEqual([true, false, true, false]);
});

test('a goal whose figure was not measured is left out', () => {
  const { processorTime: _, ...ours } = contender('ours', 10, 1);
  const goals: Goal[] = [{ figure: 'processorTime', atMost: 1 }];
  expect(goalResults({ ...row(goals), ours })).toEqual([]);
});

test('a goal beside nothing that was measured is an error', () => {
  expect(() => measured({ figure: 'rate', beside: 'three', atLeast: 1 })).toThrow(
    'a goal of row names three, which is no contender of it',
  );
});

test('ratios come first in the table, and a missed goal is named so', () => {
  const goals: Goal[] = [
    { figure: 'processorTime', atMost: 6 },
    { figure: 'rate', beside: 'one', atLeast: 3.5 },
    { figure: 'processorTime', of: 'two', beside: 'one', atMost: 1.2 },
  ];
  expect(goalTable(goalResults(row(goals))).slice(2)).toEqual([
    '| `row` | operations a second | one | 3.00 × | ≥ 3.5 × | **missed** |',
    '| `row` | processor time, two | one | 1.10 × | ≤ 1.2 × | met |',
    '| `row` | processor time |  | 6.00 ms | ≤ 6 ms | met |',
  ]);
});
