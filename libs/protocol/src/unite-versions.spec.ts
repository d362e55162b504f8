import { expect, test } from '@jest/globals';
import { finish, itemId, TooManyConflictsError } from '#core';
import { uniteVersions } from './unite-versions.ts';

/** Versions that each contain one number. */
const versions = (count: number) =>
  Array.from({ length: count }, (_, number) => ({ content: [number], sources: [`v${number}`] as const }));

/** Merges two lists of numbers, at most `limit` of them. */
const atMost =
  (limit: number) =>
  (one: readonly number[], other: readonly number[]): number[] => {
    const both = [...one, ...other];
    if (both.length > limit) throw new TooManyConflictsError(itemId('a'), both.length, limit);
    return both;
  };

test('merges all versions into one, which names their sources in order', () => {
  const numbers = Array.from({ length: 7 }, (_, number) => number);
  expect(finish(uniteVersions(versions(7), atMost(7)))).toEqual([
    { content: numbers, sources: numbers.map((number) => `v${number}`) },
  ]);
});

test('merges nothing if there is one version or none', () => {
  expect(finish(uniteVersions(versions(1), atMost(0)))).toEqual(versions(1));
  expect(finish(uniteVersions([], atMost(0)))).toEqual([]);
});

test('keeps versions apart that have too many conflicts together', () => {
  const united = finish(uniteVersions(versions(11), atMost(5)));
  expect(united.every(({ content }) => content.length <= 5)).toBe(true);
  expect(united.flatMap(({ content }) => content).toSorted((a, b) => a - b)).toEqual(
    versions(11).flatMap(({ content }) => content),
  );
  expect(finish(uniteVersions(versions(9), atMost(1)))).toHaveLength(9);
});

test('rejects what cannot be merged for another reason', () => {
  const merge = (): number[] => {
    throw new TypeError('cannot merge');
  };
  expect(() => finish(uniteVersions(versions(2), merge))).toThrow(TypeError);
});
