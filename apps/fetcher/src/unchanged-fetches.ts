import type { Clock, Completion, Store } from '#core';

/** How many are recorded in one write at the most. */
const mostInOneWrite = 200;

/** How long the first one waits for others, in milliseconds. */
const gatherFor = 20;

interface UnchangedPorts {
  readonly store: Pick<Store, 'subscriptions'>;
  readonly clock: Pick<Clock, 'wait'>;
}

interface Gathering {
  readonly completions: Completion[];
  readonly written: Promise<void>;
  /** Writes them now. */
  readonly close: () => void;
}

/**
 * Records fetches that brought nothing to merge: those that end within a few milliseconds go into one write.
 * If the write fails, their leases run out, and the feeds are requested again.
 */
export class UnchangedFetches {
  readonly #ports: UnchangedPorts;
  #gathering: Gathering | undefined;

  constructor(ports: UnchangedPorts) {
    this.#ports = ports;
  }

  /** Resolves once it is recorded, or has turned out to have lost its lease; rejects if the write fails. */
  record(completion: Completion): Promise<void> {
    const { completions, written, close } = (this.#gathering ??= this.#gather());
    completions.push(completion);
    if (completions.length >= mostInOneWrite) close();
    return written;
  }

  #gather(): Gathering {
    const completions: Completion[] = [];
    let close = (): void => {};
    const closed = new Promise<void>((resolve) => {
      close = () => {
        this.#gathering = undefined;
        resolve();
      };
    });
    const written = this.#write(completions, closed);
    return { completions, written, close };
  }

  async #write(completions: readonly Completion[], closed: Promise<void>): Promise<void> {
    await Promise.race([closed, this.#ports.clock.wait(gatherFor)]);
    if (this.#gathering?.completions === completions) this.#gathering = undefined;
    await this.#ports.store.subscriptions.completeAll(completions);
  }
}
