import { Worker } from 'bullmq';
import type { Job } from 'bullmq';
import { ReplyError } from 'ioredis';

/** How many milliseconds a worker waits before it asks a Redis again that has refused to give it jobs. */
const pause = 1_000;

/**
 * A BullMQ worker that does not spin while Redis refuses everything: a node of a cluster, a replica, a full
 * disk.
 */
export class PatientWorker extends Worker {
  protected override async moveToActive(token: string, name?: string): Promise<Job> {
    try {
      return await super.moveToActive(token, name);
    } catch (error) {
      if (error instanceof ReplyError && !this.closing) await this.delay(pause);
      throw error;
    }
  }
}
