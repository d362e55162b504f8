import { requestPublish } from '#contracts';
import type { JobQueue, Store } from '#core';

export interface ReconcilePorts {
  readonly store: Store;
  readonly queue: JobQueue;
}

/** Asks for publishing wherever something is pending, so that a lost job costs a moment and nothing more. */
export async function publishPending({ store, queue }: ReconcilePorts): Promise<void> {
  const { items, notices, feeds } = store;
  const names = await Promise.all([items, notices, feeds].map((pending) => pending.collectionsPending()));
  await askToPublish(queue, [...new Set(names.flat())]);
}

/** The same wherever a publisher stopped between the log and the stream. */
export async function publishUnrelayed({ store, queue }: ReconcilePorts): Promise<void> {
  await askToPublish(queue, await store.collections.unrelayed());
}

async function askToPublish(queue: JobQueue, names: readonly string[]): Promise<void> {
  if (names.length === 0) return;
  await queue.send(names.map(requestPublish));
}
