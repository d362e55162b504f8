import { createHash } from 'node:crypto';
import type { PublisherData } from '#xml';
import { pathSegment } from '#contracts';
import { nameOf } from '#core';
import type { Collection, CollectionKey, ItemId, StoredItem } from '#core';

/** The name space of our `atom:id`s (RFC 9562, a version 5 identifier of its own). */
const nameSpace = Buffer.from('5b0d53c1f1d65c6f9d2e3f1f0a6f6a11', 'hex');

/**
 * The publisher-specific part of an item (Implementation Notes, Note 1): an `atom:id` that depends on the
 * endpoint and the item's id alone and so never changes, the time of the topmost history, and our edit link.
 * @param called the item's `atom:id`
 */
export function publisherData(
  collection: Collection,
  { id, version }: Pick<StoredItem, 'id' | 'version'>,
  publicUrl: string,
  now: Date,
  called = publishedId(collection, id),
): PublisherData {
  return {
    id: called,
    updated: version.history?.when ?? formatDateTime(now),
    editUrl: itemUrl(publicUrl, collection.key, id),
    author: collection.title,
  };
}

/**
 * The `source` of a collection's events. Of two installations never the same, as an endpoint identifier is
 * unique (FeedSync 2.1.1), whatever addresses they are reached at.
 */
export function eventSource({ endpoint }: Pick<Collection, 'endpoint'>): string {
  return `urn:feedmesh:${endpoint}`;
}

/**
 * The `atom:id` of a collection's feeds. It never changes: it has the first endpoint identifier, whichever
 * the collection has now.
 */
export function feedUrn(collection: Identified): string {
  return `urn:feedmesh:${firstEndpoint(collection)}`;
}

/**
 * What an item is called in our feeds, its `atom:id` and its `guid`: by the first endpoint identifier and the
 * item's id alone, so it never changes.
 */
export function publishedId(collection: Identified, id: string): string {
  return `urn:uuid:${nameBasedUuid(`${firstEndpoint(collection)}\n${id}`)}`;
}

type Identified = Pick<Collection, 'endpoint' | 'retiredEndpoints'>;

function firstEndpoint({ endpoint, retiredEndpoints = [] }: Identified): string {
  return retiredEndpoints[0] ?? endpoint;
}

/** Where an item is read and edited. */
export function itemUrl(publicUrl: string, collection: CollectionKey, id: ItemId): string {
  return `${publicUrl}/v1/collections/${nameOf(collection)}/items/${pathSegment(id)}`;
}

/** A time as FeedSync writes it (2.1.5): whole seconds, UTC, `2005-05-21T09:43:33Z`. */
export function formatDateTime(time: Date): string {
  return `${time.toISOString().slice(0, 19)}Z`;
}

function nameBasedUuid(name: string): string {
  const bytes = createHash('sha1').update(nameSpace).update(name).digest().subarray(0, 16);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x50;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = bytes.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
