import { requestFollow, requestPublish } from '#contracts';
import type { Job } from '#contracts';
import type { JobQueue, Store } from '#core';

export interface ReconcilePorts {
  readonly store: Store;
  readonly queue: JobQueue;
}

/** Asks for publishing wherever something is pending, so that a lost job costs a moment and nothing more. */
export async function publishPending({ store, queue }: ReconcilePorts): Promise<void> {
  const { items, notices, feeds } = store;
  const keys = await Promise.all([items, notices, feeds].map((pending) => pending.collectionsPending()));
  await ask(queue, [...new Set(keys.flat())].map(requestPublish));
}

/** Asks for the log to be followed wherever not all that was published was. */
export async function followPublished({ store, queue }: ReconcilePorts): Promise<void> {
  await ask(queue, (await store.collections.unfollowed()).map(requestFollow));
}

async function ask(queue: JobQueue, jobs: readonly Job[]): Promise<void> {
  if (jobs.length > 0) await queue.send(jobs);
}
