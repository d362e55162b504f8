import { describe, expect, test } from '@jest/globals';
import { placeAt } from './placement.ts';
import { itemId } from '#core';
import type { Placed } from '#core';
import { compareSiblings } from './sibling-order.ts';

function siblings(...keys: readonly string[]): Placed[] {
  return keys.map((key, index) => ({ id: itemId(`item-${index}`), position: { key } }));
}

/** The ids in the order that they have once `new` was placed. */
function placed(before: readonly Placed[], index: number): string[] {
  return [...before, { id: itemId('new'), position: { key: placeAt(before, index) } }]
    .sort(compareSiblings)
    .map(({ id }) => id);
}

describe('placing an item among its siblings (3.2)', () => {
  test('gives it a key between its neighbours', () => {
    const three = siblings('B', 'M', 'X');
    expect([0, 1, 2, 3].map((index) => placed(three, index).indexOf('new'))).toEqual([0, 1, 2, 3]);
    expect(placeAt([], 0)).toBe('V');
  });

  test('puts it last if there are fewer siblings', () => {
    expect(placed(siblings('B', 'M'), 7)).toEqual(['item-0', 'item-1', 'new']);
  });

  test('gives the same key at two endpoints that insert at the same place', () => {
    expect(placeAt(siblings('B', 'M'), 1)).toBe(placeAt(siblings('B', 'M'), 1));
  });

  test('puts it between siblings that have the same key, again and again', () => {
    for (const index of [0, 1, 2, 3, 4, 5])
      expect(placed(siblings('B', 'M', 'M', 'M', 'X'), index).indexOf('new')).toBe(index);
    let row = siblings('M', 'M');
    for (const [number, index] of [1, 1, 2, 3, 3, 2, 1, 6, 4].entries()) {
      const item = { id: itemId(`new-${number}`), position: { key: placeAt(row, index) } };
      row = [...row.slice(0, index), item, ...row.slice(index)];
      expect(row.toSorted(compareSiblings)).toEqual(row);
    }
  });
});
