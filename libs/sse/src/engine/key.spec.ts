import { describe, expect, test } from '@jest/globals';
import { compareCodePoints } from '#core';
import { finish } from '#core';
import { isKey, keyBetween, keysInOrder } from './key.ts';

/** Keys made one after the other, each from the one before. */
function series(count: number, next: (last: string) => string, first = keyBetween()): string[] {
  const keys = [first];
  while (keys.length < count) keys.push(next(keys.at(-1) ?? ''));
  return keys;
}

function isAscending(keys: readonly string[]): boolean {
  return keys.every(
    (key, index) => isKey(key) && (index === 0 || compareCodePoints(keys[index - 1] ?? '', key) < 0),
  );
}

describe('the key between two others', () => {
  test.each([
    [undefined, undefined, 'V'],
    ['V', undefined, 'V001'],
    ['zzzz', undefined, 'zzzz0001'],
    ['zzzy', undefined, 'zzzz'],
    ['V00z', undefined, 'V01'],
    [undefined, 'V', 'Uzzz'],
    [undefined, '0001', '0000V'],
    [undefined, '0000V', '0000Uzzz'],
    ['V', 'X', 'W'],
    ['V', 'W', 'VV'],
    ['V', 'W5', 'W'],
    ['V', 'V1', 'V0V'],
    ['V', 'V01', 'V00V'],
    ['Vz', 'W', 'VzV'],
    ['Vzzy', 'W', 'Vzzz'],
    ['Vzzz', 'W', 'VzzzV'],
    ['Uzzz', 'V001', 'V'],
  ])('of %s and %s is %s', (before, after, key) => {
    expect(keyBetween(before, after)).toBe(key);
    expect(isAscending([before ?? '', key, after ?? 'zzzzzzzzzzzz'].filter((text) => text !== ''))).toBe(
      true,
    );
  });

  test.each([
    ['V', 'V'],
    ['W', 'V'],
    ['VV', 'V'],
  ])('is refused for %s and %s, which are in no order', (before, after) => {
    expect(() => keyBetween(before, after)).toThrow(`There is no key between "${before}" and "${after}"`);
  });

  test.each(['', 'V0', '0', 'a-b', 'é', 'V W', 'V\n'])('is refused for %j, which is no key', (text) => {
    expect(isKey(text)).toBe(false);
    expect(() => keyBetween(text)).toThrow(RangeError);
    expect(() => keyBetween(undefined, text)).toThrow(`"${text}" is no key`);
  });

  test.each(['V', 'V-61-V', 'V-c3a9-05-00-z'])('may be %s', (text) => {
    expect(isKey(text)).toBe(true);
  });

  test.each(['-61-V', 'V-61', 'V-61-', 'V-6-V', 'V-6A-V', 'V-61-V0', 'V--V', 'V-61-V-', 'V-61-V-62'])(
    'is not %s, which has a step too few or a wrong one',
    (text) => {
      expect(isKey(text)).toBe(false);
    },
  );

  test('has at most 4 characters after 5,000 items were put at one end', () => {
    for (const keys of [
      series(5000, (last) => keyBetween(last)),
      series(5000, (last) => keyBetween(undefined, last)).reverse(),
    ]) {
      expect(isAscending(keys)).toBe(true);
      expect(Math.max(...keys.map((key) => key.length))).toBeLessThanOrEqual(4);
    }
  });

  test('stays usable after 1,000 items were put at the same place', () => {
    for (const keys of [
      series(1000, (last) => keyBetween(last, 'W')),
      series(1000, (last) => keyBetween('U', last)).reverse(),
    ]) {
      expect(isAscending(keys)).toBe(true);
      expect(Math.max(...keys.map((key) => key.length))).toBeLessThan(250);
    }
  });
});

describe('keys in order', () => {
  test.each([
    [0, 0],
    [1, 1],
    [61, 1],
    [62, 2],
    [5000, 3],
    [100_000, 3],
  ])('%d of them with both ends open have at most %d characters', (count, length) => {
    const keys = finish(keysInOrder(count));
    expect(keys).toHaveLength(count);
    expect(isAscending(keys)).toBe(true);
    expect(Math.max(0, ...keys.map((key) => key.length))).toBe(length);
  });

  test('are between the keys that are given', () => {
    for (const [before, after] of [
      ['V', undefined],
      [undefined, 'V'],
      ['V', 'W'],
      ['V', 'V1'],
      ['Vz', 'W0001'],
    ] as const) {
      const keys = finish(keysInOrder(1000, before, after));
      expect(keys).toHaveLength(1000);
      expect(isAscending([before ?? '0', ...keys, after ?? 'zzzzz'].filter((key) => key !== '0'))).toBe(true);
      expect(Math.max(...keys.map((key) => key.length))).toBeLessThanOrEqual(8);
      expect(finish(keysInOrder(0, before, after))).toEqual([]);
    }
  });
});
