/**
 * How many walks through trees one process does at the same time: they take long, and other fetches need
 * workers too.
 */
export class WalkPlaces {
  readonly size: number;
  #taken = 0;

  constructor(size: number) {
    this.size = size;
  }

  /** Takes a place; returns how to give it back, or undefined if there is none. */
  take(): (() => void) | undefined {
    if (this.#taken >= this.size) return undefined;
    this.#taken += 1;
    return () => {
      this.#taken -= 1;
    };
  }
}
