import type { Feed } from '#cse';
import { Slices } from '#core';
import type { ManifestSeal } from '#core';

/**
 * Counts the different items of the feeds of a tree, and those of them whose feeds are in step already.
 * @param feeds by URL, those that the tree does not refer to among them
 * @param urls what the tree refers to
 * @param changed the feeds that are not in step
 */
export async function countItems(
  feeds: ReadonlyMap<string, Feed>,
  urls: Iterable<string>,
  changed: readonly { readonly url: string }[],
): Promise<Pick<ManifestSeal, 'items' | 'known'>> {
  const isChanged = new Set(changed.map(({ url }) => url));
  const slices = new Slices();
  let [items, known] = [0, 0];
  for (const url of urls) {
    const found = new Set(feeds.get(url)?.items.map(({ id }) => id)).size;
    items += found;
    if (!isChanged.has(url)) known += found;
    await slices.rest();
  }
  return { items, known };
}
