import type { Failure } from './download.ts';
import type { TreeLimits } from './tree-limits.ts';

/** What one walk has used of its limits, and what failed, because of them or otherwise. */
export class TreeBudget {
  readonly #limits: TreeLimits;
  readonly #failures = new Map<string, Failure>();
  /** Documents of the tree so far. */
  #documents = 0;
  /** Items and links of the tree so far, as `feedSize` counts them. */
  #links = 0;
  #bytes = 0;

  constructor(limits: TreeLimits) {
    this.#limits = limits;
  }

  get bytes(): number {
    return this.#bytes;
  }

  get failures(): ReadonlyMap<string, Failure> {
    return this.#failures;
  }

  get hasBytes(): boolean {
    return this.#bytes < this.#limits.bytes;
  }

  fail(failure: Failure): void {
    this.#failures.set(failure.url, failure);
  }

  failBytes(url: string): void {
    this.fail({
      url,
      rule: 'limit-bytes',
      reason: `More than ${this.#limits.bytes} bytes would be downloaded (limit "bytes").`,
    });
  }

  /** Counts a document of the tree, downloaded or not. */
  countDocument(): void {
    this.#documents += 1;
  }

  /**
   * Whether the document that was counted last may be requested; a failure is noted otherwise. Only feeds
   * have a limit of depth.
   */
  allows(url: string, depth: number, isFeed: boolean): boolean {
    const { depth: deepest, documents } = this.#limits;
    if (isFeed && depth > deepest)
      this.fail({
        url,
        rule: 'limit-depth',
        reason: `The feed is more than ${deepest} links below the root (limit "depth").`,
      });
    else if (this.#documents > documents)
      this.fail({
        url,
        rule: 'limit-documents',
        reason: `The tree has more than ${documents} documents (limit "documents").`,
      });
    else return true;
    return false;
  }

  /** How large a feed of the tree may be, of which so much is counted already. */
  linksLeft(counted: number): number {
    return counted + Math.max(0, this.#limits.links - this.#links);
  }

  /** Counts what a feed of the tree holds, in place of what was counted of it before. */
  countLinks(size: number, before: number): void {
    this.#links += size - before;
  }

  failLinks(url: string): void {
    this.fail({
      url,
      rule: 'limit-links',
      reason: `The tree would have more than ${this.#limits.links} items and links (limit "links").`,
    });
  }

  /** Whether what has arrived may be kept; a failure is noted otherwise. */
  take(url: string, bytes: number): boolean {
    const isWithin = this.#bytes + bytes <= this.#limits.bytes;
    if (isWithin) this.#bytes += bytes;
    else this.failBytes(url);
    return isWithin;
  }
}
