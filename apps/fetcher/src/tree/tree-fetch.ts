import type { Collection, CollectionKey, Subscription, SubscriptionId } from '#core';

/** One fetch of a mirrored tree. */
export interface TreeFetch {
  readonly collection: Collection;
  readonly subscription: Subscription;
  /** The id of its manifest. */
  readonly manifest: string;
  /** The address of the root feed: absolute, as links say it, without a fragment. */
  readonly root: string;
}

/** What the jobs of a fetch say of it. */
export function jobOf({ subscription: { collection, id }, manifest }: TreeFetch): {
  readonly version: 1;
  readonly collection: CollectionKey;
  readonly subscription: SubscriptionId;
  readonly manifest: string;
} {
  return { version: 1, collection, subscription: id, manifest };
}
