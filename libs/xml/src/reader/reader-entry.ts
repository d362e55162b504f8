import type { FeedFormat } from '../payload.ts';
import type { ReaderItem } from './reader-item.ts';
import { beginningOf } from './reader-text.ts';

/** An item as an entry of a feed for readers. */
export interface ReaderEntry extends ReaderItem {
  /** An absolute URI that never changes and no other entry has: the `atom:id` or the `guid`. */
  readonly id: string;
  /** RFC 3339: when it appeared, which stays. */
  readonly published: string;
  /** RFC 3339: of its last change; no other entry of the feed has the same. */
  readonly updated: string;
}

/** What a feed for readers says of itself. */
export interface ReaderFeedDescription {
  readonly format: FeedFormat;
  /** Not empty. */
  readonly title: string;
  /** Absent: the title. */
  readonly description?: string;
  /** The feed's `atom:id`; RSS has no place for it. */
  readonly id: string;
  /** Where the feed itself is; absolute. */
  readonly selfUrl: string;
  /** A page for people that goes with it; absolute. */
  readonly siteUrl: string;
  /** RFC 3339. */
  readonly updated: string;
  /** The author of entries that name none; RSS has no place for it. */
  readonly author: string;
}

/** What both formats say made the feed. */
export const generator = 'Feedmesh';

/** How many characters a title has that is made of the beginning of a text. */
const titleLength = 80;

/** The title, or what else a person knows the entry by. Never empty. */
export function titleOf({ title, summary, content, link, id }: ReaderEntry): string {
  const beginnings = [summary, content].map((text) => text && beginningOf(text, titleLength));
  return [title, ...beginnings, link].find((text) => text !== undefined && text !== '') ?? id;
}
