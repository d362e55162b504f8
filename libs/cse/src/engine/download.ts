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
  | { readonly kind: 'failed'; readonly rule: string; readonly reason: string };

/** A document that could not be downloaded, or was not requested because of a limit. */
export interface Failure {
  readonly url: string;
  /** A short name such as `limit-depth`. */
  readonly rule: string;
  /** One sentence. */
  readonly reason: string;
}
