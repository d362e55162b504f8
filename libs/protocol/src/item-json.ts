import type { ItemFields } from '#xml';

/** An item as the HTTP interface and the command line show it: what all have, and what its protocol adds. */
export interface ItemJson extends ItemFields {
  readonly id: string;
  readonly deleted: boolean;
}
