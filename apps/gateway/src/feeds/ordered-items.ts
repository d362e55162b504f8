import { openOutline, outlineEnd } from '#xml';
import { renderedXml } from '#items';
import type { Collection, PlacedItem, StoredItem } from '#core';
import type { GatewayPorts } from '../gateway-ports.ts';
import { withAncestors } from '../outline/document-order.ts';
import type { Row } from '../outline/document-order.ts';
import { OpenOutlines } from '../outline/open-outlines.ts';
import { orderedRows, storedRows } from '../outline/ordered-rows.ts';

/**
 * How deep outlines are nested in a feed: elements of a document stand in one another up to 1000 deep if
 * nothing else is set.
 */
const deepestOutline = 900;

/**
 * The published items above a sequence in the order of the collection (SSE 3.2): one after the other in RSS;
 * nested in OPML, with the outlines that they stand in, whether these are above the sequence or not. There a
 * piece ends the outlines before it and begins its own. Outlines that are deeper than readers take stand
 * beside each other there; their position says where they belong. Holds the places of all items, and the
 * content of a few.
 */
export async function* orderedItems(
  { store, publicUrl }: Pick<GatewayPorts, 'store' | 'publicUrl'>,
  collection: Collection,
  since: number,
): AsyncGenerator<string> {
  const { key, format } = collection;
  const written = (item: StoredItem): string => renderedXml(format, collection, item, publicUrl);
  const isWanted = ({ sequence = 0 }: PlacedItem): boolean => sequence > since;
  const rows = await orderedRows(store, key);
  if (format === 'opml') yield* nested(storedRows(store, key, withAncestors(rows, isWanted)), written);
  else
    for await (const { item } of storedRows(
      store,
      key,
      rows.filter((row) => isWanted(row.item)),
    ))
      yield written(item);
}

async function* nested(
  rows: AsyncIterable<Row<StoredItem>>,
  written: (item: StoredItem) => string,
): AsyncGenerator<string> {
  const open = new OpenOutlines();
  for await (const row of rows) {
    const { item } = row;
    const depth = Math.min(row.depth, deepestOutline);
    yield open.endFrom(depth) + openOutline(written(item));
    open.begin(depth, outlineEnd);
  }
  yield open.endFrom(0);
}
