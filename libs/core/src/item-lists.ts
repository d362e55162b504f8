import type { CollectionKey, ItemId } from '#contracts';

/** Which items of a collection a list has; by default all, tombstones among them. */
export interface ItemSelection {
  /** Tombstones alone, or none of them. */
  readonly deleted?: boolean;
  /** Whether only items that have conflicts are meant. */
  readonly conflicts?: boolean;
}

/** The order of a list by a time of its items. */
export interface TimeOrder {
  readonly by: 'createdAt' | 'updatedAt';
  /** Whether the oldest item comes first; otherwise the newest one does. */
  readonly isAscending: boolean;
}

/** A place in a list that is ordered by time; items of one time come by id, in the same direction. */
export interface TimePlace {
  readonly at: Date;
  readonly id: string;
}

/** A place in the list of the items in conflict of all collections: an item, or the end of a collection. */
export interface ConflictPlace {
  readonly collection: string;
  readonly id?: string;
}

/** How many items a collection has. */
export interface ItemCounts {
  /** Items that are not deleted. */
  readonly live: number;
  readonly deleted: number;
  /** Items with conflicts, deleted ones among them. */
  readonly conflicts: number;
}

/** The counts of an empty collection. */
export const noItems: ItemCounts = { live: 0, deleted: 0, conflicts: 0 };

/** What is known of each of several collections; those of which there is nothing are absent. */
export type ByCollection<Value> = ReadonlyMap<CollectionKey, Value>;

/** The place of an item in a list that is ordered by time. */
export function timePlaceOf(
  item: { readonly id: ItemId; readonly createdAt: Date; readonly updatedAt: Date },
  { by }: Pick<TimeOrder, 'by'>,
): TimePlace {
  return { at: item[by], id: item.id };
}
