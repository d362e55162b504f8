/** A format whose items are entries of a feed. */
export type FeedFormat = 'atom' | 'rss';

/** The native format of a feed, or of an outline (OPML 1.0). */
export type Format = FeedFormat | 'opml';

/**
 * What the raw slices of an item are to be read in: the bindings and inherited attributes at the place they
 * were cut from.
 */
export interface Scope {
  /** Prefix (empty for the default namespace) and namespace name. */
  readonly namespaces: readonly (readonly [prefix: string, namespace: string])[];
  /** The value of `xml:base` in force. */
  readonly base?: string;
  /** The value of `xml:lang` in force. */
  readonly language?: string;
}

/** An attribute by its expanded name. */
export interface Attribute {
  /** Namespace name; empty for none. */
  readonly namespace: string;
  readonly name: string;
  readonly value: string;
}

/** One child element of an item, exactly as it stood in the feed. */
export interface Child {
  /** Namespace name; empty for none. */
  readonly namespace: string;
  /** Local name. */
  readonly name: string;
  readonly xml: string;
}

/**
 * The content of one item: every child but `sx:sync` and (in OPML) the outlines in it, in document order, and
 * the scope to read them in.
 */
export interface Payload {
  readonly format: Format;
  readonly children: readonly Child[];
  readonly scope: Scope;
  /**
   * The attributes of the item's own element, but `xml:base` and `xml:lang`, which are in the scope; absent
   * if there are none.
   */
  readonly attributes?: readonly Attribute[];
}
