import type { Model, mongo } from 'mongoose';
import { pagesOf } from '#core';
import type {
  Collection,
  CollectionKey,
  CollectionSettings,
  CollectionStore,
  Lease,
  LeasedCollection,
  Publication,
} from '#core';
import type { CollectionDocument } from './collection-document.ts';
import { isPresent, toCollection } from './collection-document.ts';
import { CollectionRemoval } from './collection-removal.ts';
import type { RemovedContents } from './collection-removal.ts';
import { chunksOf } from './chunk.ts';
import { collectionsAfter } from './key.ts';
import { isDuplicateKey } from './duplicate-key.ts';
import { JoinedReads } from './joined-reads.ts';
import type { RetiredDocument } from './retired-document.ts';

/** What a collection has elsewhere in the store. */
export interface Contents extends RemovedContents {
  removeLog(collection: CollectionKey): Promise<void>;
}

type Update = mongo.UpdateFilter<CollectionDocument>;

/** Collections read at once where all are read. */
const pageCollections = 100;

/** When the lease of a collection that was released has ended. */
const released = new Date(0);

/** Collections in MongoDB, and the leases to publish them. */
export class MongoCollectionStore implements CollectionStore {
  readonly #collections: Model<CollectionDocument>;
  readonly #rows: mongo.Collection<CollectionDocument>;
  readonly #reads: JoinedReads<CollectionKey, CollectionDocument>;
  readonly #counts: JoinedReads<CollectionKey, never>;
  readonly #retired: Model<RetiredDocument>;
  readonly #contents: Contents;
  readonly #removal: CollectionRemoval;

