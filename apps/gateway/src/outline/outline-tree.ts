import { protocolOf } from '#protocols';
import type { Collection, Store, StoredItem } from '#core';
import type { Row } from './document-order.ts';
import { OpenOutlines } from './open-outlines.ts';
import { orderedRows, storedRows } from './ordered-rows.ts';

/**
 * The outlines of a collection that are not deleted, as a JSON document in pieces: `title` and `children`,
 * each with its own `children`; what stands in a deleted outline stands in its place. Written without
 * recursion, however deep the outline is.
 * @param levels how many are shown; an outline of the last one has `children` only if it has none
 */
export async function* outlineTree(
  store: Pick<Store, 'items'>,
  collection: Collection,
  levels: number,
): AsyncGenerator<string, void, undefined> {
  const { key, title } = collection;
  const rows = await orderedRows(store, key, ({ deleted }) => !deleted);
  const parents = new Set(
    rows
      .filter(({ depth }, index) => depth + 1 === levels && (rows[index + 1]?.depth ?? 0) > depth)
      .map(({ item }) => item.id),
  );
  const isCut = ({ item }: Row<StoredItem>): boolean => parents.has(item.id);
  yield `${JSON.stringify({ collection: key, title }).slice(0, -1)},"children":[`;
  yield* branches(
    collection,
    storedRows(
      store,
      key,
      rows.filter(({ depth }) => depth < levels),
    ),
    isCut,
  );
  yield ']}';
}

async function* branches(
  collection: Collection,
  rows: AsyncIterable<Row<StoredItem>>,
  isCut: (row: Row<StoredItem>) => boolean,
): AsyncGenerator<string> {
  const open = new OpenOutlines();
  for await (const row of rows) {
    const ends = open.endFrom(row.depth);
    const shown = JSON.stringify(branchView(collection, row.item)).slice(0, -1);
    // Where nothing ends, this is the first in the outline before it, or the first of all.
    yield `${ends}${ends === '' ? '' : ','}${shown}${isCut(row) ? '' : ',"children":['}`;
    open.begin(row.depth, isCut(row) ? '}' : ']}');
  }
  yield open.endFrom(0);
}

function branchView(collection: Collection, { content, conflictCount }: StoredItem): object {
  const shown: object = protocolOf(collection).json(content);
  return { ...shown, conflicts: undefined, conflictCount };
}
