import type { mongo } from 'mongoose';
import type { FeedItem, ItemStore, ItemWrite, PendingItem, PublishedItem, Source, StoredItem } from '#ports';
import type { ItemDocument } from './item-document.ts';
import { pendingProjection, toPendingItem, toStoredItem } from './item-document.ts';
import { itemWrite } from './item-write.ts';
import { idOf, keyOf, keysOf } from './key.ts';
import { lostWrites } from './lost-writes.ts';
import { atPlace, withPlace } from './place-of-key.ts';

/** How many items a step of `published` reads at most; MongoDB ends a step at 16 MiB in any case. */
const pageItems = 1000;

/** Items in MongoDB, by the driver itself: this is the hottest path. */
export class MongoItemStore implements ItemStore {
  readonly #items: mongo.Collection<ItemDocument>;

  constructor(items: mongo.Collection<ItemDocument>) {
    this.#items = items;
  }

  async load(collection: string, ids: readonly string[]): Promise<Map<string, StoredItem>> {
    const keys = ids.map((id) => keyOf(collection, id));
    const documents = await this.#items.find({ _id: { $in: keys } }, { batchSize: keys.length + 1 }).toArray();
    return new Map(documents.map((document) => [idOf(document._id), toStoredItem(document)]));
  }

  async compareAndSet(writes: readonly ItemWrite[]): Promise<string[]> {
    if (writes.length === 0) return [];
    const lost = await lostWrites(this.#items.bulkWrite(writes.map(itemWrite), { ordered: false }));
    return lost.flatMap((place) => writes[place]?.item.id ?? []);
  }

  async remember(collection: string, sources: readonly (Source & { id: string })[]): Promise<void> {
    for (const subscription of new Set(sources.map((source) => source.subscription))) {
      const digests = new Map(sources.filter((source) => source.subscription === subscription).map(({ id, digest }) => [keyOf(collection, id), digest]));
      const keys = [...digests.keys()];
      const others = { $filter: { input: '$sources', cond: { $ne: ['$$this.subscription', { $literal: subscription }] } } };
      const added = { subscription: { $literal: subscription }, digest: atPlace([...digests.values()]) };
      await this.#items.updateMany({ _id: { $in: keys } }, [{ $set: { sources: withPlace(keys, { $concatArrays: [others, [added]] }) } }]);
    }
  }

  async known(collection: string, sources: readonly (Source & { id: string })[]): Promise<Set<string>> {
    const keys = sources.map(({ id }) => keyOf(collection, id));
    const documents = await this.#items
      .find({ _id: { $in: keys } }, { batchSize: keys.length + 1 })
      .project<Pick<ItemDocument, '_id' | 'sources'>>({ sources: 1 })
      .toArray();
    const stored = new Map(documents.map((document) => [idOf(document._id), document.sources]));
    const known = sources.filter(({ id, subscription, digest }) => stored.get(id)?.some((source) => source.subscription === subscription && source.digest === digest));
    return new Set(known.map(({ id }) => id));
  }

  async pending(collection: string, limit: number): Promise<PendingItem[]> {
    const documents = await this.#items
      .find({ collection, pending: true }, { limit, batchSize: limit + 1 })
      .project<Parameters<typeof toPendingItem>[0]>(pendingProjection)
      .toArray();
    return documents.map(toPendingItem);
  }

  async collectionsPending(): Promise<string[]> {
    // The bound on the collection lets the index of pending items answer, one step a collection.
    return this.#items.distinct('collection', { collection: { $gt: '' }, pending: true });
  }

  async markPublished(collection: string, items: readonly PublishedItem[]): Promise<void> {
    const byId = new Map(items.map((item) => [keyOf(collection, item.id), item]));
    const keys = [...byId.keys()];
    const value = (field: keyof PublishedItem) => atPlace([...byId.values()].map((item) => item[field]));
    const published = {
      sequence: value('sequence'),
      announced: { revision: value('revision'), deleted: value('deleted'), conflictCount: value('conflictCount') },
      pending: { $gt: ['$revision', value('revision')] },
    };
    const applied = { $gte: ['$sequence', value('sequence')] };
    const result = { $cond: [applied, '$$ROOT', { $mergeObjects: ['$$ROOT', published] }] };
    await this.#items.updateMany({ _id: { $in: keys } }, [{ $replaceWith: withPlace(keys, result) }]);
  }

  async list(collection: string, page: { after?: string; limit: number; deleted?: boolean; conflicts?: boolean }): Promise<StoredItem[]> {
    const filter = {
      _id: keysOf(collection, page.after),
      ...(page.deleted === false && { deleted: false }),
      // The collection is named for the sake of the index of items in conflict.
      ...(page.conflicts === true && { collection, conflictCount: { $gt: 0 } }),
    };
    const documents = await this.#items.find(filter, { sort: { _id: 1 }, limit: page.limit }).toArray();
    return documents.map(toStoredItem);
  }

  async *published(collection: string, since: number): AsyncGenerator<FeedItem> {
    let last = since;
    for (;;) {
      // A negative limit: one answer without a cursor that stays open, cut off where it gets too large.
      const page = await this.#items
        .find({ collection, sequence: { $gt: last } }, { sort: { sequence: 1 }, limit: -pageItems, batchSize: pageItems })
        .project<Pick<ItemDocument, '_id' | 'entry' | 'updatedAt'> & { sequence: number }>({ sequence: 1, entry: 1, updatedAt: 1 })
        .toArray();
      if (page.length === 0) return;
      for (const { _id, sequence, entry, updatedAt } of page) {
        yield { id: idOf(_id), sequence, entry, updatedAt };
        last = sequence;
      }
    }
  }

  async windowStart(collection: string, count: number): Promise<number> {
    const filter = { collection, sequence: { $gt: 0 } };
    const item = await this.#items.findOne(filter, { projection: { _id: 0, sequence: 1 }, sort: { sequence: -1 }, skip: count });
    return item?.sequence ?? 0;
  }
}
