import { setTimeout as wait } from 'node:timers/promises';
import type { mongo } from 'mongoose';
import { collectionKey, nothingStored, storedKinds } from '#core';
import type { CollectionKey, Recount, StoredUsage } from '#core';
import type { ContentFile } from './content-file.ts';
import type { ItemDocument } from './item-document.ts';
import { keysOf } from './key.ts';
import { rangeSteps } from './range-steps.ts';
import { sum, usageKey } from './usage-counter.ts';
import type { UsageDocument } from './usage-document.ts';

/** Milliseconds after which every process has said what it wrote before, by far. */
const reportDelay = 1000;

/** How many rows are added at once. */
const addedRows = 1000;

/** The rows that are counted, and where the results are. */
export interface CountedRows {
  readonly items: mongo.Collection<ItemDocument>;
  readonly files: mongo.Collection<ContentFile>;
  readonly usage: mongo.Collection<UsageDocument>;
  readonly collections: mongo.Collection<{ _id: string }>;
}

/**
 * Counts the collection anew that was counted first, if that was before a time, as `TenantStore.recount`
 * says. What is written meanwhile may be in the count or not; by so much it is not believed, so that a
 * usage which is right stays right, and one that is wrong comes closer.
 */
export async function recountUsage(
  rows: CountedRows,
  before: Date,
  lease: number,
): Promise<Recount | undefined> {
  const leased =
    (await leaseRow(rows.usage, before, lease)) ??
    ((await addMissing(rows)) ? await leaseRow(rows.usage, before, lease) : null);
  if (leased === null) return undefined;
  const collection = collectionKey(leased._id.slice(0, leased._id.indexOf('/')));
  if ((await rows.collections.countDocuments({ _id: collection }, { limit: 1 })) === 0) {
    // Something of it was counted after it had been removed.
    await rows.usage.deleteOne({ _id: leased._id });
    return { collection, corrected: nothingStored };
  }
  const { items, files } = rows;
  const range = keysOf(collection);
  let found = nothingStored;
  const take = async (step: Promise<StoredUsage>): Promise<boolean> => {
    const begin = performance.now();
    found = sum(found, await step);
    const isHeld = await renewRow(rows.usage, leased._id, lease);
    await wait(performance.now() - begin);
    return isHeld;
  };
  for await (const step of rangeSteps(items as unknown as mongo.Collection<{ _id: string }>, range))
    if (!(await take(countItems(items, step)))) return { collection, corrected: nothingStored };
  for await (const step of rangeSteps(files as unknown as mongo.Collection<{ _id: string }>, range))
    if (!(await take(countFiles(files, step)))) return { collection, corrected: nothingStored };
  await wait(reportDelay);
  return { collection, corrected: await correct(rows.usage, collection, leased, found) };
}

/** Adds rows for collections of tenants that have none; returns whether there were any. */
async function addMissing({ collections, usage }: CountedRows): Promise<boolean> {
  const missing = await collections
    .aggregate<{ _id: string }>([
      { $match: { _id: { $regex: '[.]' } } },
      { $project: { _id: { $concat: ['$_id', '/stored'] } } },
      { $lookup: { from: usage.collectionName, localField: '_id', foreignField: '_id', as: 'rows' } },
      { $match: { rows: [] } },
      { $project: { _id: 1 } },
      { $limit: addedRows },
    ])
    .toArray();
  if (missing.length === 0) return false;
  await usage.bulkWrite(
    missing.map(({ _id }) => ({
      updateOne: {
        filter: { _id },
        update: { $setOnInsert: { ...nothingStored, moved: nothingStored } },
        upsert: true,
      },
    })),
    { ordered: false },
  );
  return true;
}

/** Leases the row that was counted first, by the clock of MongoDB. */
async function leaseRow(
  rows: mongo.Collection<UsageDocument>,
  before: Date,
  lease: number,
): Promise<UsageDocument | null> {
  const isFree = { $not: [{ $gt: ['$leasedUntil', '$$NOW'] }] };
  return rows.findOneAndUpdate(
    { countedAt: { $not: { $gte: before } }, $expr: isFree },
    [{ $set: { leasedUntil: { $add: ['$$NOW', lease] } } }],
    { sort: { countedAt: 1 }, returnDocument: 'after' },
  );
}

/** Renews the lease of a row; returns false if it went with its collection. */
async function renewRow(rows: mongo.Collection<UsageDocument>, _id: string, lease: number): Promise<boolean> {
  const { matchedCount } = await rows.updateOne({ _id }, [
    { $set: { leasedUntil: { $add: ['$$NOW', lease] } } },
  ]);
  return matchedCount > 0;
}

async function countItems(items: mongo.Collection<ItemDocument>, _id: object): Promise<StoredUsage> {
  const [counted] = await items
    .aggregate<Omit<StoredUsage, 'files'>>([
      { $match: { _id } },
      {
        $group: {
          _id: null,
          items: { $sum: { $cond: ['$deleted', 0, 1] } },
          bytes: { $sum: { $strLenBytes: '$content' } },
        },
      },
    ])
    .toArray();
  return { items: counted?.items ?? 0, bytes: counted?.bytes ?? 0, files: 0 };
}

async function countFiles(files: mongo.Collection<ContentFile>, _id: object): Promise<StoredUsage> {
  const [counted] = await files
    .aggregate<Omit<StoredUsage, 'items'>>([
      { $match: { _id } },
      { $group: { _id: null, files: { $sum: 1 }, bytes: { $sum: '$length' } } },
    ])
    .toArray();
  return { items: 0, bytes: counted?.bytes ?? 0, files: counted?.files ?? 0 };
}

/** Adds what the usage lacks, as far as what was written meanwhile can't explain it. */
async function correct(
  rows: mongo.Collection<UsageDocument>,
  collection: CollectionKey,
  before: UsageDocument,
  found: StoredUsage,
): Promise<StoredUsage> {
  const _id = usageKey(collection);
  const now = await rows.findOne({ _id });
  if (now === null) return nothingStored;
  const corrected = { ...nothingStored };
  for (const kind of storedKinds)
    corrected[kind] = believed(found[kind] - valueOf(now, kind), movedIn(now, kind) - movedIn(before, kind));
  await rows.updateOne(
    { _id },
    { $inc: corrected, $currentDate: { countedAt: true }, $unset: { leasedUntil: '' } },
  );
  return corrected;
}

/** Returns what of a difference can't be due to changes of this sum. */
function believed(difference: number, moved: number): number {
  return Math.sign(difference) * Math.max(0, Math.abs(difference) - moved);
}

function valueOf(row: Partial<StoredUsage>, kind: keyof StoredUsage): number {
  return row[kind] ?? 0;
}

function movedIn({ moved }: Partial<UsageDocument>, kind: keyof StoredUsage): number {
  return moved?.[kind] ?? 0;
}
