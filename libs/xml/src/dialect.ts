import type { FeedHead, Sharing } from './feed.ts';
import type { Fragment } from './fragment.ts';
import type { Format, Scope } from './payload.ts';

/** What readers and writers of feeds know of a protocol's markup. */
export interface Dialect {
  /** The names of its namespace, which all mean the same; the first one is written. Empty if it has none. */
  readonly namespaces: readonly string[];
  /** Which documents hold its items, with the section and the sentence of the rule that says so. */
  readonly documents: {
    readonly formats: readonly Format[];
    readonly section: string;
    readonly sentence: string;
  };
  /** Whether its items have a place among their siblings. */
  readonly ordersItems: boolean;
  /**
   * Returns what its elements in a head say. Throws `FeedError` if one passes a limit.
   * @param children those in the head
   * @param misplaced those that stand neither in the head nor in an item
   */
  readHead(
    children: readonly Fragment[],
    misplaced: readonly Fragment[],
  ): Pick<FeedHead, 'sharing' | 'violations'>;
  /**
   * The bindings that the root of a feed of ours declares for its markup.
   * @param scope that of the head's children
   */
  bindings(scope: Scope): readonly (readonly [prefix: string, namespace: string])[];
  /** Writes the element of the head that says what the feed holds. */
  writeSharing(sharing: Sharing): string;
}

/** The documents of most dialects. */
export const feedDocuments: Dialect['documents'] = {
  formats: ['atom', 'rss'],
  section: 'RFC 4287 4.1.1, RSS 2.0',
  sentence: 'a feed has an Atom feed or an rss element',
};

/** That of feeds without synchronisation data. */
export const plainDialect: Dialect = {
  namespaces: [],
  documents: feedDocuments,
  ordersItems: false,
  readHead: () => ({ violations: [] }),
  bindings: () => [],
  writeSharing: () => '',
};
