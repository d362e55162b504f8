/** The places of fetches that wait for slow servers, beside those of all others. */
export class SlowPlaces {
  readonly size: number;
  #taken = 0;
  #waiting: (() => void)[] = [];

  constructor(size: number) {
    this.size = size;
  }

  /** How many places are free. */
  get free(): number {
    return this.size - this.#taken;
  }

  /** Takes a place; returns how to give it back, once, or undefined if there is none. */
  take(): (() => void) | undefined {
    if (this.free <= 0) return undefined;
    this.#taken += 1;
    return () => {
      this.#taken -= 1;
      if (this.#taken > 0) return;
      for (const resolve of this.#waiting) resolve();
      this.#waiting = [];
    };
  }

  /** Resolves once all places are free. */
  async idle(): Promise<void> {
    if (this.#taken > 0) await new Promise<void>((resolve) => void this.#waiting.push(resolve));
  }
}
