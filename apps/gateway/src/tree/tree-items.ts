import { compareCodePoints } from '#core';
import { treeContent } from '#cse';
import type { CollectionKey, PlacedItem, Store, StoredItem } from '#core';

/** An item of a tree with its place in its feed, as a text that compares by code point like that. */
interface ItemAtPlace {
  readonly place: string;
  readonly item: StoredItem;
}

/**
 * Reads the items of a feed of a tree that are not deleted, in order.
 * @param showsHidden whether those with csx:hiddenItem are among them
 * @param page what comes after a place, at most `limit`
 */
export async function treeItems(
  { items }: Pick<Store, 'items'>,
  collection: CollectionKey,
  feed: string,
  showsHidden: boolean,
  { after, limit }: { readonly after?: string; readonly limit: number },
): Promise<ItemAtPlace[]> {
  const places = (await items.children(collection, [feed])).flatMap((item) =>
    item.deleted ? [] : [[item.id, placeOf(item)] as const],
  );
  const rest =
    after === undefined ? places : places.filter(([, place]) => compareCodePoints(place, after) > 0);
  const found: ItemAtPlace[] = [];
  for (let start = 0; start < rest.length && found.length < limit; start += limit) {
    const step = rest.slice(start, start + limit);
    const loaded = await items.load(
      collection,
      step.map(([id]) => id),
    );
    found.push(
      ...step.flatMap(([id, place]) => {
        const item = loaded.get(id);
        return item === undefined || (!showsHidden && treeContent(item.content).hidden)
          ? []
          : [{ place, item }];
      }),
    );
  }
  return found.slice(0, limit);
}

function placeOf({ id, position: { key = '' } }: PlacedItem): string {
  return `${key} ${id}`;
}
