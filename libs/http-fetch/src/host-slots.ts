/** Who may send a request to a host, and when. */
export interface RequestSlots {
  /**
   * Takes a slot for one request to a host (as `hostOf`), at once or later; returns how to give it back,
   * which may be called more than once. May throw `FetchError` instead.
   */
  take(host: string): (() => void) | Promise<() => void>;
}

/** Lets at most so many requests to one host go on at the same time; the others wait in order. */
export class HostSlots implements RequestSlots {
  readonly #size: number;
  readonly #hosts = new Map<string, { taken: number; readonly waiting: (() => void)[] }>();

  constructor(size: number) {
    this.#size = size;
  }

  /** Waits for a slot; returns how to give it back, which may be called more than once. */
  async take(host: string): Promise<() => void> {
    const slots = this.#hosts.get(host) ?? { taken: 0, waiting: [] };
    this.#hosts.set(host, slots);
    if (slots.taken < this.#size) slots.taken += 1;
    else await new Promise<void>((resolve) => slots.waiting.push(resolve));
    let held = true;
    return () => {
      if (!held) return;
      held = false;
      const next = slots.waiting.shift();
      if (next !== undefined) {
        next();
        return;
      }
      slots.taken -= 1;
      if (slots.taken === 0) this.#hosts.delete(host);
    };
  }
}
