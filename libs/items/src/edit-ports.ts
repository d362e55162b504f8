import type { Store } from '#core';

/** What editing and arranging need of the world. */
export interface EditPorts {
  readonly store: Pick<Store, 'items' | 'feeds' | 'contents' | 'subscriptions'>;
  readonly now: () => Date;
  readonly publicUrl: string;
}
