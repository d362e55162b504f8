import type { mongo } from 'mongoose';
import type { CollectionKey } from '#core';
import { chunksOf } from './chunk.ts';
import type { ItemDocument } from './item-document.ts';

/** How many items refer to each of these contents, as `ItemStore.referring` says. */
export async function itemsReferring(
  items: mongo.Collection<ItemDocument>,
  collection: CollectionKey,
  digests: readonly string[],
): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  for (const chunk of chunksOf(digests)) {
    const counted = items.aggregate<{ _id: string; count: number }>([
      { $match: { collection, deleted: false, 'branch.files': { $in: chunk } } },
      { $project: { _id: 0, digest: { $setIntersection: ['$branch.files', { $literal: chunk }] } } },
      { $unwind: '$digest' },
      { $group: { _id: '$digest', count: { $sum: 1 } } },
    ]);
    for await (const { _id, count } of counted) counts.set(_id, count);
  }
  return counts;
}
