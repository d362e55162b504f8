import type { CollectionKey } from '#contracts';
import type { Collection } from '#core';
import type { FeedVariant } from '#protocol';
import type { Format } from '#xml';
import type { Feed } from './current-feed.ts';

/** A feed of a collection, as a request names it. */
export interface FeedName {
  readonly collection: CollectionKey;
  readonly variant: FeedVariant;
  readonly format: Format;
  /** The sequence to begin after, if the request names one. */
  readonly wanted?: number;
}

/** A feed as it was composed. */
export interface KeptFeed {
  readonly name: FeedName;
  readonly feed: Feed;
  /** The collection that it was composed from, as JSON. */
  readonly source: string;
  /** Milliseconds since 1970. */
  readonly composedAt: number;
  /** Its bytes by their coding; undefined if they are too many. */
  readonly bodies: Map<string, Promise<Buffer | undefined>>;
  /** What it takes of the cache. */
  bytes: number;
  /** Until when its bytes count as too many without another look, in milliseconds since 1970. */
  largeUntil: number;
}

/**
 * How long a feed is kept at the most: in milliseconds, and as a share of the time after which its readers
 * may miss an update. Its head says when that is, counted from when it was composed.
 */
const longestAge = 60_000;
const shareOfExpiry = 0.1;
/** Milliseconds for which the bytes of a feed that were too many are not tried again. */
const largeFor = 600_000;
/** What a feed counts as besides its source and its bodies, in bytes. */
const headBytes = 4096;
/** The share of all bytes that one body may take. */
const shareOfBody = 1 / 16;
/** How many bodies are made at the same time to be kept. */
const parallelBodies = 8;

/**
 * Feeds as they were last composed. What a feed is composed from is stored with its collection, so that the
 * same collection gives the same feed. Those that were requested last are kept. Knows no clock and no store.
 */
export class FeedCache {
  readonly #limit: number;
  /** In the order of their last use. */
  readonly #feeds = new Map<string, KeptFeed>();
  #taken = 0;
  #making = 0;

  /** @param limit bytes that all feeds may take together (GATEWAY_FEED_CACHE_BYTES); 0 keeps none */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** The most bytes that a body may have to be kept. */
  get bodyBytes(): number {
    return Math.floor(this.#limit * shareOfBody);
  }

  /** Whether there is a feed of that name, current or not. */
  has(name: FeedName): boolean {
    return this.#feeds.has(keyOf(name));
  }

  /** Returns the feed of that name if it was composed from this very collection, and not too long ago. */
  find(name: FeedName, collection: Collection, now: Date): KeptFeed | undefined {
    const key = keyOf(name);
    const kept = this.#feeds.get(key);
    if (kept === undefined || !isYoung(kept, collection, now) || kept.source !== JSON.stringify(collection))
      return undefined;
    this.#feeds.delete(key);
    this.#feeds.set(key, kept);
    return kept;
  }

  /** Keeps a feed in place of the one of that name. */
  keep(name: FeedName, collection: Collection, feed: Feed, now: Date): KeptFeed {
    const key = keyOf(name);
    const source = JSON.stringify(collection);
    const largeUntil = this.#feeds.get(key)?.largeUntil ?? 0;
    const bytes = headBytes + source.length;
    const kept = { name, feed, source, composedAt: now.getTime(), bodies: new Map(), bytes, largeUntil };
    this.#remove(key);
    this.#feeds.set(key, kept);
    this.#taken += bytes;
    this.#removeOldest();
    return kept;
  }

  /**
   * Returns the bytes of a feed: those that are kept, or those that `make` returns, which is called once for
   * all that request them meanwhile. Returns undefined if they are too many to be kept, or many others are
   * being made. Throws what `make` throws.
   * @param make returns undefined if the bytes are more than `bodyBytes`
   */
  async body(
    kept: KeptFeed,
    coding: string,
    make: () => Promise<Buffer | undefined>,
  ): Promise<Buffer | undefined> {
    const known = kept.bodies.get(coding);
    if (known !== undefined) return known;
    if (kept.largeUntil > kept.composedAt || this.bodyBytes === 0 || this.#making >= parallelBodies)
      return undefined;
    this.#making += 1;
    const making = make();
    kept.bodies.set(coding, making);
    try {
      const body = await making;
      this.#count(kept, body);
      return body;
    } catch (error) {
      kept.bodies.delete(coding);
      throw error;
    } finally {
      this.#making -= 1;
    }
  }

  /** Counts bytes that are kept from now on; a feed that has been replaced meanwhile goes with its bytes. */
  #count(kept: KeptFeed, body: Buffer | undefined): void {
    if (body === undefined) kept.largeUntil = kept.composedAt + largeFor;
    else if (this.#feeds.get(keyOf(kept.name)) === kept) {
      kept.bytes += body.length;
      this.#taken += body.length;
      this.#removeOldest();
    }
  }

  #removeOldest(): void {
    for (const [oldest] of this.#feeds) {
      if (this.#taken <= this.#limit) break;
      this.#remove(oldest);
    }
  }

  #remove(key: string): void {
    this.#taken -= this.#feeds.get(key)?.bytes ?? 0;
    this.#feeds.delete(key);
  }
}

function isYoung({ composedAt }: KeptFeed, { settings }: Collection, now: Date): boolean {
  const age = now.getTime() - composedAt;
  return age >= 0 && age <= Math.min(longestAge, settings.expiresAfter * 1000 * shareOfExpiry);
}

function keyOf({ collection, variant, format, wanted }: FeedName): string {
  return `${collection}/${variant}/${format}/${wanted ?? ''}`;
}
