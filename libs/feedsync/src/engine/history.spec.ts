import { expect, test } from '@jest/globals';
import { itemId } from '#core';
import { absorbConflicts, cleanUpHistory } from './history.ts';
import type { HistoryEntry, Item, Sync } from './item.ts';

const when = '2005-05-21T09:43:33Z';

function syncOf(...history: HistoryEntry[]): Sync {
  return { id: itemId('item'), updates: 1, deleted: false, history };
}

test('cleaning up keeps the highest sequence of each endpoint, in place (3.2)', () => {
  const sync = syncOf(
    { sequence: 5, by: 'a' },
    { sequence: 4, by: 'b' },
    { sequence: 3, by: 'a' },
    { sequence: 2, by: 'b' },
    { sequence: 2, by: 'c' },
  );
  expect(cleanUpHistory(sync)).toEqual(
    syncOf({ sequence: 5, by: 'a' }, { sequence: 4, by: 'b' }, { sequence: 2, by: 'c' }),
  );
});

test('cleaning up keeps entries without by', () => {
  const sync = syncOf({ sequence: 2, when }, { sequence: 1, when }, { sequence: 1, when });
  expect(cleanUpHistory(sync)).toBe(sync);
});

test('cleaning up keeps a topmost entry that is not the highest of its endpoint, and the highest too', () => {
  const sync = syncOf({ sequence: 2, by: 'a' }, { sequence: 9, by: 'a' }, { sequence: 1, by: 'a' });
  expect(cleanUpHistory(sync)).toEqual(syncOf({ sequence: 2, by: 'a' }, { sequence: 9, by: 'a' }));
});

test('cleaning up keeps one of entries with the same by and sequence, the topmost', () => {
  const sync = syncOf(
    { sequence: 2, by: 'a', when },
    { sequence: 2, by: 'a' },
    { sequence: 1, by: '__proto__' },
  );
  expect(cleanUpHistory(sync)).toEqual(
    syncOf({ sequence: 2, by: 'a', when }, { sequence: 1, by: '__proto__' }),
  );
});

test(
  'merging conflict items adds each new entry right after the topmost one, the last added first (3.4, ' +
    'footnote 4)',
  () => {
    const conflict = (...history: HistoryEntry[]): Item<string> => ({
      sync: syncOf(...history),
      data: '',
      conflicts: [],
    });
    const x = conflict(
      { sequence: 4, by: 'c' },
      { sequence: 3, by: 'c' },
      { sequence: 2, when },
      { sequence: 1, by: 'a' },
    );
    const y = conflict({ sequence: 5, by: 'c' }, { sequence: 2, when });
    const kept = conflict({ sequence: 3, by: 'd' });
    const item: Item<string> = {
      sync: syncOf({ sequence: 5, by: 'a' }, { sequence: 1, by: 'b' }),
      data: '',
      conflicts: [x, kept, y],
    };
    expect(absorbConflicts(item, new Set([x, y]))).toEqual({
      ...item,
      sync: syncOf(
        { sequence: 5, by: 'a' },
        { sequence: 5, by: 'c' },
        { sequence: 2, when },
        { sequence: 4, by: 'c' },
        { sequence: 1, by: 'b' },
      ),
      conflicts: [kept],
    });
  },
);
