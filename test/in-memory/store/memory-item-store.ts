import { areSameSources, checkSizes, fetchPassOf, storedSize } from '#core';
import type {
  ChangeBlock,
  ChildPlace,
  ChildState,
  CollectionKey,
  ConflictPlace,
  ItemCounts,
  ItemId,
  ItemSelection,
  SubscriptionId,
  TreeRefs,
  FeedItem,
  FeedWindow,
  IssuedRecord,
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
  Traced,
  WindowStart,
} from '#core';
import type { MemoryIssued } from './memory-issued.ts';
import type { Records } from './records.ts';
import { byCodePoint } from './code-point-order.ts';
import { occurrences } from './occurrences.ts';
import { follows } from './records.ts';

/** Items in memory. */
export class MemoryItemStore implements ItemStore {
  readonly #items: Records<StoredItem & Traced>;
  readonly #issued: MemoryIssued;
  readonly #maximumBytes: number;
  readonly #publish: (writes: readonly ItemWrite[]) => ChangeBlock | undefined;

  /**
   * @param publish publishes writes that win, and returns their block; undefined if they are to be pending
   */
  constructor(
    items: Records<StoredItem & Traced>,
    issued: MemoryIssued,
    maximumBytes: number,
    publish: (writes: readonly ItemWrite[]) => ChangeBlock | undefined,
  ) {
    this.#items = items;
    this.#issued = issued;
    this.#maximumBytes = maximumBytes;
    this.#publish = publish;
  }

  async load(collection: CollectionKey, ids: readonly ItemId[]): Promise<Map<ItemId, StoredItem>> {
    return new Map(ids.flatMap((id) => this.#items.get(collection, id) ?? []).map((item) => [item.id, item]));
  }

  async issued(
    collection: CollectionKey,
    ids: readonly ItemId[],
  ): Promise<Map<ItemId, readonly IssuedRecord[]>> {
    return this.#issued.read(collection, ids);
  }

  async *loadInSteps(collection: CollectionKey, ids: readonly ItemId[]): AsyncGenerator<StoredItem[]> {
    for (const id of ids) {
      const item = this.#items.get(collection, id);
      if (item) yield [item];
    }
  }

  async compareAndSet(writes: readonly ItemWrite[]): Promise<ItemId[]> {
    checkSizes(
      writes.filter(({ isMoved }) => isMoved !== true).map(({ item }) => [item.id, sizeOf(item)]),
      this.#maximumBytes,
    );
    const isWon = ({ expected, item, former }: ItemWrite): boolean => {
      const { revision = 0, sources = [] } = this.#items.get(item.collection, item.id) ?? {};
      return revision === expected && (former === undefined || areSameSources(sources, former.sources));
    };
    const won = writes.filter(isWon);
    const lost = writes.filter((write) => !isWon(write)).map(({ item }) => item.id);
    const block = won.length > 0 ? this.#publish(won) : undefined;
    for (const [place, { expected, item, trace }] of won.entries()) {
      const stored = this.#items.get(item.collection, item.id);
      const revision = expected + 1;
      const published = block && {
        sequence: block.first + place,
        publishedAt: block.at,
        announced: { revision, deleted: item.deleted, conflictCount: item.conflictCount },
      };
      this.#items.set({
        ...item,
        revision,
        sequence: stored?.sequence,
        publishedAt: stored?.publishedAt,
        announced: stored?.announced,
        ...published,
        trace,
        ...keptEdits(item, stored),
      });
    }
    return lost;
  }

