import { requestPublish } from '#contracts';
import type { CollectionKey, JobQueue, Store } from '#core';

export interface ReconcilePorts {
  readonly store: Store;
  readonly queue: JobQueue;
}

/** Asks for publishing wherever something is pending, so that a lost job costs a moment and nothing more. */
export async function publishPending({ store, queue }: ReconcilePorts): Promise<void> {
  const { items, notices, feeds } = store;
  const keys = await Promise.all([items, notices, feeds].map((pending) => pending.collectionsPending()));
  await askToPublish(queue, [...new Set(keys.flat())]);
}

/** The same wherever not all that was published was followed. */
export async function followPublished({ store, queue }: ReconcilePorts): Promise<void> {
  await askToPublish(queue, await store.collections.unfollowed());
}

async function askToPublish(queue: JobQueue, keys: readonly CollectionKey[]): Promise<void> {
  if (keys.length === 0) return;
  await queue.send(keys.map((key) => requestPublish(key)));
}
