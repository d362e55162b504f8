import { describe, expect, test } from '@jest/globals';
import { maximumCount } from './count.ts';
import { createItem, deleteItem, undeleteItem, updateItem } from './edit.ts';
import { EditError, itemId } from '#core';
import { EditLimitError } from './edit-error.ts';
import type { HistoryEntry, Item } from './item.ts';
import { merge } from './merge.ts';

const aId = itemId('a');

const when = '2005-05-21T09:43:33Z';
const later = '2005-05-21T10:43:33Z';

function version(updates: number, history: HistoryEntry[], conflicts: Item<string>[] = []): Item<string> {
  return {
    sync: { id: itemId('item'), updates, deleted: false, history },
    data: `version ${updates}`,
    conflicts,
  };
}

describe('creation (3.1)', () => {
  test('begins with one update and sequence 1', () => {
    expect(createItem({ id: itemId('item_1'), data: 'milk', when, by: 'REO1750' })).toEqual({
      sync: { id: 'item_1', updates: 1, deleted: false, history: [{ sequence: 1, when, by: 'REO1750' }] },
      data: 'milk',
      conflicts: [],
    });
  });

  test('carries noconflicts and a deletion from birth', () => {
    expect(createItem({ id: aId, data: 0, by: 'x', noconflicts: true, deleted: true }).sync).toMatchObject({
      noconflicts: true,
      deleted: true,
    });
    expect(createItem({ id: aId, data: 0, by: 'x', noconflicts: false }).sync.noconflicts).toBe(false);
    expect(createItem({ id: aId, data: 0, by: 'x' }).sync).not.toHaveProperty('noconflicts');
  });

  test('records either of when and by alone', () => {
    expect(createItem({ id: aId, data: 0, when }).sync.history).toStrictEqual([{ sequence: 1, when }]);
    expect(createItem({ id: aId, data: 0, by: 'x' }).sync.history).toStrictEqual([{ sequence: 1, by: 'x' }]);
  });
});

describe('a refused edit names its rule', () => {
  test.each([
    ['sync-id-syntax', () => createItem({ id: itemId('a b'), data: 0, by: 'x' })],
    ['history-when-or-by', () => createItem({ id: aId, data: 0 })],
    ['history-when-or-by', () => updateItem(version(1, [{ sequence: 1, by: 'x' }]), { data: '' })],
    ['history-when-syntax', () => createItem({ id: aId, data: 0, when: 'yesterday' })],
    ['history-by-syntax', () => createItem({ id: aId, data: 0, by: 'a/b' })],
    ['count-limit', () => updateItem(version(maximumCount, [{ sequence: 1, by: 'x' }]), { data: '', when })],
    [
      'count-limit',
      () => updateItem(version(1, [{ sequence: maximumCount, by: 'x' }]), { data: '', by: 'x' }),
    ],
  ])('%s', (rule, edit) => {
    expect(edit).toThrow(EditError);
    expect(edit).toThrow(expect.objectContaining({ rule }));
  });

  test('the limit of updates and sequence has an error of its own, which says the limit', () => {
    expect(() => updateItem(version(maximumCount, [{ sequence: 1, by: 'x' }]), { data: '', when })).toThrow(
      EditLimitError,
    );
    expect(() =>
      updateItem(version(1, [{ sequence: maximumCount, by: 'x' }]), { data: '', by: 'x' }),
    ).toThrow('2147483647');
    expect(
      updateItem(version(maximumCount - 1, [{ sequence: 1, by: 'x' }]), { data: '', when }).sync.updates,
    ).toBe(maximumCount);
  });
});