  async remember(
    collection: CollectionKey,
    sources: readonly (Source & { id: ItemId })[],
    loaded?: ReadonlyMap<ItemId, Pick<StoredItem, 'sources'>>,
  ): Promise<void> {
    for (const { id, subscription, digest, fetchPass } of sources) {
      const item = this.#items.get(collection, id);
      const own = (found: readonly Source[] = []): Source[] =>
        found.filter((source) => source.subscription === subscription);
      const isAsLoaded =
        loaded === undefined || areSameSources(own(item?.sources), own(loaded.get(id)?.sources));
      if (item && isAsLoaded)
        this.#items.set({
          ...item,
          sources: [
            ...item.sources.filter((source) => source.subscription !== subscription),
            { subscription, digest, fetchPass },
          ],
        });
    }
  }

  async known(
    collection: CollectionKey,
    sources: readonly (Source & { id: ItemId })[],
  ): Promise<Set<ItemId>> {
    const known = sources.filter(({ id, subscription, digest }) =>
      this.#items
        .get(collection, id)
        ?.sources.some((source) => source.subscription === subscription && source.digest === digest),
    );
    return new Set(known.map(({ id }) => id));
  }

  async publishAgain(collection: CollectionKey): Promise<void> {
    const items = this.#items.select({ where: (item) => item.collection === collection, limit: Infinity });
    for (const item of items) this.#items.set({ ...item, announced: undefined });
  }

  async pending(collection: CollectionKey, limit: number): Promise<PendingItem[]> {
    return this.#items
      .select({ where: (item) => item.collection === collection && isPending(item), limit })
      .map(withoutContent);
  }

  async collectionsPending(): Promise<CollectionKey[]> {
    return this.#items.collections(isPending);
  }

  /** Records on items what a block publishes of them. */
  record({ collection, items, at }: Pick<ChangeBlock, 'collection' | 'items' | 'at'>): void {
    for (const { id, sequence, ...announced } of items) {
      const item = this.#items.get(collection, id);
      if (item) this.#items.set({ ...item, sequence, publishedAt: at, announced });
    }
  }

  async list(
    collection: CollectionKey,
    { after, limit, ...selection }: { after?: string; limit: number } & ItemSelection,
  ): Promise<StoredItem[]> {
    return this.#items.select({
      where: (item) =>
        item.collection === collection && follows(item.id, after) && isSelected(item, selection),
      limit,
    });
  }

  async listByTime(
    collection: CollectionKey,
    { by, isAscending }: TimeOrder,
    { after, limit, ...selection }: { after?: TimePlace; limit: number } & ItemSelection,
  ): Promise<StoredItem[]> {
    const direction = isAscending ? 1 : -1;
    const compare = (item: StoredItem, { at, id }: TimePlace): number =>
      direction * (item[by].getTime() - at.getTime() || byCodePoint(item.id, id));
    return this.#items
      .select({
        where: (item) =>
          item.collection === collection &&
          isSelected(item, selection) &&
          (after === undefined || compare(item, after) > 0),
      })
      .sort((one, other) => compare(one, { at: other[by], id: other.id }))
      .slice(0, limit);
  }

  async listConflicts({ after, limit }: { after?: ConflictPlace; limit: number }): Promise<StoredItem[]> {
    const compare = (item: StoredItem, { collection, id }: ConflictPlace): number =>
      byCodePoint(item.collection, collection) || (id === undefined ? 0 : byCodePoint(item.id, id));
    return this.#items
      .select({
        where: (item) => item.conflictCount > 0 && (after === undefined || compare(item, after) > 0),
      })
      .sort((one, other) => compare(one, other))
      .slice(0, limit);
  }

  async counts(collections: readonly CollectionKey[]): Promise<Map<CollectionKey, ItemCounts>> {
    const counted = new Map<CollectionKey, ItemCounts>();
    for (const collection of collections) {
      const items = this.#items.select({ where: (item) => item.collection === collection });
      const deleted = items.filter((item) => item.deleted).length;
      const conflicts = items.filter(({ conflictCount }) => conflictCount > 0).length;
      if (items.length > 0) counted.set(collection, { live: items.length - deleted, deleted, conflicts });
    }
    return counted;
  }

  async *published(collection: CollectionKey, since: number): AsyncGenerator<FeedItem> {
    for await (const { id, sequence, content, updatedAt } of this.#above(collection, since))
      yield { id, sequence, content, updatedAt };
  }

  async *#above(collection: CollectionKey, since: number): AsyncGenerator<StoredItem & { sequence: number }> {
    let last = since;
    for (;;) {
      const above = last;
      const page = this.#items.select({
        where: (item) => item.collection === collection && place(item) > above,
        order: place,
        limit: 1000,
      });
      if (page.length === 0) return;
      for (const item of page) {
        last = place(item);
        yield { ...item, sequence: last };
      }
    }
  }

  async *latest(collection: CollectionKey, before = Infinity): AsyncGenerator<LatestItem> {
    const live = this.#items.select({
      where: (item) =>
        item.collection === collection && !item.deleted && place(item) > 0 && place(item) < before,
      order: place,
    });
    for (const {
      id,
      content,
      version,
      createdAt,
      updatedAt,
      publishedAt,
      sequence = 0,
    } of live.toReversed()) {
      yield { id, content, version, createdAt, updatedAt, sequence, ...(publishedAt && { publishedAt }) };
    }
  }

  async windowStart(
    collection: CollectionKey,
    { since, items, keptSince, leftBefore, limit = Infinity }: FeedWindow,
  ): Promise<WindowStart> {
    const inWindow = this.#items.select({
      where: (item) => item.collection === collection && place(item) > since,
      order: place,
    });
    const newerThan = (index: number): number => inWindow.length - 1 - index;
    const isCrowded = (index: number): boolean => newerThan(index) >= items;
    const stays = ({ publishedAt = longAgo }: StoredItem, index: number): boolean => {
      const aged = leftBefore !== undefined && publishedAt < leftBefore;
      return publishedAt > keptSince || !(isCrowded(index) || aged);
    };
    const index = inWindow.findIndex((item, place) => newerThan(place) < limit && stays(item, place));
    const [first, last] = [inWindow[index], inWindow.slice(0, index === -1 ? undefined : index).at(-1)];
    return {
      since: last ? place(last) : since,
      ...(first?.publishedAt && { firstAt: first.publishedAt }),
      isCrowded: first !== undefined && isCrowded(index),
    };
  }

  async expiredTombstones(
    collection: CollectionKey,
    publishedBefore: Date,
    limit: number,
  ): Promise<Pick<StoredItem, 'id' | 'revision' | 'sequence'>[]> {
    const expired = this.#items.select({
      where: (item) =>
        item.collection === collection &&
        item.deleted &&
        !isPending(item) &&
        (item.publishedAt ?? longAgo) < publishedBefore,
      order: place,
    });
    expired.sort(
      (one, other) => (one.publishedAt ?? longAgo).getTime() - (other.publishedAt ?? longAgo).getTime(),
    );
    return expired.slice(0, limit).map(({ id, revision, sequence }) => ({ id, revision, sequence }));
  }

  async oldestTombstone(collection: CollectionKey): Promise<Date | undefined> {
    const times = this.#items
      .select({ where: (item) => item.collection === collection && item.deleted && !isPending(item) })
      .flatMap(({ publishedAt }) => publishedAt ?? []);
    return times.toSorted((one, other) => one.getTime() - other.getTime())[0];
  }

  async *positions(collection: CollectionKey): AsyncGenerator<PlacedItem> {
    yield* this.#items.select({ where: (item) => item.collection === collection }).flatMap(toPlacedItem);
  }

  async children(collection: CollectionKey, parents: readonly string[]): Promise<PlacedItem[]> {
    const wanted = new Set(parents);
    const below = this.#items.select({
      where: (item) =>
        item.collection === collection &&
        item.position !== undefined &&
        wanted.has(item.position.parent ?? ''),
    });
    return below
      .flatMap(toPlacedItem)
      .sort((one, other) => byCodePoint(one.position.key ?? '', other.position.key ?? ''));
  }

  async childStates(collection: CollectionKey, parents: readonly string[]): Promise<ChildState[]> {
    return (await this.children(collection, parents)).map(({ id, deleted }) => ({ id, deleted }));
  }

  async childIds(collection: CollectionKey, parent: string): Promise<ItemId[]> {
    return (await this.children(collection, [parent])).map(({ id }) => id);
  }

  async firstKey(collection: CollectionKey, parent: string): Promise<string | undefined> {
    return (await this.children(collection, [parent])).flatMap(({ position: { key } }) => key ?? [])[0];
  }

  async listChildren(
    collection: CollectionKey,
    parent: string,
    { after, limit }: { after?: ChildPlace; limit: number },
  ): Promise<StoredItem[]> {
    const following = (await this.children(collection, [parent])).filter(
      ({ id, deleted, position: { key = '' } }) =>
        !deleted && (after === undefined || (byCodePoint(key, after.key) || byCodePoint(id, after.id)) > 0),
    );
    return following.slice(0, limit).flatMap(({ id }) => this.#items.get(collection, id) ?? []);
  }

  async placesBelow(collection: CollectionKey, parent: string, range: PlaceRange): Promise<Placed[]> {
    const { from = '', before, except, skip = 0, limit, isReversed = false } = range;
    const places = (await this.children(collection, [parent])).flatMap(
      ({ id, deleted, position: { key } }): Placed[] =>
        deleted || key === undefined || id === except
          ? []
          : [{ id, position: { ...(parent !== '' && { parent }), key } }],
    );
    const inRange = places.filter(
      ({ position: { key = '' } }) =>
        byCodePoint(key, from) >= 0 && (before === undefined || byCodePoint(key, before) < 0),
    );
    return (isReversed ? inRange.toReversed() : inRange).slice(skip, limit && skip + limit);
  }

  async countPlacesBelow(collection: CollectionKey, parent: string, range: KeyRange): Promise<number> {
    return (await this.placesBelow(collection, parent, range)).length;
  }

  async hasChildren(collection: CollectionKey, parent: string): Promise<boolean> {
    return (await this.children(collection, [parent])).length > 0;
  }

  async publishedAfter(collection: CollectionKey, sequence: number): Promise<Date | undefined> {
    return this.#items.select({
      where: (item) => item.collection === collection && place(item) > sequence,
      order: place,
      limit: 1,
    })[0]?.publishedAt;
  }

  async unseen(
    collection: CollectionKey,
    fetchPass: { subscription: SubscriptionId; manifest: string },
    page: { after?: string; limit: number },
  ): Promise<StoredItem[]> {
    return this.#items.select({
      where: (item) =>
        item.collection === collection &&
        follows(item.id, page.after) &&
        item.sources.some((source) => isUnseen(source, fetchPass)),
      limit: page.limit,
    });
  }

  async forget(
    collection: CollectionKey,
    fetchPass: { subscription: SubscriptionId; manifest: string },
    ids: readonly ItemId[],
  ): Promise<void> {
    for (const id of ids) {
      const item = this.#items.get(collection, id);
      if (item)
        this.#items.set({ ...item, sources: item.sources.filter((source) => !isUnseen(source, fetchPass)) });
    }
  }

  async linking(
    collection: CollectionKey,
    feeds: readonly string[],
  ): Promise<{ id: ItemId; feed: string }[]> {
    const wanted = new Set(feeds);
    return this.#kept(collection, ({ nested }) => nested !== undefined && wanted.has(nested)).map(
      ({ id, position }) => ({ id, feed: position?.parent ?? '' }),
    );
  }

  async nestedFeeds(
    collection: CollectionKey,
    items: readonly Pick<PublishedItem, 'id' | 'sequence'>[],
  ): Promise<string[]> {
    const stored = await this.load(
      collection,
      items.map(({ id }) => id),
    );
    return items.flatMap(({ id, sequence }) => {
      const item = stored.get(id);
      return item?.sequence === sequence && !isPending(item) ? (item.branch?.nested ?? []) : [];
    });
  }

  async referring(collection: CollectionKey, digests: readonly string[]): Promise<Map<string, number>> {
    const wanted = new Set(digests);
    const referring = this.#kept(collection, ({ files }) => files.some((digest) => wanted.has(digest)));
    return occurrences(
      referring.flatMap(({ branch }) => branch?.files.filter((digest) => wanted.has(digest)) ?? []),
    );
  }

  async withGuid(collection: CollectionKey, guid: string): Promise<ItemId[]> {
    return this.#kept(collection, (branch) => branch.guid === guid).map(({ id }) => id);
  }

  /** The items of a tree that are not deleted and whose branch passes. */
  #kept(collection: CollectionKey, where: (branch: TreeRefs) => boolean): StoredItem[] {
    return this.#items.select({
      where: (item) =>
        item.collection === collection && !item.deleted && item.branch !== undefined && where(item.branch),
    });
  }

  async remove(
    collection: CollectionKey,
    items: readonly (Pick<StoredItem, 'id' | 'revision'> & { readonly sources?: readonly Source[] })[],
  ): Promise<ItemId[]> {
    for (const { id, revision, sources } of items) {
      const stored = this.#items.get(collection, id);
      if (stored?.revision === revision && (sources === undefined || areSame(stored.sources, sources))) {
        this.#issued.keep(stored);
        this.#items.delete(collection, id);
      }
    }
    return items.map(({ id }) => id).filter((id) => this.#items.get(collection, id) === undefined);
  }
}

