import { describe, expect, test } from '@jest/globals';
import { itemId } from '#core';
import type { HistoryEntry, Item } from './item.ts';
import { Knowledge } from './knowledge.ts';
import { isItemSubsumedBy, isSubsumedBy } from './subsumption.ts';

const [early, late] = ['2005-05-21T09:43:33Z', '2005-05-21T09:43:34Z'];

const cases: [string, HistoryEntry, HistoryEntry, boolean][] = [
  ['same by, same sequence', { sequence: 2, by: 'a' }, { sequence: 2, by: 'a' }, true],
  ['same by, greater sequence', { sequence: 2, by: 'a' }, { sequence: 3, by: 'a' }, true],
  ['same by, smaller sequence', { sequence: 2, by: 'a' }, { sequence: 1, by: 'a' }, false],
  [
    'same by, whatever the when',
    { sequence: 2, by: 'a', when: late },
    { sequence: 2, by: 'a', when: early },
    true,
  ],
  ['another by', { sequence: 1, by: 'a' }, { sequence: 9, by: 'b' }, false],
  ['a by against none', { sequence: 1, by: 'a', when: early }, { sequence: 1, when: early }, false],
  ['no by against one', { sequence: 1, when: early }, { sequence: 1, when: early, by: 'a' }, false],
  [
    'no by on both sides, same when and sequence',
    { sequence: 1, when: early },
    { sequence: 1, when: early },
    true,
  ],
  [
    'no by on both sides, greater sequence',
    { sequence: 1, when: early },
    { sequence: 2, when: early },
    false,
  ],
  ['no by on both sides, another when', { sequence: 1, when: early }, { sequence: 1, when: late }, false],
  [
    'names of properties are ordinary names',
    { sequence: 1, by: '__proto__' },
    { sequence: 1, by: 'constructor' },
    false,
  ],
];

describe('history subsumption (3.3, footnote 2)', () => {
  test.each(cases)('%s', (_, x, y, expected) => {
    expect(isSubsumedBy(x, y)).toBe(expected);
  });

  test.each(cases)('the index returns the same: %s', (_, x, y, expected) => {
    const knowledge = new Knowledge();
    knowledge.add({ sequence: 7, by: 'somebody' });
    knowledge.add(y);
    knowledge.add({ sequence: 1, by: 'somebody' });
    expect(knowledge.subsumes(x)).toBe(expected);
    expect(knowledge.subsumes({ sequence: 7, by: 'somebody' })).toBe(true);
  });
});

test('an item is subsumed if any entry of the other one has its topmost entry (3.3, footnote 1)', () => {
  const item = (...history: HistoryEntry[]): Item => ({
    sync: { id: itemId('item'), updates: 1, deleted: false, history },
    data: '',
    conflicts: [],
  });
  const old = item({ sequence: 1, by: 'a' });
  const next = item({ sequence: 2, by: 'b' }, { sequence: 1, by: 'a' });
  expect(isItemSubsumedBy(old, next)).toBe(true);
  expect(isItemSubsumedBy(next, old)).toBe(false);
  expect(isItemSubsumedBy(next, { ...old, conflicts: [next] })).toBe(false);
});
