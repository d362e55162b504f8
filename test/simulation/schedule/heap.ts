/** Numbered things by time, the earliest first. */
export class Heap {
  readonly #times: number[] = [];
  readonly #things: number[] = [];

  get size(): number {
    return this.#times.length;
  }

  /** The earliest time; infinity without any. */
  get first(): number {
    return this.#times[0] ?? Infinity;
  }

  push(time: number, thing: number): void {
    let place = this.#times.length;
    while (place > 0) {
      const parent = (place - 1) >> 1;
      if ((this.#times[parent] ?? 0) <= time) break;
      this.#set(place, this.#times[parent] ?? 0, this.#things[parent] ?? 0);
      place = parent;
    }
    this.#set(place, time, thing);
  }

  /** Removes the thing with the earliest time. */
  pop(): number {
    const first = this.#things[0];
    const [time, thing] = [this.#times.pop(), this.#things.pop()];
    if (first === undefined || time === undefined || thing === undefined)
      throw new RangeError('the heap is empty');
    const length = this.#times.length;
    if (length === 0) return first;
    let place = 0;
    for (;;) {
      let child = 2 * place + 1;
      if (child >= length) break;
      if (child + 1 < length && (this.#times[child + 1] ?? 0) < (this.#times[child] ?? 0)) child += 1;
      if ((this.#times[child] ?? 0) >= time) break;
      this.#set(place, this.#times[child] ?? 0, this.#things[child] ?? 0);
      place = child;
    }
    this.#set(place, time, thing);
    return first;
  }

  /** Removes everything that is earlier than a time. */
  popBefore(time: number): number[] {
    const things: number[] = [];
    while (this.first < time) things.push(this.pop());
    return things;
  }

  #set(place: number, time: number, thing: number): void {
    this.#times[place] = time;
    this.#things[place] = thing;
  }
}