/** What the item would take in MongoDB, whose store keeps its content and its version as text. */
function sizeOf({ id, content, version, position, ...rest }: ItemWrite['item']): number {
  const row = {
    ...rest,
    _id: `${rest.collection}/${id}`,
    revision: 1,
    pending: true,
    version: JSON.stringify(version),
    content: JSON.stringify(content),
  };
  return storedSize({ ...row, position: position && { ...position, parent: position.parent ?? '' } });
}

/** When an item was published of which that is not known. */
const longAgo = new Date(0);

function withoutContent({
  collection,
  id,
  revision,
  deleted,
  conflictCount,
  version,
  subscription,
  sequence,
  announced,
  updatedAt,
  trace,
}: StoredItem & { readonly trace?: string }): PendingItem {
  const states = { revision, deleted, conflictCount, version, updatedAt };
  return { collection, id, ...states, subscription, sequence, announced, ...(trace && { trace }) };
}

function toPlacedItem({ id, revision, deleted, sequence, position }: StoredItem): PlacedItem[] {
  return position === undefined ? [] : [{ id, revision, deleted, sequence, position }];
}

function isPending({ revision, announced }: StoredItem): boolean {
  return revision > (announced?.revision ?? 0);
}

function place({ sequence }: StoredItem): number {
  return sequence ?? 0;
}

function isUnseen(
  { subscription, fetchPass }: Source,
  read: { subscription: SubscriptionId; manifest: string },
): boolean {
  return (
    subscription === read.subscription &&
    fetchPass !== fetchPassOf(read.manifest, 'feed') &&
    fetchPass !== fetchPassOf(read.manifest, 'complete')
  );
}

function areSame(stored: readonly Source[], given: readonly Source[]): boolean {
  return (
    stored.length === given.length &&
    given.every(({ subscription, digest, fetchPass }) =>
      stored.some(
        (source) =>
          source.subscription === subscription && source.digest === digest && source.fetchPass === fetchPass,
      ),
    )
  );
}

/** A write without marks of edits leaves those that are stored. */
function keptEdits(item: ItemWrite['item'], stored: StoredItem | undefined): Pick<StoredItem, 'edits'> {
  const edits = item.edits ?? stored?.edits;
  return edits === undefined ? {} : { edits };
}

function isSelected(item: StoredItem, { deleted, conflicts }: ItemSelection): boolean {
  return (
    (deleted === undefined || item.deleted === deleted) && (conflicts !== true || item.conflictCount > 0)
  );
}
