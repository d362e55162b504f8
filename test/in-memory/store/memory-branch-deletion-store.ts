import type {
  BranchDeletion,
  BranchDeletionStore,
  Clock,
  CollectionKey,
  DeletionEnd,
  DeletionLease,
  DeletionProgress,
} from '#core';
import type { Records } from './records.ts';

/** A deletion and who works on it; no lease once it has ended. */
export interface LeasedDeletion {
  readonly collection: CollectionKey;
  readonly id: string;
  readonly deletion: BranchDeletion;
  readonly lease?: { readonly holder: string; readonly expiresAt: number };
}

/** Deletions of branches in memory. Those that have ended stay. */
export class MemoryBranchDeletionStore implements BranchDeletionStore {
  readonly #deletions: Records<LeasedDeletion>;
  readonly #clock: Pick<Clock, 'now'>;

  constructor(deletions: Records<LeasedDeletion>, clock: Pick<Clock, 'now'>) {
    this.#deletions = deletions;
    this.#clock = clock;
  }

  async add(deletion: BranchDeletion, duration: number): Promise<BranchDeletion> {
    const { collection, id } = deletion;
    const stored = this.#deletions.get(collection, id);
    if (stored === undefined)
      this.#deletions.set({ collection, id, deletion, lease: this.#lease({ holder: '', duration }) });
    return stored?.deletion ?? deletion;
  }

  async find(collection: CollectionKey, id: string): Promise<BranchDeletion | undefined> {
    return this.#deletions.get(collection, id)?.deletion;
  }

  async take(
    collection: CollectionKey,
    id: string,
    lease: DeletionLease,
  ): Promise<BranchDeletion | undefined> {
    const stored = this.#deletions.get(collection, id);
    if (stored?.lease === undefined) return undefined;
    const isFree = stored.lease.holder === '' || stored.lease.expiresAt <= this.#clock.now().getTime();
    if (!isFree && stored.lease.holder !== lease.holder) return undefined;
    this.#deletions.set({ ...stored, lease: this.#lease(lease) });
    return stored.deletion;
  }

  async advance(
    collection: CollectionKey,
    id: string,
    lease: DeletionLease,
    { done, total }: DeletionProgress,
  ): Promise<boolean> {
    const held = this.#held(collection, id, lease.holder);
    if (held === undefined) return false;
    const { deletion } = held;
    const progress = { done: Math.max(deletion.done, done), total: Math.max(deletion.total, total) };
    this.#deletions.set({
      ...held,
      deletion: { ...deletion, ...progress, isBegun: true },
      lease: this.#lease(lease),
    });
    return true;
  }

  async end(
    collection: CollectionKey,
    id: string,
    holder: string,
    { at, failure }: DeletionEnd,
  ): Promise<void> {
    const held = this.#held(collection, id, holder);
    if (held === undefined) return;
    const deletion = { ...held.deletion, endedAt: at, ...(failure !== undefined && { failure }) };
    this.#deletions.set({ collection, id, deletion });
  }

  async release(collection: CollectionKey, id: string, holder: string): Promise<void> {
    const held = this.#held(collection, id, holder);
    if (held !== undefined) this.#deletions.set({ ...held, lease: { holder: '', expiresAt: 0 } });
  }

  async remove(collection: CollectionKey, id: string): Promise<void> {
    this.#deletions.delete(collection, id);
  }

  async abandoned(limit: number): Promise<Pick<BranchDeletion, 'collection' | 'id'>[]> {
    const now = this.#clock.now().getTime();
    const found = this.#deletions.select({
      where: ({ lease }) => lease !== undefined && lease.expiresAt <= now,
      order: ({ lease }) => lease?.expiresAt ?? 0,
      limit,
    });
    return found.map(({ collection, id }) => ({ collection, id }));
  }

  #held(collection: CollectionKey, id: string, holder: string): LeasedDeletion | undefined {
    const stored = this.#deletions.get(collection, id);
    return stored?.lease?.holder === holder ? stored : undefined;
  }

  #lease({ holder, duration }: DeletionLease): NonNullable<LeasedDeletion['lease']> {
    return { holder, expiresAt: this.#clock.now().getTime() + duration };
  }
}
