import { setImmediate as yieldToEventLoop } from 'node:timers/promises';

/** Reads that wait for the next query. */
interface Waiting<Row> {
  readonly resolve: (row: Row | undefined) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Reads rows by their keys. One query is in progress at a time; reads that are requested meanwhile go
 * together into the next one. Each sees every write that was acknowledged before it was requested.
 */
export class JoinedReads<Key extends string, Row extends { readonly _id: Key }> {
  readonly #query: (ids: readonly Key[]) => Promise<readonly Row[]>;
  #waiting = new Map<Key, Waiting<Row>[]>();
  #isReading = false;

  /** @param query returns the rows with these keys, in any order */
  constructor(query: (ids: readonly Key[]) => Promise<readonly Row[]>) {
    this.#query = query;
  }

  /** Returns the row with this key, which other readers may get as well; undefined if there is none. */
  read(id: Key): Promise<Row | undefined> {
    return new Promise((resolve, reject) => {
      const others = this.#waiting.get(id);
      if (others) others.push({ resolve, reject });
      else this.#waiting.set(id, [{ resolve, reject }]);
      if (!this.#isReading) void this.#readAll();
    });
  }

  async #readAll(): Promise<void> {
    this.#isReading = true;
    while (this.#waiting.size > 0) {
      // Whatever else is requested in this turn of the event loop comes along.
      await yieldToEventLoop();
      const waiting = this.#waiting;
      this.#waiting = new Map();
      await this.#readOnce(waiting);
    }
    this.#isReading = false;
  }

  async #readOnce(waiting: ReadonlyMap<Key, readonly Waiting<Row>[]>): Promise<void> {
    try {
      const rows = new Map((await this.#query([...waiting.keys()])).map((row) => [row._id, row]));
      for (const [id, readers] of waiting) for (const { resolve } of readers) resolve(rows.get(id));
    } catch (error) {
      for (const readers of waiting.values()) for (const { reject } of readers) reject(error);
    }
  }
}
