import { expect, test } from '@jest/globals';
import type { EditMark, StoredItem } from '#core';
import { KeyReusedError } from '#protocol';
import { isStoredEdit, marksAfter } from './keyed-edit.ts';

const at = (minute: number): Date => new Date(Date.UTC(2026, 0, 1, 0, minute));
const edit = (key: string, request = 'r') => ({ key, request, keep: { seconds: 600, count: 3 } });

/** An item as far as its marks go. */
function item(edits?: readonly EditMark[]): StoredItem {
  return { id: 'milk', ...(edits && { edits }) } as StoredItem;
}

test('an edit is stored if the item has its mark', () => {
  const marked = item([{ key: 'a', request: 'r', at: at(0) }]);
  expect(isStoredEdit(marked, edit('a'), at(1))).toBe(true);
  expect(isStoredEdit(marked, edit('b'), at(1))).toBe(false);
  expect(isStoredEdit(marked, undefined, at(1))).toBe(false);
  expect(isStoredEdit(item(), edit('a'), at(1))).toBe(false);
  expect(isStoredEdit(undefined, edit('a'), at(1))).toBe(false);
});

test('the key of another edit is refused', () => {
  expect(() => isStoredEdit(item([{ key: 'a', request: 'other', at: at(0) }]), edit('a'), at(1))).toThrow(
    KeyReusedError,
  );
});

test('a mark holds for its time, and then its key is free', () => {
  const marked = item([{ key: 'a', request: 'other', at: at(0) }]);
  expect(() => isStoredEdit(marked, edit('a'), at(10))).toThrow(KeyReusedError);
  expect(isStoredEdit(marked, edit('a'), at(11))).toBe(false);
});

test('an item keeps the latest marks that still hold', () => {
  const marks = ['a', 'b', 'c'].map((key, minute) => ({ key, request: 'r', at: at(minute) }));
  expect(marksAfter(item(marks), edit('d'), at(3)).map(({ key }) => key)).toEqual(['b', 'c', 'd']);
  expect(marksAfter(item(marks), edit('d'), at(12)).map(({ key }) => key)).toEqual(['c', 'd']);
  expect(marksAfter(undefined, edit('d'), at(3))).toEqual([{ key: 'd', request: 'r', at: at(3) }]);
});
