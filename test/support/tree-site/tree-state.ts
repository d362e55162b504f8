/**
 * What a link of an item leads to: the nested feed by the guid of the item that links to it, the SHA-256 of a
 * file, or nothing yet.
 */
export type LinkState = { readonly feed: string } | { readonly file: string } | 'on demand';

export interface ItemState {
  readonly guid: string;
  readonly title: string;
  readonly hidden: boolean;
  /** In document order. */
  readonly links: readonly LinkState[];
}

/**
 * The items of each feed in their order; the feed at the root is `root`, another has the guid of the item
 * that links to it.
 */
export type TreeState = Readonly<Record<string, readonly ItemState[]>>;
