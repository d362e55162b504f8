import { describe, expect, test } from '@jest/globals';
import type { Item } from './item.ts';
import { followPosition, joinPositions } from './position-join.ts';
import { itemId } from '#core';
import type { Position } from '#core';

const x = itemId('x');

function at(position: Position | undefined, conflict = false): Item<string> {
  return {
    sync: { id: itemId('item'), version: 2, deleted: false, conflict, history: [{ by: 'a' }] },
    data: '',
    conflicts: [],
    ...(position && { position }),
  };
}

describe('the place of one version that two endpoints hold', () => {
  test.each<[string, Item, Item]>([
    ['the root counts more than any parent', at({ key: 'z' }), at({ parent: 'p', key: 'a' })],
    ['the smaller parent counts', at({ parent: 'p', key: 'z' }), at({ parent: 'q', key: 'a' })],
    [
      'parents are compared by code point',
      at({ parent: '\uff5e', key: 'z' }),
      at({ parent: '\u{1f600}', key: 'a' }),
    ],
    ['below one parent the smaller key counts', at({ parent: 'p', key: 'a' }), at({ parent: 'p', key: 'b' })],
    [
      'a place with a key counts more than one from a document',
      at({ parent: 'p', key: 'z' }),
      at({ after: '' }),
    ],
    [
      'a place with a key counts more than one that may still be right',
      at({ parent: 'p', key: 'z' }),
      at({ parent: 'p', key: 'a', after: x }),
    ],
    [
      'the root in a document counts if the item is in conflict, because a cycle may have moved it there',
      at({ after: x }, true),
      at({ parent: 'p', key: 'a' }),
    ],
    [
      'the root with a key counts more than the same in a document',
      at({ key: 'z' }),
      at({ after: '' }, true),
    ],
    [
      'another parent in a document does not count, whatever the conflict',
      at({ parent: 'q', key: 'z' }),
      at({ parent: 'p', after: '' }, true),
    ],
    [
      'of two places from documents the smaller parent counts',
      at({ parent: 'p', after: x }),
      at({ parent: 'q', after: '' }),
    ],
    ['a place counts more than none', at({ parent: 'p', after: x }), at(undefined)],
  ])('%s', (_, better, worse) => {
    expect(joinPositions(better, worse)).toBe(better.position);
    expect(joinPositions(worse, better)).toBe(better.position);
  });

  test('an equal place is the local one', () => {
    const local = at({ parent: 'p', key: 'k' });
    expect(joinPositions(local, structuredClone(local))).toBe(local.position);
    expect(joinPositions(at(undefined), at(undefined))).toBeUndefined();
  });
});

describe('the place of a version that follows another', () => {
  test.each<[string, Position | undefined, Position | undefined, Position | undefined]>([
    ['is its own', { parent: 'p', key: 'k' }, { key: 'm' }, { key: 'm' }],
    [
      'has the key from before with it if the document shows the same parent',
      { parent: 'p', key: 'k' },
      { parent: 'p', after: 'x' },
      { parent: 'p', key: 'k', after: 'x' },
    ],
    ['has the key from before with it at the root', { key: 'k' }, { after: '' }, { key: 'k', after: '' }],
    [
      'has no key below another parent',
      { parent: 'p', key: 'k' },
      { parent: 'q', after: 'x' },
      { parent: 'q', after: 'x' },
    ],
    [
      'has no key if there was none',
      { parent: 'p', after: 'y' },
      { parent: 'p', after: 'x' },
      { parent: 'p', after: 'x' },
    ],
    ['is new where there was none', undefined, { after: 'x' }, { after: 'x' }],
    ['stays where nothing shows another', { parent: 'p', key: 'k' }, undefined, { parent: 'p', key: 'k' }],
    ['is none in a collection without order', undefined, undefined, undefined],
  ])('%s', (_, earlier, incoming, expected) => {
    expect(followPosition(earlier, incoming)).toEqual(expected);
  });
});
