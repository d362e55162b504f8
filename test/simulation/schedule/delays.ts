/** How many delays are distinguished: two days, by seconds. */
const places = 172_800;

/** Delays of changes, in seconds. */
export class Delays {
  count = 0;
  #sum = 0;
  readonly #histogram = new Uint32Array(places + 1);

  add(seconds: number): void {
    this.count += 1;
    this.#sum += seconds;
    const place = Math.min(places, Math.floor(seconds));
    this.#histogram[place] = (this.#histogram[place] ?? 0) + 1;
  }

  get mean(): number {
    return this.count === 0 ? 0 : this.#sum / this.count;
  }

  /** The delay that this share of all does not exceed, in whole seconds. */
  percentile(share: number): number {
    let sum = 0;
    for (let place = 0; place <= places; place += 1)
      if ((sum += this.#histogram[place] ?? 0) >= share * this.count) return place;
    return places;
  }
}
