import type { mongo } from 'mongoose';
import type { CollectionKey, ItemId, Source, StoredItem, SubscriptionId } from '#core';
import { chunksOf } from './chunk.ts';
import type { ItemDocument } from './item-document.ts';
import { toStoredItem } from './item-document.ts';
import { itemIdOf, keyOf, keysOf } from './key.ts';
import { atPlace, withPlace } from './place-of-key.ts';
import { unseenSource } from './source-filter.ts';

type Items = mongo.Collection<ItemDocument>;

/** Records what brought these items, as `ItemStore.remember` says. */
export async function rememberSources(
  items: Items,
  collection: CollectionKey,
  sources: readonly (Source & { id: ItemId })[],
  loaded?: ReadonlyMap<ItemId, Pick<StoredItem, 'sources'>>,
): Promise<void> {
  for (const subscription of new Set(sources.map((source) => source.subscription))) {
    const own = sources.filter((source) => source.subscription === subscription);
    const filtered = (operator: '$eq' | '$ne') => ({
      $filter: {
        input: '$sources',
        cond: { [operator]: ['$$this.subscription', { $literal: subscription }] },
      },
    });
    for (const chunk of chunksOf(own, ({ id }) => id.length)) {
      const added = new Map(
        chunk.map(({ id, digest, fetchPass }) => [
          keyOf(collection, id),
          { subscription, digest, fetchPass },
        ]),
      );
      const keys = [...added.keys()];
      const latter = { $concatArrays: [filtered('$ne'), [atPlace([...added.values()])]] };
      const former = chunk.map(({ id }) =>
        (loaded?.get(id)?.sources ?? []).filter((source) => source.subscription === subscription),
      );
      const isAsLoaded = { $eq: [filtered('$eq'), atPlace(former)] };
      const changed = loaded === undefined ? latter : { $cond: [isAsLoaded, latter, '$sources'] };
      await items.updateMany({ _id: { $in: keys } }, [{ $set: { sources: withPlace(keys, changed) } }]);
    }
  }
}

/** The ids of those that these sources have brought already, as `ItemStore.known` says. */
export async function knownSources(
  items: Items,
  collection: CollectionKey,
  sources: readonly (Source & { id: ItemId })[],
): Promise<Set<ItemId>> {
  const stored = new Map<ItemId, readonly Source[]>();
  for (const chunk of chunksOf(sources, ({ id }) => id.length)) {
    const keys = chunk.map(({ id }) => keyOf(collection, id));
    const found = await items
      .find({ _id: { $in: keys } }, { batchSize: keys.length + 1 })
      .project<Pick<ItemDocument, '_id' | 'sources'>>({ sources: 1 })
      .toArray();
    for (const document of found) stored.set(itemIdOf(document._id), document.sources);
  }
  const known = sources.filter(({ id, subscription, digest }) =>
    stored.get(id)?.some((source) => source.subscription === subscription && source.digest === digest),
  );
  return new Set(known.map(({ id }) => id));
}

/** Items that a fetch has not brought, as `ItemStore.unseen` says. */
export async function unseenItems(
  items: Items,
  collection: CollectionKey,
  fetchPass: { subscription: SubscriptionId; manifest: string },
  page: { after?: string; limit: number },
): Promise<StoredItem[]> {
  const filter = { _id: keysOf(collection, page.after), sources: { $elemMatch: unseenSource(fetchPass) } };
  const documents = await items.find(filter, { sort: { _id: 1 }, limit: page.limit }).toArray();
  return documents.map(toStoredItem);
}

/** Takes a source from items, as `ItemStore.forget` says. */
export async function forgetSource(
  items: Items,
  collection: CollectionKey,
  fetchPass: { subscription: SubscriptionId; manifest: string },
  ids: readonly ItemId[],
): Promise<void> {
  await items.updateMany(
    { _id: { $in: ids.map((id) => keyOf(collection, id)) } },
    { $pull: { sources: unseenSource(fetchPass) } },
  );
}
