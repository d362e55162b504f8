import type { FeedHead, Format } from '#xml';
import type { Collection, Subscription } from '#core';
import type { FeedVariant } from './feed-address.ts';

/** What a request for a collection's feed says, and what the feed is composed from besides its collection. */
export interface FeedRequest {
  readonly variant: FeedVariant;
  /** One of those that the collection is published in. */
  readonly format: Format;
  /** The sequence to begin after, if the request names one. */
  readonly wanted?: number;
  /**
   * When the first item of the feed was published, if it has one and publication times are part of what feeds
   * say.
   */
  readonly firstPublishedAt?: Date;
  /**
   * Those of the collection that `shownSubscriptions` says, in order of id; what the head says of the feeds
   * that they read.
   */
  readonly subscriptions: readonly Subscription[];
  readonly publicUrl: string;
  readonly now: Date;
}

/** What a feed says of itself, and which items are in it. */
export interface ComposedFeed {
  readonly head: FeedHead;
  /** Items with a sequence above this one are in it. */
  readonly since: number;
  /** Equal for the same items and the same head, whatever changes with the time of the request alone. */
  readonly identity: unknown;
  /** When it last changed, if that is known. */
  readonly updated?: Date;
}

/** The sequence that a feed begins after: 0 for a complete one. */
export function sinceOf(
  { publication }: Pick<Collection, 'publication'>,
  variant: FeedVariant,
  wanted: number | undefined,
): number {
  return wanted ?? (variant === 'complete' ? 0 : publication.since);
}
