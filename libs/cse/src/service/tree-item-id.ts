import { createHash } from 'node:crypto';

/** How long a guid may be, in characters, to stand in an id as it is. */
const maximumGuidLength = 512;

/**
 * The id of an item in a feed of a tree: `<feed>:<guid>`; of a long guid its SHA-256. The ids of feeds hold
 * no colon.
 */
export function treeItemId(feed: string, guid: string): string {
  if (guid.length <= maximumGuidLength) return `${feed}:${guid}`;
  return `${feed}:sha256-${createHash('sha256').update(guid).digest('hex')}`;
}

/** The feed that an item with this id stands in. */
export function feedOfItem(id: string): string {
  return id.slice(0, id.indexOf(':'));
}
