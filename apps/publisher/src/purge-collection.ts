import { isFeedTree, protocolOf } from '#protocols';
import type { Collection, Store } from '#core';
import { feedWindow } from './feed-window.ts';
import { purgeTree } from './purge-tree.ts';
import { before, beyond, earliest } from './times.ts';
import { edgeAfter, windowEdge } from './window-edge.ts';

/** What one purge goes by. */
interface PurgeLimits {
  readonly now: Date;
  /** Tombstones looked at in one step. */
  readonly step: number;
  /** A `since` of this collection that readers have been given for a while; 0 if none is known. */
  readonly announced: number;
}

/** How far a purge has come. */
interface Purged {
  /** The collection's `since` as it is now at least. */
  readonly since: number;
  /** When there may be something to purge next; absent if nothing will be unless it is published. */
  readonly nextAt?: Date;
}

/**
 * Takes from a collection's partial feed what has to leave it by now, and from the collection the tombstones
 * that are past their age. What leaves raises `since` to its sequence first (FeedSync 4.2.4). A tombstone is
 * removed only once `since` has been at or above it for a while: who was given an earlier `since` is still
 * reading, and would not know that one is missing. Of a tree of feeds only the tombstones go.
 *
 * It needs no lease: `since` never becomes smaller, and a tombstone that has changed meanwhile stays.
 */
export async function purgeCollection(
  { collections, items }: Pick<Store, 'collections' | 'items'>,
  collection: Collection,
  { now, step, announced }: PurgeLimits,
): Promise<Purged> {
  const { key, settings, publication } = collection;
  let { since } = publication;
  if (isFeedTree(collection)) return purged(since, await purgeTree(items, collection, { now, step }));
  const raise = async (sequence: number): Promise<void> => {
    // An item may have been published since the collection was read; `since` is not raised beyond that.
    const raised = Math.min(sequence, publication.sequence);
    if (raised <= since) return;
    await collections.raiseSince(key, raised);
    since = raised;
  };
  const removable = Math.min(announced, publication.since);
  const edge = await windowEdge(items, collection, feedWindow(settings, since, now), now);
  await raise(edge.since);
  const leavesAt = edge.since > publication.sequence ? now : edge.nextAt;
  if (settings.tombstoneAge === undefined) return purged(since, leavesAt);
  const publishedBefore = expiry(collection, settings.tombstoneAge, now);
  for (;;) {
    const expired = await items.expiredTombstones(key, publishedBefore, step);
    const last = Math.max(0, ...expired.map(({ sequence = 0 }) => sequence));
    if (last > since) await raise(await edgeAfter(items, collection, { sequence: last, publishedBefore }));
    const gone = await items.remove(
      key,
      expired.filter(({ sequence }) => sequence !== undefined && sequence <= removable),
    );
    if (gone.length > 0 && expired.length === step) continue;
    if (gone.length < expired.length) return purged(since, now);
    const oldest = await items.oldestTombstone(key);
    const expiresAt = oldest && beyond(oldest, settings.tombstoneAge);
    // One that is past its age by then is of the last publication, and stays until the next.
    return purged(since, earliest(leavesAt, expiresAt && expiresAt > now ? expiresAt : undefined));
  }
}

function purged(since: number, nextAt: Date | undefined): Purged {
  return { since, ...(nextAt && { nextAt }) };
}

/**
 * The time before which a tombstone was published that is past its age. Where feeds state times, those of
 * the last publication stay, as the window does.
 */
function expiry(collection: Collection, tombstoneAge: number, now: Date): Date {
  const { updatedAt } = collection.publication;
  const expired = before(now, tombstoneAge);
  return protocolOf(collection).statesPublicationTimes && updatedAt !== undefined && updatedAt < expired
    ? updatedAt
    : expired;
}
