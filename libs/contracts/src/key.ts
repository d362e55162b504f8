import { z } from 'zod';
import { collectionName, subscriptionName } from './name.ts';

/** A collection's key as it stands in a job. */
export const collectionKeyText = collectionName.brand<'CollectionKey'>();
/**
 * What identifies a collection: what functions take, and what rows, leases, jobs and streams hold. People see
 * its name instead (`nameOf`).
 */
export type CollectionKey = z.infer<typeof collectionKeyText>;

/** A subscription's id as it stands in a job. */
export const subscriptionIdText = subscriptionName.brand<'SubscriptionId'>();
/** The id of a subscription within its collection. */
export type SubscriptionId = z.infer<typeof subscriptionIdText>;

/** The key of the collection with this name. */
export function collectionKey(name: string): CollectionKey {
  return name as CollectionKey;
}

/** The name that people know a collection by. */
export function nameOf(key: CollectionKey): string {
  return key;
}

/** The text as the id of a subscription. */
export function subscriptionId(text: string): SubscriptionId {
  return text as SubscriptionId;
}
