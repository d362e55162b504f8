import { createHash } from 'node:crypto';
import { itemId } from '#core';
import type { ItemId } from '#core';

/** How long a guid may be, in characters, to stand in an id as it is. */
const maximumGuidLength = 512;

/**
 * The id of an item in a feed of a tree: `<feed>:<guid>`; of a long guid its SHA-256. The ids of feeds hold
 * no colon.
 */
export function treeItemId(feed: string, guid: string): ItemId {
  if (guid.length <= maximumGuidLength) return itemId(`${feed}:${guid}`);
  return itemId(`${feed}:sha256-${createHash('sha256').update(guid).digest('hex')}`);
}

/** The feed that an item with this id stands in. */
export function feedOfItem(id: ItemId): string {
  return id.slice(0, id.indexOf(':'));
}
