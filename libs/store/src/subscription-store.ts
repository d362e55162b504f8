import { randomUUID } from 'node:crypto';
import type { Model, mongo, QueryFilter, UpdateQuery, UpdateWithAggregationPipeline } from 'mongoose';
import {
  collectionKey,
  hostOf,
  originOf,
  reliedReason,
  storedSize,
  subscriptionId,
  unannouncedReason,
} from '#core';
import type {
  ByCollection,
  ChangeBlock,
  Collection,
  CollectionKey,
  Completion,
  DueFilter,
  DueSubscription,
  FeedHub,
  FeedHubChange,
  FetchResult,
  FoundState,
  FoundSubscription,
  ManifestSeal,
  NextFetch,
  PublicationOutcome,
  Release,
  SealedCredentials,
  Subscription,
  SubscriptionCounts,
  SubscriptionFilter,
  SubscriptionId,
  SubscriptionStore,
  TreeProgress,
} from '#core';
import { chunksOf } from './chunk.ts';
import { isDuplicateKey } from './duplicate-key.ts';
import { feedKeyOf, furtherFeedKeyOf } from './feed-key.ts';
import { asFound, endFetches, endOfCompletion, endOfRelease, leaseFields } from './fetch-ends.ts';
import { keyOf, keysOf } from './key.ts';
import { JoinedBulk } from './joined-bulk.ts';
import { JoinedReads } from './joined-reads.ts';
import { lostWrites } from './lost-writes.ts';
import type { Publications } from './publications.ts';
import { changeMatching, countsOf, matching } from './subscription-search.ts';
import {
  internalButFound,
  internalButKey,
  internalFields,
  rowOf,
  toSubscription,
  unleased,
} from './subscription-document.ts';
import type { SubscriptionDocument } from './subscription-document.ts';
import { statesOf } from './subscription-states.ts';
import { SubscriptionMatches } from './subscription-matches.ts';

/** How many active rows have a URL. */
interface ReaderCount {
  readonly _id: string;
  readonly count: number;
}

/** A condition on how plain feeds are adopted; null stands for a field that is missing. */
function adoptionIs({ adopt, adoptedAs }: Pick<Subscription, 'adopt' | 'adoptedAs'>) {
  return { adopt: adopt ?? null, adoptedAs: adoptedAs ?? null };
}

/** How what requests send is set, and what is removed of it. */
function requestUpdate({ userAgent, acceptLanguage }: Pick<Subscription, 'userAgent' | 'acceptLanguage'>) {
  return {
    set: {
      ...(userAgent !== undefined && { userAgent }),
      ...(acceptLanguage !== undefined && { acceptLanguage }),
    },
    unset: {
      ...(userAgent === undefined && { userAgent: '' as const }),
      ...(acceptLanguage === undefined && { acceptLanguage: '' as const }),
    },
  };
}

/** Subscriptions in MongoDB. Leases run by the server's clock. */
export class MongoSubscriptionStore implements SubscriptionStore {
  readonly #subscriptions: Model<SubscriptionDocument>;
  readonly #reads: JoinedReads<string, SubscriptionDocument>;
  readonly #unleased: JoinedReads<string, SubscriptionDocument>;
  readonly #matches: SubscriptionMatches;
  readonly #counts: JoinedReads<string, ReaderCount>;
  readonly #inserts: JoinedBulk<SubscriptionDocument>;
  readonly #publications: Publications;
  readonly #changed: (collection: CollectionKey) => Promise<void>;

