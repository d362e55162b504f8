import type { ForeignMarkup } from '#feedsync';

/** The native format of a feed. */
export type Format = 'atom' | 'rss';

/** What the raw slices of an item are to be read in: the bindings and inherited attributes at the place they were cut from. */
export interface Scope {
  /** Prefix (empty for the default namespace) and namespace name. */
  readonly namespaces: readonly (readonly [prefix: string, namespace: string])[];
  /** The value of `xml:base` in force. */
  readonly base?: string;
  /** The value of `xml:lang` in force. */
  readonly language?: string;
}

/** One child element of an item, exactly as it stood in the feed. */
export interface Child {
  /** Namespace name; empty for none. */
  readonly namespace: string;
  /** Local name. */
  readonly name: string;
  readonly xml: string;
}

/** The content of one item: every child but `sx:sync`, in document order, and the scope to read them in. */
export interface Payload {
  readonly format: Format;
  readonly children: readonly Child[];
  readonly scope: Scope;
  /** The attributes of the item's own element, but `xml:base` and `xml:lang`, which are in the scope; absent where there are none. */
  readonly attributes?: ForeignMarkup['attributes'];
}
