import type { QueueName } from '#contracts';
import type { Clock, JobQueue } from '#core';

/** How long to wait before looking at a backlog again, in milliseconds. */
const pause = 200;

/**
 * Waits until fewer than `limit` jobs wait in a queue.
 * @param heartbeat called before each pause, so that a fetch which waits is not taken for dead
 */
export async function awaitBacklog(
  { queue, clock }: { readonly queue: JobQueue; readonly clock: Clock },
  name: QueueName,
  limit: number,
  heartbeat: () => Promise<void>,
): Promise<void> {
  while ((await queue.backlog(name)) >= limit) {
    await heartbeat();
    await clock.wait(pause);
  }
}
