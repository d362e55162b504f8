import type { Store } from '#core';

/**
 * A feed of a tree and all above it: those with an item that links to it as a nested feed, those that link to
 * them, and so on.
 */
export async function feedsAbove(
  items: Pick<Store['items'], 'linking'>,
  collection: string,
  feed: string,
): Promise<ReadonlySet<string>> {
  const above = new Set([feed]);
  for (let level = [feed]; level.length > 0;) {
    level = [...new Set((await items.linking(collection, level)).map((link) => link.feed))].filter(
      (one) => !above.has(one),
    );
    for (const one of level) above.add(one);
  }
  return above;
}
