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

/** The way back for what a service replies to another that waits for it. */
export interface Replies {
  /** Sends a reply under a name; it may be lost, and is if nobody waits for a minute. */
  send(name: string, reply: unknown): Promise<void>;
  /** Waits for the reply of a name; undefined if there is none within so many milliseconds. */
  wait(name: string, milliseconds: number): Promise<unknown>;
}

/** Requests to publish in a collection. */
export interface PublishRequests {
  /** The items that were named first, in their order; one that was named twice stands there twice. */
  readonly ids: readonly ItemId[];
  /** How many requests are for whatever is pending; 0 as long as there are more items. */
  readonly everything: number;
}

/**
 * What the jobs to publish are about. Equal jobs become one, so it is kept beside them; it may be lost as
 * they may, and whoever looks for what is pending finds the items then.
 */
export interface PublishBacklog {
  /** The oldest requests, with at most `limit` items. They stay. */
  requested(collection: CollectionKey, limit: number): Promise<PublishRequests>;
  /** Forgets these, which are the oldest, and returns what is requested then, as `requested` does. */
  published(collection: CollectionKey, requests: PublishRequests, limit: number): Promise<PublishRequests>;
}
