import type { Edit } from '#protocol';
import type { LinksInput } from './tree/links-input.ts';

/** Where an item is wanted, in a collection that has an order (SSE 3.2). */
export interface RequestedPlacement {
  /** The item to stand in, null below the root; absent: where it is, and below the root for a new item. */
  readonly parent?: string | null;
  /**
   * The index among the live items below that parent, from 0, above their number the last; absent: unchanged,
   * and the last for a new item or another parent.
   */
  readonly position?: number;
}

/**
 * An edit with the place that it gives the item, or what it says of it in a tree of feeds; only `create`,
 * `update` and `undelete` have one.
 */
export type ItemEdit = Edit & { readonly place?: RequestedPlacement; readonly tree?: LinksInput };
