import { comparableUrl, hostOf, originOf, reliedReason, subscriptionState, unannouncedReason } from '#core';
import type {
  ChangeBlock,
  Clock,
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
import { byCodePoint } from './code-point-order.ts';
import type { MemoryCollectionStore } from './memory-collection-store.ts';
import type { Records } from './records.ts';
import { follows } from './records.ts';

/**
 * A subscription with the end of its manifest's lease, by the clock, in milliseconds; 0 if there is none.
 */
export interface LeasedSubscription {
  readonly collection: CollectionKey;
  readonly id: SubscriptionId;
  readonly subscription: Subscription;
  readonly leasedUntil: number;
  /** The last refresh that was requested since a fetch began or ended with a lease. */
  readonly refresh?: string;
}

/** Subscriptions in memory. */
export class MemorySubscriptionStore implements SubscriptionStore {
  readonly #records: Records<LeasedSubscription>;
  readonly #clock: Pick<Clock, 'now'>;
  readonly #collections: MemoryCollectionStore;
  #refreshes = 0;

  constructor(
    records: Records<LeasedSubscription>,
    clock: Pick<Clock, 'now'>,
    collections: MemoryCollectionStore,
  ) {
    this.#records = records;
    this.#clock = clock;
    this.#collections = collections;
  }

  async put(
    given: Subscription,
    withoutCredentials = false,
  ): Promise<{ created: boolean; subscription: Subscription }> {
    const { collection, id, url, interval, status, nextFetchAt, nextFetchReason } = given;
    if ((await this.createAll([given])).length === 1) return { created: true, subscription: given };
    const stored = this.#records.get(collection, id);
    const { adopt, adoptedAs } = given;
    if (
      stored?.subscription.url === url &&
      stored.subscription.adopt === adopt &&
      stored.subscription.adoptedAs === adoptedAs
    ) {
      const { credentials: former, userAgent, acceptLanguage, ...rest } = stored.subscription;
      const credentials = given.credentials ?? (withoutCredentials ? undefined : former);
      const isRequestedSo =
        userAgent === given.userAgent &&
        acceptLanguage === given.acceptLanguage &&
        former?.sealed === credentials?.sealed;
      const subscription = {
        ...(isRequestedSo ? rest : requestedAnew(rest)),
        interval,
        status,
        ...requestFields(given),
        ...(credentials && { credentials }),
        ...(given.discover && { discover: given.discover }),
      };
      if (isRequestedSo) this.#records.set({ ...stored, subscription });
      else this.#set(subscription, 0);
      if (stored.subscription.status !== status) this.#collections.countSubscriptionChange(collection);
      return { created: false, subscription: structuredClone(subscription) };
    }
    const other = (await this.matching(collection, id, url)).find((reader) => reader.id !== id);
    if (stored === undefined || other !== undefined) return { created: false, subscription: other ?? given };
    const {
      manifest: _ended,
      seal: _formerEnd,
      stated: _formerSchedule,
      rhythm: _formerRhythm,
      feed: _formerFeed,
      progress: _formerProgress,
      adopt: _formerAdopt,
      adoptedAs: _formerEndpoint,
      credentials: formerCredentials,
      move: _formerMove,
      last: _formerReport,
      succeededAt: _formerSuccess,
      discover: _formerDiscovery,
      discoveredOn: _formerPage,
      hub: _formerHub,
      isSlow: _formerPace,
      userAgent: _formerAgent,
      acceptLanguage: _formerLanguage,
      ...former
    } = stored.subscription;
    this.#collections.countSubscriptionChange(collection);
    const isKept = !withoutCredentials && formerCredentials?.origin === originOf(url);
    const credentials = given.credentials ?? (isKept ? formerCredentials : undefined);
    const restarted = {
      ...former,
      ...(credentials && { credentials }),
      ...requestFields(given),
      url,
      interval,
      status,
      ...(adopt !== undefined && { adopt }),
      ...(adoptedAs !== undefined && { adoptedAs }),
      ...(given.discover && { discover: given.discover }),
      cursor: {},
      cursorVersion: former.cursorVersion + 1,
      failures: 0,
      nextFetchAt,
      nextFetchReason,
    };
    return { created: false, subscription: this.#set(restarted, 0) };
  }

  async createAll(subscriptions: readonly Subscription[]): Promise<readonly Subscription[]> {
    return subscriptions.filter((given) => {
      const { collection, id, url } = given;
      if (this.#matching(collection, id, url).length > 0) return false;
      this.#set(given, 0);
      this.#collections.countSubscriptionChange(collection);
      return true;
    });
  }

  async matching(collection: CollectionKey, id: SubscriptionId, url: string): Promise<Subscription[]> {
    return this.#matching(collection, id, url);
  }

  #matching(collection: CollectionKey, id: SubscriptionId, url: string): Subscription[] {
    const feed = comparableUrl(url);
    const found = this.#records.select({
      where: ({ collection: name, subscription }) =>
        name === collection && (subscription.id === id || comparableUrl(subscription.url) === feed),
    });
    return found.map(({ subscription }) => subscription);
  }

  async find(collection: CollectionKey, id: SubscriptionId): Promise<Subscription | undefined> {
    return this.#records.get(collection, id)?.subscription;
  }

  async list(
    collection: CollectionKey,
    { after, limit, hasMarkup = false }: { after?: string; limit: number; hasMarkup?: boolean },
  ): Promise<Subscription[]> {
    const found = this.#records.select({
      where: (record) =>
        record.collection === collection &&
        follows(record.id, after) &&
        (!hasMarkup || (record.subscription.feed?.markup ?? []).length > 0),
      limit,
    });
    return found.map(({ subscription }) => subscription);
  }

  async select(
    filter: SubscriptionFilter,
    { after, limit }: { after?: string; limit: number },
  ): Promise<Subscription[]> {
    return this.#fitting(filter)
      .map(({ subscription }) => subscription)
      .filter((found) => after === undefined || byCodePoint(placeOf(found), after) > 0)
      .sort((one, other) => byCodePoint(placeOf(one), placeOf(other)))
      .slice(0, limit);
  }

  async count(filter: SubscriptionFilter): Promise<number> {
    return this.#fitting(filter).length;
  }

  async counts({
    collection,
    lateBefore,
  }: Pick<SubscriptionFilter, 'collection' | 'lateBefore'>): Promise<SubscriptionCounts> {
    const states = { ok: 0, slow: 0, late: 0, failing: 0, gone: 0, paused: 0, new: 0 };
    const causes: Record<string, number> = {};
    for (const { subscription } of this.#fitting({ ...(collection && { collection }), lateBefore })) {
      const state = subscriptionState(subscription, lateBefore);
      const cause = subscription.last?.cause;
      states[state] += 1;
      if (subscription.status === 'active' && cause !== undefined) causes[cause] = (causes[cause] ?? 0) + 1;
    }
    return { states, causes };
  }

  async states(
    collections: readonly CollectionKey[],
    lateBefore: Date,
  ): Promise<Map<CollectionKey, SubscriptionCounts['states']>> {
    const counted = new Map<CollectionKey, SubscriptionCounts['states']>();
    for (const collection of collections) {
      const { states } = await this.counts({ collection, lateBefore });
      if (Object.values(states).some((count) => count > 0)) counted.set(collection, states);
    }
    return counted;
  }

  async pauseAll(filter: SubscriptionFilter): Promise<number> {
    const active = this.#fitting(filter).filter(({ subscription }) => subscription.status === 'active');
    for (const { collection, id } of active) await this.pause(collection, id);
    return active.length;
  }

  async refreshAll(
    filter: SubscriptionFilter,
    next: NextFetch,
    spread: number,
    activate: boolean,
  ): Promise<number> {
    const status = activate ? 'paused' : 'active';
    const found = this.#fitting(filter).filter(({ subscription }) => subscription.status === status);
    for (const [place, { collection, id, subscription }] of found.entries()) {
      // Evenly, and so the same in each run of a test.
      const soon = next.nextFetchAt.getTime() + Math.round((place / found.length) * spread);
      const nextFetchAt = new Date(Math.min(subscription.nextFetchAt.getTime(), soon));
      await this.refresh(collection, id, { ...next, nextFetchAt }, activate);
    }
    return found.length;
  }

  #fitting({ collection, state, cause, lateBefore }: SubscriptionFilter): LeasedSubscription[] {
    return this.#records.select({
      where: ({ subscription }) =>
        (collection === undefined || subscription.collection === collection) &&
        (state === undefined || subscriptionState(subscription, lateBefore) === state) &&
        (cause === undefined || subscription.last?.cause === cause),
    });
  }

  async remove(collection: CollectionKey, id: SubscriptionId): Promise<boolean> {
    this.#collections.countSubscriptionChange(collection);
    return this.#records.delete(collection, id);
  }

  async listDue(
    now: Date,
    { limit, exceptHosts = [], except = [], exceptSlow = false, dueFrom = new Date(0) }: DueFilter,
  ): Promise<DueSubscription[]> {
    const ids = new Set(except);
    const found = this.#records.select({
      where: (record) => {
        const { nextFetchAt, url, isSlow = false } = record.subscription;
        return (
          this.#isDue(record, now) &&
          !ids.has(placeOf(record.subscription)) &&
          !(exceptSlow && isSlow) &&
          nextFetchAt >= dueFrom &&
          !exceptHosts.includes(hostOf(url))
        );
      },
      order: ({ subscription }) => subscription.nextFetchAt.getTime(),
      limit,
    });
    return found.map(({ subscription: { collection, id, url, nextFetchAt, isSlow } }) => ({
      collection,
      id,
      host: hostOf(url),
      nextFetchAt,
      ...(isSlow && { isSlow }),
    }));
  }

  async findDue(
    collection: CollectionKey,
    id: SubscriptionId,
    now: Date,
  ): Promise<FoundSubscription | undefined> {
    const stored = this.#records.get(collection, id);
    if (stored === undefined || !this.#isDue(stored, now)) return undefined;
    const { subscription, refresh } = stored;
    return { ...subscription, ...(refresh !== undefined && { refresh }) };
  }

  #isDue({ subscription: { status, nextFetchAt }, leasedUntil }: LeasedSubscription, now: Date): boolean {
    return status === 'active' && nextFetchAt <= now && !this.#runs(leasedUntil);
  }

  async refresh(
    collection: CollectionKey,
    id: SubscriptionId,
    { nextFetchAt, nextFetchReason }: NextFetch,
    activate: boolean,
  ): Promise<Subscription | undefined> {
    const stored = this.#records.get(collection, id);
    if (!stored || stored.subscription.status === 'gone') return undefined;
    const subscription = {
      ...stored.subscription,
      nextFetchAt,
      nextFetchReason,
      ...(activate && { status: 'active' as const }),
    };
    this.#records.set({ ...stored, subscription, refresh: this.#nextRefresh() });
    if (activate) this.#collections.countSubscriptionChange(collection);
    return structuredClone(subscription);
  }

  async pause(collection: CollectionKey, id: SubscriptionId): Promise<Subscription | undefined> {
    const stored = this.#records.get(collection, id);
    if (!stored || stored.subscription.status === 'gone') return undefined;
    const subscription = { ...stored.subscription, status: 'paused' as const };
    this.#records.set({ ...stored, subscription });
    this.#collections.countSubscriptionChange(collection);
    return structuredClone(subscription);
  }

  async lease(
    collection: CollectionKey,
    id: SubscriptionId,
    manifest: string,
    duration: number,
    found?: FoundState,
    seal?: ManifestSeal,
  ): Promise<Subscription | undefined> {
    const stored = this.#records.get(collection, id);
    if (stored?.subscription.status !== 'active' || this.#runs(stored.leasedUntil)) return undefined;
    if (found !== undefined && !isAsFound(stored, found)) return undefined;
    const isKept = found !== undefined && isRefreshed(stored, found);
    return this.#set(
      { ...withoutLease(stored.subscription), manifest, ...(seal && { seal }) },
      this.#end(duration),
      isKept ? stored.refresh : undefined,
    );
  }

  async renew(
    collection: CollectionKey,
    id: SubscriptionId,
    manifest: string,
    duration: number,
    progress?: TreeProgress,
  ): Promise<boolean> {
    const stored = this.#records.get(collection, id);
    if (stored?.subscription.manifest !== manifest) return false;
    const subscription = { ...stored.subscription, ...(progress && { progress }) };
    this.#records.set({
      ...stored,
      subscription,
      leasedUntil: Math.max(stored.leasedUntil, this.#end(duration)),
    });
    return true;
  }

  async complete(
    collection: CollectionKey,
    id: SubscriptionId,
    manifest: string,
    result: FetchResult,
  ): Promise<boolean> {
    return this.#complete({ collection, id, manifest, result });
  }

  async completeAll(completions: readonly Completion[]): Promise<number> {
    return completions.filter((completion) => this.#complete(completion)).length;
  }

  async completePublished(
    completion: Completion,
    former: Collection,
    block: ChangeBlock,
  ): Promise<PublicationOutcome> {
    if (!this.#collections.isAsItWas(former)) return 'raced';
    if (!this.#complete(completion)) return 'refused';
    this.#collections.append(block);
    return 'published';
  }

  async releaseAll(releases: readonly Release[]): Promise<number> {
    return releases.filter((release) => this.#release(release)).length;
  }

  async noteSlow(
    { collection, id, url }: Pick<Subscription, 'collection' | 'id' | 'url'>,
    isSlow: boolean,
  ): Promise<void> {
    const stored = this.#records.get(collection, id);
    if (stored?.subscription.url !== url) return;
    const { isSlow: _former, ...rest } = stored.subscription;
    this.#records.set({ ...stored, subscription: { ...rest, ...(isSlow && { isSlow }) } });
  }

  async noteMove(
    { collection, id, url }: Pick<Subscription, 'collection' | 'id' | 'url'>,
    move: Subscription['move'],
  ): Promise<void> {
    const stored = this.#records.get(collection, id);
    if (stored?.subscription.url !== url) return;
    const { move: _former, ...rest } = stored.subscription;
    this.#records.set({ ...stored, subscription: { ...rest, ...(move && { move }) } });
  }

  async followMove(
    { collection, id, url: former }: Pick<Subscription, 'collection' | 'id' | 'url'>,
    url: string,
  ): Promise<boolean> {
    const stored = this.#records.get(collection, id);
    if (stored?.subscription.url !== former) return false;
    const { move: _move, ...rest } = stored.subscription;
    this.#records.set({ ...stored, subscription: { ...rest, url } });
    this.#collections.countSubscriptionChange(collection);
    return true;
  }

  async followPage(
    { collection, id, url: page }: Pick<Subscription, 'collection' | 'id' | 'url'>,
    { url, adoptedAs }: Pick<Subscription, 'url' | 'adoptedAs'>,
  ): Promise<boolean> {
    const stored = this.#records.get(collection, id);
    const isRead = this.#matching(collection, id, url).some((other) => other.id !== id);
    if (stored?.subscription.url !== page || isRead) return false;
    const { move: _move, discover: _discover, ...rest } = stored.subscription;
    const found = { ...rest, url, discoveredOn: page, ...(adoptedAs !== undefined && { adoptedAs }) };
    this.#records.set({ ...stored, subscription: found });
    this.#collections.countSubscriptionChange(collection);
    return true;
  }

  async setHub(
    { collection, id, url }: Pick<Subscription, 'collection' | 'id' | 'url'>,
    hub: Pick<FeedHub, 'url' | 'topic'> | undefined,
  ): Promise<void> {
    const stored = this.#records.get(collection, id);
    if (stored?.subscription.url !== url) return;
    const { hub: _former, ...rest } = stored.subscription;
    const named = hub && { hub: { url: hub.url, topic: hub.topic } };
    this.#records.set({ ...stored, subscription: { ...rest, ...named } });
  }

  async noteHub(
    { collection, id }: Pick<Subscription, 'collection' | 'id'>,
    hub: Pick<FeedHub, 'url' | 'topic'>,
    change: FeedHubChange,
  ): Promise<boolean> {
    const stored = this.#records.get(collection, id);
    const former = stored?.subscription.hub;
    if (stored === undefined || former?.url !== hub.url || former.topic !== hub.topic) return false;
    const fields = Object.entries({ ...former, ...change }).filter(([, value]) => value !== null);
    const changed = Object.fromEntries(fields) as unknown as FeedHub;
    this.#records.set({ ...stored, subscription: { ...stored.subscription, hub: changed } });
    return true;
  }

  async announce(
    { collection, id }: Pick<Subscription, 'collection' | 'id'>,
    { url, topic, announcedAt }: FeedHub,
    { nextFetchAt, nextFetchReason }: NextFetch,
  ): Promise<boolean> {
    const stored = this.#records.get(collection, id);
    const hub = stored?.subscription.hub;
    if (stored?.subscription.status !== 'active' || hub?.url !== url || hub.topic !== topic) return false;
    if (hub.announcedAt?.getTime() !== announcedAt?.getTime()) return false;
    const announced = { ...hub, announcedAt: nextFetchAt };
    const subscription = { ...stored.subscription, nextFetchAt, nextFetchReason, hub: announced };
    this.#records.set({ ...stored, subscription, refresh: this.#nextRefresh() });
    return true;
  }

  async pollAsUsual(
    { collection, id }: Pick<Subscription, 'collection' | 'id'>,
    nextFetchAt: Date,
  ): Promise<void> {
    const { subscription } = this.#records.get(collection, id) ?? {};
    if (subscription?.status !== 'active') return;
    const mayBeFetched = subscription.manifest !== undefined || subscription.nextFetchAt <= nextFetchAt;
    if (subscription.nextFetchReason !== reliedReason && !mayBeFetched) return;
    await this.refresh(collection, id, { nextFetchAt, nextFetchReason: unannouncedReason }, false);
  }

  async countReaders(url: string): Promise<number> {
    return this.#records.select({
      where: ({ subscription }) => subscription.url === url && subscription.status === 'active',
    }).length;
  }

  async sealedOtherwise(key: string, limit: number): Promise<Subscription[]> {
    const found = this.#records.select({
      where: ({ subscription: { credentials } }) => credentials !== undefined && credentials.key !== key,
      limit,
    });
    return found.map(({ subscription }) => subscription);
  }

  async reseal(
    { collection, id }: Pick<Subscription, 'collection' | 'id'>,
    former: SealedCredentials,
    credentials: SealedCredentials,
  ): Promise<boolean> {
    const stored = this.#records.get(collection, id);
    if (stored?.subscription.credentials?.sealed !== former.sealed) return false;
    this.#records.set({ ...stored, subscription: { ...stored.subscription, credentials } });
    return true;
  }

  async postponeHost(host: string, { nextFetchAt, nextFetchReason }: NextFetch, spread = 0): Promise<number> {
    const found = this.#records.select({
      where: ({ subscription, leasedUntil }) =>
        subscription.status === 'active' &&
        hostOf(subscription.url) === host &&
        subscription.nextFetchAt < nextFetchAt &&
        !this.#runs(leasedUntil),
    });
    for (const [place, record] of found.entries()) {
      // Evenly, and so the same in each run of a test.
      const later = new Date(nextFetchAt.getTime() + Math.round((place / found.length) * spread));
      const subscription = { ...record.subscription, nextFetchAt: later, nextFetchReason };
      this.#records.set({ ...record, subscription });
    }
    return found.length;
  }

  /** Returns false if the lease has been lost. */
  #complete(completion: Completion): boolean {
    const { collection, result } = completion;
    const stored = this.#ending(completion);
    if (stored === undefined) return false;
    const { report, cursor, stated, rhythm, feed, status, url } = result;
    const { discover, ...former } = withoutLease(stored.subscription);
    const succeeded = report.outcome === 'fetched' || report.outcome === 'not-modified';
    const completed = {
      ...former,
      ...(discover && !succeeded && { discover }),
      ...this.#nextFetch(stored, result, completion.found),
      last: report,
      ...(succeeded && { succeededAt: report.at }),
      ...(report.progress && { progress: report.progress }),
      status: status ?? former.status,
      url: url ?? former.url,
      cursor: cursor ?? former.cursor,
      cursorVersion: former.cursorVersion + (cursor ? 1 : 0),
      ...(stated && { stated }),
      ...(rhythm && { rhythm }),
      ...(feed && { feed }),
      failures: succeeded ? 0 : former.failures + 1,
    };
    this.#set(completed, 0);
    if ((feed ?? status ?? url) !== undefined) this.#collections.countSubscriptionChange(collection);
    return true;
  }

  /** Returns false if the lease has been lost. */
  #release(release: Release): boolean {
    const stored = this.#ending(release);
    if (stored === undefined) return false;
    const former = withoutLease(stored.subscription);
    this.#set({ ...former, ...this.#nextFetch(stored, release.next, release.found) }, 0);
    return true;
  }

  /** The record of a fetch that ends, if it has the right to. */
  #ending({ collection, id, manifest, found }: Completion | Release): LeasedSubscription | undefined {
    const stored = this.#records.get(collection, id);
    if (stored === undefined) return undefined;
    if (found === undefined) return stored.subscription.manifest === manifest ? stored : undefined;
    return isAsFound(stored, found) && !this.#runs(stored.leasedUntil) ? stored : undefined;
  }

  /** The schedule after a fetch: that of a refresh that was requested during it goes before the given one. */
  #nextFetch(stored: LeasedSubscription, next: NextFetch, found: FoundState | undefined): NextFetch {
    const { nextFetchAt, nextFetchReason } = isRefreshed(stored, found) ? stored.subscription : next;
    return { nextFetchAt, nextFetchReason };
  }

  /** Stores it when a fetch begins or ends; a refresh that has been requested since is given. */
  #set(subscription: Subscription, leasedUntil: number, refresh?: string): Subscription {
    const { collection, id } = subscription;
    this.#records.set({
      collection,
      id,
      subscription,
      leasedUntil,
      ...(refresh !== undefined && { refresh }),
    });
    return structuredClone(subscription);
  }

  #nextRefresh(): string {
    this.#refreshes += 1;
    return `refresh ${this.#refreshes}`;
  }

  #runs(leasedUntil: number): boolean {
    return leasedUntil > this.#clock.now().getTime();
  }

  #end(duration: number): number {
    return this.#clock.now().getTime() + duration;
  }
}

