import { EditLimitError } from '#feedsync';
import { EditError, itemId } from '#core';
import { describe, expect, test } from '@jest/globals';
import { createItem, updateItem } from './edit.ts';
import type { Item } from './item.ts';
import { maximumVersion } from './version.ts';

const aId = itemId('a');

const day = (date: number): string => `2005-05-${date}T09:43:33Z`;
const by = 'REO1750';
const created = createItem({
  id: itemId('0a7903db47fb0ae8'),
  data: 'This is a test item',
  when: day(21),
  by,
});

function atVersion(version: number): Item<string> {
  return { ...created, sync: { ...created.sync, version } };
}

describe('creation (4.1)', () => {
  test('makes version 1 with the modification as its history, as the example has it', () => {
    expect(created).toStrictEqual({
      sync: {
        id: '0a7903db47fb0ae8',
        version: 1,
        deleted: false,
        conflict: false,
        history: [{ when: day(21), by }],
      },
      data: 'This is a test item',
      conflicts: [],
    });
  });

  test('records either of when and by alone', () => {
    expect(createItem({ id: aId, data: 0, when: day(21) }).sync.history).toStrictEqual([{ when: day(21) }]);
    expect(createItem({ id: aId, data: 0, by }).sync.history).toStrictEqual([{ by }]);
  });

  test('can make a tombstone, and can put the item in a place', () => {
    expect(createItem({ id: aId, data: 0, by, deleted: true }).sync.deleted).toBe(true);
    expect(createItem({ id: aId, data: 0, by, position: { parent: 'p', key: 'k' } }).position).toEqual({
      parent: 'p',
      key: 'k',
    });
  });
});

describe('update (4.2)', () => {
  const updated = [22, 23, 24].reduce((item, date) => updateItem(item, { when: day(date), by }), created);

  test('pushes the history down into the updates, as the first example has it', () => {
    expect(updated.sync).toStrictEqual({
      id: '0a7903db47fb0ae8',
      version: 4,
      deleted: false,
      conflict: false,
      history: [
        { when: day(24), by },
        { when: day(23), by },
        { when: day(22), by },
        { when: day(21), by },
      ],
    });
  });

  test('keeps the latest updates if their number is limited, as the second example has it', () => {
    const twice = [25, 26].reduce(
      (item, date) => updateItem(item, { when: day(date), by, updatesKept: 3 }),
      updated,
    );
    expect(twice.sync.version).toBe(6);
    expect(twice.sync.history).toStrictEqual([
      { when: day(26), by },
      { when: day(25), by },
      { when: day(24), by },
      { when: day(23), by },
    ]);
    expect(updateItem(twice, { by, updatesKept: 0 }).sync.history).toStrictEqual([{ by }]);
  });

  test('records who and when of this modification only', () => {
    expect(updateItem(created, { by: 'x' }).sync.history).toStrictEqual([{ by: 'x' }, { when: day(21), by }]);
    expect(updateItem(created, { when: day(22) }).sync.history).toStrictEqual([
      { when: day(22) },
      { when: day(21), by },
    ]);
  });

  test('replaces the data or leaves it', () => {
    expect(updateItem(created, { data: 'new', by }).data).toBe('new');
    expect(updateItem(created, { data: '', by }).data).toBe('');
    expect(updateItem(created, { by }).data).toBe('This is a test item');
  });

  test('deletes, and any other update of a tombstone makes it an item again (step 3)', () => {
    const tombstone = updateItem(created, { deleted: true, by });
    expect(tombstone).toMatchObject({ sync: { deleted: true, version: 2 }, data: 'This is a test item' });
    expect(updateItem(tombstone, { by })).toMatchObject({ sync: { deleted: false, version: 3 } });
  });

  test('removes the conflict and all conflicts (step 4)', () => {
    const disputed: Item<string> = {
      ...created,
      sync: { ...created.sync, conflict: true },
      conflicts: [{ version: 1, by: 'x' }],
    };
    expect(updateItem(disputed, { by })).toMatchObject({ sync: { conflict: false }, conflicts: [] });
    expect(updateItem(disputed, { by, deleted: true })).toMatchObject({
      sync: { conflict: false, deleted: true },
      conflicts: [],
    });
  });

  test('moves the item (3.2), or leaves it where it is', () => {
    const placed = createItem({ id: aId, data: 0, by, position: { parent: 'p', key: 'k' } });
    expect(updateItem(placed, { by })).toMatchObject({
      sync: { version: 2 },
      position: { parent: 'p', key: 'k' },
    });
    expect(updateItem(placed, { by, position: { key: 'm' } }).position).toStrictEqual({ key: 'm' });
    expect(updateItem(created, { by })).not.toHaveProperty('position');
  });

  test('keeps markup that it does not know, and changes nothing of the item it is given', () => {
    const foreign = { attributes: [{ namespace: 'urn:x', name: 'note', value: '1' }], children: [] };
    const item = { ...created, sync: { ...created.sync, foreign, history: [{ by, foreign }] } };
    const before = structuredClone(item);
    expect(updateItem(item, { by: 'x' }).sync).toEqual({
      ...item.sync,
      version: 2,
      history: [{ by: 'x' }, { by, foreign }],
    });
    expect(item).toEqual(before);
  });
});

