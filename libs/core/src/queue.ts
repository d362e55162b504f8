import type { Job, QueueName } from '#contracts';

/**
 * The transport of jobs between services. Jobs may be lost, repeated and reordered; nothing rests on it but
 * speed.
 */
export interface JobQueue {
  /** Where it throws, any part may have been enqueued. */
  send(jobs: readonly Job[]): Promise<void>;
  /** How many jobs wait in a queue. */
  backlog(queue: QueueName): Promise<number>;
}
