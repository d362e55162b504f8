import { describe, expect, test } from '@jest/globals';
import { placeAt } from './placement.ts';
import type { Placed } from './position.ts';
import { compareSiblings } from './sibling-order.ts';

function siblings(...keys: readonly (string | undefined)[]): Placed[] {
  return keys.map((key, index) => ({ id: `item-${index}`, position: key === undefined ? { after: '' } : { key } }));
}

/** The ids in the order that they have once `new` was placed. */
function placed(before: readonly Placed[], index: number): string[] {
  const { key, moved } = placeAt(before, index);
  const keys = new Map([...before.map(({ id, position }) => [id, position.key] as const), ...moved.map(({ id, key: other }) => [id, other] as const), ['new', key] as const]);
  return [...keys].map(([id, own]) => ({ id, position: { key: own } })).sort(compareSiblings).map(({ id }) => id);
}

describe('placing an item among its siblings (3.2)', () => {
  test('gives it a key between its neighbours and moves nobody', () => {
    const three = siblings('B', 'M', 'X');
    expect([0, 1, 2, 3].map((index) => placed(three, index).indexOf('new'))).toEqual([0, 1, 2, 3]);
    expect([0, 1, 2, 3].flatMap((index) => placeAt(three, index).moved)).toEqual([]);
    expect(placeAt([], 0)).toEqual({ key: 'V', moved: [] });
  });

  test('puts it last where there are fewer siblings', () => {
    expect(placed(siblings('B', 'M'), 7)).toEqual(['item-0', 'item-1', 'new']);
  });

  test('gives the same key at two endpoints that insert at the same place', () => {
    expect(placeAt(siblings('B', 'M'), 1)).toEqual(placeAt(siblings('B', 'M'), 1));
  });

  test('moves the siblings that have the same key and shall come after it, and no other', () => {
    const five = siblings('B', 'M', 'M', 'M', 'X');
    expect(placed(five, 2)).toEqual(['item-0', 'item-1', 'new', 'item-2', 'item-3', 'item-4']);
    expect(placeAt(five, 2).moved.map(({ id }) => id)).toEqual(['item-2', 'item-3']);
    expect(placeAt(five, 1).moved).toEqual([]);
    expect(placeAt(five, 4).moved).toEqual([]);
    expect(placed(siblings('M', 'M'), 1)).toEqual(['item-0', 'new', 'item-1']);
  });

  test('makes room among siblings that have no key yet', () => {
    const three = siblings(undefined, undefined, 'M');
    for (const index of [0, 1, 2, 3]) expect(placed(three, index).indexOf('new')).toBe(index);
  });
});
