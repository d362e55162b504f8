import type { mongo } from 'mongoose';
import { fetchPassOf } from '#core';
import type { Source, SubscriptionId } from '#core';
import type { ItemDocument } from './item-document.ts';

/**
 * A condition on one of an item's sources: it is of this subscription, and none of the manifest's documents
 * has brought it.
 */
export function unseenSource({
  subscription,
  manifest,
}: {
  subscription: SubscriptionId;
  manifest: string;
}): { subscription: mongo.FilterOperators<SubscriptionId>; fetchPass: mongo.FilterOperators<string> } {
  return {
    subscription: { $eq: subscription },
    fetchPass: { $nin: [fetchPassOf(manifest, 'feed'), fetchPassOf(manifest, 'complete')] },
  };
}

/**
 * A condition on an item: it has these very sources, in whatever order. There is at most one for each
 * subscription.
 */
export function withSources(sources: readonly Source[]): mongo.Filter<ItemDocument> {
  const each = sources.map(({ subscription, digest, fetchPass }) => ({
    sources: { $elemMatch: { subscription, digest, fetchPass: fetchPass ?? { $exists: false } } },
  }));
  return { $and: [{ sources: { $size: sources.length } }, ...each] };
}
