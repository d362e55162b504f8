import { itemId, pagesOf, fetchPassOf } from '#core';
import type { CollectionKey, ItemId, Collection, Store, StoredItem, SubscriptionId } from '#core';
import type { MergedFetch } from './fetch-result.ts';
import { holdFetch } from './hold-fetch.ts';
import { retentionOf } from './retention.ts';

/** How many items are looked at in one go. */
const pageLength = 100;

/**
 * Discards what a resynced subscription no longer has (FeedSync 4.1.2): its items that neither the feed nor
 * the complete feed has brought, as `retentionOf` decides. An item that is kept loses this source, an item
 * that is published raises `since` before it goes (4.2.4). May run twice and break off anywhere: what is done
 * is no longer found.
 * @returns how many items are gone; undefined if another fetch has taken over, whose marks this one
 *   can't tell from none
 */
export async function sweep(
  store: Store,
  collection: Collection,
  manifest: Omit<MergedFetch, 'seal'>,
): Promise<number | undefined> {
  if (manifest.rejected > 0)
    await markRejected(store, { subscription: manifest.subscription, manifest: manifest.id }, collection.key);
  let discarded = 0;
  for (;;) {
    const pass = await sweepOnce(store, collection, manifest);
    if (pass === undefined) return undefined;
    if (pass.found === 0) return discarded;
    discarded += pass.discarded;
  }
}

/**
 * Goes once through all items, in ascending order of id. What an edit or another subscription has changed
 * meanwhile may be left over, behind as well as ahead: the sweep ends with a pass that finds nothing.
 * @returns undefined if another fetch has taken over
 */
async function sweepOnce(
  store: Store,
  collection: Collection,
  manifest: Omit<MergedFetch, 'seal'>,
): Promise<{ readonly found: number; readonly discarded: number } | undefined> {
  const { key } = collection;
  const fetchPass = { subscription: manifest.subscription, manifest: manifest.id };
  let [found, discarded] = [0, 0];
  for (let after: ItemId | undefined; ;) {
    const page = await store.items.unseen(key, fetchPass, { limit: pageLength, ...(after && { after }) });
    // Asked after the page was read: while the fetch is in progress no other one has marked anything on it.
    if (!(await holdFetch(store, manifest))) return undefined;
    found += page.length;
    const gone = page.filter((item) => retentionOf(item, collection) === 'discarded');
    const kept = page.filter((item) => !gone.includes(item));
    if (kept.length > 0)
      await store.items.forget(
        key,
        fetchPass,
        kept.map(({ id }) => id),
      );
    discarded += await discard(store, key, gone);
    if (page.length < pageLength) return { found, discarded };
    after = page.at(-1)?.id;
  }
}

async function discard(
  store: Store,
  collection: CollectionKey,
  items: readonly StoredItem[],
): Promise<number> {
  if (items.length === 0) return 0;
  const since = Math.max(0, ...items.map(({ sequence = 0 }) => sequence));
  if (since > 0) await store.collections.raiseSince(collection, since);
  // One that was edited, or brought by another subscription, in the meantime stays, and is decided again.
  const removed = await store.items.remove(
    collection,
    items.map(({ id, revision, sources }) => ({ id, revision, sources })),
  );
  return removed.length;
}

/** Marks the items whose version in the feed was rejected: they are still the publisher's. */
async function markRejected(
  store: Store,
  { subscription, manifest }: { subscription: SubscriptionId; manifest: string },
  collection: CollectionKey,
): Promise<void> {
  const pages = pagesOf(
    (page) => store.deadLetters.list({ ...page, collection }),
    ({ id }) => id,
    pageLength,
  );
  for await (const letters of pages) {
    const ids = letters.flatMap((letter) =>
      letter.subscription === subscription && letter.fragment?.id !== undefined
        ? [itemId(letter.fragment.id)]
        : [],
    );
    const items = ids.length > 0 ? await store.items.load(collection, ids) : new Map<ItemId, StoredItem>();
    const marks = [...items].flatMap(([id, { sources }]) =>
      sources
        .filter((source) => source.subscription === subscription)
        .map((source) => ({ ...source, id, fetchPass: fetchPassOf(manifest, 'complete') })),
    );
    if (marks.length > 0) await store.items.remember(collection, marks);
  }
}
