import type { ChangeEvent } from '#contracts';
import { formatCursor } from '#contracts';
import { randomUUID } from 'node:crypto';
import { promises as timers } from 'node:timers';
import { Logger } from '@nestjs/common';
import { LimitedLog } from '../limited-log.ts';
import { ConnectionLog, openRedis } from '../redis.ts';
import type { RedisClient } from '../redis.ts';
import { ChangeGapError } from './change-gap-error.ts';
import { ChangeLog } from './change-log.ts';
import type { ChangeReaderOptions } from './change-reader-options.ts';
import type { CollectionPlace } from './collection-place.ts';
import { ConsumerLock } from './consumer-lock.ts';
import type { Delivery } from './delivery.ts';
import { groupKeys } from './group-keys.ts';
import { GroupPlaces } from './group-places.ts';
import { GroupStore } from './group-store.ts';
import { gapError, isFinal, Reconciliation } from './reconciliation.ts';
import { collectionOf, readEvent } from './stream-entry.ts';
import type { StreamEntry } from './stream-entry.ts';

/** How long to wait after a fault, and how long one read waits for an event, in milliseconds. */
const pause = 500;
const readFor = 5_000;

/** How long one read waits for an event while changes are wanted from the log, in milliseconds. */
const readForBehind = 50;

/** How long events of all collections wait for those of one that are being handled, in milliseconds. */
const patience = 1_000;

/** How often the log may lack a change that the stream or the gateway has named. */
const mostEmptyReads = 20;

/**
 * Reads the change events of a partition for a group, one of its consumers at a time, at least once. The
 * events of a collection are delivered in order and without a gap: the log has those that the stream lost.
 * A delivery that has not ended is repeated, here or by the consumer that takes over. Repeated events and
 * entries that are no change event are skipped. Waits while Redis or the gateway does not respond.
 */
export class ChangeReader {
  readonly #options: ChangeReaderOptions;
  readonly #logger = new Logger('ChangeReader');
  readonly #limitedLog = new LimitedLog(this.#logger);
  readonly #redis: RedisClient;
  readonly #blocking: RedisClient;
  readonly #lock: ConsumerLock;
  readonly #store: GroupStore;
  readonly #places: GroupPlaces;
  readonly #log: ChangeLog | undefined;
  readonly #reconciliation: Reconciliation | undefined;
  #logRestsUntil = 0;
  #isIdentified = false;
  /** Whether a change has come without the one before it. */
  #hasGap = false;

