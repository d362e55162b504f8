import type { Model, mongo } from 'mongoose';
import type {
  ChangeBlock,
  Collection,
  CollectionKey,
  CollectionSettings,
  CollectionStore,
  Followed,
} from '#core';
import type { CollectionDocument } from './collection-document.ts';
import { isPresent, toCollection } from './collection-document.ts';
import { CollectionRemoval } from './collection-removal.ts';
import type { RemovedContents } from './collection-removal.ts';
import { chunksOf } from './chunk.ts';
import { collectionsAfter } from './key.ts';
import { isDuplicateKey } from './duplicate-key.ts';
import { JoinedReads } from './joined-reads.ts';
import { asItWas } from './publications.ts';
import type { Publications } from './publications.ts';
import type { RetiredDocument } from './retired-document.ts';

/** What a collection has elsewhere in the store. */
export interface Contents extends RemovedContents {
  /** The highest sequence in the collection's log; 0 if it is empty. */
  lastSequence(collection: CollectionKey): Promise<number>;
  removeLog(collection: CollectionKey): Promise<void>;
  /** Records a block on what it publishes. */
  record(block: ChangeBlock, session: mongo.ClientSession): Promise<void>;
}

/** Collections in MongoDB. */
export class MongoCollectionStore implements CollectionStore {
  readonly #collections: Model<CollectionDocument>;
  readonly #rows: mongo.Collection<CollectionDocument>;
  readonly #reads: JoinedReads<CollectionKey, CollectionDocument>;
  readonly #counts: JoinedReads<CollectionKey, never>;
  readonly #retired: Model<RetiredDocument>;
  readonly #contents: Contents;
  readonly #publications: Publications;
  readonly #removal: CollectionRemoval;

