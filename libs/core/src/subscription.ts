import { parseUrl } from '#xml';
import type { Violation } from '#xml';
import type { CollectionKey, SubscriptionId } from '#contracts';
import type { ChangeBlock } from './change.ts';
import type { Collection, PublicationOutcome } from './collection.ts';
import type { FeedHub, FeedHubChange } from './hub.ts';
import type { ByCollection } from './item-lists.ts';
import type { ManifestSeal } from './manifest.ts';
import type { Rhythm } from './rhythm.ts';
import type { SealedCredentials } from './sealed-credentials.ts';
import type { SubscriptionCounts, SubscriptionFilter } from './subscription-state.ts';
import type { FetchTransfer } from './fetch-history.ts';

/** What the head of a subscribed feed said when it was last read. */
export interface FeedSummary {
  readonly title?: string;
  /** Foreign markup (FeedSync 2.1.7): elements as XML that stands on its own. */
  readonly markup: readonly string[];
  /** The feeds whose contents the publisher has incorporated (FeedSync 2.3.1). */
  readonly aggregated: readonly { readonly link: string; readonly title?: string }[];
}

/** Whether the head of a feed says what it said when it was last read. */
export function isSameSummary(former: FeedSummary | undefined, latter: FeedSummary): boolean {
  if (former === undefined) return false;
  const textOf = ({ title, markup, aggregated }: FeedSummary): string =>
    JSON.stringify([title, markup, aggregated.map((feed) => [feed.link, feed.title])]);
  return textOf(former) === textOf(latter);
}

/** How far a subscriber has read a feed. */
export interface Cursor {
  /** As the server sent it, with its quotes. */
  readonly etag?: string;
  readonly lastModified?: string;
  /** The `Date` of the last response that had neither of these, as it came. */
  readonly date?: string;
  /**
   * When the feed was last requested without conditions; absent if the server gives validators of a document
   * that was read.
   */
  readonly unconditionalAt?: Date;
  /** That the document which these are of could not be read; nothing else is known of the feed then. */
  readonly isUnread?: true;
  /**
   * SHA-256 of the last body (base64url): a server that ignores conditions costs a download and nothing more.
   */
  readonly digest?: string;
  /** The value of `until` to compare the next `since` with (FeedSync 4.1; SSE 2.1, as RFC 3339). */
  readonly until?: string;
  /** That the feed had synchronisation data when it was read last; absent where that is not looked at. */
  readonly isSynchronised?: boolean;
  /**
   * That the feed gives one identifier to several items: `doubted` if only the last document did. Absent if
   * it does not.
   */
  readonly identifiers?: 'doubted' | 'shared';
  /** Of a mirrored tree whose documents were all in step with its feeds. */
  readonly tree?: TreeCursor;
}

/** Where a subscription to a tree stands. */
export interface TreeCursor {
  /** Of its documents. As long as it and the root stay the same, a fetch has nothing to do. */
  readonly signature: string;
  /** Of the settings that decide about a walk, in hexadecimal. */
  readonly settings?: string;
  /** When all documents were last compared with the signature, or signed. */
  readonly comparedAt?: Date;
}

/** What a feed itself said last of when it is to be read again. */
export interface StatedSchedule {
  /** RSS `ttl` in seconds. */
  readonly timeToLive?: number;
  /** How often it is updated, in seconds, and from when that counts (`sy:` of RSS 1.0). */
  readonly updates?: { readonly every: number; readonly base?: Date };
  /** FeedSync `expires` (2.2): read again before it. */
  readonly expires?: Date;
  /** SSE `window` in days (2.1): for how long the publisher keeps changes in its feed. */
  readonly window?: number;
}

export type SubscriptionStatus = 'active' | 'paused' | 'gone';

