import type { Io } from '../io.ts';

/** The least time between two updates, in milliseconds. */
const updateInterval = 100;

/** One line on stderr that is written over as work goes on; nothing at all if stderr is not a terminal. */
export class Progress {
  readonly #io: Io;
  #shownAt = -Infinity;

  constructor(io: Io) {
    this.#io = io;
  }

  show(text: string): void {
    const now = performance.now();
    if (this.#io.stderr.isTTY !== true || now - this.#shownAt < updateInterval) return;
    this.#shownAt = now;
    this.#io.stderr.write(`\r\u001b[K${text}`);
  }

  /** Takes the line away, so that other lines can be written. */
  clear(): void {
    if (this.#io.stderr.isTTY === true && this.#shownAt > -Infinity) this.#io.stderr.write('\r\u001b[K');
    this.#shownAt = -Infinity;
  }
}