  constructor(collections: Model<CollectionDocument>, retired: Model<RetiredDocument>, contents: Contents) {
    this.#collections = collections;
    this.#rows = collections.collection as unknown as mongo.Collection<CollectionDocument>;
    this.#reads = new JoinedReads((ids) =>
      this.#rows.find({ _id: { $in: [...ids] }, ...isPresent }).toArray(),
    );
    this.#counts = new JoinedReads(async (ids) => {
      await this.#rows.updateMany({ _id: { $in: [...ids] } }, { $inc: { subscriptionsRevision: 1 } });
      return [];
    });
    this.#retired = retired;
    this.#contents = contents;
    this.#removal = new CollectionRemoval(this.#rows, retired, contents);
  }

  async create({ key, ...rest }: Collection): Promise<boolean> {
    // Before its last numbers are read: a removal that ends in between has left higher ones.
    if ((await this.#rows.findOne({ _id: key }, { projection: { _id: 1 } })) !== null) return false;
    const { sequence, epoch } = (await this.#retired.findById(key).lean<RetiredDocument>()) ?? {
      sequence: 0,
      epoch: 0,
    };
    const publication =
      sequence > rest.publication.sequence
        ? { sequence, since: sequence, relayed: sequence }
        : rest.publication;
    try {
      await this.#collections.create({
        _id: key,
        ...rest,
        publication,
        lease: { holder: '', epoch, expiresAt: new Date(0) },
      });
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
          'lease.holder': '',
          'lease.expiresAt': new Date(0),
        },
        $inc: { 'lease.epoch': 1 },
        $push: { retiredEndpoints: former },
        $unset: { 'lease.unfinished': '' },
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

  async lease(key: CollectionKey, holder: string, duration: number): Promise<Lease | undefined> {
    return (await this.take(key, holder, duration))?.lease;
  }

  async take(key: CollectionKey, holder: string, duration: number): Promise<LeasedCollection | undefined> {
    const own = { $eq: ['$lease.holder', { $literal: holder }] };
    const runs = { $gt: ['$lease.expiresAt', '$$NOW'] };
    const renews = { $and: [own, runs] };
    const document = await this.#collections
      .findOneAndUpdate(
        { _id: key, ...isPresent, $expr: { $or: [own, { $not: [runs] }] } },
        [
          {
            $set: {
              'lease.holder': { $literal: holder },
              'lease.epoch': { $add: ['$lease.epoch', { $cond: [renews, 0, 1] }] },
              'lease.expiresAt': { $add: ['$$NOW', duration] },
              // A renewal must not take away what another holder has left there.
              'lease.unfinished': {
                $cond: [renews, '$lease.unfinished', { $add: ['$lease.epoch', 1] }],
              },
            },
          },
        ],
        { returnDocument: 'after', updatePipeline: true },
      )
      .lean<CollectionDocument>();
    if (document === null) return undefined;
    return { lease: { collection: key, epoch: document.lease.epoch }, collection: toCollection(document) };
  }

  async vacant(key: CollectionKey): Promise<LeasedCollection | undefined> {
    const row = await this.#reads.read(key);
    if (row === undefined || row.lease.unfinished !== undefined || row.lease.expiresAt > released)
      return undefined;
    return { lease: { collection: key, epoch: row.lease.epoch + 1 }, collection: toCollection(row) };
  }

  async takeVacant(
    { lease: { collection: key, epoch }, collection: { settings, endpoint } }: LeasedCollection,
    holder: string,
    duration: number,
  ): Promise<boolean> {
    const isVacant = { 'lease.unfinished': { $exists: false }, 'lease.expiresAt': { $lte: released } };
    const { matchedCount } = await this.#rows.updateOne(
      { _id: key, 'lease.epoch': epoch - 1, ...isVacant, settings, endpoint, ...isPresent },
      [
        {
          $set: {
            'lease.holder': { $literal: holder },
            'lease.epoch': epoch,
            'lease.expiresAt': { $add: ['$$NOW', duration] },
            'lease.unfinished': epoch,
          },
        },
      ],
    );
    return matchedCount === 1;
  }

  async interrupted(): Promise<CollectionKey[]> {
    const found = await this.#rows
      .find({ 'lease.unfinished': { $gte: 0 }, $expr: { $lte: ['$lease.expiresAt', '$$NOW'] } })
      .project<{ _id: CollectionKey }>({ _id: 1 })
      .toArray();
    return found.map(({ _id }) => _id);
  }

  async unrelayed(): Promise<CollectionKey[]> {
    const found: CollectionKey[] = [];
    const pages = pagesOf(
      (page) => this.list(page),
      ({ key }) => key,
      pageCollections,
    );
    for await (const page of pages) {
      // The log is asked too: it is ahead of the publication if a publisher died between the two.
      const logged = await Promise.all(page.map(({ key }) => this.#contents.lastSequence(key)));
      const behind = page.filter(
        ({ publication: { relayed, sequence } }, place) => relayed < Math.max(sequence, logged[place] ?? 0),
      );
      found.push(...behind.map(({ key }) => key));
    }
    return found;
  }

  async release(lease: Lease, publication?: Publication): Promise<void> {
    const end = { 'lease.expiresAt': released };
    const update: Update = publication === undefined ? { $set: end } : publicationUpdate(publication, end);
    const finished = { ...update, $unset: { ...update.$unset, 'lease.unfinished': '' as const } };
    if (await this.#under(lease, finished, { 'lease.unfinished': lease.epoch })) return;
    // Where a former holder has abandoned its lease meanwhile, that stays.
    await this.#under(lease, update);
  }

  async abandon({ collection, epoch }: Lease): Promise<void> {
    await this.#rows.updateOne({ _id: collection, ...isPresent }, [
      {
        $set: {
          'lease.unfinished': 0,
          'lease.expiresAt': { $cond: [{ $eq: ['$lease.epoch', epoch] }, new Date(0), '$lease.expiresAt'] },
        },
      },
    ]);
  }

  async advance(lease: Lease, publication: Publication, purgeAt?: Date): Promise<boolean> {
    const update = publicationUpdate(publication);
    return this.#under(lease, purgeAt ? { ...update, $min: { purgeAt } } : update);
  }

  /** Changes a collection under a lease in one write; returns false if a newer epoch exists. */
  async #under(
    { collection, epoch }: Lease,
    update: Update,
    condition: mongo.Filter<CollectionDocument> = {},
  ): Promise<boolean> {
    const { matchedCount } = await this.#rows.updateOne(
      { _id: collection, 'lease.epoch': epoch, ...condition },
      update,
    );
    return matchedCount === 1;
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
      'lease.unfinished': { $exists: false },
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

/** The update that moves a publication, whose `since` never becomes smaller. */
function publicationUpdate(
  { sequence, since, relayed, updatedAt }: Publication,
  fields: { readonly 'lease.expiresAt'?: Date } = {},
): Update {
  return {
    $set: {
      ...fields,
      'publication.sequence': sequence,
      'publication.relayed': relayed,
      ...(updatedAt && { 'publication.updatedAt': updatedAt }),
    },
    ...(updatedAt === undefined && { $unset: { 'publication.updatedAt': '' } }),
    $max: { 'publication.since': since },
  };
}