/** What the last fetch came to. */
export interface FetchReport {
  readonly at: Date;
  readonly outcome: 'fetched' | 'not-modified' | 'failed' | 'gone';
  /** One sentence, such as why the fetch failed. */
  readonly reason?: string;
  /** The rule that was broken, such as `xml-well-formed` or `http-status`. */
  readonly rule?: string;
  /** Of a fetch that failed: the cause in one word, as `failureCause`. */
  readonly cause?: string;
  readonly items?: number;
  readonly rejected?: number;
  /**
   * How many of the items were left out since they have no synchronisation data; absent if there are none.
   */
  readonly plain?: number;
  /** Of a tree: how far it came. */
  readonly progress?: TreeProgress;
  /** Where the feed departs from the rules and was taken in all the same, the first ones. */
  readonly violations?: readonly Violation[];
}

/**
 * How far the walk through a mirrored tree is. What is to be downloaded becomes known on the way, so `total`
 * grows.
 */
export interface TreeProgress {
  /** Downloads that came to an end, well or not. */
  readonly done: number;
  readonly total: number;
  /** Of what arrived and is kept. */
  readonly bytes: number;
  /** Documents that failed, or were not requested because of a limit. */
  readonly failed: number;
}

/** One feed that a collection pulls, with CSE the root of the tree that it mirrors. */
export interface Subscription {
  readonly collection: CollectionKey;
  /** `[a-z0-9][a-z0-9-]{0,62}`. */
  readonly id: SubscriptionId;
  readonly url: string;
  readonly status: SubscriptionStatus;
  /** Seconds between two fetches at the most often and at the least. */
  readonly interval: { readonly minimum: number; readonly maximum: number };
  /**
   * Whether items without synchronisation data are adopted (`Adoption` of `#protocol`); absent for `auto`:
   * unless the feed says that it is synchronised.
   */
  readonly adopt?: boolean;
  /**
   * The endpoint identifier that such items are adopted under. It stays when the feed moves; absent where the
   * protocol adopts nothing, and of subscriptions that were made before there was one.
   */
  readonly adoptedAs?: string;
  /** That its url may be that of a page that names its feed; absent once a feed has been read. */
  readonly discover?: true;
  /** The page that its feed was found on. */
  readonly discoveredOn?: string;
  readonly cursor: Cursor;
  /** Grows by one whenever the cursor moves. */
  readonly cursorVersion: number;
  readonly nextFetchAt: Date;
  /** Why the next fetch is when it is, for people. */
  readonly nextFetchReason: string;
  /** What the feed said of that; absent if it says nothing. */
  readonly stated?: StatedSchedule;
  /** When it has changed so far; absent until it has been read. */
  readonly rhythm?: Rhythm;
  /** Failures in a row. */
  readonly failures: number;
  /** That its last fetch waited long for its server, so that it is fetched in a place for slow ones. */
  readonly isSlow?: true;
  readonly last?: FetchReport;
  /** When a fetch of this feed succeeded last; absent until one has. */
  readonly succeededAt?: Date;
  /** Absent until the feed has been read. */
  readonly feed?: FeedSummary;
  /** The manifest that has leased it, if there is one; a fetch that has read nothing yet has none. */
  readonly manifest?: string;
  /** Of a fetch whose feed is one batch: what its manifest, which is not stored, is sealed with. */
  readonly seal?: ManifestSeal;
  /** Of a tree: how far the walk in progress is, or how far the last one came. */
  readonly progress?: TreeProgress;
  /** What its requests send as `User-Agent`, to any origin; the fetcher's own if absent. */
  readonly userAgent?: string;
  /** What they send as `Accept-Language`; nothing if absent. */
  readonly acceptLanguage?: string;
  /** What the server of the feed wants to see; requests without it are not sent to its origin. */
  readonly credentials?: SealedCredentials;
  /** Where its url has been redirected to for good, and since when; absent if it is not. */
  readonly move?: { readonly url: string; readonly since: Date };
  /** The hub that the feed names; absent if it names none, or WebSub is off. */
  readonly hub?: FeedHub;
  readonly createdAt: Date;
}

/** When to fetch next, and why. */
export interface NextFetch {
  readonly nextFetchAt: Date;
  readonly nextFetchReason: string;
}

