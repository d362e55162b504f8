import { ResolutionError } from '#feedsync';
import { EditError, itemId } from '#core';
import { describe, expect, test } from '@jest/globals';
import { createItem, updateItem } from './edit.ts';
import type { Item } from './item.ts';
import { merge } from './merge.ts';
import { resolveItem } from './resolve.ts';

const time = (second: number): string => `2005-05-21T10:00:0${second}Z`;
const created = createItem({
  id: itemId('item'),
  data: 'created',
  by: 'a',
  when: time(0),
  position: { key: 'c' },
});
const byA = updateItem(created, { data: 'of a', by: 'a', when: time(3) });
const byB = updateItem(created, {
  data: 'of b',
  by: 'b',
  when: time(2),
  position: { parent: 'folder', key: 'm' },
});
const byC = updateItem(created, { deleted: true, by: 'c', when: time(1) });
const disputed = [byB, byC].reduce((item, other) => merge(item, other).item, byA);
const author = { by: 'r', when: time(9) };

describe('resolution (5)', () => {
  test('is an update: the next version, without conflict and conflicts', () => {
    expect(disputed).toMatchObject({
      sync: { version: 2, conflict: true },
      conflicts: [{ by: 'b' }, { by: 'c' }],
    });
    expect(resolveItem(disputed, { ...author, keep: 'winner' })).toStrictEqual({
      sync: {
        id: 'item',
        version: 3,
        deleted: false,
        conflict: false,
        history: [
          { when: time(9), by: 'r' },
          { when: time(3), by: 'a' },
          { when: time(0), by: 'a' },
        ],
      },
      data: 'of a',
      conflicts: [],
      position: { key: 'c' },
    });
  });

  test('takes the data, the place and the deletion of the conflict that is kept', () => {
    expect(resolveItem(disputed, { ...author, keep: { conflict: 0 } })).toMatchObject({
      data: 'of b',
      sync: { version: 3, deleted: false },
      position: { parent: 'folder', key: 'm' },
    });
    expect(resolveItem(disputed, { ...author, keep: { conflict: 1 } })).toMatchObject({
      data: 'created',
      sync: { version: 3, deleted: true },
    });
  });

  test('takes new data in place of the kept one, and the item is then not deleted', () => {
    expect(resolveItem(disputed, { ...author, keep: 'winner', data: 'both' })).toMatchObject({
      data: 'both',
      sync: { deleted: false },
    });
    expect(resolveItem(disputed, { ...author, keep: { conflict: 1 }, data: 'both' })).toMatchObject({
      data: 'both',
      sync: { deleted: false },
    });
  });

  test('leaves the item where it is where the kept conflict has no key for its place', () => {
    const unplaced = merge(byA, { ...byB, position: { parent: 'folder', after: itemId('x') } }).item;
    expect(resolveItem(unplaced, { ...author, keep: { conflict: 0 } }).position).toEqual({ key: 'c' });
  });

  test('truncates the history as an update does', () => {
    expect(resolveItem(disputed, { ...author, keep: 'winner', updatesKept: 1 }).sync.history).toHaveLength(2);
  });

  test('resolves a conflict of which no loser was kept (5: sx:conflicts are optional)', () => {
    const flagged = { ...byA, sync: { ...byA.sync, conflict: true } };
    expect(resolveItem(flagged, { ...author, keep: 'winner' })).toMatchObject({
      sync: { version: 3, conflict: false },
      data: 'of a',
    });
  });

  test('reaches every endpoint that has seen the winner', () => {
    const resolved = resolveItem(disputed, { ...author, keep: { conflict: 0 } });
    expect(merge(disputed, resolved)).toEqual({ item: resolved, changed: true });
    expect(merge(resolved, disputed)).toEqual({ item: resolved, changed: false });
  });

  test.each<[string, Item<string>, Parameters<typeof resolveItem<string>>[1]]>([
    ['to keep a conflict that does not exist', disputed, { ...author, keep: { conflict: 2 } }],
    ['to keep a conflict with a negative number', disputed, { ...author, keep: { conflict: -1 } }],
    [
      'to keep a conflict that holds no item',
      { ...disputed, conflicts: [{ version: 2, by: 'b' }] },
      { ...author, keep: { conflict: 0 } },
    ],
    ['to resolve an item without a conflict', byA, { ...author, keep: 'winner' }],
  ])('refuses %s', (_, item, resolution) => {
    expect(() => resolveItem(item, resolution)).toThrow(ResolutionError);
  });

  test('refuses an author that breaks a rule', () => {
    expect(() => resolveItem(disputed, { keep: 'winner' })).toThrow(EditError);
  });
});
