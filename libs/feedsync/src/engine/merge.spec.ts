import { describe, expect, test } from '@jest/globals';
import { itemId } from '#core';
import { createItem, updateItem } from './edit.ts';
import type { HistoryEntry, Item } from './item.ts';
import { TooManyConflictsError } from '#core';
import { merge } from './merge.ts';

const time = (second: number): string => `2005-05-21T10:00:0${second}Z`;
const created = createItem({ id: itemId('item'), data: 'created', by: 'a', when: time(0) });
const byA = updateItem(created, { data: 'of a', by: 'a', when: time(3) });
const byB = updateItem(created, { data: 'of b', by: 'b', when: time(2) });
const byC = updateItem(created, { data: 'of c', by: 'c', when: time(1) });

function version(
  updates: number,
  history: HistoryEntry[],
  more: { conflicts?: Item<string>[]; noconflicts?: boolean; data?: string } = {},
): Item<string> {
  const { conflicts = [], noconflicts, data = '' } = more;
  return {
    sync: {
      id: itemId('item'),
      updates,
      deleted: false,
      ...(noconflicts !== undefined && { noconflicts }),
      history,
    },
    data,
    conflicts,
  };
}

describe('merge (3.3)', () => {
  test('takes an item that is new here as it is', () => {
    expect(merge(undefined, byA)).toEqual({ item: byA, changed: true, sameVersionOtherData: 0 });
    const disputed = version(2, [{ sequence: 2, by: 'a' }], { conflicts: [byC, byB] });
    expect(merge(undefined, disputed).item).toEqual({ ...disputed, conflicts: [byB, byC] });
  });

  test('takes an update and leaves an item that is older than the local one', () => {
    expect(merge(created, byA)).toEqual({ item: byA, changed: true, sameVersionOtherData: 0 });
    const late = merge(byA, created);
    expect(late.changed).toBe(false);
    expect(late.item).toBe(byA);
  });

  test('keeps independent updates as a conflict, the winner the same on both sides', () => {
    expect(merge(byA, byB).item).toEqual({ ...byA, conflicts: [byB] });
    expect(merge(byB, byA).item).toEqual({ ...byA, conflicts: [byB] });
  });

  test('sorts the conflicts, the next winner first, in whatever order they come', () => {
    const expected = { ...byA, conflicts: [byB, byC] };
    for (const order of [
      [byA, byB, byC],
      [byC, byB, byA],
      [byB, byC, byA],
      [byC, byA, byB],
    ] as const) {
      expect(order.slice(1).reduce((item, next) => merge(item, next).item, order[0])).toEqual(expected);
    }
  });

  test('drops conflicts that the incoming item has seen', () => {
    const disputed = merge(byA, byB).item;
    const seen = version(4, [
      { sequence: 4, by: 'd' },
      { sequence: 2, by: 'b' },
      { sequence: 2, by: 'a' },
    ]);
    expect(merge(disputed, seen).item).toEqual(seen);
    expect(merge(seen, disputed).item).toBe(seen);
  });

  test('flattens conflicts of conflicts', () => {
    const nested = { ...byA, conflicts: [{ ...byB, conflicts: [byC] }] };
    expect(merge(undefined, nested).item).toEqual({ ...byA, conflicts: [byB, byC] });
    expect(merge(created, nested).item).toEqual({ ...byA, conflicts: [byB, byC] });
    expect(merge(nested, nested).item).toEqual({ ...byA, conflicts: [byB, byC] });
  });

  test('keeps no conflicts if the winner has noconflicts', () => {
    const winner = version(3, [{ sequence: 3, by: 'x' }], { noconflicts: true, conflicts: [byC] });
    expect(merge(byA, winner).item).toEqual({ ...winner, conflicts: [] });
    expect(merge(undefined, winner).item).toEqual({ ...winner, conflicts: [] });
    expect(
      merge(byA, version(1, [{ sequence: 1, by: 'x' }], { noconflicts: true })).item.conflicts,
    ).toHaveLength(1);
  });

  test('a repeated delivery gives back the local item itself', () => {
    const disputed = merge(byA, byB).item;
    for (const again of [structuredClone(disputed), byA, byB, created]) {
      const result = merge(disputed, again);
      expect(result.changed).toBe(false);
      expect(result.item).toBe(disputed);
    }
  });

  test('the same version with other content stays local, is counted, and brings its conflicts', () => {
    const other = { ...structuredClone(byA), data: 'forged', conflicts: [byB] };
    const result = merge(byA, other, { sameData: (x, y) => x === y });
    expect(result).toEqual({ item: { ...byA, conflicts: [byB] }, changed: true, sameVersionOtherData: 1 });
    expect(merge(byA, structuredClone(byA), { sameData: (x, y) => x === y }).sameVersionOtherData).toBe(0);
    expect(merge(byA, other).sameVersionOtherData).toBe(0);
  });

  test('the same version twice in one item counts once', () => {
    const twice = { ...byA, conflicts: [structuredClone(byA), byB, { ...byB, data: 'again' }] };
    expect(merge(undefined, twice).item).toEqual({ ...byA, conflicts: [byB] });
    expect(merge(created, twice).item).toEqual({ ...byA, conflicts: [byB] });
  });

  test('versions that winner picking cannot distinguish are in the same order on both sides', () => {
    const [low, high] = [
      version(1, [{ sequence: 1, when: time(0) }]),
      version(1, [{ sequence: 2, when: time(0) }]),
    ];
    expect(merge(low, high).item).toEqual({ ...high, conflicts: [low] });
    expect(merge(high, low).item).toEqual({ ...high, conflicts: [low] });
  });

  test('a winner that becomes a conflict leaves its conflicts to the item', () => {
    const disputed = merge(byB, byC).item;
    expect(merge(disputed, byA).item).toEqual({ ...byA, conflicts: [byB, byC] });
  });

  test('refuses to merge two items', () => {
    expect(() => merge(created, createItem({ id: itemId('other'), data: '', by: 'a' }))).toThrow(TypeError);
  });

  test('refuses more conflicts than allowed and names the limit', () => {
    const disputed = merge(byA, byB).item;
    expect(() => merge(disputed, byC, { maximumConflicts: 1 })).toThrow(TooManyConflictsError);
    expect(() => merge(disputed, byC, { maximumConflicts: 1 })).toThrow(
      'would leave 2 conflicts; the limit maximumConflicts is 1',
    );
    expect(merge(disputed, byC, { maximumConflicts: 2 }).item.conflicts).toHaveLength(2);
    expect(() => merge(undefined, disputed, { maximumConflicts: 0 })).toThrow(TooManyConflictsError);
  });

  test('names of object properties are ordinary endpoints', () => {
    const names = ['__proto__', 'constructor', 'toString', 'hasOwnProperty'];
    const merged = names
      .map((by) => updateItem(created, { data: by, by }))
      .reduce((item, next) => merge(item, next).item);
    expect([merged, ...merged.conflicts].map((each) => each.data)).toEqual(names.toSorted().toReversed());
  });

  test('10,000 conflicts against 10,000 are looked up, not compared pair by pair', () => {
    let reads = 0;
    const many = (name: string): Item<string>[] =>
      Array.from({ length: 10_000 }, (_, index) => {
        const item = version(2, [
          { sequence: 2, by: `${name}${index}` },
          { sequence: 1, by: 'a' },
        ]);
        const { history } = item.sync;
        return {
          ...item,
          sync: {
            ...item.sync,
            get history() {
              reads += 1;
              return history;
            },
          },
        };
      });
    const local = version(3, [{ sequence: 3, by: 'x' }], { conflicts: many('l') });
    const incoming = version(3, [{ sequence: 3, by: 'y' }], { conflicts: many('i') });
    expect(() => merge(local, incoming)).toThrow(TooManyConflictsError);
    expect(merge(local, incoming, { maximumConflicts: 20_001 }).item.conflicts).toHaveLength(20_001);
    expect(reads).toBeLessThan(5_000_000);
  });
});
