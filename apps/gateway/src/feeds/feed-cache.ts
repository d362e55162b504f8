import type { ServerResponse } from 'node:http';
import type { Clock, Collection } from '#core';
import type { BoundedReads, Holding } from '../requests/bounded-reads.ts';
import { SharedText } from '../texts/shared-text.ts';
import type { TextPiece } from '../texts/text-piece.ts';

/** A feed as it is sent. */
export interface SentFeed {
  readonly etag: string;
  /** When it last changed, if that is known. */
  readonly updated?: Date | undefined;
  readonly mediaType: string;
  /** For how long it may be kept, in milliseconds; absent if it depends on no time. */
  readonly keptFor?: number;
  /** Reads its text, in pieces. */
  readonly text: () => AsyncIterable<TextPiece>;
}

/** A feed that a request names, and what it is composed from. */
export interface RequestedFeed {
  /** The collection that it is of, as it was read for it. */
  readonly collection: Pick<Collection, 'key' | 'isPublic'>;
  /** Its path and query as we write them. */
  readonly path: string;
  /** What was read to compose it, as JSON: the same source gives the same feed. */
  readonly source: string;
  /** Reads the source as it is now; undefined if the feed is gone. */
  readonly readSource: () => Promise<string | undefined>;
  readonly compose: (now: Date) => Promise<SentFeed>;
}

/** A feed as it was composed. */
export interface KeptFeed extends Omit<RequestedFeed, 'compose'> {
  readonly feed: SentFeed;
  /** Its text, for all that read it. */
  readonly text: SharedText;
  /** Milliseconds since 1970. */
  readonly composedAt: number;
  /** Its bytes by their coding; undefined if they are too many. */
  readonly bodies: Map<string, Promise<Buffer | undefined>>;
  /** The responses that are made of it now. */
  readonly responses: Set<Pick<ServerResponse, 'destroy'>>;
  /** What it takes of the cache. */
  bytes: number;
  /** The same once it is no longer kept, for the responses that are still being sent. */
  rest?: Holding;
  /** Its source, for all that ask in this turn of the event loop. */
  reading?: Promise<string | undefined> | undefined;
  /** Until when its bytes count as too many without another look, in milliseconds since 1970. */
  largeUntil: number;
}

/** Milliseconds for which the bytes of a feed that were too many are not tried again. */
const largeFor = 600_000;
/** What a feed counts as besides its source and its bodies, in bytes. */
const headBytes = 4096;
/** The share of all bytes that one body may take. */
const shareOfBody = 1 / 16;
/** How many bodies are made at the same time to be kept. */
const parallelBodies = 8;

/** Feeds as they were last composed, by their paths. Those that were requested last are kept. */
export class FeedCache {
  readonly #limit: number;
  /** In the order of their last use. */
  readonly #feeds = new Map<string, KeptFeed>();
  readonly #reads: BoundedReads;
  #taken = 0;
  #making = 0;

  /** @param limit bytes that all feeds may take together (GATEWAY_FEED_CACHE_BYTES); 0 keeps none */
  constructor(limit: number, reads: BoundedReads) {
    this.#limit = limit;
    this.#reads = reads;
  }

  /** The most bytes that a body may have to be kept. */
  get bodyBytes(): number {
    return Math.floor(this.#limit * shareOfBody);
  }

  /** Returns the feed with this path, current or not. */
  find(path: string): KeptFeed | undefined {
    return this.#feeds.get(path);
  }

  /**
   * Reads the source of a feed, once for all that ask in one turn of the event loop. Returns the feed if it
   * is current. Throws what reading throws.
   */
  async findUnchanged(kept: KeptFeed, clock: Pick<Clock, 'now'>): Promise<KeptFeed | undefined> {
    if (kept.reading === undefined) {
      kept.reading = kept.readSource();
      setImmediate(() => (kept.reading = undefined));
    }
    const source = await kept.reading;
    return source === undefined ? undefined : this.findCurrent(kept.path, source, clock.now());
  }

  /** Returns the feed with this path if it was composed from this very source, and not too long ago. */
  findCurrent(path: string, source: string, now: Date): KeptFeed | undefined {
    const kept = this.#feeds.get(path);
    if (kept === undefined || kept.source !== source || !isYoung(kept, now)) return undefined;
    this.#feeds.delete(path);
    this.#feeds.set(path, kept);
    return kept;
  }

  /** Keeps a feed in place of the one with its path. */
  keep(requested: Omit<RequestedFeed, 'compose'>, feed: SentFeed, now: Date): KeptFeed {
    const { path, source, readSource } = requested;
    const { key, isPublic } = requested.collection;
    const collection = { key, ...(isPublic !== undefined && { isPublic }) };
    const largeUntil = this.#feeds.get(path)?.largeUntil ?? 0;
    const bytes = headBytes + source.length;
    const composedAt = now.getTime();
    const kept = {
      path,
      source,
      readSource,
      collection,
      feed,
      text: new SharedText(this.#reads, feed.text),
      composedAt,
      bodies: new Map(),
      responses: new Set<ServerResponse>(),
      bytes,
      largeUntil,
    };
    this.#remove(path);
    this.#feeds.set(path, kept);
    this.#taken += bytes;
    this.#removeOldest();
    return kept;
  }

  /** Notes that a response is made of a feed, until `close` is called. */
  open({ responses, text }: KeptFeed, response: ServerResponse): void {
    responses.add(response);
    text.open();
  }

  close({ responses, text, rest }: KeptFeed, response: ServerResponse): void {
    responses.delete(response);
    text.close();
    if (rest !== undefined && responses.size === 0) this.#reads.release(rest);
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
    else if (this.#feeds.get(kept.path) === kept) {
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

  #remove(path: string): void {
    const kept = this.#feeds.get(path);
    if (kept === undefined) return;
    this.#taken -= kept.bytes;
    this.#feeds.delete(path);
    const { responses, bytes: length } = kept;
    if (responses.size === 0) return;
    const drop = (): void => {
      for (const response of responses) response.destroy();
    };
    kept.rest = { length, readers: responses.size, readAt: 0, drop };
    this.#reads.hold(kept.rest);
  }
}

/** A clock that was set back is no reason to keep a feed longer. */
function isYoung({ composedAt, feed: { keptFor } }: KeptFeed, now: Date): boolean {
  const age = now.getTime() - composedAt;
  return keptFor === undefined || (age >= 0 && age <= keptFor);
}
