import type { MemoryHttp } from '#in-memory';
import type { Clock, Collection, StoredItem } from '#core';
import type { Feed } from '../../apps/gateway/src/feeds/current-feed.ts';
import type { FeedVariant } from '#protocol';
import type { Dice } from './dice.ts';
import type { Kind } from './kind.ts';

/** How probable each fault is, 0 to 1; all 0 in calm weather. */
export interface Weather {
  /** A job is lost, or delivered twice. */
  lose: number;
  repeat: number;
  /** A process dies at a call of its store, or a fetch breaks off. */
  die: number;
  /** Another process of the same endpoint does something while a call is in progress. */
  interrupt: number;
}

/** The world that the endpoints share. */
export interface Surroundings {
  readonly clock: Clock;
  readonly dice: Dice;
  readonly http: MemoryHttp;
  readonly weather: Weather;
  /** What the endpoints keep in step; FeedSync if absent. */
  readonly kind?: Kind;
  /** Sees every feed that an endpoint has written. */
  readonly watch?: (served: ServedFeed) => void;
}

/** A feed as it was written, and what its publisher had when it began to. */
export interface ServedFeed {
  readonly label: string;
  readonly variant: FeedVariant;
  readonly feed: Feed;
  readonly collection: Collection;
  readonly items: readonly StoredItem[];
  readonly body: string;
}
