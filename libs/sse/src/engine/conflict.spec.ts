import { describe, expect, test } from '@jest/globals';
import { itemId } from '#core';
import { conflictOf, isConflict } from './conflict.ts';
import type { Item, Modification } from './item.ts';

const [first, second, third] = ['2005-05-21T09:43:33Z', '2005-05-22T09:43:33Z', '2005-05-23T09:43:33Z'];

function version(number: number, ...history: Modification[]): Item<string> {
  return {
    sync: { id: itemId('item'), version: number, deleted: false, conflict: false, history },
    data: '',
    conflicts: [],
  };
}

describe('conflict detection (4.4.1, step 1)', () => {
  test.each<[string, Item, Item, boolean]>([
    [
      'n = 0: another latest modification is a conflict',
      version(2, { when: second, by: 'b' }),
      version(2, { when: first, by: 'a' }),
      true,
    ],
    [
      'n = 0: the same latest modification is none',
      version(2, { when: second, by: 'b' }),
      version(2, { when: second, by: 'b' }),
      false,
    ],
    [
      'n = 1: the first update is the loser',
      version(2, { when: second, by: 'b' }, { when: first, by: 'a' }),
      version(1, { when: first, by: 'a' }),
      false,
    ],
    [
      'n = 1: the first update is not the loser',
      version(2, { when: second, by: 'b' }, { when: first, by: 'a' }),
      version(1, { when: first, by: 'c' }),
      true,
    ],
    [
      'n = 2: the second update is the loser',
      version(3, { by: 'c' }, { by: 'b' }, { by: 'a' }),
      version(1, { by: 'a' }),
      false,
    ],
    [
      'n = 2: only the first update is like the loser',
      version(3, { by: 'c' }, { by: 'a' }, { by: 'b' }),
      version(1, { by: 'a' }),
      true,
    ],
    [
      'the nth update does not exist: none is assumed',
      version(3, { by: 'c' }, { by: 'b' }),
      version(1, { by: 'x' }),
      false,
    ],
    ['all updates truncated: none is assumed', version(9, { by: 'c' }), version(1, { by: 'x' }), false],
    [
      'the same by at another time is a conflict',
      version(2, { when: second, by: 'a' }, { when: first, by: 'a' }),
      version(1, { when: third, by: 'a' }),
      true,
    ],
    [
      'the same time by another endpoint is a conflict',
      version(2, { when: second, by: 'a' }, { when: first, by: 'a' }),
      version(1, { when: first, by: 'b' }),
      true,
    ],
    [
      'an absent by is the empty text',
      version(2, { by: 'b' }, { when: first, by: '' }),
      version(1, { when: first }),
      false,
    ],
    [
      'an absent by is no other text',
      version(2, { by: 'b' }, { when: first, by: 'a' }),
      version(1, { when: first }),
      true,
    ],
    [
      'an absent when is the earliest time',
      version(2, { by: 'b' }, { by: 'a' }),
      version(1, { when: '0000-01-01T00:00:00Z', by: 'a' }),
      false,
    ],
    [
      'an absent when is no other time',
      version(2, { by: 'b' }, { by: 'a' }),
      version(1, { when: first, by: 'a' }),
      true,
    ],
    [
      'by is compared as normalized text',
      version(2, { by: 'b' }, { by: 'caf\u00e9' }),
      version(1, { by: 'cafe\u0301' }),
      false,
    ],
  ])('%s', (_, winner, loser, expected) => {
    expect(isConflict(winner, loser)).toBe(expected);
  });
});

test(
  "a conflict element repeats the loser's version, when and by, and holds the loser without its own " +
    'conflicts (5.2)',
  () => {
    const loser = {
      ...version(4, { when: third, by: 'GPM7383' }, { by: 'x' }),
      conflicts: [{ version: 2, by: 'z' }],
    };
    expect(conflictOf(loser)).toStrictEqual({
      version: 4,
      when: third,
      by: 'GPM7383',
      item: { ...loser, conflicts: [] },
    });
    expect(conflictOf(version(1, { by: 'a' }))).not.toHaveProperty('when');
    expect(conflictOf(version(1, { when: first }))).not.toHaveProperty('by');
  },
);
