import type { Clock, PollLeases } from '#core';

/** The leases of polls in memory; they run by the given clock. */
export class MemoryPollLeases implements PollLeases {
  readonly #clock: Pick<Clock, 'now'>;
  /** When each ends, in milliseconds since 1970. */
  readonly #ends = new Map<string, number>();

  constructor(clock: Pick<Clock, 'now'>) {
    this.#clock = clock;
  }

  async list(): Promise<ReadonlySet<string>> {
    return new Set([...this.#ends.keys()].filter((key) => this.#runs(key)));
  }

  async take(keys: readonly string[], duration: number): Promise<readonly string[]> {
    const free = keys.filter((key) => !this.#runs(key));
    for (const key of free) this.#ends.set(key, this.#now + duration);
    return free;
  }

  async end(keys: readonly string[]): Promise<void> {
    for (const key of keys) this.#ends.delete(key);
  }

  /** Loses all of them, as Redis may. */
  lose(): void {
    this.#ends.clear();
  }

  #runs(key: string): boolean {
    return (this.#ends.get(key) ?? 0) > this.#now;
  }

  get #now(): number {
    return this.#clock.now().getTime();
  }
}
