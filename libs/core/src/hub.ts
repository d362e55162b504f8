import type { CollectionKey, SubscriptionId } from '#contracts';

/** The hub of a subscribed feed, as the feed last named it, and what has come of it (WebSub, 4 and 5). */
export interface FeedHub {
  /** Where subscriptions are requested (`rel="hub"`). */
  readonly url: string;
  /** What the hub calls the feed (`rel="self"`). */
  readonly topic: string;
  /** Until when the hub has promised to announce changes; absent if it has not. */
  readonly leasedUntil?: Date;
  /** For when the last announcement made the feed due. */
  readonly announcedAt?: Date;
  /** When a fetch began that found changes which the hub had not announced. */
  readonly missedAt?: Date;
  /** Why the hub does not announce changes, if it said so or can't be reached. */
  readonly reason?: string;
}

/** The `nextFetchReason` of a subscription that is due because of its hub. */
export const announcedReason = 'its hub announced a change';

/** The `nextFetchReason` of a subscription whose next change is left to its hub. */
export const reliedReason = 'the hub announces changes';

/** The `nextFetchReason` of a subscription that was left to its hub until that failed. */
export const unannouncedReason = 'changes are no longer announced';

/** What changes of a `FeedHub` besides its addresses; null removes a field. */
export type FeedHubChange = {
  readonly [Field in 'leasedUntil' | 'announcedAt' | 'missedAt' | 'reason']?: FeedHub[Field] | null;
};

/**
 * A subscription at a hub. It outlives the subscription of the collection until the hub knows that it
 * has ended. `token` and `secret` are never shown or logged.
 */
export interface HubSubscription {
  readonly collection: CollectionKey;
  /** The subscription of the collection that it is for. */
  readonly subscription: SubscriptionId;
  readonly hub: string;
  readonly topic: string;
  /** The last segment of the callback's path: 64 hexadecimal digits. */
  readonly token: string;
  /** The key of the signatures (WebSub, 8): 64 hexadecimal digits. */
  readonly secret: string;
  /** Where the hub verifies and announces: a URL that ends in the token. */
  readonly callback: string;
  /** What was requested of the hub and is not verified yet. */
  readonly pending?: 'subscribe' | 'unsubscribe';
  /** Until when the hub announces changes; absent if it does not. */
  readonly leasedUntil?: Date;
  /** Requests in a row that have led to nothing. */
  readonly attempts: number;
  /** When there is something to do next. */
  readonly nextAt: Date;
  /** Grows by one with each change. */
  readonly revision: number;
}

/**
 * A text of a hub as it may be shown: without the token and the secret, which a hub may put into anything
 * that it says.
 */
export function withoutHubSecrets({ token, secret }: HubSubscription, text: string): string {
  return text.replaceAll(token, '…').replaceAll(secret, '…');
}

/** Subscriptions at hubs. A subscription of a collection has one for each hub and topic. */
export interface HubStore {
  /** Adds it, unless there is one for the same subscription, hub and topic. */
  add(added: HubSubscription): Promise<void>;
  find(token: string): Promise<HubSubscription | undefined>;
  /**
   * Takes the longest overdue one with which there is something to do at `now`, and makes it due again at
   * `until`; of several takers each one gets another.
   */
  takeDue(now: Date, until: Date): Promise<HubSubscription | undefined>;
  /** Replaces it if it still has this revision, which then grows; returns whether it had. */
  replace(former: HubSubscription, latter: HubSubscription): Promise<boolean>;
  /** Removes it if it still has this revision; returns whether it had. */
  remove(former: HubSubscription): Promise<boolean>;
  /** Makes all of a subscription, or of a whole collection, due at `now`. */
  wake(collection: CollectionKey, subscription: SubscriptionId | undefined, now: Date): Promise<void>;
  /**
   * Makes those due at `now` whose callback is not `callbacks` and their token, unless their end has been
   * requested.
   * @param callbacks undefined for all
   */
  wakeOthers(callbacks: string | undefined, now: Date): Promise<void>;
}
