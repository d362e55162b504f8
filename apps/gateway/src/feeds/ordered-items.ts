import { openOutline, outlineEnd } from '#xml';
import { renderedXml } from '#items';
import { inSlices } from '#core';
import type { Collection, PlacedItem } from '#core';
import type { GatewayPorts } from '../gateway-ports.ts';
import { withAncestors } from '../outline/document-order.ts';
import { orderedRows, storedRows } from '../outline/ordered-rows.ts';
import type { TextPiece } from '../texts/text-piece.ts';

/**
 * How deep outlines are nested in a feed: elements of a document stand in one another up to 1000 deep if
 * nothing else is set.
 */
const deepestOutline = 900;

/** The outlines that a piece ends in, the innermost one first; undefined if it ends in none. */
type OpenOutlines = { readonly depth: number; readonly outer: OpenOutlines } | undefined;

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
): AsyncGenerator<TextPiece> {
  const { key, format } = collection;
  const isWanted = ({ sequence = 0 }: PlacedItem): boolean => sequence > since;
  const rows = await orderedRows(store, key);
  const isNested = format === 'opml';
  const shown = isNested ? withAncestors(rows, isWanted) : rows.filter(({ item }) => isWanted(item));
  yield* from(0, undefined);

  async function* from(first: number, openBefore: OpenOutlines): AsyncGenerator<TextPiece> {
    let [place, open] = [first, openBefore];
    for await (const { item } of storedRows(store, key, shown.slice(first))) {
      while (shown[place]?.item.id !== item.id) place += 1;
      const xml = await inSlices(renderedXml(format, collection, item, publicUrl));
      const depth = Math.min(shown[place]?.depth ?? 0, deepestOutline);
      const ended = isNested ? endedFrom(depth, open) : { ends: '', open };
      if (isNested) open = { depth, outer: ended.open };
      place += 1;
      const [following, openAfter] = [place, open];
      yield {
        text: isNested ? ended.ends + openOutline(xml) : xml,
        next: { key: following, read: () => from(following, openAfter) },
      };
    }
    yield { text: endedFrom(0, open).ends };
  }
}

/** The ends of the open outlines that are at least this deep, and those which stay open. */
function endedFrom(depth: number, open: OpenOutlines): { ends: string; open: OpenOutlines } {
  let [ends, stays] = ['', open];
  for (; stays !== undefined && stays.depth >= depth; stays = stays.outer) ends += outlineEnd;
  return { ends, open: stays };
}
