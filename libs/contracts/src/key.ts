import { z } from 'zod';
import { collectionName, subscriptionName } from './name.ts';

/** A collection's key as it stands in a job. */
export const collectionKeyText = collectionName.brand<'CollectionKey'>();
/**
 * What identifies a collection: what functions take, and what rows, leases, jobs and streams hold. People see
 * its name instead (`nameOf`).
 */
export type CollectionKey = z.infer<typeof collectionKeyText>;

/** The key of the collection with this name. */
export function collectionKey(name: string): CollectionKey {
  return name as CollectionKey;
}

/** The name that people know a collection by. */
export function nameOf(key: CollectionKey): string {
  return key;
}

/** A subscription's id as it stands in a job. */
export const subscriptionIdText = subscriptionName.brand<'SubscriptionId'>();
/** The id of a subscription within its collection. */
export type SubscriptionId = z.infer<typeof subscriptionIdText>;

/** The text as the id of a subscription. */
export function subscriptionId(text: string): SubscriptionId {
  return text as SubscriptionId;
}

/** An item's id as it stands in a command or a body. */
export const itemIdText = z.string().min(1).brand<'ItemId'>();
/** The id of an item within its collection: any text, as the feed has it. */
export type ItemId = z.infer<typeof itemIdText>;

/** The text as the id of an item. */
export function itemId(text: string): ItemId {
  return text as ItemId;
}
