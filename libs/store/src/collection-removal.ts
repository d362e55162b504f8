import type { Model, mongo } from 'mongoose';
import type { CollectionKey } from '#core';
import { isPresent } from './collection-document.ts';
import type { CollectionDocument } from './collection-document.ts';
import type { RetiredDocument } from './retired-document.ts';

/** What a collection has elsewhere in the store, as far as it outlives the collection or goes with it. */
export interface RemovedContents {
  /** The highest sequence in the collection's log; 0 if it is empty. */
  lastSequence(collection: CollectionKey): Promise<number>;
  /** Removes a bounded number of rows of each kind; returns whether there are no more. */
  removeFirst(collection: CollectionKey): Promise<boolean>;
}

/**
 * The removal of collections in MongoDB. A collection is gone once its row is marked, in one write; the row
 * keeps the name until all that is stored under it is removed.
 */
export class CollectionRemoval {
  readonly #rows: mongo.Collection<CollectionDocument>;
  readonly #retired: Model<RetiredDocument>;
  readonly #contents: RemovedContents;

  constructor(
    rows: mongo.Collection<CollectionDocument>,
    retired: Model<RetiredDocument>,
    contents: RemovedContents,
  ) {
    this.#rows = rows;
    this.#retired = retired;
    this.#contents = contents;
  }

  /** Marks a collection, and takes its lease for good; returns false if there is none. */
  async begin(key: CollectionKey): Promise<boolean> {
    const { matchedCount } = await this.#rows.updateOne(
      { _id: key, ...isPresent },
      {
        $currentDate: { removedAt: true },
        $inc: { 'lease.epoch': 1 },
        $set: { 'lease.holder': '', 'lease.expiresAt': new Date(8.64e15) },
        $unset: { 'lease.unfinished': '', purgeAt: '' },
      },
    );
    return matchedCount === 1;
  }

  /** Goes on as `CollectionStore.continueRemoval` says. May run twice, also at the same time. */
  async continue(key: CollectionKey): Promise<boolean> {
    const row = await this.#rows.findOne({ _id: key, removedAt: { $exists: true } });
    if (row === null) return true;
    const { publication, lease } = row;
    // Before the log goes: the highest numbers that were given.
    const sequence = Math.max(publication.sequence, await this.#contents.lastSequence(key));
    await this.#retired.updateOne({ _id: key }, { $max: { sequence, epoch: lease.epoch } }, { upsert: true });
    // Twice: a service that had found the collection may have written into it meanwhile.
    for (let pass = 0; pass < 2; pass += 1) if (!(await this.#contents.removeFirst(key))) return false;
    await this.#rows.deleteOne({ _id: key, removedAt: { $exists: true } });
    return true;
  }

  async isRunning(key: CollectionKey): Promise<boolean> {
    const filter = { _id: key, removedAt: { $exists: true } };
    return (await this.#rows.findOne(filter, { projection: { _id: 1 } })) !== null;
  }

  /** Those that are running, the longest first, at most `limit`. */
  async list(limit: number): Promise<CollectionKey[]> {
    const running = await this.#rows
      .find({ removedAt: { $exists: true } }, { sort: { removedAt: 1 }, limit })
      .project<{ _id: CollectionKey }>({ _id: 1 })
      .toArray();
    return running.map(({ _id }) => _id);
  }
}
