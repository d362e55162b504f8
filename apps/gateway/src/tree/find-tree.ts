import { mirrored } from '#items';
import { isFeedTree } from '#protocols';
import { nameOf } from '#core';
import type { Collection, CollectionKey, TreeFeed } from '#core';
import { findCollection } from '../collections/find-collection.ts';
import type { GatewayPorts } from '../gateway-ports.ts';
import { ProblemError } from '../problems/problem-error.ts';

/** Throws `ProblemError` 404 if there is no such collection, 409 if it is no tree of feeds. */
export async function findTree(ports: Pick<GatewayPorts, 'store'>, key: CollectionKey): Promise<Collection> {
  const collection = await findCollection(ports, key);
  if (isFeedTree(collection)) return collection;
  throw new ProblemError(
    409,
    'not-a-tree',
    `The collection "${nameOf(key)}" has the protocol ${collection.protocol}; only one of the protocol ` +
      'cse is a tree of feeds.',
  );
}

/**
 * A tree of our own. Throws as `findTree` does, and `ProblemError` 409 for a mirror: what is in it is its
 * publisher's.
 */
export async function findOwnTree(
  ports: Pick<GatewayPorts, 'store'>,
  key: CollectionKey,
): Promise<Collection> {
  const collection = await findTree(ports, key);
  await refuseMirror(ports, key);
  return collection;
}

/** Throws `ProblemError` 409 for a mirror. */
export async function refuseMirror(
  { store }: Pick<GatewayPorts, 'store'>,
  key: CollectionKey,
): Promise<void> {
  const subscription = await mirrored(store, key);
  if (subscription === undefined) return;
  throw new ProblemError(
    409,
    'mirror',
    `The collection "${nameOf(key)}" is a mirror of ${subscription.url}: only the publisher changes what ` +
      `is in it. Without its subscription "${subscription.id}" the tree is your own.`,
  );
}

/** Throws `ProblemError` 404 if the tree has no such feed. */
export async function findTreeFeed(
  { store }: Pick<GatewayPorts, 'store'>,
  collection: CollectionKey,
  id: string,
): Promise<TreeFeed> {
  const feed = (await store.feeds.load(collection, [id])).get(id);
  if (feed === undefined)
    throw new ProblemError(
      404,
      'feed-not-found',
      `The tree "${nameOf(collection)}" has no feed "${id}". GET ` +
        `/v1/collections/${nameOf(collection)}/feeds lists those that it has.`,
    );
  return feed;
}
