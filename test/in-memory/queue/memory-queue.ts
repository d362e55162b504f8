import type { Job, QueueName } from '#contracts';
import type { JobQueue } from '#core';

/** The work on each queue's jobs. */
export type JobHandlers = {
  readonly [Name in QueueName]?: (data: Extract<Job, { queue: Name }>['data']) => Promise<void>;
};

export interface MemoryQueueOptions {
  /**
   * A number from 0 (included) to 1 (excluded); if it is given, jobs are delivered in an order drawn from
   * it.
   */
  readonly fraction?: () => number;
  /**
   * How probable it is that a job is lost, and that it is delivered and stays in the queue (0 to 1, default
   * 0); requested each delivery.
   */
  readonly lose?: number;
  readonly repeat?: number;
}

export interface MemoryQueue extends JobQueue {
  /**
   * Delivers one waiting job, if it is not lost on the way; returns false if none waits. A job whose
   * handler throws waits again, and the error is thrown.
   */
  deliver(handlers: JobHandlers): Promise<boolean>;
}

/** A queue whose deliveries are driven by the test, and go wrong as its dice say. */
export function createMemoryQueue(options: MemoryQueueOptions = {}): MemoryQueue {
  const { fraction = () => 0 } = options;
  const waiting: Job[] = [];
  const add = (job: Job): void => {
    const needless = waiting.some(
      ({ queue, deduplicate }) =>
        deduplicate !== undefined && deduplicate === job.deduplicate && queue === job.queue,
    );
    if (!needless) waiting.push(job);
  };
  const happens = (probability = 0): boolean => probability > 0 && fraction() < probability;

  return {
    async send(jobs) {
      for (const job of jobs) add(structuredClone(job));
    },
    async backlog(queue) {
      return waiting.filter((job) => job.queue === queue).length;
    },
    async deliver(handlers) {
      const [job] = waiting.splice(Math.floor(fraction() * waiting.length), 1);
      if (!job) return false;
      if (happens(options.lose)) return true;
      if (happens(options.repeat)) add(job);
      const handle = handlers[job.queue] as ((data: unknown) => Promise<void>) | undefined;
      if (!handle) throw new Error(`no handler for "${job.queue}"`);
      try {
        await handle(structuredClone(job.data));
      } catch (error) {
        add(job);
        throw error;
      }
      return true;
    },
  };
}
