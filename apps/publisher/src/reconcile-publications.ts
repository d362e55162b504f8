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

/** The same wherever a publisher was interrupted, which may have been between the log and the stream. */
export async function publishInterrupted({ store, queue }: ReconcilePorts): Promise<void> {
  await askToPublish(queue, await store.collections.interrupted());
}

/**
 * The search for what was not relayed, to be run again and again. The first run that succeeds looks at every
 * collection, in case a publisher could not even say that it was interrupted; each later one only at those
 * that were.
 */
export function unrelayedSearch(): (ports: ReconcilePorts) => Promise<void> {
  let hasSeenAll = false;
  return async (ports) => {
    const { store, queue } = ports;
    if (hasSeenAll) return publishInterrupted(ports);
    await askToPublish(queue, await store.collections.unrelayed());
    hasSeenAll = true;
  };
}

async function askToPublish(queue: JobQueue, keys: readonly CollectionKey[]): Promise<void> {
  if (keys.length === 0) return;
  await queue.send(keys.map((key) => requestPublish(key)));
}
