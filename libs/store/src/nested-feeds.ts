import type { mongo } from 'mongoose';
import type { CollectionKey, StoredItem } from '#core';
import { chunksOf } from './chunk.ts';
import type { ItemDocument } from './item-document.ts';
import { keyOf } from './key.ts';

/** The nested feeds that items link to, as `ItemStore.nestedFeeds` says. */
export async function nestedFeedsOf(
  items: mongo.Collection<ItemDocument>,
  collection: CollectionKey,
  wanted: readonly Pick<StoredItem, 'id' | 'revision'>[],
): Promise<string[]> {
  const revisions = new Map(wanted.map(({ id, revision }) => [keyOf(collection, id), revision]));
  const nested: string[] = [];
  for (const chunk of chunksOf([...revisions.keys()])) {
    const found = items
      .find({ _id: { $in: [...chunk] } })
      .project<Pick<ItemDocument, '_id' | 'revision' | 'branch'>>({ revision: 1, 'branch.nested': 1 });
    for await (const { _id, revision, branch } of found)
      if (branch?.nested !== undefined && revision === revisions.get(_id)) nested.push(branch.nested);
  }
  return nested;
}
