import { Queue } from 'bullmq';
import type { QueueOptions } from 'bullmq';

/** Opens the sending side of a queue. */
export function openQueue(name: string, options: QueueOptions): Queue {
  const queue = new Queue(name, options);
  // The connection logs its faults, and whoever called gets theirs.
  queue.on('error', () => {});
  return queue;
}
