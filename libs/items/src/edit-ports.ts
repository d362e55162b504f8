import type { Store } from '#ports';

/** What editing and arranging need of the world. */
export interface EditPorts {
  readonly store: Pick<Store, 'items'>;
  readonly now: () => Date;
  readonly publicUrl: string;
}
