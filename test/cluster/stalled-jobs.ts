import { QueueEvents } from 'bullmq';
import { addresses } from '../../tools/cluster/index.ts';

const queues = ['commands', 'fetch', 'download', 'merge', 'mirror', 'finalize', 'publish', 'delete'];

/** Counts the jobs whose worker stopped giving signs of life, and which another worker had to take over. */
export class StalledJobs {
  readonly found: string[] = [];
  readonly #events: readonly QueueEvents[];

  private constructor() {
    const { hostname: host, port, password } = new URL(addresses.redisUrl);
    this.#events = queues.map((queue) => {
      const connection = { host, port: Number(port), password };
      const events = new QueueEvents(queue, { connection, prefix: '{feedmesh}' });
      return events
        .on('stalled', ({ jobId }) => void this.found.push(`${queue} ${jobId}`))
        .on('error', () => {});
    });
  }

  static async watch(): Promise<StalledJobs> {
    const stalled = new StalledJobs();
    await Promise.all(stalled.#events.map((events) => events.waitUntilReady()));
    return stalled;
  }

  async end(): Promise<void> {
    await Promise.all(this.#events.map((events) => events.close()));
  }
}
