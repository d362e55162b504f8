import type { ChangeEvent, CollectionKey } from '#contracts';
import type { PublishedItem } from './item-store.ts';

/** Changes with consecutive sequences that were published in one step. */
export interface ChangeBlock {
  readonly collection: CollectionKey;
  /** The sequence of the first change; the last one's is `first + events.length - 1`. */
  readonly first: number;
  readonly events: readonly ChangeEvent[];
  /** What to record on the items of the item events. */
  readonly items: readonly PublishedItem[];
  /** The notices that became subscription events. */
  readonly notices: readonly string[];
  readonly at: Date;
}

/**
 * The log of what was published, one block after the other without a gap: who appends a block has issued its
 * sequences.
 */
export interface ChangeLog {
  /**
   * Returns false, and changes nothing, if a block with this `first` exists: another publisher was faster.
   */
  append(block: ChangeBlock): Promise<boolean>;
  /** The block with the highest sequences. */
  last(collection: CollectionKey): Promise<ChangeBlock | undefined>;
  /**
   * Events with a sequence above `since`, ascending, at most `limit`, and none after the one with which they
   * have `bytes` of JSON.
   */
  read(collection: CollectionKey, since: number, limit: number, bytes?: number): Promise<ChangeEvent[]>;
  /**
   * The lowest `since` that can still be answered without a gap: one below the oldest sequence kept;
   * undefined if the log is empty.
   */
  oldestSince(collection: CollectionKey): Promise<number | undefined>;
  /** Removes the oldest blocks that lie wholly at or below `sequence`; the last block always stays. */
  prune(collection: CollectionKey, sequence: number): Promise<void>;
}

/** The way out to other services: in order per collection, at least once. */
export interface EventStream {
  append(collection: CollectionKey, events: readonly ChangeEvent[]): Promise<void>;
}
