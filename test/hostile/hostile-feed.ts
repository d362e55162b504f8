/**
 * What a feed is fetched into: Atom and RSS of FeedSync, RSS of SSE with and without an order, outlines, a
 * tree of feeds.
 */
export type CollectionKind = 'atom' | 'rss' | 'sse' | 'ordered' | 'opml' | 'tree';

/** What comes of a feed: it is refused as a whole by a rule, or its items are sorted into these. */
export type Expected =
  | { readonly refused: string }
  | {
      /**
       * The ids of the items that are merged, in order; of a long one the beginning. With `x… ×N` if there
       * are many.
       */
      readonly merged: readonly string[];
      /** The rule of each item that is rejected, in order. */
      readonly rejected?: readonly string[];
      /** How many items have no synchronisation data. */
      readonly plain?: number;
      /** Conflicts of each item that has any, by id. */
      readonly conflicts?: Readonly<Record<string, number>>;
      /** The rules of the warnings that the subscription reports. */
      readonly warnings?: readonly string[];
      /** Of a tree: the rule by which each document failed that did, in order of URL. */
      readonly failed?: readonly string[];
    };

/** A document that does harm, or would to a careless reader. */
export interface HostileFeed {
  /** `family/what`; unique. */
  readonly name: string;
  readonly body: () => string | Uint8Array;
  /** The header of the response; `content-type` is that of the collection by default. */
  readonly headers?: Readonly<Record<string, string>>;
  /** `atom` by default. */
  readonly into?: CollectionKind;
  /** Further documents that the feed leads to, by path. */
  readonly documents?: Readonly<Record<string, () => string | Uint8Array>>;
  /** False if what is refused is not the document itself, so that `feedmesh validate` finds nothing. */
  readonly isValidated?: boolean;
  readonly expected: Expected;
}

/** Returns feeds that are fetched into this kind of collection, unless one names another. */
export function into(kind: CollectionKind, feeds: readonly HostileFeed[]): readonly HostileFeed[] {
  return feeds.map((feed) => ({ into: kind, ...feed }));
}
