import { Worker } from 'bullmq';
import type { Job, Processor, WorkerOptions } from 'bullmq';
import { ReplyError } from 'ioredis';

/** How many milliseconds a worker waits before it asks a Redis again that has refused to give it jobs. */
const pause = 1_000;

/**
 * A BullMQ worker that does not spin while Redis refuses everything (a replica, a node of a cluster, a full
 * disk), and that goes on looking for the jobs of dead workers afterwards.
 */
export class PatientWorker extends Worker {
  #willRestart = false;

  constructor(
    name: string,
    process: Processor,
    options: WorkerOptions & { readonly stalledInterval: number },
  ) {
    super(name, process, options);
    // Any refusal may have been one of the search for stalled jobs, which BullMQ then gives up for good.
    this.on('error', () => {
      if (this.#willRestart) return;
      this.#willRestart = true;
      setTimeout(() => {
        this.#willRestart = false;
        if (!this.closing && !this.isPaused()) void this.startStalledCheckTimer();
      }, options.stalledInterval).unref();
    });
  }

  protected override async moveToActive(token: string, name?: string): Promise<Job> {
    try {
      return await super.moveToActive(token, name);
    } catch (error) {
      if (error instanceof ReplyError && !this.closing) await this.delay(pause);
      throw error;
    }
  }
}
