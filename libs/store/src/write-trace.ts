import { AsyncLocalStorage } from 'node:async_hooks';

/** Remembers whether a write may have reached MongoDB in a piece of work. */
class WriteTrace {
  #sent = false;
  #inFlight = 0;

  /** Whether what the work was to change may be stored, if only in part. */
  get mayHaveWritten(): boolean {
    return this.#sent || this.#inFlight > 0;
  }

  begin(): void {
    this.#inFlight += 1;
  }

  /** @param sent whether the command may have left this process */
  end(sent: boolean): void {
    this.#inFlight -= 1;
    this.#sent ||= sent;
  }
}

const current = new AsyncLocalStorage<WriteTrace>();

/** The trace that this code runs in. */
export function currentTrace(): WriteTrace | undefined {
  return current.getStore();
}

/**
 * Runs work, and all that it starts, as one thing: once a write of it may have reached MongoDB, every
 * `UnavailableError` in it has `stored: 'unknown'`. Without it each call of a port counts by itself.
 */
export function traceWrites<Result>(work: () => Result): Result {
  return current.run(new WriteTrace(), work);
}

/** Runs work in the trace that there is, else in one of its own. */
export function withinTrace<Result>(work: () => Result): Result {
  return current.getStore() === undefined ? traceWrites(work) : work();
}
