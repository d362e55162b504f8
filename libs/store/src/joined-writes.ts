import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { isOutage } from './outage.ts';
import { currentTrace, traceTogether } from './write-trace.ts';
import type { Trace } from './write-trace.ts';

/** What came of one write of a bulk; one that has failed changed nothing, for a reason of its own. */
export type WriteOutcome = 'stored' | 'lost' | 'failed';

/** One write, with the key of the row that it changes, and how many bytes it takes. */
export interface JoinedWrite<Write> {
  readonly key: string;
  readonly bytes: number;
  readonly write: Write;
}

/** How large a bulk may become; a single write is sent however large it is. */
export interface BulkLimits {
  readonly writes: number;
  readonly bytes: number;
}

/** What the writes of several callers may be together, far below what one command takes. */
export const bulkLimits: BulkLimits = { writes: 500, bytes: 4_194_304 };

interface Waiting<Write> extends JoinedWrite<Write> {
  readonly trace: Trace | undefined;
  readonly resolve: (outcome: WriteOutcome) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Writes single rows for several callers. One bulk is in progress at a time; writes that are requested
 * meanwhile go together into the next one, as far as the limits go, and no two writes of one row. All writes
 * of a bulk share its end: if its outcome is unknown, it is so for each of them, in the trace that it was
 * requested in.
 */
export class JoinedWrites<Write> {
  readonly #bulk: (writes: readonly Write[]) => Promise<readonly WriteOutcome[]>;
  readonly #limits: BulkLimits;
  #waiting: Waiting<Write>[] = [];
  #isWriting = false;

  /** @param bulk sends writes in one command, and returns what came of each */
  constructor(bulk: (writes: readonly Write[]) => Promise<readonly WriteOutcome[]>, limits: BulkLimits) {
    this.#bulk = bulk;
    this.#limits = limits;
  }

  /**
   * Returns what came of a write; after `failed` it may be sent by itself. Rejects if the bulk does, and,
   * unsent, if the bulk that it waited for met an outage.
   */
  write(write: JoinedWrite<Write>): Promise<WriteOutcome> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ ...write, trace: currentTrace(), resolve, reject });
      if (!this.#isWriting) void this.#writeAll();
    });
  }

  async #writeAll(): Promise<void> {
    this.#isWriting = true;
    while (this.#waiting.length > 0) {
      // Whatever else is requested in this turn of the event loop comes along.
      await yieldToEventLoop();
      await this.#writeOnce(this.#take());
    }
    this.#isWriting = false;
  }

  async #writeOnce(bulk: readonly Waiting<Write>[]): Promise<void> {
    const traces = bulk.flatMap(({ trace }) => trace ?? []);
    try {
      const outcomes = await traceTogether(traces, () => this.#bulk(bulk.map(({ write }) => write)));
      for (const [place, { resolve }] of bulk.entries()) resolve(outcomes[place] ?? 'failed');
    } catch (error) {
      const isAway = isOutage(error);
      // What kept a bulk from being sent may be the fault of one write in it.
      if (isAway || bulk.length === 1) for (const { reject } of bulk) reject(error);
      else for (const { resolve } of bulk) resolve('failed');
      if (isAway) for (const { reject } of this.#waiting.splice(0)) reject(error);
    }
  }

  /** Takes what the next bulk may hold, the longest waiting first. */
  #take(): Waiting<Write>[] {
    const taken: Waiting<Write>[] = [];
    const left: Waiting<Write>[] = [];
    const keys = new Set<string>();
    let bytes = 0;
    for (const waiting of this.#waiting) {
      const fits = taken.length < this.#limits.writes && bytes + waiting.bytes <= this.#limits.bytes;
      if (keys.has(waiting.key) || !(fits || taken.length === 0)) {
        left.push(waiting);
      } else {
        taken.push(waiting);
        keys.add(waiting.key);
        bytes += waiting.bytes;
      }
    }
    this.#waiting = left;
    return taken;
  }
}
