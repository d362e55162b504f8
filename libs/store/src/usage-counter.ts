import { setTimeout as wait } from 'node:timers/promises';
import type { mongo } from 'mongoose';
import { nameOf, nothingStored, tenantOf } from '#core';
import type { CollectionKey, StoredUsage } from '#core';
import { keyOf } from './key.ts';
import type { UsageDocument } from './usage-document.ts';
import { traceWrites } from './write-trace.ts';

/** Milliseconds in which changes of the usage are collected before they are written together. */
const pause = 50;

/** How many rows one command changes at the most. */
const commandRows = 500;

/** The key of what is stored of a collection. */
export function usageKey(collection: CollectionKey): string {
  return keyOf(collection, 'stored');
}

/**
 * Counts what is stored of the collections of tenants. Whoever writes an item or a file says so afterwards
 * and does not wait: the changes of all of them are written together, several times a second. What was not
 * written when the process is killed is found by the next count.
 */
export class UsageCounter {
  readonly #rows: mongo.Collection<UsageDocument>;
  #changes = new Map<CollectionKey, { total: StoredUsage; moved: StoredUsage }>();
  #writing: Promise<void> | undefined;
  #hurry = new AbortController();

  constructor(rows: mongo.Collection<UsageDocument>) {
    this.#rows = rows;
  }

  /** Whether a collection is counted: those of no tenant are not. */
  counts(collection: CollectionKey): boolean {
    return tenantOf(nameOf(collection)) !== undefined;
  }

  /** Says that something was written or removed. */
  add(collection: CollectionKey, change: Partial<StoredUsage>): void {
    if (!this.counts(collection)) return;
    const { total, moved } = this.#changes.get(collection) ?? { total: nothingStored, moved: nothingStored };
    const { items = 0, bytes = 0, files = 0 } = change;
    this.#changes.set(collection, {
      total: sum(total, { items, bytes, files }),
      moved: sum(moved, { items: Math.abs(items), bytes: Math.abs(bytes), files: Math.abs(files) }),
    });
    // In a trace of its own: for whoever is first, the write of the others' changes is no write of its own.
    this.#writing ??= traceWrites(() => this.#write());
  }

  /** Resolves once all that was said so far is written, or could not be. */
  async written(): Promise<void> {
    // What was said while a write was in flight is in the one after it.
    for (let write = 0; write < 2 && this.#writing !== undefined; write += 1) {
      this.#hurry.abort();
      await this.#writing;
    }
  }

  async #write(): Promise<void> {
    await wait(pause, undefined, { signal: this.#hurry.signal }).catch(() => {});
    this.#hurry = new AbortController();
    const changes = [...this.#changes];
    this.#changes = new Map();
    for (let start = 0; start < changes.length; start += commandRows)
      await this.#rows
        .bulkWrite(changes.slice(start, start + commandRows).map(increment), { ordered: false })
        // While MongoDB is away little else is written either, and the next count finds what is missing.
        .catch(() => {});
    this.#writing = this.#changes.size > 0 ? this.#write() : undefined;
  }
}

function increment([collection, { total, moved }]: readonly [
  CollectionKey,
  { readonly total: StoredUsage; readonly moved: StoredUsage },
]): mongo.AnyBulkWriteOperation<UsageDocument> {
  const movement = Object.entries(moved).map(([kind, by]): [string, number] => [`moved.${kind}`, by]);
  return {
    updateOne: {
      filter: { _id: usageKey(collection) },
      update: {
        $inc: { ...total, ...Object.fromEntries(movement) },
      },
      upsert: true,
    },
  };
}

/** Adds up two usages. */
export function sum(one: StoredUsage, other: StoredUsage): StoredUsage {
  return {
    items: one.items + other.items,
    bytes: one.bytes + other.bytes,
    files: one.files + other.files,
  };
}
