import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  cleanUpHistory,
  createItem,
  deleteItem,
  merge,
  resolveItem,
  undeleteItem,
  updateItem,
} from '#feedsync';
import type { Item } from '#feedsync';
import { itemId } from '#core';
import { anyTwoItems } from './any-item.ts';
import { literalCleanUp, literalCreate, literalResolve, literalUpdate } from './literal-edit.ts';
import { runs } from './runs.ts';

const author = fc.constantFrom(
  { by: 'a' },
  { when: '2026-01-01T00:00:00Z' },
  { by: 'b', when: '2005-05-21T09:43:33Z' },
  { by: '__proto__' },
);

/** An item with its conflicts, as anybody's histories may leave it, and with texts for data. */
const anyItem: fc.Arbitrary<Item<string>> = anyTwoItems.map(([local, incoming]) =>
  texts(merge(local, incoming).item),
);

function texts({ sync, data, conflicts }: Item<number>): Item<string> {
  return { sync, data: String(data), conflicts: conflicts.map(texts) };
}

describe('edits and the literal transcription of 3.1, 3.2 and 3.4', () => {
  test('create the same item', () => {
    fc.assert(
      fc.property(
        author,
        fc.boolean(),
        fc.constantFrom(undefined, false, true),
        (author, deleted, noconflicts) => {
          expect(createItem({ id: itemId('item'), data: 'new', deleted, noconflicts, ...author })).toEqual(
            literalCreate('item', { data: 'new', deleted, ...author }, noconflicts),
          );
        },
      ),
      runs(100),
    );
  });

  test('update, delete and undelete to the same item', () => {
    fc.assert(
      fc.property(anyItem, author, (item, author) => {
        expect(updateItem(item, { data: 'new', ...author })).toEqual(
          literalUpdate(item, { data: 'new', deleted: item.sync.deleted, ...author }),
        );
        expect(deleteItem(item, author)).toEqual(
          literalUpdate(item, { data: item.data, deleted: true, ...author }),
        );
        expect(undeleteItem(item, { data: 'new', ...author })).toEqual(
          literalUpdate(item, { data: 'new', deleted: false, ...author }),
        );
      }),
      runs(1200),
    );
  });

  test('resolve some conflicts or all of them to the same item', () => {
    fc.assert(
      fc.property(anyItem, author, fc.nat(), fc.nat(), (item, author, finalize, keep) => {
        fc.pre(item.conflicts.length > 0);
        const places = [...item.conflicts.keys()].filter((place) => ((finalize >> place) & 1) === 1);
        const kept = keep % item.conflicts.length;
        const conflicts = [...new Set([...places, kept])];
        const literal = literalResolve(
          item,
          { data: 'new', deleted: false, ...author },
          conflicts.map((place) => item.conflicts[place] as Item<string>),
        );
        expect(resolveItem(item, { keep: { conflict: kept }, data: 'new', conflicts, ...author })).toEqual(
          literal,
        );
      }),
      runs(1200),
    );
  });

  test('clean a history up to the same entries', () => {
    fc.assert(
      fc.property(anyItem, ({ sync }) => {
        expect(cleanUpHistory(sync)).toEqual(literalCleanUp(sync));
      }),
      runs(1200),
    );
  });
});
