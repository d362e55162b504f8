import type { CollectionKey, ItemId } from '#contracts';
import type { Actor } from './audit.ts';

/** How far a deletion is; both only grow. */
export interface DeletionProgress {
  /** Items below the root that are deleted, those that were before among them. */
  readonly done: number;
  /** Items below the root that were found so far. */
  readonly total: number;
}

/** The deletion of everything below an item that is deleted itself, too much for one request. */
export interface BranchDeletion extends DeletionProgress {
  readonly collection: CollectionKey;
  readonly id: string;
  /** The item whose branch it is. */
  readonly item: ItemId;
  /** Whether it removes the data of the items; as the collection's settings say if absent. */
  readonly removeData?: boolean;
  /** Who requested it, if changes are audited. */
  readonly actor?: Actor;
  readonly requestedAt: Date;
  /** That something below the item may be deleted already. */
  readonly isBegun?: boolean;
  /** When it ended; absent while it goes on. */
  readonly endedAt?: Date;
  /** Why it ended before everything was deleted. */
  readonly failure?: string;
}

/** How a deletion ended. */
export interface DeletionEnd {
  readonly at: Date;
  readonly failure?: string;
  /** Until when it is kept, to be read. */
  readonly keptUntil: Date;
}

/** Deletions of branches. Leases run by the store's own clock; their durations are in milliseconds. */
export interface BranchDeletionStore {
  /**
   * Adds a deletion, once, with a lease that nobody holds: anyone may take it, and it counts as abandoned
   * after `duration`. It is on a majority and in the journal when this returns.
   * @returns the deletion as it is stored: another call may have added it before
   */
  add(deletion: BranchDeletion, duration: number): Promise<BranchDeletion>;
  find(collection: CollectionKey, id: string): Promise<BranchDeletion | undefined>;
  /**
   * Takes the lease of a deletion that has not ended. Returns undefined while another holder's lease runs,
   * and if there is no such deletion.
   */
  take(collection: CollectionKey, id: string, lease: DeletionLease): Promise<BranchDeletion | undefined>;
  /** Records progress and renews the lease; returns false, and changes nothing, if the holder has lost it. */
  advance(
    collection: CollectionKey,
    id: string,
    lease: DeletionLease,
    progress: DeletionProgress,
  ): Promise<boolean>;
  /** Ends it, if the holder still has the lease. */
  end(collection: CollectionKey, id: string, holder: string, end: DeletionEnd): Promise<void>;
  /** Gives a lease back; another holder's is left alone. */
  release(collection: CollectionKey, id: string, holder: string): Promise<void>;
  remove(collection: CollectionKey, id: string): Promise<void>;
  /** Deletions that have not ended and whose lease has run out, at most `limit`. */
  abandoned(limit: number): Promise<Pick<BranchDeletion, 'collection' | 'id'>[]>;
}

/** The right to work on a deletion. */
export interface DeletionLease {
  readonly holder: string;
  readonly duration: number;
}
