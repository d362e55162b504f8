import type { ScanLimits } from '#xml';
import type { BatchLimits } from './batch-sender.ts';
import type { TreeSettings } from './tree/tree-settings.ts';

/** How feeds and trees are fetched. */
export interface FetchSettings {
  readonly batch: BatchLimits;
  /** How long a fetch may go without a sign of life before another may begin, in milliseconds. */
  readonly lease: number;
  /** Characters of foreign markup at the feed level that are kept (FeedSync 2.1.7). */
  readonly markupLength: number;
  /** Seconds of a `Retry-After` that are granted at most; a day if absent. */
  readonly retryAfterLimit?: number;
  /**
   * Milliseconds for which a permanent redirect must be the same to be followed for good; a week if absent.
   */
  readonly movedAfter?: number;
  /** What the callbacks of hubs begin with (WebSub); no hub is followed if absent. */
  readonly callbacks?: string;
  /** Milliseconds between two requests of a feed without conditions, at the least; a day if absent. */
  readonly unconditionalEvery?: number;
  /** How many bytes of a body are held to compare it with the last one; 1 MiB if absent. */
  readonly comparedBytes?: number;
  /** What one feed may hold; the defaults of `#xml` if absent. */
  readonly scan?: ScanLimits;
  /** How many characters, or bytes, of a feed may be held that is adopted; 16 MiB if absent. */
  readonly adoptedLength?: number;
  /** Of trees of feeds. */
  readonly tree: TreeSettings;
}
