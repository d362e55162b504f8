/** How many keys are remembered; memory is bounded by it. */
const rememberedKeys = 100_000;

/** Counts different items by key: each once, and beyond the first 100,000 as often as it comes. */
export class DistinctItems {
  readonly #keys = new Set<string>();
  #others = 0;

  /** How many there are. */
  get count(): number {
    return this.#keys.size + this.#others;
  }

  /** Returns whether the item is counted: it has not come before. */
  add(key: string): boolean {
    if (this.#keys.has(key)) return false;
    if (this.#keys.size < rememberedKeys) this.#keys.add(key);
    else this.#others += 1;
    return true;
  }

  clear(): void {
    this.#keys.clear();
    this.#others = 0;
  }
}
