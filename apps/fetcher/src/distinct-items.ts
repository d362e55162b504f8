import { hash } from 'node:crypto';

/** How many keys are remembered; memory is bounded by it. */
const rememberedKeys = 100_000;

/** Counts different items by key: each once, and beyond the first 100,000 as often as it comes. */
export class DistinctItems {
  /** 48 bits of the digest of each key, however long it is. */
  readonly #keys = new Set<number>();
  #others = 0;

  /** How many there are. */
  get count(): number {
    return this.#keys.size + this.#others;
  }

  /** Returns whether the item is counted: it has not come before. */
  add(key: string): boolean {
    const digest = Number.parseInt(hash('sha256', key).slice(0, 12), 16);
    if (this.#keys.has(digest)) return false;
    if (this.#keys.size < rememberedKeys) this.#keys.add(digest);
    else this.#others += 1;
    return true;
  }

  clear(): void {
    this.#keys.clear();
    this.#others = 0;
  }
}
