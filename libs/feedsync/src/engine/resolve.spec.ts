import { describe, expect, test } from '@jest/globals';
import { itemId } from '#core';
import { createItem, deleteItem, updateItem } from './edit.ts';
import type { Item } from './item.ts';
import { merge } from './merge.ts';
import { ResolutionError, resolveItem } from './resolve.ts';

const created = createItem({ id: itemId('item'), data: 'created', by: 'a', when: '2005-05-21T09:00:00Z' });
const byA = updateItem(created, { data: 'of a', by: 'a', when: '2005-05-21T10:00:03Z' });
const byB = updateItem(created, { data: 'of b', by: 'b', when: '2005-05-21T10:00:02Z' });
const byC = deleteItem(created, { data: 'of c', by: 'c', when: '2005-05-21T10:00:01Z' });
/** Won by a; the conflicts are those of b (0) and c (1). */
const disputed = [byB, byC].reduce((item, version) => merge(item, version).item, byA);
const author = { by: 'd', when: '2005-05-21T11:00:00Z' };

describe('conflict resolution (3.4)', () => {
  test('confirms the winner and takes all conflicts into the history', () => {
    const resolved = resolveItem(disputed, { ...author, keep: 'winner' });
    expect(resolved).toMatchObject({ data: 'of a', sync: { updates: 3, deleted: false }, conflicts: [] });
    expect(resolved.sync.history).toEqual([
      { sequence: 3, ...author },
      byC.sync.history[0],
      byB.sync.history[0],
      ...byA.sync.history,
    ]);
  });

  test('takes the content of a conflict, and its deletion', () => {
    expect(resolveItem(disputed, { ...author, keep: { conflict: 0 } })).toMatchObject({
      data: 'of b',
      sync: { deleted: false },
      conflicts: [],
    });
    expect(resolveItem(disputed, { ...author, keep: { conflict: 1 } })).toMatchObject({
      data: 'of c',
      sync: { deleted: true },
      conflicts: [],
    });
  });

  test('takes new content, which is not deleted unless that is said', () => {
    expect(resolveItem(disputed, { ...author, keep: { conflict: 1 }, data: 'new' })).toMatchObject({
      data: 'new',
      sync: { deleted: false },
    });
    expect(resolveItem(disputed, { ...author, keep: 'winner', deleted: true })).toMatchObject({
      data: 'of a',
      sync: { deleted: true },
    });
  });

  test('resolves only the conflicts that are named, and the kept one', () => {
    expect(resolveItem(disputed, { ...author, keep: 'winner', conflicts: [1] }).conflicts).toEqual([byB]);
    const resolved = resolveItem(disputed, { ...author, keep: { conflict: 0 }, conflicts: [] });
    expect(resolved.conflicts).toEqual([byC]);
    expect(resolved.data).toBe('of b');
  });

  test('resolves conflicts of the resolving endpoint whether named or not', () => {
    expect(resolveItem(disputed, { by: 'c', keep: 'winner', conflicts: [0] }).conflicts).toEqual([]);
  });

  test('is not asked again: a late copy of a resolved conflict changes nothing', () => {
    const resolved = resolveItem(disputed, { ...author, keep: 'winner' });
    for (const late of [byA, byB, byC, disputed, created])
      expect(merge(resolved, late)).toEqual({ item: resolved, changed: false, sameVersionOtherData: 0 });
  });

  test.each<[string, Item<string>, Parameters<typeof resolveItem<string>>[1]]>([
    ['to keep a conflict that does not exist', disputed, { ...author, keep: { conflict: 2 } }],
    ['to keep a conflict with a negative number', disputed, { ...author, keep: { conflict: -1 } }],
    ['to resolve a conflict that does not exist', disputed, { ...author, keep: 'winner', conflicts: [0, 7] }],
    ['to resolve a fraction', disputed, { ...author, keep: 'winner', conflicts: [0.5] }],
    ['to resolve nothing', disputed, { ...author, keep: 'winner', conflicts: [] }],
    ['to resolve an item without conflicts', byA, { ...author, keep: 'winner' }],
  ])('refuses %s', (_, item, resolution) => {
    expect(() => resolveItem(item, resolution)).toThrow(ResolutionError);
  });
});
