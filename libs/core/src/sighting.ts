/** How a subscription sees an item of a plain feed. */
export interface Sighting {
  /** The digest that the item had when the subscription saw it last; undefined if it never has. */
  readonly seen?: string | undefined;
  /** Whether the document is older than the one that the subscription read last. */
  readonly isStale?: boolean | undefined;
}
