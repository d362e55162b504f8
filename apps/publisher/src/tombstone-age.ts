import { isFeedTree, protocolOf } from '#protocols';
import type { Collection } from '#core';
import { after } from './times.ts';

/**
 * After how many seconds a published tombstone is removed; undefined if never. In a tree of feeds they stand
 * in no feed: readers see a deletion by the date that it has left on the feed.
 */
export function tombstoneAge(collection: Pick<Collection, 'protocol' | 'settings'>): number | undefined {
  const { settings } = collection;
  return settings.tombstoneAge ?? (isFeedTree(collection) ? settings.expiresAfter : undefined);
}

/**
 * The earliest time at which a tombstone may have to be removed because of a publication; undefined if never.
 * Where feeds state times, those of the publication before it may be past their age already: while it was the
 * last one they stayed.
 */
export function tombstonesDue(
  collection: Pick<Collection, 'protocol' | 'settings'>,
  publishedAt: Date,
): Date | undefined {
  const age = tombstoneAge(collection);
  if (age === undefined) return undefined;
  const { statesPublicationTimes, structure } = protocolOf(collection);
  return statesPublicationTimes && structure === 'items' ? publishedAt : after(publishedAt, age);
}
