import type { mongo } from 'mongoose';
import type { CollectionKey, KeyRange, Placed, PlaceRange } from '#core';
import type { ItemDocument } from './item-document.ts';
import { itemIdOf, keyOf } from './key.ts';

type Items = mongo.Collection<ItemDocument>;

/** How many places one response of MongoDB brings, so that reading it takes milliseconds. */
export const placesAtOnce = 1000;

/** What the index says of a place: none of these reads looks at an item. */
interface IndexedPlace {
  readonly _id: string;
  readonly position: { readonly key: string };
}

/** A condition on the live items below a parent that have a key, by the index alone. */
function placed(collection: CollectionKey, parent: string, { from = '', before }: KeyRange) {
  return {
    collection,
    'position.parent': parent,
    'position.key': { $gte: from, ...(before !== undefined && { $lt: before }) },
    deleted: false,
  };
}

/** Reads what `ItemStore.placesBelow` returns. */
export async function placesBelow(
  items: Items,
  collection: CollectionKey,
  parent: string,
  range: PlaceRange,
): Promise<Placed[]> {
  const { except, skip = 0, limit = 0, isReversed = false } = range;
  const direction = isReversed ? -1 : 1;
  const found = await items
    .find(
      {
        ...placed(collection, parent, range),
        ...(except !== undefined && { _id: { $ne: keyOf(collection, except) } }),
      },
      { sort: { 'position.key': direction, _id: direction }, skip, limit, batchSize: placesAtOnce },
    )
    .project<IndexedPlace>({ _id: 1, 'position.key': 1 })
    .toArray();
  return found.map(({ _id, position: { key } }) => ({
    id: itemIdOf(_id),
    position: { ...(parent !== '' && { parent }), key },
  }));
}

/** Counts what `ItemStore.countPlacesBelow` returns. */
export async function countPlacesBelow(
  items: Items,
  collection: CollectionKey,
  parent: string,
  range: KeyRange,
): Promise<number> {
  return items.countDocuments(placed(collection, parent, range));
}

/** Finds what `ItemStore.hasChildren` returns. */
export async function hasChildren(items: Items, collection: CollectionKey, parent: string): Promise<boolean> {
  const child = await items.findOne(
    { collection, 'position.parent': parent },
    { projection: { _id: 1 }, sort: { 'position.key': 1, _id: 1 } },
  );
  return child !== null;
}
