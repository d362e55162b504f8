import { expect, test } from '@jest/globals';
import { LatestEntries } from './latest-entries.ts';

test('the entries that were set last are kept, whatever was read meanwhile', () => {
  const entries = new LatestEntries<string, number>(2);
  entries.set('a', 1);
  entries.set('b', 2);
  expect(entries.get('a')).toBe(1);
  entries.set('c', 3);
  expect(['a', 'b', 'c'].map((key) => entries.get(key))).toEqual([undefined, 2, 3]);
  entries.set('b', 4);
  entries.set('d', 5);
  expect(['b', 'c', 'd'].map((key) => entries.get(key))).toEqual([4, undefined, 5]);
});
