import { requestPublish } from '#messages';
import type { JobQueue, Store } from '#ports';

export interface ReconcilePorts {
  readonly store: Store;
  readonly queue: JobQueue;
}

/** Asks for publishing wherever something is pending, so that a lost job costs a moment and nothing more. */
export async function publishPending({ store, queue }: ReconcilePorts): Promise<void> {
  const names = new Set([...(await store.items.collectionsPending()), ...(await store.notices.collectionsPending())]);
  await askToPublish(queue, [...names]);
}

/** The same wherever a publisher stopped between the log and the stream. */
export async function publishUnrelayed({ store, queue }: ReconcilePorts): Promise<void> {
  await askToPublish(queue, await store.collections.unrelayed());
}

async function askToPublish(queue: JobQueue, names: readonly string[]): Promise<void> {
  if (names.length === 0) return;
  await queue.send(names.map(requestPublish));
}