/** What a fetch came to: the report, the schedule, and, if given, what changes besides. */
export interface FetchResult extends NextFetch {
  readonly report: FetchReport;
  /** The moved cursor. */
  readonly cursor?: Cursor;
  readonly stated?: StatedSchedule;
  readonly rhythm?: Rhythm;
  readonly feed?: FeedSummary;
  readonly status?: SubscriptionStatus;
  readonly url?: string;
  /** What the fetch took, for its history alone. */
  readonly transfer?: FetchTransfer;
}

/** A subscription as a fetch has found it that has not leased it. */
export interface FoundSubscription extends Subscription {
  /** The last refresh that was requested, if no fetch has begun or ended since with a lease. */
  readonly refresh?: string;
}

/** What tells whether it is still as it was found. */
export type FoundState = Pick<FoundSubscription, 'createdAt' | 'cursorVersion' | 'last' | 'refresh'>;

/** A fetch that ends. */
interface EndingFetch {
  readonly collection: CollectionKey;
  readonly id: SubscriptionId;
  readonly manifest: string;
  /** Of a fetch without a lease: the end counts only if no other fetch has leased or ended it since. */
  readonly found?: FoundState;
}

/** The end of the fetch of one subscription. */
export interface Completion extends EndingFetch {
  readonly result: FetchResult;
}

/** A fetch that ends without a result. */
export interface Release extends EndingFetch {
  readonly next: NextFetch;
}

/** A subscription that is due, as far as an index says. */
export interface DueSubscription extends Pick<Subscription, 'collection' | 'id' | 'nextFetchAt' | 'isSlow'> {
  /** As `hostOf`. */
  readonly host: string;
}

/** Which due subscriptions are listed. */
export interface DueFilter {
  /** How many, the longest overdue first. */
  readonly limit: number;
  /** The hosts (as `hostOf`) whose subscriptions are left out. */
  readonly exceptHosts?: readonly string[];
  /** Those (by `pollKey`) that are left out. */
  readonly except?: Iterable<string>;
  /** That slow ones are left out. */
  readonly exceptSlow?: boolean;
  /** What was due before is left out. */
  readonly dueFrom?: Date;
}

