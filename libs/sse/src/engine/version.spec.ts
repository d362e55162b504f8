import { describe, expect, test } from '@jest/globals';
import { itemId } from '#core';
import type { Item, Modification } from './item.ts';
import { compareVersions, maximumVersion, parseVersion } from './version.ts';

const early = '2005-05-21T09:43:33Z';
const late = '2005-05-21T09:43:34Z';

function version(number: number, latest: Modification, ...earlier: Modification[]): Item<string> {
  return {
    sync: {
      id: itemId('item'),
      version: number,
      deleted: false,
      conflict: false,
      history: [latest, ...earlier],
    },
    data: '',
    conflicts: [],
  };
}

describe('winner picking (4.4, step 1)', () => {
  test.each<[string, Item, Item]>([
    [
      'the larger version wins over a later when',
      version(2, { when: early, by: 'a' }),
      version(1, { when: late, by: 'b' }),
    ],
    [
      'the later when wins over a greater by',
      version(1, { when: late, by: 'a' }),
      version(1, { when: early, by: 'b' }),
    ],
    ['a when that is present wins', version(1, { when: early }), version(1, { by: 'b' })],
    [
      'a when that is present wins over the earliest time, which an absent one means',
      version(1, { when: '0000-01-01T00:00:00Z', by: 'a' }),
      version(1, { by: 'a' }),
    ],
    [
      'with the same when the greater by wins',
      version(1, { when: early, by: 'b' }),
      version(1, { when: early, by: 'a' }),
    ],
    [
      'with the same when a by that is present wins',
      version(1, { when: early, by: 'a' }),
      version(1, { when: early }),
    ],
    ['without any when the by decides', version(1, { by: 'b' }), version(1, { by: 'a' })],
    ['by is compared by code point', version(1, { by: '\u{1f600}' }), version(1, { by: '\uff5e' })],
    ['lower case is greater than upper case', version(1, { by: 'a' }), version(1, { by: 'B' })],
  ])('%s', (_, winner, loser) => {
    expect(compareVersions(winner, loser)).toBeLessThan(0);
    expect(compareVersions(loser, winner)).toBeGreaterThan(0);
  });

  test('items equal in all three are identical (4.4, step 2), whatever else they say', () => {
    const x = version(2, { when: early, by: 'a' }, { by: 'b' });
    expect(compareVersions(x, { ...version(2, { when: early, by: 'a' }), data: 'other' })).toBe(0);
  });

  test('by is compared as normalized text', () => {
    expect(compareVersions(version(1, { by: 'caf\u00e9' }), version(1, { by: 'cafe\u0301' }))).toBe(0);
  });

  test('an item without a history is refused', () => {
    const broken: Item = {
      sync: { id: itemId('item'), version: 1, deleted: false, conflict: false, history: [] },
      data: '',
      conflicts: [],
    };
    expect(() => compareVersions(broken, broken)).toThrow(RangeError);
  });
});

describe('reading a version (2.3)', () => {
  test.each([
    ['1', 1],
    ['10', 10],
    ['2147483648', 2_147_483_648],
    ['9007199254740991', maximumVersion],
  ])('%j is a version', (text, number) => {
    expect(parseVersion(text)).toBe(number);
  });

  test.each([
    '',
    '0',
    '-1',
    '+1',
    '01',
    '1e3',
    '1.0',
    ' 1',
    '1 ',
    '1\n',
    '0x10',
    '9007199254740992',
    '9007199254740993',
    `1${'0'.repeat(30)}`,
    '\u0661',
    'NaN',
  ])('%j is not a version', (text) => {
    expect(parseVersion(text)).toBeUndefined();
  });
});
