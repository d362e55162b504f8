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

/** The way back for what a service replies to another that waits for it. */
export interface Replies {
  /** Sends a reply under a name; it may be lost, and is if nobody waits for a minute. */
  send(name: string, reply: unknown): Promise<void>;
  /** Waits for the reply of a name; undefined if there is none within so many milliseconds. */
  wait(name: string, milliseconds: number): Promise<unknown>;
}