describe('update and deletion (3.2)', () => {
  test('adds a topmost entry with the number of updates as its sequence', () => {
    const created = createItem({ id: itemId('item'), data: 'milk', when, by: 'REO1750' });
    const updated = updateItem(created, { data: 'milk and butter', when: later, by: 'JEO2000' });
    expect(updated.sync).toEqual({
      id: 'item',
      updates: 2,
      deleted: false,
      history: [
        { sequence: 2, when: later, by: 'JEO2000' },
        { sequence: 1, when, by: 'REO1750' },
      ],
    });
    expect(updated.data).toBe('milk and butter');
    expect(created.sync.updates).toBe(1);
  });

  test('takes a sequence above every earlier one of the same endpoint', () => {
    const item = version(3, [
      { sequence: 3, by: 'b' },
      { sequence: 8, by: 'a' },
    ]);
    expect(updateItem(item, { data: '', by: 'a' }).sync.history[0]).toEqual({ sequence: 9, by: 'a' });
    expect(updateItem(item, { data: '', by: 'b' }).sync.history[0]).toEqual({ sequence: 4, by: 'b' });
  });

  test('without by takes the number of updates', () => {
    expect(
      updateItem(version(3, [{ sequence: 9, when }]), { data: '', when: later }).sync.history[0],
    ).toEqual({ sequence: 4, when: later });
  });

  test('is not subsumed by an earlier version of the same endpoint that is hidden in a conflict', () => {
    const conflict = version(2, [
      { sequence: 9, by: 'c' },
      { sequence: 8, by: 'a' },
    ]);
    const item = version(3, [{ sequence: 3, by: 'b' }], [conflict]);
    const edited = updateItem(item, { data: 'new', by: 'a' });
    expect(edited.sync.history[0]).toEqual({ sequence: 9, by: 'a' });
    expect(merge(version(2, [{ sequence: 8, by: 'a' }]), edited).item.data).toBe('new');
  });

  test("absorbs the endpoint's own conflicts and keeps those of others", () => {
    const own = version(2, [
      { sequence: 2, by: 'a' },
      { sequence: 1, by: 'd' },
    ]);
    const others = version(2, [{ sequence: 2, by: 'c' }]);
    const edited = updateItem(version(3, [{ sequence: 3, by: 'b' }], [own, others]), { data: '', by: 'a' });
    expect(edited.conflicts).toEqual([others]);
    expect(edited.sync.history).toEqual([
      { sequence: 4, by: 'a' },
      { sequence: 1, by: 'd' },
      { sequence: 3, by: 'b' },
    ]);
  });

  test('without by leaves all conflicts alone', () => {
    const conflict = version(2, [{ sequence: 2, when }]);
    expect(
      updateItem(version(3, [{ sequence: 3, by: 'b' }], [conflict]), { data: '', when: later }).conflicts,
    ).toEqual([conflict]);
  });

  test('deletes and undeletes; an update leaves a tombstone one', () => {
    const created = createItem({ id: itemId('item'), data: 'milk', by: 'a', noconflicts: true });
    const deleted = deleteItem(created, { by: 'a' });
    expect(deleted).toMatchObject({ sync: { deleted: true, updates: 2, noconflicts: true }, data: 'milk' });
    expect(updateItem(deleted, { data: 'x', by: 'a' }).sync.deleted).toBe(true);
    expect(undeleteItem(deleted, { by: 'a' })).toMatchObject({
      sync: { deleted: false, updates: 3, noconflicts: true },
      data: 'milk',
    });
    expect(deleteItem(deleted, { by: 'a', data: '' })).toMatchObject({
      sync: { deleted: true, updates: 3 },
      data: '',
    });
  });

  test('keeps the markup that it does not know', () => {
    const foreign = { attributes: [{ namespace: 'urn:x', name: 'note', value: '1' }], children: [] };
    const created = createItem({ id: itemId('item'), data: '', by: 'a' });
    const item = {
      ...created,
      sync: { ...created.sync, foreign, history: [{ sequence: 1, by: 'a', foreign }] },
    };
    expect(updateItem(item, { data: '', by: 'b' }).sync).toMatchObject({
      foreign,
      history: [{ sequence: 2 }, { foreign }],
    });
  });
});
