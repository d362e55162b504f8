import type { mongo } from 'mongoose';
import type {
  BranchDeletion,
  BranchDeletionStore,
  CollectionKey,
  DeletionEnd,
  DeletionLease,
  DeletionProgress,
} from '#core';
import type { BranchDeletionDocument } from './branch-deletion-document.ts';
import { keyOf } from './key.ts';

const shown = { _id: 0, lease: 0, keptUntil: 0 } as const;

/** When a lease of so many milliseconds ends, by the clock of MongoDB. */
const end = (duration: number) => ({ $add: ['$$NOW', duration] });

/** Deletions of branches in MongoDB. */
export class MongoBranchDeletionStore implements BranchDeletionStore {
  readonly #rows: mongo.Collection<BranchDeletionDocument>;

  constructor(rows: mongo.Collection<BranchDeletionDocument>) {
    this.#rows = rows;
  }

  async add(deletion: BranchDeletion, duration: number): Promise<BranchDeletion> {
    const _id = keyOf(deletion.collection, deletion.id);
    const added = {
      $mergeObjects: [
        { $literal: { _id, ...deletion } },
        { lease: { holder: '', expiresAt: end(duration) } },
      ],
    };
    const isNew = { $eq: [{ $type: '$collection' }, 'missing'] };
    const row = await this.#rows.findOneAndUpdate(
      { _id },
      [{ $replaceWith: { $cond: [isNew, added, '$$ROOT'] } }],
      { upsert: true, returnDocument: 'after', projection: shown },
    );
    return row ?? deletion;
  }

  async find(collection: CollectionKey, id: string): Promise<BranchDeletion | undefined> {
    return (await this.#rows.findOne({ _id: keyOf(collection, id) }, { projection: shown })) ?? undefined;
  }

  async take(
    collection: CollectionKey,
    id: string,
    { holder, duration }: DeletionLease,
  ): Promise<BranchDeletion | undefined> {
    const row = await this.#rows.findOneAndUpdate(
      {
        _id: keyOf(collection, id),
        'lease.expiresAt': { $exists: true },
        $or: [{ 'lease.holder': { $in: ['', holder] } }, { $expr: { $lte: ['$lease.expiresAt', '$$NOW'] } }],
      },
      [{ $set: { lease: { holder: { $literal: holder }, expiresAt: end(duration) } } }],
      { returnDocument: 'after', projection: shown },
    );
    return row ?? undefined;
  }

  async advance(
    collection: CollectionKey,
    id: string,
    { holder, duration }: DeletionLease,
    { done, total }: DeletionProgress,
  ): Promise<boolean> {
    const { matchedCount } = await this.#rows.updateOne(
      { _id: keyOf(collection, id), 'lease.holder': holder },
      [
        {
          $set: {
            'lease.expiresAt': end(duration),
            isBegun: true,
            done: { $max: ['$done', done] },
            total: { $max: ['$total', total] },
          },
        },
      ],
    );
    return matchedCount === 1;
  }

  async end(
    collection: CollectionKey,
    id: string,
    holder: string,
    { at, failure, keptUntil }: DeletionEnd,
  ): Promise<void> {
    await this.#rows.updateOne(
      { _id: keyOf(collection, id), 'lease.holder': holder },
      {
        $set: { endedAt: at, keptUntil, ...(failure !== undefined && { failure }) },
        $unset: { lease: '' },
      },
    );
  }

  async release(collection: CollectionKey, id: string, holder: string): Promise<void> {
    await this.#rows.updateOne(
      { _id: keyOf(collection, id), 'lease.holder': holder },
      { $set: { lease: { holder: '', expiresAt: new Date(0) } } },
    );
  }

  async remove(collection: CollectionKey, id: string): Promise<void> {
    await this.#rows.deleteOne({ _id: keyOf(collection, id) });
  }

  async abandoned(limit: number): Promise<Pick<BranchDeletion, 'collection' | 'id'>[]> {
    return this.#rows
      .find(
        { 'lease.expiresAt': { $gte: new Date(0) }, $expr: { $lte: ['$lease.expiresAt', '$$NOW'] } },
        { sort: { 'lease.expiresAt': 1 }, limit },
      )
      .project<Pick<BranchDeletion, 'collection' | 'id'>>({ _id: 0, collection: 1, id: 1 })
      .toArray();
  }
}
