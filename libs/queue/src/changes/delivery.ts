import type { ChangeEvent } from '#contracts';
import type { DeadLetter } from './group-store.ts';

/** What became of a delivery that was handed to its reader. */
type Settle = (delivery: Delivery, letter?: DeadLetter) => Promise<boolean>;

/** An event on its way through a handler; exactly one of `done`, `bury` and `drop` ends it. */
export class Delivery {
  readonly event: ChangeEvent;
  /** The entries of the stream that it came with; none if it was read from the log. */
  readonly entries = new Set<string>();
  /** Aborts when another consumer has taken over, and when the reading ends: call no further handler. */
  readonly signal: AbortSignal;
  /** Resolves once it has ended. */
  readonly ended: Promise<void>;
  hasEnded = false;
  readonly #isHeld: () => boolean;
  readonly #settle: Settle;
  #end = (): void => {};

  constructor(event: ChangeEvent, signal: AbortSignal, isHeld: () => boolean, settle: Settle) {
    this.event = event;
    this.signal = signal;
    this.#isHeld = isHeld;
    this.#settle = settle;
    this.ended = new Promise((resolve) => {
      this.#end = resolve;
    });
  }

  /** Whether no other consumer can have taken over; while it can, call no handler. */
  get isHeld(): boolean {
    return this.#isHeld();
  }

  get sequence(): number {
    return Number(this.event.sequence);
  }

  /** Counts the event as handled. */
  async done(): Promise<void> {
    this.hasEnded = true;
    await this.#settle(this);
    this.#end();
  }

  /** Moves the event to the dead events; returns false if it could not be stored there yet. */
  async bury(letter: DeadLetter): Promise<boolean> {
    if (!(await this.#settle(this, letter))) return false;
    this.#end();
    return true;
  }

  /** Leaves the event to be delivered again. */
  drop(): void {
    this.#end();
  }
}
