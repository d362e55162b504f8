import type { FeedFormat, Format } from '#feed-xml';
import { isHierarchical, readerAddress } from '#items';
import type { Collection } from '#core';

/** The window of the latest changes, or all items (FeedSync 4, SSE 2.2.1). */
export type FeedVariant = 'partial' | 'complete';

/** Where a collection's feed in a format is. */
export function feedUrl(
  publicUrl: string,
  { name, format }: Pick<Collection, 'name' | 'format'>,
  variant: FeedVariant,
): string {
  return variant === 'partial'
    ? `${publicUrl}/feeds/${name}.${format}`
    : `${publicUrl}/feeds/${name}/complete.${format}`;
}

/**
 * The formats that a collection is published in: both of FeedSync's, and of SSE its own, since its items are
 * copied whole.
 */
export function publishedFormats({
  protocol,
  format,
}: Pick<Collection, 'protocol' | 'format'>): readonly Format[] {
  return protocol === 'feedsync' ? ['atom', 'rss'] : [format];
}

/** Where a collection's feed is in each format that it is published in. */
export function feedUrls(
  publicUrl: string,
  collection: Pick<Collection, 'name' | 'protocol' | 'format'>,
  variant: FeedVariant,
): Readonly<Partial<Record<Format, string>>> {
  return Object.fromEntries(
    publishedFormats(collection).map((format) => [
      format,
      feedUrl(publicUrl, { name: collection.name, format }, variant),
    ]),
  );
}

/** Where the feeds for feed readers are; undefined for a collection of outlines, which are no entries. */
export function readerFeedUrls(
  publicUrl: string,
  collection: Pick<Collection, 'name' | 'format'>,
): Readonly<Record<FeedFormat, string>> | undefined {
  if (isHierarchical(collection)) return undefined;
  const address = readerAddress(collection, publicUrl);
  return { atom: `${address}.atom`, rss: `${address}.rss` };
}

/**
 * An address as an absolute-URI (RFC 3986, 4.3), normalised and without a fragment: equal for the same feed.
 * Takes a valid URL.
 */
export function comparableUrl(url: string): string {
  const absolute = new URL(url);
  absolute.hash = '';
  return absolute.href;
}