/** Where subscriptions are kept. Lists are in ascending order of id, by code point. */
export interface SubscriptionStore {
  /**
   * Creates it, or replaces url, interval, status, `adopt`, `adoptedAs`, `userAgent` and `acceptLanguage`; a
   * new url starts with an empty cursor and without a rhythm, and so does another way to adopt. `discover` is
   * set if it is given, and removed with a former url. Credentials are replaced if they are given, and
   * removed if the url is of another origin than they are for, or if `withoutCredentials` is set. If what
   * requests send changes, the validators of the cursor are removed, and a lease ends: both are of former
   * requests. Returns what is now stored. A collection reads each feed once: if another of its subscriptions
   * has a url that is the same by `comparableUrl`, nothing is stored, and that one is returned.
   */
  put(
    subscription: Subscription,
    withoutCredentials?: boolean,
  ): Promise<{ created: boolean; subscription: Subscription }>;
  /**
   * Creates several in one write, except those whose id or feed the collection has already. Returns the
   * created ones, in their order. If it throws, any of them may have been created.
   */
  createAll(subscriptions: readonly Subscription[]): Promise<readonly Subscription[]>;
  find(collection: CollectionKey, id: SubscriptionId): Promise<Subscription | undefined>;
  /** Returns the one with this id, and every one whose url is this one by `comparableUrl`. */
  matching(collection: CollectionKey, id: SubscriptionId, url: string): Promise<Subscription[]>;
  /** `hasMarkup: true` for those alone whose feeds have foreign markup in their heads. */
  list(
    collection: CollectionKey,
    page: { after?: string; limit: number; hasMarkup?: true },
  ): Promise<Subscription[]>;
  /**
   * Lists those that a filter is for, in ascending order of `<collection>/<id>`, by code point.
   * @param page `after` is that of the last one of the page before
   */
  select(filter: SubscriptionFilter, page: { after?: string; limit: number }): Promise<Subscription[]>;
  /** Counts those that a filter is for. */
  count(filter: SubscriptionFilter): Promise<number>;
  /** Counts those of a collection, or all, by state and cause. */
  counts(filter: Pick<SubscriptionFilter, 'collection' | 'lateBefore'>): Promise<SubscriptionCounts>;
  /** Counts those of several collections by state. */
  states(
    collections: readonly CollectionKey[],
    lateBefore: Date,
  ): Promise<ByCollection<SubscriptionCounts['states']>>;
  /** Pauses the active ones that a filter is for; returns how many. If it throws, some may be paused. */
  pauseAll(filter: SubscriptionFilter): Promise<number>;
  /**
   * Makes those that a filter is for due, as `refresh` does: each at a random time within `spread`
   * milliseconds after `next.nextFetchAt`, or when it is due anyway if that is earlier. With `activate` those
   * that are paused become active, and no others are changed; without it the active ones are meant. Returns
   * how many; if it throws, some of them may be due.
   */
  refreshAll(filter: SubscriptionFilter, next: NextFetch, spread: number, activate: boolean): Promise<number>;
  remove(collection: CollectionKey, id: SubscriptionId): Promise<boolean>;
  /** Lists those that are active, due at `now`, and not leased, the longest overdue first. */
  listDue(now: Date, filter: DueFilter): Promise<DueSubscription[]>;
  /** Returns it if it is active, due at `now`, and not leased. */
  findDue(collection: CollectionKey, id: SubscriptionId, now: Date): Promise<FoundSubscription | undefined>;
  /**
   * Makes it due, whatever its status but `gone` (a paused one becomes active if `activate` is set). If a
   * fetch of it is in progress, its end keeps the time that is set here, so that the feed is
   * read once more.
   */
  refresh(
    collection: CollectionKey,
    id: SubscriptionId,
    next: NextFetch,
    activate: boolean,
  ): Promise<Subscription | undefined>;
  pause(collection: CollectionKey, id: SubscriptionId): Promise<Subscription | undefined>;
  /**
   * Leases it for one fetch for `duration` milliseconds by the store's own clock, and returns it; undefined
   * if it is gone, paused or leased by a manifest whose time has not run out, or, if `found` is given, if a
   * fetch has ended since, or other requests are to be sent.
   * @param seal kept with the lease
   */
  lease(
    collection: CollectionKey,
    id: SubscriptionId,
    manifest: string,
    duration: number,
    found?: FoundState,
    seal?: ManifestSeal,
  ): Promise<Subscription | undefined>;
  /**
   * Renews a lease, never makes it shorter, and records how far it is if that is given; returns false,
   * and changes nothing, if the lease has been lost.
   */
  renew(
    collection: CollectionKey,
    id: SubscriptionId,
    manifest: string,
    duration: number,
    progress?: TreeProgress,
  ): Promise<boolean>;
  /**
   * Ends a lease with its result: the report, the schedule, and, if given, the moved cursor. Resets
   * `failures`, and removes `discover`, if the outcome is `fetched` or `not-modified`, else adds one. Returns
   * false, and changes nothing, if the lease has been lost.
   */
  complete(
    collection: CollectionKey,
    id: SubscriptionId,
    manifest: string,
    result: FetchResult,
  ): Promise<boolean>;
  /**
   * Does what `complete` does for each of several fetches, with or without a lease, in one write. Returns how
   * many were completed: not those whose leases have been lost. If it throws, any of them may have been.
   */
  completeAll(completions: readonly Completion[]): Promise<number>;
  /**
   * Does what `complete` does for one fetch, and publishes a block that says so, in one step; `refused` if
   * the lease has been lost.
   * @param former the collection as it was when the block was composed
   */
  completePublished(
    completion: Completion,
    former: Collection,
    block: ChangeBlock,
  ): Promise<PublicationOutcome>;
  /**
   * Ends fetches without a result, with or without a lease, in one write: nothing but the schedules change.
   * Returns how many were released: not those whose leases have been lost.
   */
  releaseAll(releases: readonly Release[]): Promise<number>;
  /** Keeps whether it is slow, unless it has another url by now. */
  noteSlow(subscription: Pick<Subscription, 'collection' | 'id' | 'url'>, isSlow: boolean): Promise<void>;
  /** Keeps where its url is redirected to for good, or forgets it, unless it has another url by now. */
  noteMove(
    subscription: Pick<Subscription, 'collection' | 'id' | 'url'>,
    move: Subscription['move'],
  ): Promise<void>;
  /**
   * Gives it the url that it is redirected to, with its cursor and lease as they are, unless it has another
   * one by now; returns whether it was given.
   */
  followMove(subscription: Pick<Subscription, 'collection' | 'id' | 'url'>, url: string): Promise<boolean>;
  /**
   * Gives it the url of the feed that was found on the page at its url, with its cursor, lease and schedule
   * as they are. Returns whether it was given: not if it has another url by now, or another subscription
   * has this one.
   */
  followPage(
    subscription: Pick<Subscription, 'collection' | 'id' | 'url'>,
    feed: Pick<Subscription, 'url' | 'adoptedAs'>,
  ): Promise<boolean>;
  /**
   * Keeps which hub its feed names, or that it names none, with nothing known of it yet, unless it has
   * another url by now.
   */
  setHub(
    subscription: Pick<Subscription, 'collection' | 'id' | 'url'>,
    hub: Pick<FeedHub, 'url' | 'topic'> | undefined,
  ): Promise<void>;
  /** Changes what is known of its hub if that is still this one for this topic; returns whether it is. */
  noteHub(
    subscription: Pick<Subscription, 'collection' | 'id'>,
    hub: Pick<FeedHub, 'url' | 'topic'>,
    change: FeedHubChange,
  ): Promise<boolean>;
  /**
   * Makes an active subscription due because its hub announces a change, as `refresh` does, unless another
   * announcement has come since it was read; returns whether it did.
   * @param former the `hub` of the subscription as it was read
   */
  announce(
    subscription: Pick<Subscription, 'collection' | 'id'>,
    former: FeedHub,
    next: NextFetch,
  ): Promise<boolean>;
  /**
   * Makes an active subscription due, as `refresh` does, if its next change is left to its hub
   * (`reliedReason`) or it may be being fetched: it is leased, or due.
   */
  pollAsUsual(subscription: Pick<Subscription, 'collection' | 'id'>, now: Date): Promise<void>;
  /** How many active subscriptions of all collections have this very url. */
  countReaders(url: string): Promise<number>;
  /**
   * Lists those whose credentials were encrypted with another key than this one, in no particular order; all
   * collections together.
   */
  sealedOtherwise(key: string, limit: number): Promise<Subscription[]>;
  /** Replaces its credentials if they are still the former ones; returns whether they were. */
  reseal(
    subscription: Pick<Subscription, 'collection' | 'id'>,
    former: SealedCredentials,
    credentials: SealedCredentials,
  ): Promise<boolean>;
  /**
   * Moves the next fetch of every active subscription at a host (as `hostOf`) that is due before
   * `next.nextFetchAt` to that time, except of those being fetched; each to a random time within `spread`
   * milliseconds after it, if that is given. Returns how many were moved.
   */
  postponeHost(host: string, next: NextFetch, spread?: number): Promise<number>;
}

/**
 * Returns an address as an absolute-URI (RFC 3986, 4.3), normalised and without a fragment: equal for the
 * same feed. What is no URL is returned as it is.
 */
export function comparableUrl(url: string): string {
  const absolute = parseUrl(url);
  if (absolute === undefined) return url;
  absolute.hash = '';
  return absolute.href;
}

/** Returns a URL without user name and password (RFC 3986, 3.2.1); one that has none as it is written. */
export function withoutUserInfo(url: string): string {
  const absolute = parseUrl(url);
  if (absolute === undefined || (absolute.username === '' && absolute.password === '')) return url;
  absolute.username = '';
  absolute.password = '';
  return absolute.href;
}

/** Returns the host of a URL with its port, unless that is the default one; empty for what is no URL. */
export function hostOf(url: string): string {
  return parseUrl(url)?.host ?? '';
}
