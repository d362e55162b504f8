/**
 * A csx:link that an item of an own tree is to have: a file of the collection, a feed of the tree, or
 * anything else on the web.
 */
export type LinkInput = { readonly onDemand?: boolean } &
  /** By its digest; `name` is what its address ends in. */
  (
    | { readonly file: string; readonly name?: string }
    /** The id of the feed, which is nested in the item. */
    | { readonly feed: string }
    /** Absolute, http or https. */
    | { readonly url: string; readonly nestedFeed?: boolean }
  );

/** What an edit says of an item in a tree of feeds, beside its payload. */
export interface LinksInput {
  /** The id of the feed that it stands in (default: the root); an item can't go to another one. */
  readonly feed?: string;
  /** Its identity within the tree, which never changes; absent: what the payload's `guid` says. */
  readonly guid?: string;
  /** Whether viewers may hide it; absent: as it is. */
  readonly hidden?: boolean;
  /** In place of all csx:link that stand directly in the item; absent: those that the payload has. */
  readonly links?: readonly LinkInput[];
}
