import { describe, expect, test } from '@jest/globals';
import { retryDelay } from './worker-settings.ts';

describe('the wait between two attempts', () => {
  const settings = { backoffFirst: 500, backoffMost: 60_000 };

  test.each([
    [1, 500],
    [2, 1_000],
    [7, 32_000],
    [8, 60_000],
    [2_000, 60_000],
  ])('after attempt %i is at most %i ms', (attempt, most) => {
    expect(retryDelay(attempt, 1, settings)).toBe(most);
  });

  test('is drawn from the upper half', () => {
    expect([0, 0.5, 1].map((fraction) => retryDelay(2, fraction, settings))).toEqual([500, 750, 1_000]);
  });
});
