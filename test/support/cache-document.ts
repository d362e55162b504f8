import { keepFeed } from '#items';
import type { CachedCopy, CollectionKey, Store } from '#core';
import type { ScanLimits } from '#xml';

interface CachedText {
  readonly url: string;
  readonly text: string;
  readonly isFeed: boolean;
  /** What it is in step with. */
  readonly lastBuildDate: string;
  readonly type?: string;
  readonly at?: Date;
  readonly manifest?: string;
  /** Of a feed; the defaults if absent. */
  readonly limits?: Partial<ScanLimits>;
}

/** Puts a document into the cache of a mirror as a download does. */
export async function cacheDocument(
  { contents, documents }: Pick<Store, 'contents' | 'documents'>,
  collection: CollectionKey,
  { url, text, isFeed, lastBuildDate, type, at = new Date(), manifest = 'm1', limits }: CachedText,
): Promise<CachedCopy> {
  const body = (async function* () {
    yield Buffer.from(text);
  })();
  const written = { at, ...(type !== undefined && { type }) };
  const { content, ...parsed } = isFeed
    ? await keepFeed(contents, collection, body, { base: url, limits, contentType: type }, written)
    : { content: await contents.write(collection, body, written) };
  const { digest, length } = content;
  const copy = { lastBuildDate, digest, length, base: url, isFeed, ...(type && { type }), ...parsed };
  await documents.record(collection, url, { manifest, kind: 'arrived', bytes: length }, copy);
  return copy;
}
