import type { PlacedItem, Store, StoredItem } from '#ports';
import { inDocumentOrder } from './document-order.ts';
import type { Row } from './document-order.ts';

/** How many items are read at once. */
const batch = 500;

/** The places of a collection's items in the order of the document; see `inDocumentOrder`. */
export async function orderedRows({ items }: Pick<Store, 'items'>, collection: string, isShown?: (item: PlacedItem) => boolean): Promise<Row<PlacedItem>[]> {
  const placed: PlacedItem[] = [];
  for await (const item of items.positions(collection)) placed.push(item);
  return inDocumentOrder(placed, isShown);
}

/** The items of the rows, read in steps so that memory stays bounded; those which are gone by now are left out. */
export async function* storedRows({ items }: Pick<Store, 'items'>, collection: string, rows: readonly Row<PlacedItem>[]): AsyncGenerator<Row<StoredItem>, void, undefined> {
  for (let start = 0; start < rows.length; start += batch) {
    const page = rows.slice(start, start + batch);
    const stored = await items.load(collection, page.map(({ item }) => item.id));
    for (const { item: { id }, depth } of page) {
      const item = stored.get(id);
      if (item !== undefined) yield { item, depth };
    }
  }
}
