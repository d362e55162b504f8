import type { Feed } from './feed.ts';

/**
 * What a cache holds of one URL of a tree. A document that could not be downloaded is not in it, or is there
 * as it was before.
 */
export interface CachedDocument {
  /**
   * The `lastBuildDate` of the newest item for which it was downloaded: it is requested again if an item
   * says a later one.
   */
  readonly lastBuildDate: string;
  /** What it says, if it was downloaded as a feed. */
  readonly feed?: Feed;
}
