import type { mongo } from 'mongoose';
import { checkSizes, othersTurn, storedSize, writtenGrowth } from '#core';
import type {
  ByCollection,
  ChildPlace,
  ChildState,
  CollectionKey,
  ConflictPlace,
  FeedItem,
  FeedWindow,
  IssuedRecord,
  ItemCounts,
  ItemId,
  ItemSelection,
  ItemStore,
  ItemWrite,
  KeyRange,
  LatestItem,
  PendingItem,
  Placed,
  PlacedItem,
  PlaceRange,
  PublishedItem,
  Source,
  StoredItem,
  TimeOrder,
  TimePlace,
  WindowStart,
  SubscriptionId,
} from '#core';
import type { ItemDocument, PlacedDocument } from './item-document.ts';
import {
  pendingProjection,
  placedProjection,
  toPendingItem,
  toPlacedItem,
  toStoredItem,
} from './item-document.ts';
import { chunksOf } from './chunk.ts';
import type { IssuedDocument } from './issued-document.ts';
import { IssuedRows } from './issued-rows.ts';
import { itemRow, itemWrite } from './item-write.ts';
import type { RowWrite } from './item-write.ts';
import { countItems, listById, listByTime, listConflicts } from './item-lists.ts';
import { countPlacesBelow, hasChildren, placesAtOnce, placesBelow } from './item-places.ts';
import { forgetSource, knownSources, rememberSources, unseenItems } from './item-sources.ts';
import { itemsReferring } from './items-referring.ts';
import { nestedFeedsOf } from './nested-feeds.ts';
import { collectionsAfter, itemIdOf, keyOf, keysOf } from './key.ts';
import { JoinedBulk } from './joined-bulk.ts';
import { JoinedReads } from './joined-reads.ts';
import { lostWrites } from './lost-writes.ts';
import { latestItemsOf, publishedItems } from './published-items.ts';
import { rangeSteps } from './range-steps.ts';
import { removeUnchanged } from './remove-items.ts';
import type { RemovedItem } from './remove-items.ts';
import { inSteps, rowsToMeasure } from './steps.ts';
import { guidRef, nestedRef } from './tree-refs-document.ts';
import type { UsageCounter } from './usage-counter.ts';
import type { PublishedWrites } from './published-writes.ts';
import type { WriteOutcome } from './joined-writes.ts';
import { windowStart } from './window-start.ts';

/** The size of a document, in bytes. */
const bytes = { $bsonSize: '$$ROOT' };

/** The order of the items below one parent. */
const byPlace = { 'position.key': 1, _id: 1 } as const;

/** How large an item may be whose write shares a command with others. */
const joinedBytes = 1_048_576;

/** Before a stored text of more characters is read, others have their turn. */
const longContent = 1_048_576;

/** Longer than any document, in characters. */
const longestText = 16_777_216;

/** Items in MongoDB, by the driver itself: this is the hottest path. */
export class MongoItemStore implements ItemStore {
  readonly #items: mongo.Collection<ItemDocument>;
  readonly #reads: JoinedReads<string, ItemDocument>;
  readonly #inserts: JoinedBulk<ItemDocument>;
  readonly #updates: JoinedBulk<ItemDocument>;
  readonly #issued: mongo.Collection<IssuedDocument>;
  readonly #issuedRows: IssuedRows;
  readonly #maximumBytes: number;
  readonly #usage: UsageCounter;
  readonly #published: PublishedWrites | undefined;

  /**
   * @param maximumBytes how large the row of an item may be
   * @param published by what items are published as they are written; absent: they wait for a publisher
   */
  constructor(
    items: mongo.Collection<ItemDocument>,
    issued: mongo.Collection<IssuedDocument>,
    maximumBytes: number,
    usage: UsageCounter,
    published?: PublishedWrites,
  ) {
    this.#items = items;
    this.#reads = new JoinedReads((keys) => this.#loadAll(keys));
    this.#inserts = new JoinedBulk(items);
    this.#updates = new JoinedBulk(items);
    this.#issued = issued;
    this.#issuedRows = new IssuedRows(issued);
    this.#maximumBytes = maximumBytes;
    this.#usage = usage;
    this.#published = published;
  }

  async load(collection: CollectionKey, ids: readonly ItemId[]): Promise<Map<ItemId, StoredItem>> {
    const loaded = new Map<ItemId, StoredItem>();
    for (const chunk of chunksOf(ids)) {
      const keys = chunk.map((id) => keyOf(collection, id));
      const [only = ''] = keys;
      const documents = keys.length === 1 ? await this.#loadOne(only) : await this.#loadAll(keys);
      for (const item of await toStoredItems(documents)) loaded.set(item.id, item);
    }
    return loaded;
  }