  /** @param changed called after each change that the heads of the collection's feeds may tell of */
  constructor(
    subscriptions: Model<SubscriptionDocument>,
    publications: Publications,
    changed: (collection: CollectionKey) => Promise<void>,
  ) {
    this.#subscriptions = subscriptions;
    this.#reads = new JoinedReads((ids) =>
      this.#rows.find({ _id: { $in: [...ids] } }, { projection: internalButKey }).toArray(),
    );
    this.#unleased = new JoinedReads((ids) =>
      this.#rows
        .find({ _id: { $in: [...ids] }, status: 'active', ...unleased }, { projection: internalButFound })
        .toArray(),
    );
    this.#matches = new SubscriptionMatches(this.#rows);
    this.#counts = new JoinedReads((urls) => this.#countAll(urls));
    this.#inserts = new JoinedBulk(this.#rows);
    this.#publications = publications;
    this.#changed = changed;
  }

  async put(
    subscription: Subscription,
    withoutCredentials = false,
  ): Promise<{ created: boolean; subscription: Subscription }> {
    // Each step is atomic; only if another process creates or removes one in between is there a second round.
    for (;;) {
      if ((await this.createAll([subscription])).length === 1) return { created: true, subscription };
      const stored =
        (await this.#keepFeed(subscription, withoutCredentials)) ??
        (await this.#changeFeed(subscription, withoutCredentials)) ??
        (await this.#otherReader(subscription));
      if (stored !== undefined) return { created: false, subscription: stored };
    }
  }

  async createAll(subscriptions: readonly Subscription[]): Promise<readonly Subscription[]> {
    const created: Subscription[] = [];
    for (const chunk of chunksOf(subscriptions)) {
      const lost = new Set(await this.#lostOf(chunk.map(rowOf)));
      created.push(...chunk.filter((_, place) => !lost.has(place)));
    }
    for (const collection of new Set(created.map((subscription) => subscription.collection)))
      await this.#changed(collection);
    return created;
  }

  /** The places of the rows that could not be inserted; single rows of several requests share a command. */
  async #lostOf(rows: readonly SubscriptionDocument[]): Promise<readonly number[]> {
    const inserts = rows.map((document) => ({ insertOne: { document } }));
    const [[row], [write]] = [rows, inserts];
    if (row !== undefined && write !== undefined && rows.length === 1)
      return (await this.#inserts.isLost({ key: row._id, bytes: storedSize(row), write })) ? [0] : [];
    return lostWrites(this.#rows.bulkWrite(inserts, { ordered: false }));
  }

  /**
   * Replaces interval, status and what requests send; returns undefined unless it is there with this very
   * url, adopted so.
   */
  async #keepFeed(
    subscription: Subscription,
    withoutCredentials: boolean,
  ): Promise<Subscription | undefined> {
    const { collection, id, url, interval, status, credentials, discover } = subscription;
    const request = requestUpdate(subscription);
    const change = {
      $set: {
        interval,
        status,
        ...request.set,
        ...(credentials && { credentials }),
        ...(discover && { discover }),
      },
      $unset: { ...request.unset, ...(!credentials && withoutCredentials && { credentials: '' as const }) },
    };
    const isSame = { _id: keyOf(collection, id), url, ...adoptionIs(subscription) };
    const former = await this.#subscriptions
      .findOneAndUpdate(isSame, change, { returnDocument: 'before', projection: internalFields })
      .lean<Subscription>();
    if (former === null) return undefined;
    if (former.status !== status) await this.#changed(collection);
    const { credentials: formerCredentials, userAgent, acceptLanguage, ...rest } = former;
    const kept = credentials ?? (withoutCredentials ? undefined : formerCredentials);
    const isRequestedSo =
      userAgent === subscription.userAgent &&
      acceptLanguage === subscription.acceptLanguage &&
      kept?.sealed === formerCredentials?.sealed;
    const stored = {
      ...rest,
      interval,
      status,
      ...request.set,
      ...(kept && { credentials: kept }),
      ...(discover && { discover }),
    };
    return isRequestedSo ? stored : ((await this.#requestAnew(stored)) ?? stored);
  }

  /** Forgets what former requests were answered, and ends the lease of one in progress. */
  async #requestAnew({ collection, id, url }: Subscription): Promise<Subscription | undefined> {
    return this.#change(
      { _id: keyOf(collection, id), url },
      {
        $inc: { cursorVersion: 1 },
        $unset: {
          'cursor.etag': '',
          'cursor.lastModified': '',
          'cursor.date': '',
          'cursor.unconditionalAt': '',
          'cursor.isUnread': '',
          ...leaseFields,
        },
      },
    );
  }

  /**
   * Replaces the url as well, and how it is adopted, and begins anew; returns undefined if it is missing
   * with another one, or if another subscription has this one.
   */
  async #changeFeed(
    subscription: Subscription,
    withoutCredentials: boolean,
  ): Promise<Subscription | undefined> {
    const { collection, id, url, interval, status, nextFetchAt, nextFetchReason, credentials } = subscription;
    const { adopt, adoptedAs, discover } = subscription;
    const request = requestUpdate(subscription);
    const change = {
      $set: {
        ...request.set,
        ...(credentials && { credentials }),
        ...(adopt !== undefined && { adopt }),
        ...(adoptedAs !== undefined && { adoptedAs }),
        ...(discover && { discover }),
        url,
        host: hostOf(url),
        feedKey: feedKeyOf(subscription),
        interval,
        status,
        cursor: {},
        failures: 0,
        nextFetchAt,
        nextFetchReason,
      },
      $inc: { cursorVersion: 1 },
      // The lease ends: what is being fetched is the former feed, and its cursor must not become this one's.
      $unset: {
        move: '',
        last: '',
        succeededAt: '',
        result: '',
        isSlow: '',
        hub: '',
        stated: '',
        rhythm: '',
        feed: '',
        progress: '',
        ...leaseFields,
        ...request.unset,
        ...(adopt === undefined && { adopt: '' }),
        ...(adoptedAs === undefined && { adoptedAs: '' }),
        ...(discover === undefined && { discover: '' }),
        discoveredOn: '',
      },
    };
    try {
      const isOther = { $nor: [{ url, ...adoptionIs(subscription) }] };
      const changed = await this.#change({ _id: keyOf(collection, id), ...isOther }, change);
      if (changed === undefined) return undefined;
      await this.#changed(collection);
      return credentials === undefined ? await this.#dropCredentials(changed, withoutCredentials) : changed;
    } catch (error) {
      if (isDuplicateKey(error)) return undefined;
      throw error;
    }
  }

  /** Removes credentials that are for another origin than that of the url, or any. */
  async #dropCredentials(subscription: Subscription, any: boolean): Promise<Subscription> {
    const { collection, id, url, credentials, ...rest } = subscription;
    if (credentials === undefined || (!any && credentials.origin === originOf(url))) return subscription;
    await this.#subscriptions.updateOne(
      { _id: keyOf(collection, id), 'credentials.sealed': credentials.sealed },
      { $unset: { credentials: '' } },
    );
    return { collection, id, url, ...rest };
  }

  async noteSlow(
    { collection, id, url }: Pick<Subscription, 'collection' | 'id' | 'url'>,
    isSlow: boolean,
  ): Promise<void> {
    const change = isSlow ? { $set: { isSlow } } : { $unset: { isSlow: '' as const } };
    await this.#rows.updateOne({ _id: keyOf(collection, id), url }, change);
  }

  async noteMove(
    { collection, id, url }: Pick<Subscription, 'collection' | 'id' | 'url'>,
    move: Subscription['move'],
  ): Promise<void> {
    const change = move === undefined ? { $unset: { move: '' } } : { $set: { move } };
    await this.#subscriptions.updateOne({ _id: keyOf(collection, id), url }, change);
  }

  async followMove(
    { collection, id, url: former }: Pick<Subscription, 'collection' | 'id' | 'url'>,
    url: string,
  ): Promise<boolean> {
    // Where a feed has moved may be where another subscription reads.
    const feedKey = furtherFeedKeyOf({ collection, id, url });
    const { matchedCount } = await this.#subscriptions.updateOne(
      { _id: keyOf(collection, id), url: former },
      { $set: { url, host: hostOf(url), feedKey }, $unset: { move: '' } },
    );
    if (matchedCount === 1) await this.#changed(collection);
    return matchedCount === 1;
  }

  async followPage(
    { collection, id, url: page }: Pick<Subscription, 'collection' | 'id' | 'url'>,
    { url, adoptedAs }: Pick<Subscription, 'url' | 'adoptedAs'>,
  ): Promise<boolean> {
    const change = {
      url,
      host: hostOf(url),
      feedKey: feedKeyOf({ collection, url }),
      discoveredOn: page,
      ...(adoptedAs !== undefined && { adoptedAs }),
    };
    try {
      const { matchedCount } = await this.#subscriptions.updateOne(
        { _id: keyOf(collection, id), url: page },
        { $set: change, $unset: { discover: '', move: '' } },
      );
      if (matchedCount === 1) await this.#changed(collection);
      return matchedCount === 1;
    } catch (error) {
      if (isDuplicateKey(error)) return false;
      throw error;
    }
  }

  async setHub(
    { collection, id, url }: Pick<Subscription, 'collection' | 'id' | 'url'>,
    hub: Pick<FeedHub, 'url' | 'topic'> | undefined,
  ): Promise<void> {
    const change =
      hub === undefined ? { $unset: { hub: '' } } : { $set: { hub: { url: hub.url, topic: hub.topic } } };
    await this.#subscriptions.updateOne({ _id: keyOf(collection, id), url }, change);
  }

  async noteHub(
    { collection, id }: Pick<Subscription, 'collection' | 'id'>,
    { url, topic }: Pick<FeedHub, 'url' | 'topic'>,
    change: FeedHubChange,
  ): Promise<boolean> {
    const { matchedCount } = await this.#rows.updateOne(
      { _id: keyOf(collection, id), 'hub.url': url, 'hub.topic': topic },
      hubUpdate(change),
    );
    return matchedCount === 1;
  }

  async announce(
    { collection, id }: Pick<Subscription, 'collection' | 'id'>,
    { url, topic, announcedAt }: FeedHub,
    { nextFetchAt, nextFetchReason }: NextFetch,
  ): Promise<boolean> {
    const { matchedCount } = await this.#rows.updateOne(
      {
        _id: keyOf(collection, id),
        status: 'active',
        'hub.url': url,
        'hub.topic': topic,
        'hub.announcedAt': announcedAt ?? { $exists: false },
      },
      { $set: { nextFetchAt, nextFetchReason, refresh: randomUUID(), 'hub.announcedAt': nextFetchAt } },
    );
    return matchedCount === 1;
  }

  async pollAsUsual(
    { collection, id }: Pick<Subscription, 'collection' | 'id'>,
    nextFetchAt: Date,
  ): Promise<void> {
    await this.#rows.updateOne(
      {
        _id: keyOf(collection, id),
        status: 'active',
        $or: [
          { nextFetchReason: reliedReason },
          { manifest: { $exists: true } },
          { nextFetchAt: { $lte: nextFetchAt } },
        ],
      },
      { $set: { nextFetchAt, nextFetchReason: unannouncedReason, refresh: randomUUID() } },
    );
  }

  async countReaders(url: string): Promise<number> {
    return (await this.#counts.read(url))?.count ?? 0;
  }

  /** Read from the index alone. */
  #countAll(urls: readonly string[]): Promise<ReaderCount[]> {
    return this.#rows
      .aggregate<ReaderCount>([
        { $match: { url: { $in: [...urls] }, status: 'active' } },
        { $group: { _id: '$url', count: { $sum: 1 } } },
      ])
      .toArray();
  }

  async sealedOtherwise(key: string, limit: number): Promise<Subscription[]> {
    return this.#subscriptions
      .find({ 'credentials.key': { $exists: true, $ne: key } }, internalFields)
      .limit(limit)
      .lean<Subscription[]>();
  }

  async reseal(
    { collection, id }: Pick<Subscription, 'collection' | 'id'>,
    { sealed }: SealedCredentials,
    credentials: SealedCredentials,
  ): Promise<boolean> {
    const { matchedCount } = await this.#subscriptions.updateOne(
      { _id: keyOf(collection, id), 'credentials.sealed': sealed },
      { $set: { credentials } },
    );
    return matchedCount === 1;
  }

  /** Another subscription that reads the feed. */
  async #otherReader({ collection, id, url }: Subscription): Promise<Subscription | undefined> {
    return (await this.matching(collection, id, url)).find((other) => other.id !== id);
  }

  async find(collection: CollectionKey, id: SubscriptionId): Promise<Subscription | undefined> {
    const row = await this.#reads.read(keyOf(collection, id));
    return row && toSubscription(row);
  }

  async matching(collection: CollectionKey, id: SubscriptionId, url: string): Promise<Subscription[]> {
    return this.#matches.read(collection, id, url);
  }

  async list(
    collection: CollectionKey,
    page: { after?: string; limit: number; hasMarkup?: true },
  ): Promise<Subscription[]> {
    const { after, limit, hasMarkup } = page;
    // By the index of those that have markup, which begins with the collection.
    const marked = {
      collection,
      ...(after !== undefined && { _id: { $gt: keyOf(collection, after) } }),
      'feed.markup.0': { $exists: true },
    };
    return this.#subscriptions
      .find(hasMarkup === true ? marked : { _id: keysOf(collection, after) }, internalFields)
      .sort({ _id: 1 })
      .limit(limit)
      .lean<Subscription[]>();
  }

  async select(filter: SubscriptionFilter, page: { after?: string; limit: number }): Promise<Subscription[]> {
    return this.#rows
      .find(matching(filter, page.after), { projection: internalFields })
      .sort({ _id: 1 })
      .limit(page.limit)
      .toArray();
  }

  async count(filter: SubscriptionFilter): Promise<number> {
    return this.#rows.countDocuments(matching(filter));
  }

  async counts(filter: Pick<SubscriptionFilter, 'collection' | 'lateBefore'>): Promise<SubscriptionCounts> {
    return countsOf(this.#rows, filter);
  }

  async states(
    collections: readonly CollectionKey[],
    lateBefore: Date,
  ): Promise<ByCollection<SubscriptionCounts['states']>> {
    return statesOf(this.#rows, collections, lateBefore);
  }

  async pauseAll(filter: SubscriptionFilter): Promise<number> {
    const change = [{ $set: { status: 'paused' } }];
    return changeMatching(this.#rows, filter, 'active', change, this.#changed);
  }

  async refreshAll(
    filter: SubscriptionFilter,
    { nextFetchAt, nextFetchReason }: NextFetch,
    spread: number,
    activate: boolean,
  ): Promise<number> {
    // The server's random numbers, one for each row.
    const soon = { $add: [nextFetchAt, { $round: { $multiply: [{ $rand: {} }, spread] } }] };
    const change = {
      nextFetchAt: { $min: ['$nextFetchAt', soon] },
      nextFetchReason: { $literal: nextFetchReason },
      refresh: randomUUID(),
      ...(activate && { status: 'active' }),
    };
    const changed = activate ? this.#changed : undefined;
    return changeMatching(this.#rows, filter, activate ? 'paused' : 'active', [{ $set: change }], changed);
  }

  async remove(collection: CollectionKey, id: SubscriptionId): Promise<boolean> {
    const { deletedCount } = await this.#subscriptions.deleteOne({ _id: keyOf(collection, id) });
    if (deletedCount === 1) await this.#changed(collection);
    return deletedCount === 1;
  }

  async listDue(
    now: Date,
    { limit, exceptHosts = [], except = [], exceptSlow = false, dueFrom }: DueFilter,
  ): Promise<DueSubscription[]> {
    const ids = [...except];
    const due = {
      status: 'active' as const,
      ...(ids.length > 0 && { _id: { $nin: ids } }),
      nextFetchAt: { $lte: now, ...(dueFrom && { $gte: dueFrom }) },
      ...(exceptHosts.length > 0 && { host: { $nin: exceptHosts } }),
      ...(exceptSlow && { isSlow: { $ne: true as const } }),
    };
    // A condition on `$expr` would have each row read: whether it is leased is computed from the index.
    const isLeased = { $gt: ['$leasedUntil', '$$NOW'] };
    const rows = await this.#rows
      .aggregate<SubscriptionDocument>(
        [
          { $match: due },
          { $sort: { nextFetchAt: 1 } },
          { $project: { host: 1, nextFetchAt: 1, isSlow: 1, isLeased } },
          { $match: { isLeased: false } },
          { $limit: limit },
        ],
        { batchSize: limit + 1 },
      )
      .toArray();
    return rows.map(({ _id, host, nextFetchAt, isSlow }) => {
      const end = _id.indexOf('/');
      const [collection, id] = [collectionKey(_id.slice(0, end)), subscriptionId(_id.slice(end + 1))];
      return { collection, id, host, nextFetchAt, ...(isSlow && { isSlow }) };
    });
  }

  async findDue(
    collection: CollectionKey,
    id: SubscriptionId,
    now: Date,
  ): Promise<FoundSubscription | undefined> {
    const row = await this.#unleased.read(keyOf(collection, id));
    return row && row.nextFetchAt <= now ? toSubscription(row) : undefined;
  }

  async refresh(
    collection: CollectionKey,
    id: SubscriptionId,
    { nextFetchAt, nextFetchReason }: NextFetch,
    activate: boolean,
  ): Promise<Subscription | undefined> {
    const change = {
      nextFetchAt,
      nextFetchReason,
      refresh: randomUUID(),
      ...(activate && { status: 'active' as const }),
    };
    const refreshed = await this.#change(
      { _id: keyOf(collection, id), status: { $ne: 'gone' } },
      { $set: change },
    );
    if (activate && refreshed !== undefined) await this.#changed(collection);
    return refreshed;
  }

  async pause(collection: CollectionKey, id: SubscriptionId): Promise<Subscription | undefined> {
    const paused = await this.#change(
      { _id: keyOf(collection, id), status: { $ne: 'gone' } },
      { $set: { status: 'paused' } },
    );
    if (paused !== undefined) await this.#changed(collection);
    return paused;
  }

  async lease(
    collection: CollectionKey,
    id: SubscriptionId,
    manifest: string,
    duration: number,
    found?: FoundState,
    seal?: ManifestSeal,
  ): Promise<Subscription | undefined> {
    const leased = {
      manifest: { $literal: manifest },
      leasedUntil: { $add: ['$$NOW', duration] },
      seal: seal ? { $literal: seal } : '$$REMOVE',
    };
    // A refresh that was requested since it was found stays.
    const isFound = { $eq: ['$refresh', { $literal: found?.refresh ?? null }] };
    const refresh = found ? { $cond: [isFound, '$$REMOVE', '$refresh'] } : '$$REMOVE';
    const row = await this.#rows.findOneAndUpdate(
      { _id: keyOf(collection, id), status: 'active', ...(found ? asFound(found) : unleased) },
      [{ $set: { ...leased, refresh } }],
      { returnDocument: 'after', projection: internalButKey },
    );
    return row === null ? undefined : toSubscription(row);
  }

  async renew(
    collection: CollectionKey,
    id: SubscriptionId,
    manifest: string,
    duration: number,
    progress?: TreeProgress,
  ): Promise<boolean> {
    const change = [
      {
        $set: {
          leasedUntil: { $max: ['$leasedUntil', { $add: ['$$NOW', duration] }] },
          ...(progress && { progress: { $literal: progress } }),
        },
      },
    ];
    const { matchedCount } = await this.#subscriptions.updateOne(
      { _id: keyOf(collection, id), manifest },
      change,
      { updatePipeline: true },
    );
    return matchedCount === 1;
  }

  async complete(
    collection: CollectionKey,
    id: SubscriptionId,
    manifest: string,
    result: FetchResult,
  ): Promise<boolean> {
    return (await this.completeAll([{ collection, id, manifest, result }])) === 1;
  }

  async completeAll(completions: readonly Completion[]): Promise<number> {
    const ended = await endFetches(this.#rows, completions.map(endOfCompletion));
    if (ended > 0) await this.#countShown(completions);
    return ended;
  }

  async completePublished(
    completion: Completion,
    former: Collection,
    block: ChangeBlock,
  ): Promise<PublicationOutcome> {
    const ends = [endOfCompletion(completion)];
    const outcome = await this.#publications.publish(
      former,
      block,
      async (session) => (await endFetches(this.#rows, ends, session)) === 1,
    );
    if (outcome === 'published') await this.#countShown([completion]);
    return outcome;
  }

  /** Counts the changes that the heads of feeds may tell of. */
  async #countShown(completions: readonly Completion[]): Promise<void> {
    const shown = completions.filter(
      ({ result: { feed, status, url } }) => (feed ?? status ?? url) !== undefined,
    );
    for (const collection of new Set(shown.map((completion) => completion.collection)))
      await this.#changed(collection);
  }

  async releaseAll(releases: readonly Release[]): Promise<number> {
    return endFetches(this.#rows, releases.map(endOfRelease));
  }

  async postponeHost(host: string, { nextFetchAt, nextFetchReason }: NextFetch, spread = 0): Promise<number> {
    const filter = { status: 'active' as const, host, nextFetchAt: { $lt: nextFetchAt }, ...unleased };
    // The server's random numbers, one for each row.
    const later = { $add: [nextFetchAt, { $round: { $multiply: [{ $rand: {} }, spread] } }] };
    const change = { nextFetchAt: later, nextFetchReason: { $literal: nextFetchReason } };
    return (await this.#rows.updateMany(filter, [{ $set: change }])).modifiedCount;
  }

  /** The collection without what Mongoose does for each write. */
  get #rows(): mongo.Collection<SubscriptionDocument> {
    return this.#subscriptions.collection as unknown as mongo.Collection<SubscriptionDocument>;
  }

  async #change(
    filter: QueryFilter<SubscriptionDocument>,
    change: UpdateQuery<SubscriptionDocument> | UpdateWithAggregationPipeline,
  ): Promise<Subscription | undefined> {
    const options = {
      returnDocument: 'after',
      projection: internalFields,
      updatePipeline: Array.isArray(change),
    } as const;
    return (
      (await this.#subscriptions.findOneAndUpdate(filter, change, options).lean<Subscription>()) ?? undefined
    );
  }
}

/** The fields of a hub that are set, and those that are removed. */
function hubUpdate(change: FeedHubChange): mongo.UpdateFilter<SubscriptionDocument> {
  const fields = Object.entries(change).map(([name, value]) => [`hub.${name}`, value] as const);
  const [set, removed] = [
    fields.filter(([, value]) => value !== null),
    fields.filter(([, value]) => value === null),
  ];
  return {
    ...(set.length > 0 && { $set: Object.fromEntries(set) }),
    ...(removed.length > 0 && { $unset: Object.fromEntries(removed.map(([name]) => [name, ''])) }),
  };
}
