import type { ItemContent } from './item-content.ts';
import type { ItemWrite } from './item-store.ts';
import type { StoredUsage } from './tenant.ts';

/** How many bytes the history of an item may grow by in one change without being held against a limit. */
const historyBytes = 1024;

/** Returns how many bytes an item counts for: its content as it is stored, as JSON. */
export function itemBytes(content: ItemContent): number {
  return Buffer.byteLength(JSON.stringify(content));
}

/** Returns what a write adds to the usage of a tenant; nothing of an item of which nothing is known. */
export function writtenGrowth({ expected, former, item }: ItemWrite): StoredUsage {
  if (former === undefined && expected > 0) return { items: 0, bytes: 0, files: 0 };
  const wasLive = former?.deleted === false ? 1 : 0;
  return {
    items: (item.deleted ? 0 : 1) - wasLive,
    bytes: itemBytes(item.content) - (former === undefined ? 0 : itemBytes(former.content)),
    files: 0,
  };
}

/**
 * Returns what of a write is held against the limits of a tenant. Nothing of a deletion, of a resolution and
 * of an item that is only moved, and nothing of what the history of an item grows by, up to 1 KiB.
 */
export function limitedGrowth(write: ItemWrite): StoredUsage {
  const { items, bytes, files } = writtenGrowth(write);
  const { item, former, isMoved } = write;
  const isFree = item.deleted || isMoved === true || item.conflictCount < (former?.conflictCount ?? 0);
  if (isFree && former !== undefined) return { items: Math.max(0, items), bytes: 0, files };
  return { items, bytes: former === undefined || bytes > historyBytes ? bytes : 0, files };
}
