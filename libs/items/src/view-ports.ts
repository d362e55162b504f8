import type { Store } from '#core';

/** What showing items needs of the world. */
export interface ViewPorts {
  readonly store: Pick<Store, 'items' | 'feeds' | 'documents' | 'subscriptions'>;
  readonly publicUrl: string;
}
