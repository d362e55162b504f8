import { treeContent } from '#cse';
import type { ChildPlace, CollectionKey, Store, StoredItem } from '#core';

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
  const found: ItemAtPlace[] = [];
  for (let last = after; found.length < limit;) {
    const page = await items.listChildren(collection, feed, {
      limit,
      ...(last !== undefined && { after: placeIn(last) }),
    });
    const shown = showsHidden ? page : page.filter(({ content }) => !treeContent(content).hidden);
    found.push(...shown.map((item) => ({ place: placeOf(item), item })));
    const end = page.at(-1);
    if (end === undefined || page.length < limit) break;
    last = placeOf(end);
  }
  return found.slice(0, limit);
}

/** A key holds no space. */
function placeOf({ id, position: { key = '' } = {} }: StoredItem): string {
  return `${key} ${id}`;
}

function placeIn(text: string): ChildPlace {
  const [key = ''] = text.split(' ', 1);
  return { key, id: text.slice(key.length + 1) };
}
