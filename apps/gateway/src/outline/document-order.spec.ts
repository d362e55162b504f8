import { describe, expect, test } from '@jest/globals';
import { finish, itemId } from '#core';
import { inDocumentOrder, withAncestors } from './document-order.ts';
import type { Row } from './document-order.ts';

/** Items by `id: parent`, in the order of their keys. */
function placed(parents: Readonly<Record<string, string>>) {
  return Object.entries(parents).map(([id, parent], index) => ({
    id: itemId(id),
    position: { key: `k${String(index).padStart(2, '0')}`, ...(parent !== '' && { parent }) },
  }));
}

/** Rows as `id depth`. */
const shown = (rows: readonly Row<{ id: string }>[]): string[] =>
  rows.map(({ item, depth }) => `${item.id} ${depth}`);

const sample = placed({ a: '', b: 'a', c: 'b', d: 'c', e: 'a', f: '', g: 'f', h: '' });

describe('the order of a document', () => {
  test('has each item before what is in it', () => {
    expect(shown(finish(inDocumentOrder(sample.toReversed())))).toEqual([
      'a 0',
      'b 1',
      'c 2',
      'd 3',
      'e 1',
      'f 0',
      'g 1',
      'h 0',
    ]);
  });

  test('puts the children of a hidden item in its place', () => {
    expect(shown(finish(inDocumentOrder(sample, ({ id }) => id !== 'b' && id !== 'f')))).toEqual([
      'a 0',
      'c 1',
      'd 2',
      'e 1',
      'g 0',
      'h 0',
    ]);
  });

  test('is found at any depth', () => {
    const depth = 50_000;
    const rows = finish(
      inDocumentOrder(
        placed(
          Object.fromEntries(
            Array.from({ length: depth }, (_, level) => [`i${level}`, level === 0 ? '' : `i${level - 1}`]),
          ),
        ),
      ),
    );
    expect(rows.at(-1)).toMatchObject({ item: { id: `i${depth - 1}` }, depth: depth - 1 });
  });
});

describe('the rows of wanted items', () => {
  test.each([
    ['d', ['a 0', 'b 1', 'c 2', 'd 3']],
    ['de', ['a 0', 'b 1', 'c 2', 'd 3', 'e 1']],
    ['e', ['a 0', 'e 1']],
    ['bg', ['a 0', 'b 1', 'f 0', 'g 1']],
    ['h', ['h 0']],
    ['', []],
  ])('%s stand in their ancestors, and in nothing else', (wanted, rows) => {
    expect(shown(withAncestors(finish(inDocumentOrder(sample)), ({ id }) => wanted.includes(id)))).toEqual(
      rows,
    );
  });
});
