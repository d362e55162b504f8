import type { Feed, Item } from './feed.ts';

/** How many characters of an identity or a URL count as one more item or link. */
const longText = 1000;

/**
 * What an item counts against the limit `links`: one, and one for each of its links; long identities and URLs
 * count more.
 */
export function itemSize({ id, links }: Pick<Item, 'id' | 'links'>): number {
  return links.reduce(
    (size, { url }) => size + 1 + Math.floor(url.length / longText),
    1 + Math.floor(id.length / longText),
  );
}

/** What all items of a feed count against the limit `links`. */
export function feedSize({ items }: Pick<Feed, 'items'>): number {
  return items.reduce((size, item) => size + itemSize(item), 0);
}
