import type { Store } from '#core';

/** What mirroring a feed needs of the world. */
export interface MirrorPorts {
  readonly store: Pick<Store, 'items' | 'feeds' | 'documents' | 'contents' | 'deadLetters'>;
  readonly now: () => Date;
  /** Says from time to time that the work goes on. */
  readonly heartbeat: () => Promise<void>;
}
