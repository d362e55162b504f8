import type { mongo } from 'mongoose';
import type { CollectionKey, ItemId, Source, StoredItem } from '#core';
import { chunksOf } from './chunk.ts';
import type { IssuedDocument } from './issued-document.ts';
import { keepIssued } from './issued-rows.ts';
import type { ItemDocument } from './item-document.ts';
import { itemIdOf, keyOf } from './key.ts';
import { withSources } from './source-filter.ts';

/** An item to remove if it is still at this revision, and has these sources if any are given. */
export type RemovedItem = Pick<StoredItem, 'id' | 'revision'> & { readonly sources?: readonly Source[] };

/**
 * Removes items that are as they were, and keeps what was signed of them, as `ItemStore.remove` says.
 * @returns the ids of those that are gone
 */
export async function removeUnchanged(
  rows: mongo.Collection<ItemDocument>,
  issued: mongo.Collection<IssuedDocument>,
  collection: CollectionKey,
  items: readonly RemovedItem[],
): Promise<ItemId[]> {
  if (items.length === 0) return [];
  await keepIssued(
    rows,
    issued,
    items.map(({ id }) => keyOf(collection, id)),
  );
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
  return items.map(({ id }) => id).filter((id) => !keptIds.has(id));
}
