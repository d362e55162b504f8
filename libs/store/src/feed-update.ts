import type { UpdateWithAggregationPipeline } from 'mongoose';
import type { TreeFeed } from '#core';

/**
 * The update, with upsert, that puts a feed: a new title or head is another revision, and pending. A new feed
 * is neither.
 */
export function feedUpdate({
  collection,
  id,
  title,
  head,
  url,
  createdAt,
}: Omit<TreeFeed, 'publishedAt'>): UpdateWithAggregationPipeline {
  const isNew = { $eq: [{ $type: '$createdAt' }, 'missing'] };
  const isOther = { $or: [{ $ne: ['$title', { $literal: title }] }, { $ne: ['$head', { $literal: head }] }] };
  const isChanged = { $and: [{ $not: [isNew] }, isOther] };
  return [
    {
      $set: {
        collection: { $literal: collection },
        id: { $literal: id },
        title: { $literal: title },
        head: { $literal: head },
        url: url === undefined ? '$$REMOVE' : { $literal: url },
        createdAt: { $ifNull: ['$createdAt', createdAt] },
        revision: { $add: [{ $ifNull: ['$revision', 0] }, { $cond: [isChanged, 1, 0] }] },
        pending: { $or: [isChanged, { $ifNull: ['$pending', false] }] },
      },
    },
  ];
}
