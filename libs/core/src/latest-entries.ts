/** A map that keeps the entries which were set last, at most so many. */
export class LatestEntries<Key, Value> {
  readonly #most: number;
  /** In the order in which they were set. */
  readonly #entries = new Map<Key, Value>();

  constructor(most: number) {
    this.#most = most;
  }

  get(key: Key): Value | undefined {
    return this.#entries.get(key);
  }

  /** Sets an entry, and forgets the one that was set the longest time ago if they are too many. */
  set(key: Key, value: Value): void {
    this.#entries.delete(key);
    this.#entries.set(key, value);
    const [oldest] = this.#entries.keys();
    if (this.#entries.size > this.#most && oldest !== undefined) this.#entries.delete(oldest);
  }
}
