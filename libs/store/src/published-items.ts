import type { mongo } from 'mongoose';
import type { CollectionKey, FeedItem, LatestItem } from '#core';
import type { ItemDocument, LatestDocument } from './item-document.ts';
import { contentOf, latestProjection, toLatestItem } from './item-document.ts';
import { itemIdOf } from './key.ts';
import { inSteps, rowsToMeasure } from './steps.ts';

type Items = mongo.Collection<ItemDocument>;

/** The size of a document, in bytes. */
const bytes = { $bsonSize: '$$ROOT' };

/** As many as a feed for readers usually has. */
const latestItems = 100;

/** What of a published item a page holds. */
type PublishedDocument = Pick<ItemDocument, '_id' | 'updatedAt' | 'content'> & { sequence: number };

/** The published items above `since`, ascending, as `ItemStore.published` says. */
export async function* publishedItems(
  items: Items,
  collection: CollectionKey,
  since: number,
): AsyncGenerator<FeedItem> {
  const ascending = { order: 1, start: since } as const;
  // What is published again meanwhile comes later, at its new place.
  for await (const { range, length } of ranges(items, { collection }, ascending)) {
    const page = await items
      .find({ collection, sequence: range }, { sort: { sequence: 1 }, batchSize: length + 1 })
      .project<PublishedDocument>({ sequence: 1, updatedAt: 1, content: 1 })
      .toArray();
    for (const { _id, sequence, content, updatedAt } of taken(page))
      yield { id: itemIdOf(_id), sequence, content: contentOf(content), updatedAt };
  }
}

/** The published items that are not deleted, descending, as `ItemStore.latest` says. */
export async function* latestItemsOf(
  items: Items,
  collection: CollectionKey,
  before: number,
): AsyncGenerator<LatestItem> {
  const live = { collection, deleted: false };
  // All of a feed at once; for one that goes on in its middle, after a large item perhaps, few.
  const first = before === Infinity ? latestItems : undefined;
  const descending = { order: -1, start: before, most: latestItems, first } as const;
  for await (const { range, length } of ranges(items, live, descending)) {
    const page = await items
      .find({ ...live, sequence: range }, { sort: { sequence: -1 }, batchSize: length + 1 })
      .project<LatestDocument>(latestProjection)
      .toArray();
    for (const row of taken(page)) yield toLatestItem(row);
  }
}

/** The rows of a page, which keeps none that was taken: whoever reads slowly holds the rest alone. */
function* taken<Row>(page: Row[]): Generator<Row> {
  for (let row = page.shift(); row !== undefined; row = page.shift()) yield row;
}

/** Ranges of sequences in this order, from `start` to the end, whose items are of bounded size together. */
async function* ranges(
  items: Items,
  filter: { readonly collection: CollectionKey; readonly deleted?: boolean },
  {
    order,
    start,
    most,
    first,
  }: {
    readonly order: 1 | -1;
    readonly start: number;
    readonly most?: number;
    readonly first?: number | undefined;
  },
): AsyncGenerator<{ readonly range: mongo.Condition<number>; readonly length: number }> {
  for (let [last, rows] = [start, first ?? rowsToMeasure([], most)]; ;) {
    const measured: { sequence: number; bytes: number }[] = await items
      .find(
        { ...filter, sequence: order === 1 ? { $gt: last } : { $lt: last } },
        { sort: { sequence: order }, limit: rows, batchSize: rows + 1 },
      )
      .project<{ sequence: number; bytes: number }>({ _id: 0, sequence: 1, bytes })
      .toArray();
    if (measured.length === 0) return;
    rows = rowsToMeasure(measured, most);
    for (const step of inSteps(measured)) {
      const end: number = step.at(-1)?.sequence ?? last;
      yield {
        range: order === 1 ? { $gt: last, $lte: end } : { $lt: last, $gte: end },
        length: step.length,
      };
      last = end;
    }
  }
}
