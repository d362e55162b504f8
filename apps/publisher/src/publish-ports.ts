import type { Clock, CollectionKey, EventStream, PendingItem, PublishBacklog, Store } from '#core';

/** What publishing needs of the world. */
export interface PublishPorts {
  readonly store: Store;
  readonly stream: EventStream;
  /** What is requested; whatever is pending if absent. */
  readonly backlog?: PublishBacklog;
  readonly clock: Clock;
  readonly publicUrl: string;
  /** Called with items whose changes were relayed, and when. */
  readonly observeRelayed?: (items: readonly PendingItem[], at: Date) => void;
  /** This run, as the holder of a lease: two runs at once are two holders, in one process too. */
  readonly holder: string;
  /** The last epoch that this process has released of each collection. */
  readonly released?: Map<CollectionKey, number>;
  /** How many milliseconds after a block the next one begins at the earliest, while requests go on (0). */
  readonly gather?: () => number;
  /** Runs of this process that MongoDB's absence ended, as holders; their leases may still run. */
  readonly left?: Map<CollectionKey, string>;
}

/** How much one run publishes at a time, and how long it may hold a collection. */
export interface PublishSettings {
  /** Changes in a block. */
  readonly block: number;
  /** How many bytes they may take together (default 4194304). */
  readonly blockBytes?: number;
  /** How long a lease runs without being renewed, in milliseconds. */
  readonly lease: number;
  /** How many collections this process publishes at the same time (1). */
  readonly concurrency?: number;
  /** How many changes stay readable in the log behind the newest. */
  readonly retention: number;
}
