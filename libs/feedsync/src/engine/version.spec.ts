import { describe, expect, test } from '@jest/globals';
import { itemId } from '#core';
import type { HistoryEntry, Item } from './item.ts';
import { compareVersions, isWinner } from './version.ts';

const early = '2005-05-21T09:43:33Z';
const late = '2005-05-21T09:43:34Z';

function version(updates: number, top: HistoryEntry, ...below: HistoryEntry[]): Item<string> {
  return {
    sync: { id: itemId('item'), updates, deleted: false, history: [top, ...below] },
    data: '',
    conflicts: [],
  };
}

describe('winner picking (3.3, footnote 3)', () => {
  test.each<[string, Item, Item]>([
    [
      'more updates win over a later when',
      version(2, { sequence: 1, when: early, by: 'a' }),
      version(1, { sequence: 1, when: late, by: 'b' }),
    ],
    ['a when wins over none', version(1, { sequence: 1, when: early }), version(1, { sequence: 1, by: 'b' })],
    [
      'the later when wins',
      version(1, { sequence: 1, when: late, by: 'a' }),
      version(1, { sequence: 1, when: early, by: 'b' }),
    ],
    [
      'with the same when, a by wins over none',
      version(1, { sequence: 1, when: early, by: 'a' }),
      version(1, { sequence: 9, when: early }),
    ],
    [
      'with the same when, the greater by wins',
      version(1, { sequence: 1, when: early, by: 'b' }),
      version(1, { sequence: 9, when: early, by: 'a' }),
    ],
    [
      'without a when on both sides the by decides',
      version(1, { sequence: 1, by: 'b' }),
      version(1, { sequence: 9, by: 'a' }),
    ],
    [
      'by is compared by code point',
      version(1, { sequence: 1, by: '\u{1f600}' }),
      version(1, { sequence: 1, by: '\uff5e' }),
    ],
  ])('%s', (_, winner, loser) => {
    expect(isWinner(winner, loser)).toBe(true);
    expect(isWinner(loser, winner)).toBe(false);
    expect([loser, winner].sort(compareVersions)).toEqual([winner, loser]);
  });

  test('nobody wins if updates, when and by are equal; the order then depends on sequence', () => {
    const [low, high] = [version(1, { sequence: 1, when: early }), version(1, { sequence: 2, when: early })];
    expect(isWinner(low, high) || isWinner(high, low)).toBe(false);
    expect([low, high].sort(compareVersions)).toEqual([high, low]);
  });

  test('only the topmost entry counts', () => {
    const x = version(2, { sequence: 2, by: 'a' }, { sequence: 1, by: 'b' });
    expect(compareVersions(x, version(2, { sequence: 2, by: 'a' }))).toBe(0);
  });
});

test('an item without a history is refused', () => {
  const broken: Item = {
    sync: { id: itemId('item'), updates: 1, deleted: false, history: [] },
    data: '',
    conflicts: [],
  };
  expect(() => isWinner(broken, broken)).toThrow(RangeError);
});
