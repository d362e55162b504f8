import type { mongo } from 'mongoose';
import type { CollectionKey, ConflictPlace, ItemCounts, ItemSelection, TimeOrder, TimePlace } from '#core';
import type { ItemDocument } from './item-document.ts';
import { collectionsAfter, keyOf, keysOf } from './key.ts';

type Items = mongo.Collection<ItemDocument>;
type Condition = mongo.Filter<ItemDocument>;

/** A condition on the items of a selection. */
function selected({ deleted, conflicts }: ItemSelection): Condition {
  return {
    ...(deleted !== undefined && { deleted }),
    ...(conflicts === true && { conflictCount: { $gt: 0 } }),
  };
}

/** Reads what `ItemStore.list` returns. */
export async function listById(
  items: Items,
  collection: CollectionKey,
  { after, limit, ...selection }: { after?: string; limit: number } & ItemSelection,
): Promise<ItemDocument[]> {
  // The collection is named for the sake of the indexes of tombstones and of items in conflict.
  const isPart = selection.deleted === true || selection.conflicts === true;
  const filter = { _id: keysOf(collection, after), ...(isPart && { collection }), ...selected(selection) };
  return items.find(filter, { sort: { _id: 1 }, limit }).toArray();
}

/** Reads what `ItemStore.listByTime` returns. */
export async function listByTime(
  items: Items,
  collection: CollectionKey,
  { by, isAscending }: TimeOrder,
  { after, limit, ...selection }: { after?: TimePlace; limit: number } & ItemSelection,
): Promise<ItemDocument[]> {
  const direction = isAscending ? 1 : -1;
  const beyond = isAscending ? '$gt' : '$lt';
  const filter: Condition = {
    collection,
    ...selected(selection),
    ...(after && {
      $or: [
        { [by]: { [beyond]: after.at } },
        { [by]: after.at, _id: { [beyond]: keyOf(collection, after.id) } },
      ],
    }),
  };
  return items.find(filter, { sort: { [by]: direction, _id: direction }, limit }).toArray();
}

/** Reads what `ItemStore.listConflicts` returns. */
export async function listConflicts(
  items: Items,
  { after, limit }: { after?: ConflictPlace; limit: number },
): Promise<ItemDocument[]> {
  const inConflict = { conflictCount: { $gt: 0 } };
  const behind = { collection: collectionsAfter(after?.collection) };
  const collection = after?.collection as CollectionKey;
  const filter: Condition =
    after?.id === undefined
      ? { ...inConflict, ...behind }
      : { ...inConflict, $or: [{ collection, _id: { $gt: keyOf(collection, after.id) } }, behind] };
  return items.find(filter, { sort: { collection: 1, _id: 1 }, limit }).toArray();
}

/** Counts what `ItemStore.counts` returns, in two indexes. */
export async function countItems(
  items: Items,
  collections: readonly CollectionKey[],
): Promise<Map<CollectionKey, ItemCounts>> {
  const collection = { $in: [...collections] };
  const count = { $sum: 1 };
  const [states, conflicts] = await Promise.all([
    items
      .aggregate<{ _id: CollectionKey; count: number; deleted: number }>(
        [
          { $match: { collection } },
          { $group: { _id: '$collection', count, deleted: { $sum: { $cond: ['$deleted', 1, 0] } } } },
        ],
        { hint: { collection: 1, createdAt: 1, _id: 1, deleted: 1 } },
      )
      .toArray(),
    items
      .aggregate<{ _id: CollectionKey; count: number }>(
        [{ $match: { collection, conflictCount: { $gt: 0 } } }, { $group: { _id: '$collection', count } }],
        { hint: { collection: 1, _id: 1, conflictCount: 1 } },
      )
      .toArray(),
  ]);
  const inConflict = new Map(conflicts.map((found) => [found._id, found.count]));
  return new Map(
    states.map(({ _id, count: all, deleted }) => [
      _id,
      { live: all - deleted, deleted, conflicts: inConflict.get(_id) ?? 0 },
    ]),
  );
}
