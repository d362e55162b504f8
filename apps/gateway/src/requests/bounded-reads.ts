import { setTimeout as wait } from 'node:timers/promises';
import { ProblemError } from '../problems/problem-error.ts';
import { WorkQueue } from './work-queue.ts';

/** Bytes that were read of the store, and are held for as long as clients read them. */
export interface Holding {
  readonly length: number;
  /** How many clients read it now. */
  readonly readers: number;
  /** When a client last read of it, in milliseconds since any moment. */
  readAt: number;
  /** Called once it is to be held no longer, since others need its memory. */
  readonly drop: () => void;
}

interface Limits {
  /** Reads at the same time. */
  readonly parallel: number;
  /** Bytes that may be held before a read begins. */
  readonly bytes: number;
  /** Milliseconds after which others get the memory of what no client has read of. */
  readonly idle: number;
  /** Milliseconds that a read waits for memory at most. */
  readonly wait: number;
}

/** Milliseconds between two looks for memory. */
const pause = 50;

/**
 * Runs what reads much of the store: few reads at a time, in the order in which they come, and none while as
 * many bytes as the limit are held for clients that read what was read before. A read that finds no memory
 * takes that of clients which have read nothing for a while.
 */
export class BoundedReads {
  readonly #limits: Limits;
  readonly #queue: WorkQueue;
  /** The one that was read longest ago comes first. */
  readonly #held = new Set<Holding>();
  #bytes = 0;

  constructor(limits: Limits) {
    this.#limits = limits;
    this.#queue = new WorkQueue(limits.parallel);
  }

  /** The bytes that are held now. */
  get bytes(): number {
    return this.#bytes;
  }

  /**
   * Runs work once it is its turn and there is memory for what it reads, and throws what it throws;
   * `ProblemError` 503 if there is none for too long.
   */
  async run<Result>(work: () => Promise<Result>): Promise<Result> {
    const since = performance.now();
    return this.#queue.run(async () => {
      await this.memory(since);
      return work();
    });
  }

  /** Returns once there is memory; throws `ProblemError` 503 if there is none for too long. */
  async memory(since = performance.now()): Promise<void> {
    while (!this.#hasMemory()) {
      if (performance.now() - since >= this.#limits.wait) throw this.#refusal();
      await wait(pause);
    }
  }

  /** Counts bytes as held, until `release` or their `drop` is called. */
  hold(holding: Holding): void {
    this.#held.add(holding);
    this.#bytes += holding.length;
    holding.readAt = performance.now();
  }

  /** Notes that a client reads of what is held. */
  touch(holding: Holding): void {
    holding.readAt = performance.now();
    if (this.#held.delete(holding)) this.#held.add(holding);
  }

  release(holding: Holding): void {
    if (this.#held.delete(holding)) this.#bytes -= holding.length;
  }

  #hasMemory(): boolean {
    const { bytes, idle } = this.#limits;
    const now = performance.now();
    for (const holding of this.#held) {
      if (this.#bytes < bytes) break;
      if (holding.readers > 0 && now - holding.readAt < idle) continue;
      this.release(holding);
      holding.drop();
    }
    return this.#bytes < bytes;
  }

  #refusal(): ProblemError {
    const { bytes, wait: waited } = this.#limits;
    const retryAfter = Math.ceil(waited / 1000);
    return new ProblemError(
      503,
      'too-many-readers',
      `This gateway holds ${bytes} bytes of large items for clients that are reading them, and found no ` +
        `memory for others within ${retryAfter} seconds. Try again in ${retryAfter} seconds.`,
      {},
      { 'Retry-After': String(retryAfter) },
    );
  }
}
