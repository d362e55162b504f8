/** The date of an item or a feed that says none (CSE, csx:lastBuildDate). */
export const earliestDate = '1601-01-01T00:00:00Z';

/** A csx:link: a resource that belongs to an item. */
export interface Link {
  /** Absolute, without a fragment. */
  readonly url: string;
  readonly nestedFeed: boolean;
  readonly onDemand: boolean;
}

/** An item of a feed in a tree. */
export interface Item {
  /** Its identity within the tree: the guid, or what stands in for it. */
  readonly id: string;
  /** RFC 3339 in whole seconds and UTC, with the fall-backs applied: `earliestDate` if there is none. */
  readonly lastBuildDate: string;
  readonly hidden: boolean;
  /** Those that count: if one is a nested feed, that one only. In document order, each URL once. */
  readonly links: readonly Link[];
}

/** A feed of a tree. */
export interface Feed {
  /** As that of an item. */
  readonly lastBuildDate: string;
  readonly items: readonly Item[];
}

/**
 * Whether `a` is more recent than `b`: "newer" for two items and for two feeds (CSE, Algorithm Definitions).
 */
export function isNewer(
  a: { readonly lastBuildDate: string },
  b: { readonly lastBuildDate: string },
): boolean {
  return a.lastBuildDate > b.lastBuildDate;
}

/** What becomes of a link by itself, without being requested (CSE, onDemand attribute: the table). */
export function actionOf({
  nestedFeed,
  onDemand,
}: Pick<Link, 'nestedFeed' | 'onDemand'>): 'none' | 'download' | 'download-and-process' {
  if (onDemand) return 'none';
  return nestedFeed ? 'download-and-process' : 'download';
}
