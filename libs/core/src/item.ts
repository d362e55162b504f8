import type { CollectionKey, ItemId, SubscriptionId } from '#contracts';
import type { Actor } from './audit.ts';
import type { IssuedRecord } from './issued-record.ts';
import type { ItemContent } from './item-content.ts';
import type { Position } from './position.ts';

/** That a subscription has brought a fragment, by the SHA-256 of its bytes (base64url). */
export interface Source {
  readonly subscription: SubscriptionId;
  readonly digest: string;
  /** The document that brought it last, as `fetchPassOf` names it. */
  readonly fetchPass?: string;
}

/** The name of one document of a fetch: the feed itself, or the complete feed that was read beside it. */
export function fetchPassOf(manifest: string, document: 'feed' | 'complete'): string {
  return `${manifest}.${document}`;
}

/** Whether these are the same sources, in whatever order; there is at most one for each subscription. */
export function areSameSources(some: readonly Source[], others: readonly Source[]): boolean {
  const isAmongOthers = ({ subscription, digest, fetchPass }: Source): boolean =>
    others.some(
      (other) =>
        other.subscription === subscription && other.digest === digest && other.fetchPass === fetchPass,
    );
  return some.length === others.length && some.every(isAmongOthers);
}

/** What the change feed last said of an item. */
export interface Announcement {
  readonly revision: number;
  readonly deleted: boolean;
  readonly conflictCount: number;
}

/** What a change event says of an item's version. */
export interface VersionSummary {
  /** With SSE the version. */
  readonly updates: number;
  readonly noconflicts?: boolean;
  /** That this version is a programmatic resolution, by what policy, and how many conflicts it resolved. */
  readonly resolution?: { readonly policy: string; readonly conflicts: number };
  /** The topmost history. */
  readonly history?: { readonly sequence: number; readonly when?: string; readonly by?: string };
}

/** What of a tree of feeds an item refers to (Content Sync Extensions). */
export interface TreeRefs {
  /** Its identity within the tree. */
  readonly guid: string;
  /** The nested feed that it links to. */
  readonly nested?: string;
  /** The digests of the contents that its links refer to, each once; none of a deleted one. */
  readonly files: readonly string[];
}

/** That an edit under a key of its sender is in the item (`Idempotency-Key`), stored with it in one write. */
export interface EditMark {
  /** Digests of the key, and of all that the edit said. */
  readonly key: string;
  readonly request: string;
  readonly at: Date;
}

/** One item as it is kept. */
export interface StoredItem {
  readonly collection: CollectionKey;
  readonly id: ItemId;
  /** Grows by one with every change, from 1; what compare-and-set compares. */
  readonly revision: number;
  readonly content: ItemContent;
  readonly deleted: boolean;
  readonly conflictCount: number;
  /**
   * Where it stands, in a collection that has an order (SSE 3.2) or is a tree of feeds: there `parent` is the
   * feed.
   */
  readonly position?: Position;
  /** In a tree of feeds. */
  readonly branch?: TreeRefs;
  readonly version: VersionSummary;
  /** At most one for each subscription. */
  readonly sources: readonly Source[];
  /** The subscription that brought the last change; absent for a local edit. */
  readonly subscription?: SubscriptionId;
  /** Who made the last change, if it is an edit that was made here and changes are audited. */
  readonly actor?: Actor;
  /** The latest edits under keys, the oldest first. A write without them leaves those that are stored. */
  readonly edits?: readonly EditMark[];
  /** What was signed here of it, one record for each endpoint identifier; absent before the first. */
  readonly issued?: readonly IssuedRecord[];
  /**
   * When it was made: as its first version here said itself, otherwise when that was stored. Never changes.
   */
  readonly createdAt: Date;
  readonly updatedAt: Date;
  /** The place in the collection's order of changes; absent until first published. */
  readonly sequence?: number;
  /** When it got this place. */
  readonly publishedAt?: Date;
  readonly announced?: Announcement;
}
