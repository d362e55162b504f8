import type { CollectionKey, Store, Subscription } from '#core';

/** What a tree is a mirror of; undefined of a tree of our own. */
export async function mirrored(
  { subscriptions }: Pick<Store, 'subscriptions'>,
  collection: CollectionKey,
): Promise<Subscription | undefined> {
  return (await subscriptions.list(collection, { limit: 1 }))[0];
}
