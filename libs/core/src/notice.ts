import type { CollectionKey, SubscriptionId } from '#contracts';
import type { TreeProgress } from './subscription.ts';

/** Something that happened to a subscription and is yet to be published as a change event. */
export type Notice = NoticeOrigin & NoticeSubject;

interface NoticeOrigin {
  /** The same however often the step that made it runs. */
  readonly id: string;
  readonly collection: CollectionKey;
  readonly subscription: SubscriptionId;
  readonly at: Date;
}

/** What happened. */
type NoticeSubject =
  | { readonly type: 'fetched' | 'failed' | 'gone' }
  | { readonly type: 'moved'; readonly url: string; readonly formerUrl: string }
  /** How many items were discarded (FeedSync 4.1.2). */
  | { readonly type: 'resynced'; readonly discarded: number }
  /** How far a walk through a tree is. */
  | { readonly type: 'progress'; readonly progress: TreeProgress }
  /** The identifier that someone else signs with too. */
  | { readonly type: 'endpoint-not-unique'; readonly endpoint: string };

/** The outbox of subscription events. */
export interface NoticeStore {
  /**
   * Adds it once; a notice that exists, or became an event within the last hour, is left alone: the step that
   * made it may run once more.
   */
  add(notice: Notice): Promise<void>;
  /** Oldest first. */
  pending(collection: CollectionKey, limit: number): Promise<Notice[]>;
  collectionsPending(): Promise<CollectionKey[]>;
}
