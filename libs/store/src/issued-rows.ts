import type { mongo } from 'mongoose';
import type { CollectionKey, IssuedRecord, ItemId } from '#core';
import { chunksOf } from './chunk.ts';
import type { IssuedDocument } from './issued-document.ts';
import type { ItemDocument } from './item-document.ts';
import { itemIdOf, keyOf } from './key.ts';
import { JoinedReads } from './joined-reads.ts';
import { firstStep } from './remove-range.ts';

type Items = mongo.Collection<ItemDocument>;
type Issued = mongo.Collection<IssuedDocument>;
type IssuingItem = Pick<ItemDocument, '_id' | 'revision'> & Required<Pick<ItemDocument, 'issued'>>;

/** What was signed of items, from the rows that outlive them. */
export class IssuedRows {
  readonly #issued: Issued;
  readonly #reads: JoinedReads<string, IssuedDocument>;

  constructor(issued: Issued) {
    this.#issued = issued;
    this.#reads = new JoinedReads((keys) => this.#find(keys));
  }

  /** Reads it by item, without those that have none. New items that come together share a query. */
  async read(
    collection: CollectionKey,
    ids: readonly ItemId[],
  ): Promise<Map<ItemId, readonly IssuedRecord[]>> {
    const found = new Map<ItemId, readonly IssuedRecord[]>();
    for (const chunk of chunksOf(ids)) {
      const keys = chunk.map((id) => keyOf(collection, id));
      const [only = ''] = keys;
      const rows = keys.length === 1 ? [await this.#reads.read(only)] : await this.#find(keys);
      for (const row of rows) if (row !== undefined) found.set(itemIdOf(row._id), row.records);
    }
    return found;
  }

  async #find(keys: readonly string[]): Promise<readonly IssuedDocument[]> {
    return this.#issued.find({ _id: { $in: keys } }, { batchSize: keys.length + 1 }).toArray();
  }
}

/**
 * Keeps what was signed of these items, which are about to be removed. An item that has nothing has no row of
 * its own.
 */
export async function keepIssued(items: Items, issued: Issued, keys: readonly string[]): Promise<void> {
  for (const chunk of chunksOf(keys))
    await keep(
      issued,
      await items
        .find({ _id: { $in: chunk }, issued: { $exists: true } })
        .project<IssuingItem>(projection)
        .toArray(),
    );
}

/**
 * Removes the first items in a range of keys, as many as one step has, and keeps what was signed of them.
 * Returns whether there are no more. One that is edited meanwhile is left for the next call.
 */
export async function removeItems(
  items: Items,
  issued: Issued,
  range: { readonly $gt: string; readonly $lt: string },
): Promise<boolean> {
  const { step, isLast } = await firstStep(items as unknown as mongo.Collection<{ _id: string }>, range);
  const issuing = await items
    .find({ _id: step, issued: { $exists: true } })
    .project<IssuingItem>(projection)
    .toArray();
  await keep(issued, issuing);
  if (issuing.length > 0)
    await items.bulkWrite(
      issuing.map(({ _id, revision }) => ({ deleteOne: { filter: { _id, revision } } })),
      { ordered: false },
    );
  await items.deleteMany({ _id: step, issued: { $exists: false } });
  return isLast && (await items.findOne({ _id: range }, { projection: { _id: 1 } })) === null;
}

const projection = { revision: 1, issued: 1 } as const;

async function keep(issued: Issued, rows: readonly IssuingItem[]): Promise<void> {
  if (rows.length === 0) return;
  // An item has all that an earlier one of its id had, so what is there can be replaced.
  await issued.bulkWrite(
    rows.map(({ _id, issued: records }) => ({
      replaceOne: { filter: { _id }, replacement: { records }, upsert: true },
    })),
    { ordered: false },
  );
}
