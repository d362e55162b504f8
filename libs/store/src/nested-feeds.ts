import type { mongo } from 'mongoose';
import type { CollectionKey, PublishedItem } from '#core';
import { chunksOf } from './chunk.ts';
import type { ItemDocument } from './item-document.ts';
import { keyOf } from './key.ts';
import { fromTreeRefsDocument } from './tree-refs-document.ts';

/** The nested feeds that items link to, as `ItemStore.nestedFeeds` says. */
export async function nestedFeedsOf(
  items: mongo.Collection<ItemDocument>,
  collection: CollectionKey,
  wanted: readonly Pick<PublishedItem, 'id' | 'sequence'>[],
): Promise<string[]> {
  const sequences = new Map(wanted.map(({ id, sequence }) => [keyOf(collection, id), sequence]));
  const nested: string[] = [];
  for (const chunk of chunksOf([...sequences.keys()])) {
    const found = items
      .find({ _id: { $in: [...chunk] }, pending: false })
      .project<Pick<ItemDocument, '_id' | 'sequence' | 'branch'>>({ sequence: 1, branch: 1 });
    for await (const { _id, sequence, branch } of found) {
      const feed = branch && fromTreeRefsDocument(branch).nested;
      if (feed !== undefined && sequence === sequences.get(_id)) nested.push(feed);
    }
  }
  return nested;
}
