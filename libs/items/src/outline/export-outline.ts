import type { OutlineDocument } from '#xml';
import type { Collection, Store } from '#core';
import { liveOutlines } from './live-outline.ts';

/**
 * The live items of a collection of outlines, nested and in order (SSE 3.2), with their ids. Where an item is
 * deleted its live children stand in its place, if its parent is missing the item stands below the root.
 */
export async function exportOutline(
  { store }: { readonly store: Pick<Store, 'items'> },
  collection: Collection,
): Promise<OutlineDocument> {
  return { title: collection.title, outlines: await liveOutlines(store.items, collection) };
}
