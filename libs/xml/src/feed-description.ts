import type { Sharing } from './feed.ts';
import type { Format, Scope } from './payload.ts';

/** What we say of a feed of our own. */
export interface FeedDescription {
  readonly format: Format;
  /** Bindings that the head is to have besides those of its format; none if absent. */
  readonly namespaces?: Scope['namespaces'];
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
