import { createHash } from 'node:crypto';
import { comparableUrl } from '#core';
import type { Subscription } from '#core';
import { keyOf } from './key.ts';

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