  constructor(
    collections: Model<CollectionDocument>,
    retired: Model<RetiredDocument>,
    contents: Contents,
    publications: Publications,
  ) {
    this.#collections = collections;
    this.#rows = collections.collection as unknown as mongo.Collection<CollectionDocument>;
    this.#reads = new JoinedReads(async (ids) => {
      const [id] = ids;
      // By the key alone, which MongoDB answers without a plan.
      const rows = await this.#rows.find({ _id: ids.length === 1 && id ? id : { $in: [...ids] } }).toArray();
      return rows.filter(({ removedAt }) => removedAt === undefined);
    });
    this.#counts = new JoinedReads(async (ids) => {
      await this.#rows.updateMany({ _id: { $in: [...ids] } }, { $inc: { subscriptionsRevision: 1 } });
      return [];
    });
    this.#retired = retired;
    this.#contents = contents;
    this.#publications = publications;
    this.#removal = new CollectionRemoval(this.#rows, retired, contents);
  }

  async create({ key, ...rest }: Collection): Promise<boolean> {
    // Before its last numbers are read: a removal that ends in between has left higher ones.
    if ((await this.#rows.findOne({ _id: key }, { projection: { _id: 1 } })) !== null) return false;
    const sequence = await this.beganAfter(key);
    const publication =
      sequence > rest.publication.sequence
        ? { sequence, since: sequence, relayed: sequence }
        : rest.publication;
    try {
      await this.#collections.create({ _id: key, ...rest, publication });
      return true;
    } catch (error) {
      if (isDuplicateKey(error)) return false;
      throw error;
    }
  }

  async find(key: CollectionKey): Promise<Collection | undefined> {
    const document = await this.#reads.read(key);
    return document === undefined ? undefined : toCollection(document);
  }

  async beganAfter(key: CollectionKey): Promise<number> {
    return (await this.#retired.findById(key).lean<RetiredDocument>())?.sequence ?? 0;
  }

  async sequences(keys: readonly CollectionKey[]): Promise<Map<CollectionKey, number>> {
    const sequences = new Map<CollectionKey, number>();
    for (const chunk of chunksOf(keys)) {
      const rows = await this.#rows
        .find({ _id: { $in: [...chunk] }, ...isPresent }, { batchSize: chunk.length + 1 })
        .project<{ _id: CollectionKey; publication: { sequence: number } }>({ 'publication.sequence': 1 })
        .toArray();
      for (const { _id, publication } of rows) sequences.set(_id, publication.sequence);
    }
    return sequences;
  }

  /**
   * Counts a change of a subscription; nothing if there is no such collection. Changes that were stored while
   * a count is in progress are counted together by the next one.
   */
  async countSubscriptionChange(key: CollectionKey): Promise<void> {
    await this.#counts.read(key);
  }

  async list(page: { after?: string; limit: number }): Promise<Collection[]> {
    const documents = await this.#collections
      .find({ _id: collectionsAfter(page.after), ...isPresent })
      .sort({ _id: 1 })
      .limit(page.limit)
      .lean<CollectionDocument[]>();
    return documents.map(toCollection);
  }

  async update(
    key: CollectionKey,
    { title, settings }: { title: string; settings: CollectionSettings },
  ): Promise<boolean> {
    const { matchedCount } = await this.#collections.updateOne(
      { _id: key, ...isPresent },
      { $set: { title, settings, purgeAt: new Date(0) } },
    );
    return matchedCount === 1;
  }

  async setPublic(key: CollectionKey, isPublic: boolean): Promise<boolean> {
    const { matchedCount } = await this.#collections.updateOne(
      { _id: key, ...isPresent },
      { $set: { isPublic } },
    );
    return matchedCount === 1;
  }

  async renewEndpoint(key: CollectionKey, former: string, endpoint: string): Promise<boolean> {
    const { matchedCount } = await this.#collections.updateOne(
      { _id: key, endpoint: former, ...isPresent },
      { $set: { endpoint }, $push: { retiredEndpoints: former } },
    );
    return matchedCount === 1;
  }

  async restart(
    key: CollectionKey,
    former: string,
    endpoint: string,
    ahead: number,
  ): Promise<number | undefined> {
    const document = await this.#rows.findOne({ _id: key, ...isPresent });
    if (document?.endpoint !== former) return undefined;
    const { publication } = document;
    const sequence = Math.max(publication.sequence, await this.#contents.lastSequence(key)) + ahead;
    // First: with the log of before, readers that were further than the backup would skip what is to come.
    await this.#contents.removeLog(key);
    const { matchedCount } = await this.#rows.updateOne(
      { _id: key, ...isPresent, endpoint: former, 'publication.sequence': publication.sequence },
      {
        $set: {
          endpoint,
          'publication.sequence': sequence,
          'publication.since': sequence,
          'publication.relayed': sequence,
        },
        $push: { retiredEndpoints: former },
        $unset: { unfollowed: '' },
      },
    );
    return matchedCount === 1 ? sequence : undefined;
  }

  async remove(key: CollectionKey): Promise<boolean> {
    const remover = await this.#removal.begin(key);
    if (remover === undefined) return false;
    await this.#removal.continue(key, remover);
    return true;
  }

  continueRemoval(key: CollectionKey): Promise<boolean> {
    return this.#removal.continue(key);
  }

  isBeingRemoved(key: CollectionKey): Promise<boolean> {
    return this.#removal.isRunning(key);
  }

  removals(limit: number): Promise<CollectionKey[]> {
    return this.#removal.list(limit);
  }

  async publish(former: Collection, block: ChangeBlock): Promise<boolean> {
    const outcome = await this.#publications.publish(former, block, async (session) => {
      await this.#contents.record(block, session);
      return true;
    });
    return outcome === 'published';
  }

  async setPublicationTime(former: Collection, at: Date): Promise<boolean> {
    const { matchedCount } = await this.#rows.updateOne(asItWas(former), {
      $set: { 'publication.updatedAt': at },
    });
    return matchedCount === 1;
  }

  async unfollowed(): Promise<CollectionKey[]> {
    const found = await this.#rows
      .find({ unfollowed: true })
      .project<{ _id: CollectionKey }>({ _id: 1 })
      .toArray();
    return found.map(({ _id }) => _id);
  }

  async follow(key: CollectionKey, { relayed, since }: Followed, purgeAt?: Date): Promise<void> {
    const isAll = { $gte: [relayed, '$publication.sequence'] };
    await this.#rows.updateOne({ _id: key, ...isPresent }, [
      {
        $set: {
          'publication.relayed': { $max: ['$publication.relayed', relayed] },
          'publication.since': { $max: ['$publication.since', since] },
          unfollowed: { $cond: [isAll, '$$REMOVE', '$unfollowed'] },
          ...(purgeAt && { purgeAt: { $min: ['$purgeAt', purgeAt] } }),
        },
      },
    ]);
  }

  async raiseSince(key: CollectionKey, sequence: number): Promise<void> {
    await this.#collections.updateOne({ _id: key }, { $max: { 'publication.since': sequence } });
  }

  async *duePurges(now: Date, limit: number): AsyncGenerator<readonly Collection[]> {
    for (let last: { readonly purgeAt: Date; readonly _id: CollectionKey } | undefined; ;) {
      const following: mongo.Filter<CollectionDocument> =
        last === undefined
          ? { purgeAt: { $lte: now } }
          : {
              $or: [
                { purgeAt: { $gt: last.purgeAt, $lte: now } },
                { purgeAt: last.purgeAt, _id: { $gt: last._id } },
              ],
            };
      const page: CollectionDocument[] = await this.#rows
        .find(following, { sort: { purgeAt: 1, _id: 1 }, limit, batchSize: limit + 1 })
        .toArray();
      if (page.length > 0) yield page.map(toCollection);
      const { _id, purgeAt } = page.at(-1) ?? {};
      if (page.length < limit || _id === undefined || purgeAt === undefined) return;
      last = { _id, purgeAt };
    }
  }

  async postponePurge({ key, settings, publication }: Collection, until?: Date): Promise<void> {
    const isAsItWas = {
      settings,
      'publication.sequence': publication.sequence,
      unfollowed: { $exists: false },
      ...isPresent,
    };
    const { matchedCount } = await this.#rows.updateOne(
      { _id: key, ...isAsItWas },
      until ? { $set: { purgeAt: until } } : { $unset: { purgeAt: '' } },
    );
    if (matchedCount === 0)
      await this.#rows.updateOne({ _id: key, ...isPresent }, { $set: { purgeAt: new Date(0) } });
  }
}
