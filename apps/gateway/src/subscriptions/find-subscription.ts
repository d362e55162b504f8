import { nameOf } from '#core';
import type { CollectionKey, Subscription, SubscriptionId } from '#core';
import { findCollection } from '../collections/find-collection.ts';
import type { GatewayPorts } from '../gateway-ports.ts';
import { ProblemError } from '../problems/problem-error.ts';

/** Throws `ProblemError` 404 if there is no such collection or subscription. */
export async function findSubscription(
  ports: GatewayPorts,
  collection: CollectionKey,
  id: SubscriptionId,
): Promise<Subscription> {
  const subscription = await ports.store.subscriptions.find(collection, id);
  if (subscription !== undefined) return subscription;
  await findCollection(ports, collection);
  throw new ProblemError(
    404,
    'subscription-not-found',
    `The collection "${nameOf(collection)}" has no subscription "${id}".`,
  );
}