  /** Throws RangeError if there is no such partition. */
  constructor(options: ChangeReaderOptions) {
    const { group, consumer, signal, partition = 0, partitionCount = 1, takeOverAfter = 30_000 } = options;
    if (options.url !== undefined && partition >= partitionCount)
      throw new RangeError(
        `There is no partition ${partition} of ${partitionCount}. Set \`partitionCount\` to ` +
          'STREAM_PARTITIONS of the publisher.',
      );
    this.#options = options;
    const log = new ConnectionLog('ChangeReader');
    this.#redis = openRedis(options, { maxRetriesPerRequest: 1, commandTimeout: readFor }, log);
    const timeouts = { commandTimeout: 2 * readFor, socketTimeout: 2 * readFor };
    this.#blocking = openRedis(options, { maxRetriesPerRequest: 1, ...timeouts }, log);
    const keys = groupKeys(options);
    const holder = randomUUID();
    this.#lock = new ConsumerLock(this.#redis, keys.lock, consumer, takeOverAfter);
    this.#store = new GroupStore(this.#redis, keys, group, consumer, holder);
    const failed = (error: unknown): void => this.#warn('Redis', error);
    const isHeld = (): boolean => this.#lock.held;
    this.#places = new GroupPlaces(this.#store, holder, options.from ?? 'oldest', isHeld, failed);
    if (options.url === undefined) return;
    this.#log = new ChangeLog({ ...options, url: options.url }, signal);
    this.#reconciliation = new Reconciliation({
      log: this.#log,
      places: this.#places,
      store: this.#store,
      partition,
      partitionCount,
      failed: (error) => this.#warn('the log of changes', error),
    });
  }

  /**
   * Delivers events until the signal aborts; then waits until every delivery has ended.
   * @throws ChangeGapError, ChangeLogRefusedError
   */
  async *deliveries(): AsyncGenerator<Delivery, void, undefined> {
    const { signal, takeOverAfter = 30_000 } = this.#options;
    const stop = (): void => {
      this.#blocking.disconnect();
      void this.#places.stop();
    };
    signal.addEventListener('abort', stop, { once: true });
    try {
      while (!signal.aborted) {
        try {
          if (await this.#begin()) yield* this.#read();
          else await timers.setTimeout(takeOverAfter / 3, undefined, { signal });
        } catch (error) {
          if (signal.aborted) return;
          if (isFinal(error)) {
            await this.#places.forgetOpen();
            throw error;
          }
          if (this.#redis.status === 'ready') this.#warn(`reading ${this.#store.keys.stream}`, error);
          await timers.setTimeout(pause, undefined, { signal }).catch(() => {});
        }
      }
    } finally {
      signal.removeEventListener('abort', stop);
      await this.#places.stop();
      await this.#lock.end().catch(() => {});
      if (!signal.aborted) this.#blocking.disconnect();
      this.#redis.disconnect();
    }
  }

  async #begin(): Promise<boolean> {
    if (!(await this.#lock.take())) {
      await this.#places.forgetOpen();
      return false;
    }
    const reconciliation = this.#reconciliation;
    const begun = await this.#places.begin(reconciliation && (() => reconciliation.list()));
    if (begun === undefined) return false;
    if (begun.isTakenOver) this.#isIdentified = false;
    if (!this.#isIdentified) await reconciliation?.identifyAll();
    this.#isIdentified = true;
    reconciliation?.soon();
    return true;
  }

  /** Delivers until the signal aborts or the lock is lost. */
  async *#read(): AsyncGenerator<Delivery, void, undefined> {
    await this.#reconciliation?.advance('0-0');
    yield* this.#claim();
    while (this.#isReading) {
      yield* this.#fill();
      yield* this.#places.revive();
      const entries = await this.#next();
      yield* this.#handle(entries);
      // A consumer that has lost its lock while it waits in Redis is still handed what comes next.
      if (!this.#log && (this.#hasGap || entries.length === 0)) yield* this.#claim();
      await this.#reconciliation?.advance(entries.at(-1)?.[0]);
    }
  }

  get #isReading(): boolean {
    return !this.#options.signal.aborted && this.#lock.held && !this.#places.isLost;
  }

  async *#claim(): AsyncGenerator<Delivery, void, undefined> {
    this.#hasGap = false;
    for await (const entries of this.#pending()) yield* this.#handle(entries, true);
  }

  /** The entries that were delivered to anyone of the group and not acknowledged, oldest first. */
  async *#pending(): AsyncGenerator<StreamEntry[], void, undefined> {
    const { group, consumer, batch = 100 } = this.#options;
    const key = this.#store.keys.stream;
    let cursor = '0-0';
    do {
      const reply = await this.#redis.xautoclaim(key, group, consumer, 0, cursor, 'COUNT', batch);
      const [next, entries] = reply as [string, StreamEntry[]];
      yield entries;
      cursor = next;
    } while (cursor !== '0-0' && this.#isReading);
  }

  async #next(): Promise<StreamEntry[]> {
    const { group, consumer, batch = 100 } = this.#options;
    const wait = this.#places.behind.size > 0 ? readForBehind : (this.#reconciliation?.patience ?? readFor);
    const reply = await this.#blocking.xreadgroup(
      ...(['GROUP', group, consumer, 'COUNT', batch, 'BLOCK', Math.min(readFor, Math.ceil(wait))] as const),
      ...(['STREAMS', this.#store.keys.stream, '>'] as const),
    );
    return reply?.[0]?.[1] ?? [];
  }

  async *#handle(
    entries: readonly StreamEntry[],
    isClaimed = false,
  ): AsyncGenerator<Delivery, void, undefined> {
    const skipped: string[] = [];
    for (const [id, fields] of entries) {
      if (!this.#isReading) break;
      const event = readEvent(fields);
      const delivery = event && (await this.#admit(event, id, isClaimed));
      if (delivery === undefined) skipped.push(id);
      else if (delivery) {
        await this.#places.acknowledge(skipped.splice(0));
        yield delivery;
      }
      if (fields && !event)
        this.#logger.warn(`entry ${id} of ${this.#store.keys.stream} is no change event; skipped`);
    }
    await this.#places.acknowledge(skipped);
  }

  /** Returns false if the entry is to stay as it is, undefined if it needs no delivery. */
  async #admit(event: ChangeEvent, entry: string, isClaimed: boolean): Promise<Delivery | false | undefined> {
    const collection = collectionOf(event);
    const place = this.#places.of(collection);
    const { delivered, open } = place;
    const sequence = Number(event.sequence);
    if (delivered !== undefined && sequence <= delivered) {
      open.get(sequence)?.entries.add(entry);
      return open.has(sequence) ? false : undefined;
    }
    const isSuspect = this.#log && place.source !== undefined && place.source !== event.source;
    if (isSuspect) place.isSuspect = true;
    place.source = event.source;
    const isFirst = delivered === undefined && !this.#log;
    const isNext = !place.isSuspect && (isFirst || sequence === (delivered ?? 0) + 1);
    if (!isNext && !this.#log) {
      if (isClaimed) throw this.#gap(collection, (delivered ?? 0) + 1, sequence - 1);
      this.#hasGap = true;
      return false;
    }
    if (isNext && (await this.#hasRoom(place))) return this.#places.deliver(collection, event, entry);
    if (!this.#isReading) return false;
    // More may be lost: that of collections without a later event.
    if (!isNext && !place.isBehind) this.#reconciliation?.soon();
    this.#places.want(collection, sequence);
    return undefined;
  }

  #gap(collection: string, from: number, to: number): ChangeGapError {
    const reason = 'The stream has lost them. Set the option `url` to have them read from the gateway.';
    return new ChangeGapError({ collection, from, to, reason });
  }

  /** Waits for handlers of a place while it has no room: not long, if its changes are in the log as well. */
  async #hasRoom(place: CollectionPlace): Promise<boolean> {
    const until = this.#log ? performance.now() + patience : Infinity;
    while (this.#places.roomOf(place) <= 0) {
      if (performance.now() >= until || !this.#isReading) return false;
      const [first] = place.open.values();
      await Promise.race([first?.ended, timers.setTimeout(Math.min(patience, 100))]);
    }
    return true;
  }

  /** Delivers changes that the stream has lost, a page of each collection that has room for half of one. */
  async *#fill(): AsyncGenerator<Delivery, void, undefined> {
    for (const collection of this.#places.behind) {
      if (!this.#isReading || performance.now() < this.#logRestsUntil) return;
      const place = this.#places.of(collection);
      if (place.open.size > (place.isSuspect ? 0 : this.#places.roomOf(place))) continue;
      for (const event of await this.#readLog(collection, place)) {
        if (Number(event.sequence) <= (place.delivered ?? 0)) continue;
        if (!this.#isReading || this.#places.roomOf(place) <= 0) break;
        yield await this.#places.deliver(collection, event);
      }
    }
  }

  async #readLog(collection: string, place: CollectionPlace): Promise<readonly ChangeEvent[]> {
    const { delivered } = place;
    try {
      if (place.isSuspect) await this.#reconciliation?.identify(collection);
      const cursor = delivered === undefined ? undefined : formatCursor(delivered);
      const changes = await this.#log?.read(collection, cursor);
      if (changes === undefined) {
        // It was removed.
        place.wanted = 0;
        this.#places.behind.delete(collection);
      } else if (changes.length === 0) this.#countEmptyRead(collection, place);
      return changes ?? [];
    } catch (error) {
      const fault = gapError(collection, delivered ?? 0, error);
      if (isFinal(fault)) throw fault;
      this.#warn('the log of changes', fault);
      this.#logRestsUntil = performance.now() + pause;
      return [];
    }
  }

  #countEmptyRead(collection: string, place: CollectionPlace): void {
    place.emptyReads += 1;
    this.#logRestsUntil = performance.now() + pause / 5;
    if (place.emptyReads < mostEmptyReads) return;
    throw new ChangeGapError({
      collection,
      from: (place.delivered ?? 0) + 1,
      to: place.wanted,
      reason:
        'The stream has a later change than the log: Redis and `url` are of different installations, or ' +
        'the database was restored from a backup.',
    });
  }

  #warn(about: string, error: unknown): void {
    this.#limitedLog.warn(about, String(error));
  }
}
