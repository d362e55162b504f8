import type { mongo } from 'mongoose';
import type { CollectionKey } from '#core';
import { chunksOf } from './chunk.ts';
import type { ItemDocument } from './item-document.ts';
import { fileRef, fromTreeRefsDocument } from './tree-refs-document.ts';
import type { TreeRefsDocument } from './tree-refs-document.ts';

/** How many items refer to each of these contents, as `ItemStore.referring` says. */
export async function itemsReferring(
  items: mongo.Collection<ItemDocument>,
  collection: CollectionKey,
  digests: readonly string[],
): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  for (const chunk of chunksOf(digests)) {
    const refs = chunk.map(fileRef);
    const counted = items.aggregate<{ _id: TreeRefsDocument[number]; count: number }>([
      { $match: { collection, deleted: false, branch: { $in: refs } } },
      { $project: { _id: 0, ref: { $setIntersection: ['$branch', { $literal: refs }] } } },
      { $unwind: '$ref' },
      { $group: { _id: '$ref', count: { $sum: 1 } } },
    ]);
    for await (const { _id, count } of counted)
      for (const digest of fromTreeRefsDocument([_id]).files) counts.set(digest, count);
  }
  return counts;
}
