import mongoose from 'mongoose';
import type { mongo } from 'mongoose';
import { eventText, lastSequenceOf } from '#core';
import type { ChangeBlock, Collection, CollectionKey, PublicationOutcome } from '#core';
import { blockKey } from './change-document.ts';
import type { ChangeDocument } from './change-document.ts';
import { isPresent, toCollection } from './collection-document.ts';
import type { CollectionDocument } from './collection-document.ts';

/** What is written with a block, in its transaction; returns false to have nothing written. */
type BlockWrites = (session: mongo.ClientSession) => Promise<boolean>;

/** How many collections are remembered. */
const mostKnown = 10_000;

/** Publishes blocks, each in one transaction with what it says. */
export class Publications {
  readonly #collections: mongo.Collection<CollectionDocument>;
  readonly #changes: mongo.Collection<ChangeDocument>;
  readonly #startSession: () => mongo.ClientSession;
  /** Collections as this process has left them. */
  readonly #known = new Map<CollectionKey, Collection>();

  constructor(
    collections: mongo.Collection<CollectionDocument>,
    changes: mongo.Collection<ChangeDocument>,
    startSession: () => mongo.ClientSession,
  ) {
    this.#collections = collections;
    this.#changes = changes;
    this.#startSession = startSession;
  }

  /** A collection as this process has left it, or as it is in the store; undefined if it is gone. */
  async collection(key: CollectionKey): Promise<Collection | undefined> {
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const row = await this.#collections.findOne(
      { _id: key, ...isPresent },
      { readConcern: { level: 'local' } },
    );
    return row === null ? undefined : toCollection(row);
  }

  /**
   * The row of the collection is written first: it decides between several who publish, and whoever is second
   * has done nothing but that.
   * @param former the collection as it was when the block was composed
   */
  async publish(former: Collection, block: ChangeBlock, writes: BlockWrites): Promise<PublicationOutcome> {
    this.#known.delete(former.key);
    const outcome = await this.#publish(former, block, writes);
    if (outcome === 'published') this.#remember(former, block);
    return outcome;
  }

  async #publish(former: Collection, block: ChangeBlock, writes: BlockWrites): Promise<PublicationOutcome> {
    const session = this.#startSession();
    try {
      session.startTransaction({ readConcern: { level: 'local' } });
      const { matchedCount } = await this.#collections.updateOne(asItWas(former), moved(block), { session });
      if (matchedCount === 0) return 'raced';
      await this.#changes.insertOne(changeDocument(block), { session });
      if (!(await writes(session))) return 'refused';
      await session.commitTransaction();
      return 'published';
    } catch (error) {
      if (isRace(error)) return 'raced';
      throw error;
    } finally {
      // Ends the transaction too, if it is still in progress.
      await session.endSession();
    }
  }

  #remember(former: Collection, block: ChangeBlock): void {
    if (this.#known.size >= mostKnown) this.#known.clear();
    const publication = { ...former.publication, sequence: lastSequenceOf(block), updatedAt: block.at };
    this.#known.set(former.key, { ...former, publication });
  }
}

/** The row of a collection, as long as nobody has published in it, or changed what blocks are composed by. */
export function asItWas({
  key,
  publication: { sequence, updatedAt },
  endpoint,
  settings,
}: Collection): mongo.Filter<CollectionDocument> {
  return {
    _id: key,
    ...isPresent,
    'publication.sequence': sequence,
    'publication.updatedAt': updatedAt ?? { $exists: false },
    endpoint,
    settings,
  };
}

function moved(block: ChangeBlock): mongo.UpdateFilter<CollectionDocument> {
  const sequence = lastSequenceOf(block);
  return { $set: { 'publication.sequence': sequence, 'publication.updatedAt': block.at, unfollowed: true } };
}

function changeDocument(block: ChangeBlock): ChangeDocument {
  const { collection, first, events, heads = [], at } = block;
  return {
    _id: blockKey(collection, first),
    last: lastSequenceOf(block),
    events: events.map(eventText),
    ...(heads.length > 0 && { heads: heads.map(({ id }) => id) }),
    at,
  };
}

/** Whether a transaction met another one, and was ended by that; not whether MongoDB was away. */
function isRace(error: unknown): boolean {
  return (
    error instanceof mongoose.mongo.MongoError &&
    error.hasErrorLabel('TransientTransactionError') &&
    !(error instanceof mongoose.mongo.MongoNetworkError)
  );
}
