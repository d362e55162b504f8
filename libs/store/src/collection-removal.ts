import { randomUUID } from 'node:crypto';
import type { Model, mongo } from 'mongoose';
import type { CollectionKey } from '#core';
import { isPresent } from './collection-document.ts';
import type { CollectionDocument } from './collection-document.ts';
import type { RetiredDocument } from './retired-document.ts';

/**
 * Milliseconds that one process has for a pass over what is left, alone. After that another one may go on,
 * since this one may have been killed.
 */
const passDuration = 30_000;

/** What a collection has elsewhere in the store, as far as it outlives the collection or goes with it. */
export interface RemovedContents {
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

  /**
   * Marks a collection: nothing is published in it from then on.
   * @returns who may remove what it has; undefined if there is no such collection
   */
  async begin(key: CollectionKey): Promise<string | undefined> {
    const remover = randomUUID();
    const { matchedCount } = await this.#rows.updateOne({ _id: key, ...isPresent }, [
      {
        $set: {
          removedAt: '$$NOW',
          ...passOf(remover),
        },
      },
      { $unset: ['unfollowed', 'purgeAt'] },
    ]);
    return matchedCount === 1 ? remover : undefined;
  }

  /**
   * Goes on as `CollectionStore.continueRemoval` says. One process removes at a time: another one that is not
   * done when the last row goes would remove from the next collection of this name.
   */
  async continue(key: CollectionKey, remover: string = randomUUID()): Promise<boolean> {
    const row = await this.#take(key, remover);
    if (row === null) return !(await this.isRunning(key));
    const { sequence } = row.publication;
    await this.#retired.updateOne({ _id: key }, { $max: { sequence } }, { upsert: true });
    const own = { _id: key, 'pass.remover': remover };
    // Twice: a service that had found the collection may have written into it meanwhile.
    for (let pass = 0; pass < 2; pass += 1) {
      if (pass > 0 && (await this.#take(key, remover)) === null) return false;
      if (!(await this.#contents.removeFirst(key))) {
        await this.#rows.updateOne(own, { $unset: { pass: '' } });
        return false;
      }
    }
    const { deletedCount } = await this.#rows.deleteOne(own);
    return deletedCount === 1;
  }

  /** The row of a collection that is being removed, once this is the only one that removes; null if not. */
  async #take(key: CollectionKey, remover: string): Promise<CollectionDocument | null> {
    const own = { $eq: ['$pass.remover', { $literal: remover }] };
    const runs = { $gt: ['$pass.until', '$$NOW'] };
    return this.#rows.findOneAndUpdate(
      { _id: key, removedAt: { $exists: true }, $expr: { $or: [own, { $not: [runs] }] } },
      [{ $set: passOf(remover) }],
    );
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

/** The part of an update that lets one process remove alone, from now on. */
function passOf(remover: string): object {
  return { pass: { remover: { $literal: remover }, until: { $add: ['$$NOW', passDuration] } } };
}
