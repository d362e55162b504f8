import { openOutline, outlineEnd } from '#feed-xml';
import type { Collection, FeedItem, PlacedItem, Store, StoredItem } from '#ports';
import { withAncestors } from '../outline/document-order.ts';
import type { Row } from '../outline/document-order.ts';
import { OpenOutlines } from '../outline/open-outlines.ts';
import { orderedRows, storedRows } from '../outline/ordered-rows.ts';

type Entries = AsyncIterable<Pick<FeedItem, 'entry'>>;

/**
 * The published items above a sequence in the order of the collection (SSE 3.2): one after the other in RSS; nested in OPML, with the
 * outlines that they stand in, whether these are above the sequence or not. There a piece ends the outlines before it and begins its
 * own. Holds the places of all items, and the content of a few.
 */
export async function* orderedItems(store: Pick<Store, 'items'>, { name, format }: Collection, since: number): Entries {
  const isWanted = ({ sequence = 0 }: PlacedItem): boolean => sequence > since;
  const rows = await orderedRows(store, name);
  if (format === 'opml') yield* nested(storedRows(store, name, withAncestors(rows, isWanted)));
  else for await (const { item } of storedRows(store, name, rows.filter((row) => isWanted(row.item)))) yield item;
}

async function* nested(rows: AsyncIterable<Row<StoredItem>>): Entries {
  const open = new OpenOutlines();
  for await (const { item, depth } of rows) {
    yield { entry: open.endFrom(depth) + openOutline(item.entry) };
    open.begin(depth, outlineEnd);
  }
  yield { entry: open.endFrom(0) };
}
