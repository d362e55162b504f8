import type { CollectionKey, ItemId, Job, QueueName } from '#contracts';

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

/** The oldest requests to publish in a collection. */
export interface PublishRequests {
  /** The items that they name, in their order; one that was requested twice stands there twice. */
  readonly ids: readonly ItemId[];
  /** Whether one of them is for whatever is pending. */
  readonly everything: boolean;
  /** How many requests these are. */
  readonly count: number;
}

/**
 * What the jobs to publish are about. Equal jobs become one, so it is kept beside them; it may be lost as
 * they may, and whoever looks for what is pending finds the items then.
 */
export interface PublishBacklog {
  /** The oldest requests, at most `limit`. They stay. */
  requested(collection: CollectionKey, limit: number): Promise<PublishRequests>;
  /** Forgets so many of the oldest requests. */
  published(collection: CollectionKey, count: number): Promise<void>;
}
