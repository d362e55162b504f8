/** What keeps one tree from using up the machine. */
export interface TreeLimits {
  /** How many links below the root a feed may be (default 32); the root is 0. */
  readonly depth: number;
  /**
   * How many documents of the tree are kept in step (default 100,000), the root among them; feeds come first.
   */
  readonly documents: number;
  /**
   * How many items and links the feeds of the tree may have together (default 1,000,000), on demand or not;
   * each of them counts once more for every 1,000 characters of its identity or URL. Feeds that are nearer to
   * the root come first.
   */
  readonly links: number;
  /** How many bytes one walk may download and keep (default 10 GiB). */
  readonly bytes: number;
}

export const defaultTreeLimits: TreeLimits = {
  depth: 32,
  documents: 100_000,
  links: 1_000_000,
  bytes: 10 * 1024 ** 3,
};