function isAsFound({ subscription }: LeasedSubscription, found: FoundState): boolean {
  return (
    subscription.createdAt.getTime() === found.createdAt.getTime() &&
    subscription.cursorVersion === found.cursorVersion &&
    subscription.last?.at.getTime() === found.last?.at.getTime()
  );
}

/** Whether a refresh was requested since the fetch began. */
function isRefreshed({ refresh }: LeasedSubscription, found: FoundState | undefined): boolean {
  return refresh !== undefined && refresh !== found?.refresh;
}

function requestFields({ userAgent, acceptLanguage }: Subscription): Partial<Subscription> {
  return {
    ...(userAgent !== undefined && { userAgent }),
    ...(acceptLanguage !== undefined && { acceptLanguage }),
  };
}

/** Without what former requests were answered, and without a lease. */
function requestedAnew({
  manifest: _ended,
  seal: _seal,
  cursor,
  cursorVersion,
  ...rest
}: Subscription): Subscription {
  const { etag: _etag, lastModified: _modified, date: _date, ...others } = cursor;
  const { unconditionalAt: _at, isUnread: _unread, ...kept } = others;
  return { ...rest, cursor: kept, cursorVersion: cursorVersion + 1 };
}

/** Where it stands in a list of all. */
function placeOf({ collection, id }: Subscription): string {
  return `${collection}/${id}`;
}

function withoutLease({ manifest: _manifest, seal: _seal, ...rest }: Subscription): Subscription {
  return rest;
}
