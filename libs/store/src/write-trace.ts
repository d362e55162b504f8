import { AsyncLocalStorage } from 'node:async_hooks';

/** What is called for each write of a piece of work. */
export interface Trace {
  /** Whether what the work was to change may be stored, if only in part. */
  readonly mayHaveWritten: boolean;
  /** Whether MongoDB is to answer before anything is written, and has not yet. */
  readonly isUnanswered: boolean;
  answered(): void;
  begin(): void;
  /** @param sent whether the command may have left this process */
  end(sent: boolean): void;
}

/** Remembers whether a write may have reached MongoDB in a piece of work. */
class WriteTrace implements Trace {
  #sent = false;
  #inFlight = 0;
  #isUnanswered: boolean;

  constructor(isUnanswered = false) {
    this.#isUnanswered = isUnanswered;
  }

  get isUnanswered(): boolean {
    return this.#isUnanswered;
  }

  answered(): void {
    this.#isUnanswered = false;
  }

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

  get isUnanswered(): boolean {
    return this.#work.isUnanswered;
  }

  answered(): void {
    this.#work.answered();
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
  /** Whoever shares a write has begun it, so was answered. */
  readonly isUnanswered = false;
  readonly #traces: readonly Trace[];

  constructor(traces: readonly Trace[]) {
    this.#traces = traces;
  }

  get mayHaveWritten(): boolean {
    return this.#traces.some(({ mayHaveWritten }) => mayHaveWritten);
  }

  answered(): void {}

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
 * @param afterAnswer whether the first call of a port that may write waits until MongoDB answers, unless
 *   another call was answered before it: an outage that is seen before anything was sent changes nothing
 */
export function traceWrites<Result>(work: () => Result, afterAnswer = false): Result {
  return current.run(new WriteTrace(afterAnswer), work);
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