  /** Many edits, each of one item, share a query. */
  async #loadOne(key: string): Promise<readonly ItemDocument[]> {
    const row = await this.#reads.read(key);
    return row === undefined ? [] : [row];
  }

  async #loadAll(keys: readonly string[]): Promise<readonly ItemDocument[]> {
    return this.#items.find({ _id: { $in: keys } }, { batchSize: keys.length + 1 }).toArray();
  }

  async *loadInSteps(collection: CollectionKey, ids: readonly ItemId[]): AsyncGenerator<StoredItem[]> {
    for (let [start, rows] = [0, rowsToMeasure([])]; start < ids.length;) {
      const keys = ids.slice(start, start + rows).map((id) => keyOf(collection, id));
      const measured = await this.#items
        .find({ _id: { $in: keys } }, { batchSize: keys.length + 1 })
        .project<{ _id: string; bytes: number }>({ bytes })
        .toArray();
      start += rows;
      if (measured.length > 0) rows = rowsToMeasure(measured);
      const sizes = new Map(measured.map((document) => [document._id, document]));
      for (const step of inSteps(keys.flatMap((key) => sizes.get(key) ?? []))) {
        const loaded = await this.load(
          collection,
          step.map(({ _id }) => itemIdOf(_id)),
        );
        yield step.flatMap(({ _id }) => loaded.get(itemIdOf(_id)) ?? []);
      }
    }
  }

  async issued(
    collection: CollectionKey,
    ids: readonly ItemId[],
  ): Promise<Map<ItemId, readonly IssuedRecord[]>> {
    return this.#issuedRows.read(collection, ids);
  }

  async compareAndSet(writes: readonly ItemWrite[]): Promise<ItemId[]> {
    if (writes.length === 0) return [];
    const rows = writes.map((write) => ({ write, row: itemRow(write) }));
    const sizes = rows.map(({ row }) => sizeOf(row));
    checkSizes(
      writes.flatMap(({ item, isMoved }, place) =>
        isMoved === true ? [] : [[item.id, sizes[place] ?? 0] as const],
      ),
      this.#maximumBytes,
    );
    const outcomes = await this.#publish(rows, sizes);
    const waiting = [...rows.keys()].filter((place) => outcomes[place] === 'failed');
    const lostOnes = await this.#lostOf(
      waiting.flatMap((place) => rows[place] ?? []),
      waiting.flatMap((place) => sizes[place] ?? []),
    );
    const lost = new Set(lostOnes.map((place) => waiting[place]));
    for (const [place, outcome] of outcomes.entries()) if (outcome === 'lost') lost.add(place);
    this.#count(writes, lost);
    return writes.flatMap(({ item }, place) => (lost.has(place) ? [item.id] : []));
  }

  /** Writes what can be published in the same step; the rest has `failed`. */
  async #publish(rows: readonly RowWrite[], sizes: readonly number[]): Promise<readonly WriteOutcome[]> {
    const published = this.#published;
    if (published === undefined) return rows.map(() => 'failed');
    return Promise.all(rows.map((row, place) => published.write(row, sizes[place] ?? 0)));
  }

  /** Counts what a tenant has more, or less, after writes. */
  #count(writes: readonly ItemWrite[], lost: ReadonlySet<number | undefined>): void {
    for (const [place, write] of writes.entries())
      if (!lost.has(place) && this.#usage.counts(write.item.collection))
        this.#usage.add(write.item.collection, writtenGrowth(write));
  }

  /** Many edits, each of one item, share a write: inserts and updates each a command of their own. */
  async #lostJoined(write: RowWrite, bytes: number): Promise<readonly number[]> {
    const { _id: key, revision } = write.row;
    const writes = revision === 1 ? this.#inserts : this.#updates;
    return (await writes.isLost({ key, bytes, write: itemWrite(write) })) ? [0] : [];
  }

  /** Writes rows that are to wait for a publisher; returns the places of those that lost. */
  async #lostOf(rows: readonly RowWrite[], sizes: readonly number[]): Promise<readonly number[]> {
    const [[row], [bytes = 0]] = [rows, sizes];
    if (row === undefined) return [];
    if (rows.length === 1 && bytes <= joinedBytes) return this.#lostJoined(row, bytes);
    return lostWrites(this.#items.bulkWrite(rows.map(itemWrite), { ordered: false }));
  }

  async remember(
    collection: CollectionKey,
    sources: readonly (Source & { id: ItemId })[],
    loaded?: ReadonlyMap<ItemId, Pick<StoredItem, 'sources'>>,
  ): Promise<void> {
    await rememberSources(this.#items, collection, sources, loaded);
  }

  async known(
    collection: CollectionKey,
    sources: readonly (Source & { id: ItemId })[],
  ): Promise<Set<ItemId>> {
    return knownSources(this.#items, collection, sources);
  }

  async publishAgain(collection: CollectionKey): Promise<void> {
    const rows = this.#items as unknown as mongo.Collection<{ _id: string }>;
    for await (const step of rangeSteps(rows, keysOf(collection)))
      await this.#items.updateMany({ _id: step }, { $set: { pending: true }, $unset: { announced: '' } });
  }

  async pending(collection: CollectionKey, limit: number): Promise<PendingItem[]> {
    const documents = await this.#items
      .find({ collection, pending: true }, { limit, batchSize: limit + 1 })
      .project<Parameters<typeof toPendingItem>[0]>(pendingProjection)
      .toArray();
    return documents.map(toPendingItem);
  }

  async collectionsPending(): Promise<CollectionKey[]> {
    // The bound on the collection lets the index of pending items answer, one step a collection.
    return this.#items.distinct('collection', { collection: collectionsAfter(), pending: true });
  }

  async list(
    collection: CollectionKey,
    page: { after?: string; limit: number } & ItemSelection,
  ): Promise<StoredItem[]> {
    return toStoredItems(await listById(this.#items, collection, page));
  }

  async listByTime(
    collection: CollectionKey,
    order: TimeOrder,
    page: { after?: TimePlace; limit: number } & ItemSelection,
  ): Promise<StoredItem[]> {
    return toStoredItems(await listByTime(this.#items, collection, order, page));
  }

  async listConflicts(page: { after?: ConflictPlace; limit: number }): Promise<StoredItem[]> {
    return toStoredItems(await listConflicts(this.#items, page));
  }

  async counts(collections: readonly CollectionKey[]): Promise<ByCollection<ItemCounts>> {
    return countItems(this.#items, collections);
  }

  async *published(collection: CollectionKey, since: number): AsyncGenerator<FeedItem> {
    yield* publishedItems(this.#items, collection, since);
  }

  async *latest(collection: CollectionKey, before = Infinity): AsyncGenerator<LatestItem> {
    yield* latestItemsOf(this.#items, collection, before);
  }

  async windowStart(collection: CollectionKey, window: FeedWindow): Promise<WindowStart> {
    return windowStart(this.#items, collection, window);
  }

  async expiredTombstones(
    collection: CollectionKey,
    publishedBefore: Date,
    limit: number,
  ): Promise<Pick<StoredItem, 'id' | 'revision' | 'sequence'>[]> {
    const documents = await this.#items
      .find(
        { collection, deleted: true, publishedAt: { $lt: publishedBefore }, pending: false },
        { sort: { publishedAt: 1, sequence: 1 }, limit },
      )
      .project<Pick<ItemDocument, '_id' | 'revision' | 'sequence'>>({ revision: 1, sequence: 1 })
      .toArray();
    return documents.map(({ _id, ...rest }) => ({ id: itemIdOf(_id), ...rest }));
  }

  async oldestTombstone(collection: CollectionKey): Promise<Date | undefined> {
    const oldest = await this.#items.findOne(
      { collection, deleted: true, pending: false },
      { projection: { _id: 0, publishedAt: 1 }, sort: { publishedAt: 1, sequence: 1 } },
    );
    return oldest?.publishedAt;
  }

  async *positions(collection: CollectionKey): AsyncGenerator<PlacedItem> {
    for (let last: string | undefined = ''; last !== undefined;) {
      const page: PlacedDocument[] = await this.#items
        .find(
          { _id: keysOf(collection, last), 'position.parent': { $exists: true } },
          { sort: { _id: 1 }, limit: -placesAtOnce, batchSize: placesAtOnce },
        )
        .project<PlacedDocument>(placedProjection)
        .toArray();
      const items = page.map(toPlacedItem);
      yield* items;
      last = items.at(-1)?.id;
    }
  }

  async children(collection: CollectionKey, parents: readonly string[]): Promise<PlacedItem[]> {
    const documents = await this.#items
      .find({ collection, 'position.parent': { $in: parents } }, { sort: byPlace, batchSize: placesAtOnce })
      .project<PlacedDocument>(placedProjection)
      .toArray();
    return documents.map(toPlacedItem);
  }

  async childStates(collection: CollectionKey, parents: readonly string[]): Promise<ChildState[]> {
    const keys = await this.#items
      .find({ collection, 'position.parent': { $in: parents } }, { batchSize: placesAtOnce })
      .project<Pick<ItemDocument, '_id' | 'deleted'>>({ _id: 1, deleted: 1 })
      .toArray();
    return keys.map(({ _id, deleted }) => ({ id: itemIdOf(_id), deleted }));
  }

  async childIds(collection: CollectionKey, parent: string): Promise<ItemId[]> {
    // By its index alone.
    const keys = await this.#items
      .find({ collection, 'position.parent': parent }, { sort: byPlace, batchSize: placesAtOnce })
      .project<Pick<ItemDocument, '_id'>>({ _id: 1 })
      .toArray();
    return keys.map(({ _id }) => itemIdOf(_id));
  }

  async firstKey(collection: CollectionKey, parent: string): Promise<string | undefined> {
    const first = await this.#items.findOne(
      { collection, 'position.parent': parent, 'position.key': { $gte: '' } },
      { projection: { _id: 0, 'position.key': 1 }, sort: { 'position.key': 1 } },
    );
    return first?.position?.key;
  }

  async listChildren(
    collection: CollectionKey,
    parent: string,
    { after, limit }: { after?: ChildPlace; limit: number },
  ): Promise<StoredItem[]> {
    const filter = {
      collection,
      'position.parent': parent,
      deleted: false,
      ...(after && { $or: placesAfter(collection, after) }),
    };
    const documents = await this.#items.find(filter, { sort: byPlace, limit }).toArray();
    return toStoredItems(documents);
  }

  async placesBelow(collection: CollectionKey, parent: string, range: PlaceRange): Promise<Placed[]> {
    return placesBelow(this.#items, collection, parent, range);
  }

  async countPlacesBelow(collection: CollectionKey, parent: string, range: KeyRange): Promise<number> {
    return countPlacesBelow(this.#items, collection, parent, range);
  }

  async hasChildren(collection: CollectionKey, parent: string): Promise<boolean> {
    return hasChildren(this.#items, collection, parent);
  }

  async publishedAfter(collection: CollectionKey, sequence: number): Promise<Date | undefined> {
    const first = await this.#items.findOne(
      { collection, sequence: { $gt: sequence } },
      { projection: { publishedAt: 1 }, sort: { sequence: 1 } },
    );
    return first?.publishedAt;
  }

  async unseen(
    collection: CollectionKey,
    fetchPass: { subscription: SubscriptionId; manifest: string },
    page: { after?: string; limit: number },
  ): Promise<StoredItem[]> {
    return unseenItems(this.#items, collection, fetchPass, page);
  }

  async forget(
    collection: CollectionKey,
    fetchPass: { subscription: SubscriptionId; manifest: string },
    ids: readonly ItemId[],
  ): Promise<void> {
    await forgetSource(this.#items, collection, fetchPass, ids);
  }

  async linking(
    collection: CollectionKey,
    feeds: readonly string[],
  ): Promise<{ id: ItemId; feed: string }[]> {
    const documents = await this.#items
      .find({ collection, deleted: false, branch: { $in: feeds.map(nestedRef) } })
      .project<Pick<PlacedDocument, '_id' | 'position'>>({ 'position.parent': 1 })
      .toArray();
    return documents.map(({ _id, position }) => ({ id: itemIdOf(_id), feed: position.parent }));
  }

  async nestedFeeds(
    collection: CollectionKey,
    items: readonly Pick<PublishedItem, 'id' | 'sequence'>[],
  ): Promise<string[]> {
    return nestedFeedsOf(this.#items, collection, items);
  }

  async referring(collection: CollectionKey, digests: readonly string[]): Promise<Map<string, number>> {
    return itemsReferring(this.#items, collection, digests);
  }

  async withGuid(collection: CollectionKey, guid: string): Promise<ItemId[]> {
    const documents = await this.#items
      .find({ collection, deleted: false, branch: guidRef(guid) }, { sort: { _id: 1 } })
      .project<Pick<ItemDocument, '_id'>>({ _id: 1 })
      .toArray();
    return documents.map(({ _id }) => itemIdOf(_id));
  }

  async remove(collection: CollectionKey, items: readonly RemovedItem[]): Promise<ItemId[]> {
    return removeUnchanged(this.#items, this.#issued, this.#usage, collection, items);
  }
}

/**
 * What a row takes in bytes; of a text that is too long by far the characters are counted, since to measure
 * it would put it together.
 */
function sizeOf(row: ItemDocument): number {
  return row.content.length > longestText ? row.content.length : storedSize(row);
}

/** Conditions of which an item fulfils one if it stands after a place below its parent. */
function placesAfter(collection: CollectionKey, { key, id }: ChildPlace): mongo.Filter<ItemDocument>[] {
  // Items without a key come first.
  return [
    { 'position.key': key === '' ? { $exists: true } : { $gt: key } },
    { 'position.key': key === '' ? { $exists: false } : key, _id: { $gt: keyOf(collection, id) } },
  ];
}

async function toStoredItems(documents: readonly ItemDocument[]): Promise<StoredItem[]> {
  if (documents.some(({ content }) => content.length > longContent)) await othersTurn();
  return documents.map(toStoredItem);
}
