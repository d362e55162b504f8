import type { ChangeEvent } from '#contracts';
import type { Clock, CollectionKey, EventStream, Store } from '#core';

/** What publishing needs of the world. */
export interface PublishPorts {
  readonly store: Store;
  readonly stream: EventStream;
  readonly clock: Clock;
  readonly publicUrl: string;
  /** Called with changes that are on the event stream, and when. */
  readonly observeRelayed?: (collection: CollectionKey, events: readonly ChangeEvent[], at: Date) => void;
}

/** How much one run publishes at a time. */
export interface PublishSettings {
  /** Changes in a block. */
  readonly block: number;
  /** How many bytes they may take together (default 4194304). */
  readonly blockBytes?: number;
  /** How many changes stay readable in the log behind the newest. */
  readonly retention: number;
}

/** How many bytes a block, and what is read of the log at once, may have. */
export function blockBytesOf({ blockBytes = 4_194_304 }: PublishSettings): number {
  return blockBytes;
}
