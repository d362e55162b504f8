import { AsyncLocalStorage } from 'node:async_hooks';

/** What is told of each write of a piece of work. */
export interface Trace {
  /** Whether what the work was to change may be stored, if only in part. */
  readonly mayHaveWritten: boolean;
  begin(): void;
  /** @param sent whether the command may have left this process */
  end(sent: boolean): void;
}

/** Remembers whether a write may have reached MongoDB in a piece of work. */
class WriteTrace implements Trace {
  #sent = false;
  #inFlight = 0;

  get mayHaveWritten(): boolean {
    return this.#sent || this.#inFlight > 0;
  }

  begin(): void {
    this.#inFlight += 1;
  }

  end(sent: boolean): void {
    this.#inFlight -= 1;
    this.#sent ||= sent;
  }
}

/** One call of a port, as part of the work that it is made in; by itself if it is made in none. */
export class CallTrace implements Trace {
  readonly #work: Trace;
  #hasBegun = false;

  constructor(work: Trace = new WriteTrace()) {
    this.#work = work;
  }

  /** Whether the call itself has begun to write. */
  get hasBegun(): boolean {
    return this.#hasBegun;
  }

  get mayHaveWritten(): boolean {
    return this.#work.mayHaveWritten;
  }

  begin(): void {
    this.#hasBegun = true;
    this.#work.begin();
  }

  end(sent: boolean): void {
    this.#work.end(sent);
  }
}

/** Several pieces of work that share their writes. */
class SharedTrace implements Trace {
  readonly #traces: readonly Trace[];

  constructor(traces: readonly Trace[]) {
    this.#traces = traces;
  }

  get mayHaveWritten(): boolean {
    return this.#traces.some(({ mayHaveWritten }) => mayHaveWritten);
  }

  begin(): void {
    for (const trace of this.#traces) trace.begin();
  }

  end(sent: boolean): void {
    for (const trace of this.#traces) trace.end(sent);
  }
}

const current = new AsyncLocalStorage<Trace>();

/** The trace that this code runs in. */
export function currentTrace(): Trace | undefined {
  return current.getStore();
}

/**
 * Runs work, and all that it starts, as one thing: once a write of it may have reached MongoDB, every
 * `UnavailableError` in it has `stored: 'unknown'`. Without it each call of a port counts by itself.
 */
export function traceWrites<Result>(work: () => Result): Result {
  return current.run(new WriteTrace(), work);
}

/** Runs work in a trace of its own, which is a part of the one that there is. */
export function traceCall<Result>(work: (trace: CallTrace) => Result): Result {
  const trace = new CallTrace(current.getStore());
  return current.run(trace, work, trace);
}

/**
 * Runs work that several pieces of work share: a write of it that may have reached MongoDB is one of each.
 */
export function traceTogether<Result>(traces: readonly Trace[], work: () => Result): Result {
  return current.run(new SharedTrace(traces), work);
}
