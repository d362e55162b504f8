import type { FeedFormat, Format } from '#xml';
import { feedUrl } from '#protocol';
import { isHierarchical, readerAddress } from '#protocol';
import { protocolOf } from '#protocols';
import type { FeedVariant } from '#protocol';
import type { Collection } from '#core';

/** The formats that a collection is published in. */
export function publishedFormats(collection: Pick<Collection, 'protocol' | 'format'>): readonly Format[] {
  return protocolOf(collection).publishedFormats(collection.format);
}

/** Where a collection's feed is in each format that it is published in. */
export function feedUrls(
  publicUrl: string,
  collection: Pick<Collection, 'key' | 'protocol' | 'format'>,
  variant: FeedVariant,
): Readonly<Partial<Record<Format, string>>> {
  return Object.fromEntries(
    publishedFormats(collection).map((format) => [
      format,
      feedUrl(publicUrl, { key: collection.key, format }, variant),
    ]),
  );
}

/** Where the feeds for feed readers are; undefined for a collection of outlines, which are no entries. */
export function readerFeedUrls(
  publicUrl: string,
  collection: Pick<Collection, 'key' | 'format'>,
): Readonly<Record<FeedFormat, string>> | undefined {
  if (isHierarchical(collection)) return undefined;
  const address = readerAddress(collection, publicUrl);
  return { atom: `${address}.atom`, rss: `${address}.rss` };
}
