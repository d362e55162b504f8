import type { DownloadFailure } from '#core';
import type { Feed } from './feed.ts';

/** A document to download. */
export interface Download {
  readonly url: string;
  /** Whether it is to be read as a feed; otherwise it is saved as it is. */
  readonly isFeed: boolean;
  /** How many links it is below the root, which is 0. */
  readonly depth: number;
  /** Of the newest item that links to it: what the cache is in step with afterwards. */
  readonly lastBuildDate: string;
}

/** What came of a download. `bytes` count against the limit of that name. */
export type Arrival =
  | { readonly kind: 'feed'; readonly feed: Feed; readonly bytes?: number }
  | { readonly kind: 'file'; readonly bytes: number }
  /** What the cache holds is still so (HTTP 304); only for what it holds. */
  | { readonly kind: 'unchanged' }
  /** A feed that is larger than `TreeWalk.linksLeft` says, and was not read to its end. */
  | { readonly kind: 'too-large' }
  | ({ readonly kind: 'failed' } & DownloadFailure);

/** A document that could not be downloaded, or was not requested because of a limit. */
export interface Failure extends DownloadFailure {
  readonly url: string;
}

/** What a cache knows of a document for a conditional GET, as the server sent it. */
interface Validators {
  readonly etag?: string;
  readonly lastModified?: string;
}

/**
 * The request for a download: a conditional GET, unless the cache does not hold the document, or not as the
 * feed that is wanted.
 */
export function requestOf(
  { url, isFeed }: Pick<Download, 'url' | 'isFeed'>,
  cached: (Validators & { readonly isFeed: boolean }) | undefined,
): { readonly url: string } & Validators {
  return { url, ...(cached !== undefined && (cached.isFeed || !isFeed) && validatorsOf(cached)) };
}

/** The validators alone, without those that are missing. */
export function validatorsOf({ etag, lastModified }: Validators): Validators {
  return { ...(etag !== undefined && { etag }), ...(lastModified !== undefined && { lastModified }) };
}
