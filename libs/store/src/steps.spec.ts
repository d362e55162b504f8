import { expect, test } from '@jest/globals';
import { inSteps } from './steps.ts';

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
