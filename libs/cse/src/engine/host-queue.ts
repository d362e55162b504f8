/** What waits for one host. To remove the first of very many entries each time takes long. */
interface Row<T> {
  readonly entries: T[];
  /** The place of the first one that has not been taken. */
  next: number;
}

/**
 * What waits to be downloaded, at most so many at the same time altogether and from each host; first come,
 * first served where the limits allow.
 */
export class HostQueue<T extends { readonly url: string }> {
  readonly #parallel: number;
  readonly #perHost: number;
  /** The hosts with anything waiting, longest unserved first. */
  readonly #waiting = new Map<string, Row<T>>();
  readonly #active = new Map<string, number>();
  #activeCount = 0;

  constructor({ parallel, perHost }: { readonly parallel: number; readonly perHost: number }) {
    this.#parallel = parallel;
    this.#perHost = perHost;
  }

  add(entries: readonly T[]): void {
    for (const entry of entries) {
      const host = hostOf(entry);
      const row = this.#waiting.get(host);
      if (row === undefined) this.#waiting.set(host, { entries: [entry], next: 0 });
      else row.entries.push(entry);
    }
  }

  /** All that may begin now; each is active until it is released. */
  take(): readonly T[] {
    const taken: T[] = [];
    for (let entry = this.#takeOne(); entry !== undefined; entry = this.#takeOne()) taken.push(entry);
    return taken;
  }

  release(entry: T): void {
    const host = hostOf(entry);
    const active = (this.#active.get(host) ?? 0) - 1;
    if (active > 0) this.#active.set(host, active);
    else this.#active.delete(host);
    this.#activeCount -= 1;
  }

  #takeOne(): T | undefined {
    if (this.#activeCount >= this.#parallel) return undefined;
    for (const [host, row] of this.#waiting) {
      const active = this.#active.get(host) ?? 0;
      if (active >= this.#perHost) continue;
      const entry = row.entries[row.next];
      row.next += 1;
      this.#waiting.delete(host);
      if (row.next < row.entries.length) this.#waiting.set(host, row);
      this.#active.set(host, active + 1);
      this.#activeCount += 1;
      return entry;
    }
    return undefined;
  }
}

function hostOf({ url }: { readonly url: string }): string {
  return new URL(url).host;
}
