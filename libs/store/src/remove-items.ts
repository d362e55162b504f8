import type { mongo } from 'mongoose';
import type { CollectionKey, ItemId, Source, StoredItem } from '#core';
import { chunksOf } from './chunk.ts';
import type { IssuedDocument } from './issued-document.ts';
import { keepIssued } from './issued-rows.ts';
import type { ItemDocument } from './item-document.ts';
import { itemIdOf, keyOf } from './key.ts';
import { withSources } from './source-filter.ts';
import type { UsageCounter } from './usage-counter.ts';

/** An item to remove if it is still at this revision, and has these sources if any are given. */
export type RemovedItem = Pick<StoredItem, 'id' | 'revision'> & { readonly sources?: readonly Source[] };

/**
 * Removes items that are as they were, and keeps what was signed of them, as `ItemStore.remove` says.
 * @returns the ids of those that are gone
 */
export async function removeUnchanged(
  rows: mongo.Collection<ItemDocument>,
  issued: mongo.Collection<IssuedDocument>,
  usage: UsageCounter,
  collection: CollectionKey,
  items: readonly RemovedItem[],
): Promise<ItemId[]> {
  if (items.length === 0) return [];
  await keepIssued(
    rows,
    issued,
    items.map(({ id }) => keyOf(collection, id)),
  );
  const sizes = usage.counts(collection) ? await sizesOf(rows, collection, items) : undefined;
  await rows.bulkWrite(
    items.map(({ id, revision, sources }) => ({
      deleteOne: { filter: { _id: keyOf(collection, id), revision, ...(sources && withSources(sources)) } },
    })),
    { ordered: false },
  );
  // A bulk does not say which of its deletions found something.
  const keptIds = new Set<ItemId>();
  for (const chunk of chunksOf(items, ({ id }) => id.length)) {
    const kept = await rows
      .find({ _id: { $in: chunk.map(({ id }) => keyOf(collection, id)) } })
      .project<Pick<ItemDocument, '_id'>>({ _id: 1 })
      .toArray();
    for (const { _id } of kept) keptIds.add(itemIdOf(_id));
  }
  const gone = items.map(({ id }) => id).filter((id) => !keptIds.has(id));
  for (const id of gone) {
    const size = sizes?.get(id);
    if (size !== undefined) usage.add(collection, { items: size.deleted ? 0 : -1, bytes: -size.bytes });
  }
  return gone;
}

/** What items count for, of those that are there. */
async function sizesOf(
  rows: mongo.Collection<ItemDocument>,
  collection: CollectionKey,
  items: readonly RemovedItem[],
): Promise<Map<ItemId, { readonly deleted: boolean; readonly bytes: number }>> {
  const sizes = new Map<ItemId, { readonly deleted: boolean; readonly bytes: number }>();
  for (const chunk of chunksOf(items, ({ id }) => id.length)) {
    const found = await rows
      .find({ _id: { $in: chunk.map(({ id }) => keyOf(collection, id)) } })
      .project<{ _id: string; deleted: boolean; bytes: number }>({
        deleted: 1,
        bytes: { $strLenBytes: '$content' },
      })
      .toArray();
    for (const { _id, deleted, bytes } of found) sizes.set(itemIdOf(_id), { deleted, bytes });
  }
  return sizes;
}
