import { isFeedTree } from '#protocols';
import type { CollectionKey, Subscription, SubscriptionId } from '#core';
import { findCollection } from '../collections/find-collection.ts';
import type { GatewayPorts } from '../gateway-ports.ts';
import { ProblemError } from '../problems/problem-error.ts';
import { endMirror } from '../tree/mirror.ts';
import { findSubscription } from './find-subscription.ts';

/** Fetches a feed now, unless it is paused. Throws `ProblemError` 404, and 409 for a feed that is gone. */
export async function refresh(
  ports: GatewayPorts,
  collection: CollectionKey,
  id: SubscriptionId,
): Promise<Subscription> {
  return fetchSoon(ports, collection, id, 'it was requested', false);
}

/** Takes a paused subscription up again, and fetches its feed now. Throws as `refresh` does. */
export async function resume(
  ports: GatewayPorts,
  collection: CollectionKey,
  id: SubscriptionId,
): Promise<Subscription> {
  return fetchSoon(ports, collection, id, 'it was just resumed', true);
}

/** Fetches no more until it is resumed. Throws as `refresh` does. */
export async function pause(
  ports: GatewayPorts,
  collection: CollectionKey,
  id: SubscriptionId,
): Promise<Subscription> {
  const paused = await ports.store.subscriptions.pause(collection, id);
  if (paused?.hub !== undefined) await ports.store.hubs.wake(collection, id, ports.clock.now());
  return paused ?? refuse(ports, collection, id);
}

/** Ends a subscription; the items that it brought stay. Throws `ProblemError` 404. */
export async function unsubscribe(
  ports: GatewayPorts,
  collection: CollectionKey,
  id: SubscriptionId,
): Promise<void> {
  const { store, clock } = ports;
  const isRemoved = await store.subscriptions.remove(collection, id);
  await store.hubs.wake(collection, id, clock.now());
  if (isFeedTree(await findCollection(ports, collection))) await endMirror(ports.store, collection);
  if (!isRemoved) await findSubscription(ports, collection, id);
}

async function fetchSoon(
  ports: GatewayPorts,
  collection: CollectionKey,
  id: SubscriptionId,
  nextFetchReason: string,
  activate: boolean,
): Promise<Subscription> {
  const next = { nextFetchAt: ports.clock.now(), nextFetchReason };
  const subscription = await ports.store.subscriptions.refresh(collection, id, next, activate);
  if (subscription === undefined) return refuse(ports, collection, id);
  if (subscription.status === 'active') ports.jobs.fetch(collection, id);
  return subscription;
}

async function refuse(ports: GatewayPorts, collection: CollectionKey, id: SubscriptionId): Promise<never> {
  const { url } = await findSubscription(ports, collection, id);
  throw new ProblemError(
    409,
    'subscription-gone',
    `The feed ${url} is gone: its server said so (410). PUT the subscription again to try it once more.`,
  );
}
