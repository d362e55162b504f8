/** What the tree says of a document that it refers to. */
export interface Reference {
  /** How many links it is below the root, on the shortest way. */
  readonly depth: number;
  /** Of the newest item that links to it. */
  readonly lastBuildDate: string;
  /** Whether it belongs to an item that is new or newer. */
  readonly isWanted: boolean;
}

/** References by URL, in the order in which they were found first; those to one URL are joined. */
export class ReferenceList {
  readonly #all = new Map<string, Reference>();

  get all(): ReadonlyMap<string, Reference> {
    return this.#all;
  }

  add(url: string, { depth, lastBuildDate, isWanted }: Reference): void {
    const other = this.#all.get(url);
    this.#all.set(url, {
      depth: Math.min(depth, other?.depth ?? depth),
      lastBuildDate:
        other === undefined || lastBuildDate > other.lastBuildDate ? lastBuildDate : other.lastBuildDate,
      isWanted: isWanted || other?.isWanted === true,
    });
  }
}
