import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { Dice } from './dice.ts';
import { CrashError } from './faulty.ts';

/** The time of the simulated world, in milliseconds. */
export interface WorldTime {
  now: number;
}

/** Pieces of work that run at the same time: each goes on from a pause when the dice say so. */
export class TreeThreads {
  readonly #waiting: { readonly due: number; readonly go: () => void }[] = [];
  readonly #faults: unknown[] = [];
  #running = 0;

  constructor(
    private readonly dice: Dice,
    private readonly time: WorldTime,
  ) {}

  /** How many have begun and not ended. */
  get running(): number {
    return this.#running;
  }

  /** Ends when its turn comes, and not before so many milliseconds have passed. */
  pause(milliseconds = 0): Promise<void> {
    return new Promise((go) => {
      this.#waiting.push({ due: this.time.now + milliseconds, go });
    });
  }

  /** Begins a piece of work; it may end in a `CrashError`, while any other error ends the simulation. */
  start(work: () => Promise<unknown>): void {
    this.#running += 1;
    work()
      .catch((error: unknown) => {
        if (!(error instanceof CrashError)) this.#faults.push(error);
      })
      .finally(() => {
        this.#running -= 1;
      });
  }

  /** Lets one that is due go on. Throws what any of them has thrown. */
  async step(): Promise<void> {
    const due = [...this.#waiting.entries()].filter(([, thread]) => thread.due <= this.time.now);
    if (due.length > 0) {
      const [index, { go }] = this.dice.pick(due);
      this.#waiting.splice(index, 1);
      go();
    }
    await yieldToEventLoop();
    if (this.#faults.length > 0) throw this.#faults[0];
  }

  /** Lets time pass until the next one that waits is due. */
  skip(): void {
    const next = Math.min(...this.#waiting.map(({ due }) => due));
    if (Number.isFinite(next)) this.time.now = Math.max(this.time.now, next);
  }
}
