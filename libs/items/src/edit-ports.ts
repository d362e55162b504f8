import type { Actor, Store } from '#core';

/** What editing and arranging need of the world. */
export interface EditPorts {
  readonly store: Pick<Store, 'items' | 'feeds' | 'contents' | 'subscriptions'>;
  readonly now: () => Date;
  readonly publicUrl: string;
  /** Who edits, to be stored with each edit. */
  readonly actor?: Actor | undefined;
}
