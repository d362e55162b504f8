import { formatCursor } from '#contracts';
import { collectionKey } from '#core';
import { placeOf } from '../spread.ts';
import { ChangeGapError } from './change-gap-error.ts';
import { ChangeLogRefusedError, CursorGoneError } from './change-log.ts';
import type { ChangeLog, ListedCollection } from './change-log.ts';
import type { GroupPlaces } from './group-places.ts';
import type { GroupStore } from './group-store.ts';

/** Milliseconds between two comparisons at least, and how many times as long as one takes. */
const pause = 10_000;
const restFactor = 100;

/** How long a read of the stream waits while the collections are being compared, in milliseconds. */
const whileComparing = 50;

/** Milliseconds until a comparison that failed is made again. */
const afterFailure = 1_000;

interface Comparison {
  readonly listed: readonly ListedCollection[];
  readonly before: ReturnType<GroupPlaces['snapshot']>;
  /** The entry that the stream ended with when the collections had been listed. */
  readonly upTo: string;
}

interface ReconciliationParts {
  readonly log: ChangeLog;
  readonly places: GroupPlaces;
  readonly store: GroupStore;
  readonly partition: number;
  readonly partitionCount: number;
  /** Is told why the collections could not be listed. */
  readonly failed: (error: unknown) => void;
}

/**
 * Compares the places of a group with the collections of the gateway: from time to time, and when something
 * may be lost. Once the stream is read to the end that it had then, the changes that it has not brought are
 * read from the log.
 */
export class Reconciliation {
  readonly #parts: ReconciliationParts;
  #due = 0;
  #isListing = false;
  #comparison: Comparison | undefined;
  #fault: unknown;

  constructor(parts: ReconciliationParts) {
    this.#parts = parts;
  }

  /** Something may be lost: compare as soon as possible. */
  soon(): void {
    this.#due = 0;
  }

  /** How many milliseconds a read of the stream may wait at most. */
  get patience(): number {
    if (this.#isListing || this.#comparison !== undefined) return whileComparing;
    return Math.max(whileComparing, this.#due - performance.now());
  }

  /** Lists the collections that are in the partition. */
  async list(): Promise<ListedCollection[]> {
    const { log, partition, partitionCount } = this.#parts;
    const listed = await log.collections();
    return listed.filter(({ name }) => placeOf(collectionKey(name), partitionCount) === partition);
  }

  /**
   * Throws `ChangeGapError` if a collection is not the one that the group has read, but has numbered its
   * changes itself; to be called before anything is delivered. Throws as `ChangeLog` does.
   */
  async identifyAll(): Promise<void> {
    await this.#identify(await this.list());
  }

  /** The same for one collection. */
  async identify(name: string): Promise<void> {
    const collection = await this.#parts.log.collection(name);
    if (collection !== undefined) await this.#identify([collection]);
  }

  /**
   * Goes on after a read of the stream.
   * @param entry the last one read; undefined if there was none
   * @throws ChangeGapError, ChangeLogRefusedError
   */
  async advance(entry: string | undefined): Promise<void> {
    if (this.#fault !== undefined) throw this.#fault;
    if (!this.#isListing && this.#comparison === undefined && performance.now() >= this.#due)
      void this.#begin();
    const comparison = this.#comparison;
    if (comparison === undefined) return;
    if (entry !== undefined && isBefore(entry, comparison.upTo)) return;
    this.#comparison = undefined;
    try {
      await this.#compare(comparison);
    } catch (error) {
      if (isFinal(error)) throw error;
      this.#parts.failed(error);
      this.#due = performance.now() + afterFailure;
    }
  }

  async #begin(): Promise<void> {
    const { places, store, failed } = this.#parts;
    const startedAt = performance.now();
    this.#isListing = true;
    // Before the listing: a gap that is found meanwhile has another one made.
    this.#due = Infinity;
    try {
      const before = places.snapshot();
      const listed = await this.list();
      this.#comparison = { listed, before, upTo: await store.lastEntry() };
      const rest = Math.max(pause, restFactor * (performance.now() - startedAt));
      this.#due = Math.min(this.#due, performance.now() + rest);
    } catch (error) {
      if (error instanceof ChangeLogRefusedError) this.#fault = error;
      failed(error);
      this.#due = performance.now() + afterFailure;
    } finally {
      this.#isListing = false;
    }
  }

  async #compare({ listed, before }: Comparison): Promise<void> {
    const { places, log } = this.#parts;
    await this.#identify(listed);
    for (const { name, sequence, sources } of listed) {
      const { delivered = 0, source } = before.get(name) ?? {};
      if (source !== undefined && !sources.includes(source))
        throw new ChangeGapError({
          collection: name,
          reason:
            `The stream has events of ${source}, and the gateway has ${sources.join(', ')}: Redis and ` +
            '`url` are of different installations.',
        });
      if (delivered > sequence)
        await log.read(name, formatCursor(delivered)).catch((error: unknown) => {
          throw gapError(name, delivered, error);
        });
      places.want(name, sequence);
    }
  }

  async #identify(listed: readonly ListedCollection[]): Promise<void> {
    const { places } = this.#parts;
    const learned: string[] = [];
    for (const { name, createdAt } of listed) {
      const place = places.of(name);
      if (place.createdAt === createdAt && !place.isSuspect) continue;
      if (place.handled && (place.createdAt !== undefined || place.time !== undefined))
        await this.#compareLast(name, place.handled, place.time);
      place.isSuspect = false;
      place.createdAt = createdAt;
      learned.push(name);
    }
    await places.recordAll(learned);
  }

  /** Throws `ChangeGapError` if the log has another change than the one that the group has handled last. */
  async #compareLast(name: string, handled: number, time: string | undefined): Promise<void> {
    const changes = await this.#parts.log.read(name, formatCursor(handled - 1)).catch((error: unknown) => {
      // The log of a collection that was removed and created again begins after its last change before.
      if (error instanceof CursorGoneError && error.oldest !== undefined) return [];
      throw gapError(name, handled, error);
    });
    const event = changes?.[0];
    if (event === undefined || event.time === time) return;
    throw new ChangeGapError({
      collection: name,
      reason:
        'The collection is of another installation now, or was restored from a backup: its change ' +
        `${formatCursor(handled)} is not the one that this group has handled.`,
    });
  }
}

/** Whether the reading ends with an error: it would come again. */
export function isFinal(error: unknown): boolean {
  return error instanceof ChangeGapError || error instanceof ChangeLogRefusedError;
}

/** The error for changes that the log does not have; other errors as they are. */
export function gapError(collection: string, delivered: number, error: unknown): unknown {
  if (!(error instanceof CursorGoneError)) return error;
  return new ChangeGapError({
    collection,
    ...(error.oldest !== undefined && { from: delivered + 1, to: error.oldest }),
    reason:
      error.oldest === undefined
        ? `${error.message} The database was restored from a backup, or this is another installation.`
        : `The stream has lost them. ${error.message}`,
  });
}

/** Whether an entry of a stream is before another one. */
function isBefore(entry: string, other: string): boolean {
  const [time = 0, number = 0] = entry.split('-').map(Number);
  const [otherTime = 0, otherNumber = 0] = other.split('-').map(Number);
  return time < otherTime || (time === otherTime && number < otherNumber);
}
