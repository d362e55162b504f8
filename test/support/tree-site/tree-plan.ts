/** How large a generated tree is. */
export interface TreeSize {
  /** The root among them. */
  readonly feeds: number;
  /** Those that link to a nested feed among them. */
  readonly items: number;
  /** Files with an address of their own, without those on demand. */
  readonly files: number;
  /** The root is the first. */
  readonly levels: number;
}

/** What stands where in a generated tree, by numbers from 0: feed 0 is the root. */
export class TreePlan {
  readonly size: TreeSize;
  /** The items that link to no nested feed. */
  readonly leaves: number;
  /** How many nested feeds a feed has at most. */
  readonly #breadth: number;

  constructor(size: TreeSize) {
    this.size = size;
    this.leaves = size.items - size.feeds + 1;
    if (this.leaves < 1) throw new RangeError(`${size.items} items are too few for ${size.feeds} feeds.`);
    let breadth = 1;
    while (capacityOf(size.levels, breadth) < size.feeds) breadth += 1;
    this.#breadth = breadth;
  }

  parentOf(feed: number): number | undefined {
    return feed === 0 ? undefined : Math.floor((feed - 1) / this.#breadth);
  }

  childrenOf(feed: number): number[] {
    const first = feed * this.#breadth + 1;
    return upTo(this.#breadth)
      .map((place) => first + place)
      .filter((child) => child < this.size.feeds);
  }

  feedOf(item: number): number {
    return item % this.size.feeds;
  }

  itemsIn(feed: number): number[] {
    return upTo(Math.ceil((this.leaves - feed) / this.size.feeds)).map(
      (place) => feed + place * this.size.feeds,
    );
  }

  /**
   * The files of an item: its own, and with every tenth one of the item before it, which stands in another
   * feed.
   */
  filesOf(item: number): number[] {
    const own = upTo(Math.ceil((this.size.files - item) / this.leaves)).map(
      (place) => item + place * this.leaves,
    );
    return this.sharesFile(item) && item - 1 < this.size.files ? [...own, item - 1] : own;
  }

  sharesFile(item: number): boolean {
    return item % 10 === 3;
  }

  /** Whether an item links to one more file, on demand. */
  hasOnDemand(item: number): boolean {
    return item % 25 === 7;
  }

  /** Files of which several have the same bytes. */
  isCopy(file: number): boolean {
    return file % 50 === 0;
  }
}

/** How many feeds fit into so many levels. */
function capacityOf(levels: number, breadth: number): number {
  return upTo(levels).reduce((sum, level) => sum + breadth ** level, 0);
}

export function upTo(length: number): number[] {
  return Array.from({ length: Math.max(0, length) }, (_, index) => index);
}
