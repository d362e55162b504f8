const minute = 60_000;

/**
 * Requests by the minute. Requests that know nothing of each other vary as a Poisson process does: the
 * variance is the mean. Waves make it larger. The hour of the day has a mean of its own, so minutes are
 * compared within hours.
 */
export class WaveMeter {
  readonly #start: number;
  readonly #counts: number[] = [];

  constructor(start: number) {
    this.#start = start;
  }

  add(at: number): void {
    const place = Math.floor((at - this.#start) / minute);
    this.#counts[place] = (this.#counts[place] ?? 0) + 1;
  }

  /**
   * The variance of a minute within its hour, by the mean: 1 for a Poisson process; averaged over the hours.
   */
  dispersion(from: number, until: number): number {
    const first = Math.ceil((from - this.#start) / minute);
    const last = Math.floor((until - this.#start) / minute);
    const ratios: number[] = [];
    for (let begin = first; begin + 60 <= last; begin += 60) {
      const counts = Array.from({ length: 60 }, (_, place) => this.#counts[begin + place] ?? 0);
      const mean = counts.reduce((sum, count) => sum + count, 0) / 60;
      if (mean > 0) ratios.push(counts.reduce((sum, count) => sum + (count - mean) ** 2, 0) / 59 / mean);
    }
    return ratios.reduce((sum, ratio) => sum + ratio, 0) / Math.max(1, ratios.length);
  }

  /** The most requests of a minute, and of an average one. */
  most(from: number, until: number): { readonly most: number; readonly mean: number } {
    const first = Math.ceil((from - this.#start) / minute);
    const last = Math.floor((until - this.#start) / minute);
    let [most, sum] = [0, 0];
    for (let place = first; place < last; place += 1) {
      most = Math.max(most, this.#counts[place] ?? 0);
      sum += this.#counts[place] ?? 0;
    }
    return { most, mean: sum / Math.max(1, last - first) };
  }
}