describe('a refused edit names its rule', () => {
  test.each([
    ['sync-id-syntax', () => createItem({ id: itemId('a b'), data: 0, by })],
    ['sync-id-syntax', () => createItem({ id: itemId(''), data: 0, by })],
    ['history-when-or-by', () => createItem({ id: aId, data: 0 })],
    ['history-when-or-by', () => updateItem(created, { data: '' })],
    ['history-when-syntax', () => createItem({ id: aId, data: 0, when: 'Sat, 21 May 2005 09:43:33 GMT' })],
    ['history-when-syntax', () => updateItem(created, { when: '2005-02-30T00:00:00Z' })],
    ['history-by-syntax', () => updateItem(created, { by: 'a/b' })],
    ['count-limit', () => updateItem(atVersion(maximumVersion), { by })],
  ])('%s', (rule, edit) => {
    expect(edit).toThrow(EditError);
    expect(edit).toThrow(expect.objectContaining({ rule }));
  });

  test('the limit of the version has an error of its own, which says the limit', () => {
    expect(() => updateItem(atVersion(maximumVersion), { by })).toThrow(EditLimitError);
    expect(() => updateItem(atVersion(maximumVersion), { by })).toThrow('9007199254740991');
    expect(updateItem(atVersion(maximumVersion - 1), { by }).sync.version).toBe(maximumVersion);
  });
});

test('a version gets a time of its own if the endpoint has already signed one of the same number', () => {
  const when = '2026-01-01T00:00:00Z';
  const issued = {
    versions: [
      { sequence: 2, when },
      { sequence: 2, when: '2026-01-01T00:00:01Z' },
      { sequence: 1, when: '2026-01-01T00:00:02Z' },
    ],
  };
  const item = createItem({ id: itemId('x'), data: 'first', when, by: 'here', issued });
  expect(item.sync.history).toEqual([{ when, by: 'here' }]);
  const again = createItem({
    id: itemId('x'),
    data: 'first',
    when: '2026-01-01T00:00:02Z',
    by: 'here',
    issued,
  });
  expect(again.sync.history).toEqual([{ when: '2026-01-01T00:00:03Z', by: 'here' }]);
  expect(updateItem(item, { when, by: 'here', issued }).sync.history[0]).toEqual({
    when: '2026-01-01T00:00:02Z',
    by: 'here',
  });
  expect(updateItem(item, { when: '2026-01-01T00:00:03Z', by: 'here', issued }).sync.history[0]).toEqual({
    when: '2026-01-01T00:00:03Z',
    by: 'here',
  });
});
