import type { Sharing } from './feed.ts';
import type { sseNamespaces } from './namespace.ts';
import type { Dialect, Format } from './payload.ts';

/** What we say of a feed of our own. */
export interface FeedDescription {
  readonly format: Format;
  /** Absent: `feedsync`, which has no outlines. */
  readonly dialect?: Dialect;
  /** The form of the namespace of SSE (1.1) that is written; absent: `https`. */
  readonly namespace?: keyof typeof sseNamespaces;
  readonly title: string;
  /** The feed's `atom:id`; RSS and OPML have no place for it. */
  readonly id: string;
  readonly selfUrl: string;
  /** RFC 3339. */
  readonly updated: string;
  /** The name of the author of entries that have none; RSS and OPML have no place for it. */
  readonly author: string;
  readonly description?: string;
  readonly sharing?: Sharing;
  /** Foreign markup to republish (2.1.7): elements, each as XML that stands on its own. */
  readonly markup?: readonly string[];
}
