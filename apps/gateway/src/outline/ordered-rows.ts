import { inSlices } from '#core';
import type { CollectionKey, PlacedItem, Store, StoredItem } from '#core';
import { inDocumentOrder } from './document-order.ts';
import type { Row } from './document-order.ts';

/** The places of a collection's items in the order of the document; see `inDocumentOrder`. */
export async function orderedRows(
  { items }: Pick<Store, 'items'>,
  collection: CollectionKey,
  isShown?: (item: PlacedItem) => boolean,
): Promise<Row<PlacedItem>[]> {
  const placed: PlacedItem[] = [];
  for await (const item of items.positions(collection)) placed.push(item);
  return inSlices(inDocumentOrder(placed, isShown));
}

/**
 * The items of the rows, read in steps so that memory stays bounded; those which are gone by now are left
 * out.
 */
export async function* storedRows(
  { items }: Pick<Store, 'items'>,
  collection: CollectionKey,
  rows: readonly Row<PlacedItem>[],
): AsyncGenerator<Row<StoredItem>, void, undefined> {
  let place = 0;
  for await (const step of items.loadInSteps(
    collection,
    rows.map(({ item }) => item.id),
  )) {
    for (const item of step) {
      while (rows[place]?.item.id !== item.id) place += 1;
      yield { item, depth: rows[place]?.depth ?? 0 };
    }
  }
}
