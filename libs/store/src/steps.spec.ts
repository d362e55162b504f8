import { expect, test } from '@jest/globals';
import { inSteps, rowsToMeasure } from './steps.ts';

test.each([
  [[], []],
  [
    [5, 5, 5],
    [[5, 5], [5]],
  ],
  [[10], [[10]]],
  [[11], [[11]]],
  [
    [1, 11, 1, 9],
    [[1], [11], [1, 9]],
  ],
])('rows of %j bytes are read in steps of %j', (sizes, steps) => {
  const rows = sizes.map((bytes) => ({ bytes }));
  expect(Array.from(inSteps(rows, 10), (step) => step.map(({ bytes }) => bytes))).toEqual(steps);
});

test.each([
  ['few at first', [], 8],
  ['as many as have 4 MiB', [2_000_000, 2_000_000, 2_000_000], 3],
  ['at least one of large ones', [16_000_000], 1],
  ['at most 1000 of small ones', [1000, 1000], 1000],
])('rows are measured together, %s', (_which, sizes, rows) => {
  expect(rowsToMeasure(sizes.map((bytes) => ({ bytes })))).toBe(rows);
});
