import { notUniqueRule } from '#items';
import { itemId, pagesOf, fetchPassOf } from '#core';
import type { Store, StoredItem } from '#core';
import type { MergedFetch } from './fetch-result.ts';

/** How many letters are looked at in one go. */
const pageLength = 100;

/**
 * Removes the dead letters of items that someone else had signed as we do, and that this fetch has brought in
 * a version that was merged: what they hold is no longer what the feed says.
 */
export async function removeOutdatedLetters(
  { items, deadLetters }: Pick<Store, 'items' | 'deadLetters'>,
  manifest: Omit<MergedFetch, 'seal'>,
): Promise<void> {
  const { id: fetch, collection, subscription, openedAt } = manifest;
  const fetchPasses = [fetchPassOf(fetch, 'feed'), fetchPassOf(fetch, 'complete')];
  const isBrought = (item: StoredItem | undefined): boolean =>
    item?.sources.some(
      (source) =>
        source.subscription === subscription &&
        source.fetchPass !== undefined &&
        fetchPasses.includes(source.fetchPass),
    ) === true;
  const pages = pagesOf(
    (page) => deadLetters.list({ ...page, collection, rule: notUniqueRule }),
    ({ id }) => id,
    pageLength,
  );
  for await (const page of pages) {
    const letters = page.filter((letter) => letter.subscription === subscription && letter.at < openedAt);
    const stored = await items.load(
      collection,
      letters.flatMap(({ fragment }) => (fragment?.id === undefined ? [] : [itemId(fragment.id)])),
    );
    for (const { id, fragment } of letters)
      if (isBrought(stored.get(itemId(fragment?.id ?? '')))) await deadLetters.remove(id);
  }
}
