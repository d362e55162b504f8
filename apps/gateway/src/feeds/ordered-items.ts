import { openOutline, outlineEnd } from '#xml';
import type { Collection, FeedItem, PlacedItem, Store, StoredItem } from '#core';
import { withAncestors } from '../outline/document-order.ts';
import type { Row } from '../outline/document-order.ts';
import { OpenOutlines } from '../outline/open-outlines.ts';
import { orderedRows, storedRows } from '../outline/ordered-rows.ts';

/**
 * How deep outlines are nested in a feed: elements of a document stand in one another up to 1000 deep if
 * nothing else is set.
 */
const deepestOutline = 900;

type Entries = AsyncIterable<Pick<FeedItem, 'entry'>>;

/**
 * The published items above a sequence in the order of the collection (SSE 3.2): one after the other in RSS;
 * nested in OPML, with the outlines that they stand in, whether these are above the sequence or not. There a
 * piece ends the outlines before it and begins its own. Outlines that are deeper than readers take stand
 * beside each other there; their position says where they belong. Holds the places of all items, and the
 * content of a few.
 */
export async function* orderedItems(
  store: Pick<Store, 'items'>,
  { key, format }: Collection,
  since: number,
): Entries {
  const isWanted = ({ sequence = 0 }: PlacedItem): boolean => sequence > since;
  const rows = await orderedRows(store, key);
  if (format === 'opml') yield* nested(storedRows(store, key, withAncestors(rows, isWanted)));
  else
    for await (const { item } of storedRows(
      store,
      key,
      rows.filter((row) => isWanted(row.item)),
    ))
      yield item;
}

async function* nested(rows: AsyncIterable<Row<StoredItem>>): Entries {
  const open = new OpenOutlines();
  for await (const row of rows) {
    const { item } = row;
    const depth = Math.min(row.depth, deepestOutline);
    yield { entry: open.endFrom(depth) + openOutline(item.entry) };
    open.begin(depth, outlineEnd);
  }
  yield { entry: open.endFrom(0) };
}
