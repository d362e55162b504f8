import type { ChangeEvent, CollectionKey } from '#contracts';
import type { Collection } from './collection.ts';
import type { ItemWrite, PublishedItem } from './item-store.ts';
import type { PendingFeed } from './tree.ts';

/** Changes with consecutive sequences that were published in one step. */
export interface ChangeBlock {
  readonly collection: CollectionKey;
  /** The sequence of the first change. */
  readonly first: number;
  readonly events: readonly ChangeEvent[];
  /** What to record on the items of the item events. */
  readonly items: readonly PublishedItem[];
  /** The notices that became subscription events. */
  readonly notices: readonly string[];
  /** Of a tree of feeds: those whose other titles or heads readers find by the time of the block. */
  readonly heads?: readonly PendingFeed[];
  readonly at: Date;
}

/**
 * Composes the block with which items are published in the step that writes them: it follows what is
 * published of their collection. Returns undefined if they are to wait for a publisher.
 */
export type ComposeBlock = (writes: readonly ItemWrite[], collection: Collection) => ChangeBlock | undefined;

/** A block as it is in the log. */
export type LoggedBlock = Pick<ChangeBlock, 'first' | 'events' | 'at'> & {
  /** The ids of feeds with another title or head. */
  readonly heads?: readonly string[];
};

/** The sequence of the last change of a block. */
export function lastSequenceOf({ first, events }: Pick<ChangeBlock, 'first' | 'events'>): number {
  return first + events.length - 1;
}

/** The log of what was published, one block after the other without a gap. */
export interface ChangeLog {
  /**
   * The blocks after a sequence, which is the last one of a block, ascending, about `bytes` of JSON at most.
   */
  blocks(collection: CollectionKey, after: number, bytes: number): Promise<LoggedBlock[]>;
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
