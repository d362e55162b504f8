import { createHash } from 'node:crypto';
import type { mongo } from 'mongoose';
import { comparableUrl } from '#core';
import type { CollectionKey, Subscription } from '#core';
import { keyOf } from './key.ts';
import { lostWrites } from './lost-writes.ts';
import type { SubscriptionDocument } from './subscription-document.ts';

type Reader = Pick<Subscription, 'collection' | 'id' | 'url'>;

/** The key of a feed in a collection: `<collection>/<digest of its comparable URL>`. One row may have it. */
export function feedKeyOf({ collection, url }: Pick<Reader, 'collection' | 'url'>): string {
  return keyOf(collection, createHash('sha256').update(comparableUrl(url)).digest('base64url'));
}

/** The key of a row that reads a feed although another one may: `<key of the feed>/<id>`. */
export function furtherFeedKeyOf(reader: Reader): string {
  return `${feedKeyOf(reader)}/${reader.id}`;
}

/** The keys of all rows that read a feed, for `$in`. */
export function feedKeysOf(feed: Pick<Reader, 'collection' | 'url'>): [string, RegExp] {
  const key = feedKeyOf(feed);
  // No character of a key means anything else here.
  return [key, new RegExp(`^${key}/`)];
}

/** A condition on the rows of collections that were stored before they had keys. */
export function withoutFeedKey(collections: readonly CollectionKey[]) {
  return { collection: { $in: collections }, feedKey: null };
}

/**
 * Gives their keys to rows that were stored without one, or whose url was changed without it. Of several that
 * read a feed, one has its key.
 */
export async function mendFeedKeys(
  rows: mongo.Collection<SubscriptionDocument>,
  found: readonly SubscriptionDocument[],
): Promise<void> {
  const write = async (readers: readonly SubscriptionDocument[], keyFor: (reader: Reader) => string) => {
    const updates = readers.map(({ _id, collection, id, url, feedKey = null }) => ({
      updateOne: {
        filter: { _id, url, feedKey },
        update: { $set: { feedKey: keyFor({ collection, id, url }) } },
      },
    }));
    return updates.length === 0 ? [] : lostWrites(rows.bulkWrite(updates, { ordered: false }));
  };
  const wrong = found.filter(
    (reader) => reader.feedKey !== feedKeyOf(reader) && reader.feedKey !== furtherFeedKeyOf(reader),
  );
  const lost = await write(wrong, feedKeyOf);
  await write(
    lost.flatMap((place) => wrong[place] ?? []),
    furtherFeedKeyOf,
  );
}
