import { fileURLToPath } from 'node:url';
import { Redis } from 'ioredis';
import { ServerProcess } from '../support/server-process.ts';

const program = fileURLToPath(new URL('../medium/consumers/consumer.mjs', import.meta.url));

/** Two processes that consume the stream in one group; one of them reads, until it is killed. */
export class ConsumerGroup {
  /** Why a process has ended by itself: the stream lacks a change. */
  readonly faults: string[] = [];
  readonly #consumers = [new ServerProcess(), new ServerProcess()];
  readonly #redisUrl: string;
  readonly #redis: Redis;

  private constructor(redisUrl: string) {
    this.#redisUrl = redisUrl;
    this.#redis = new Redis(redisUrl);
  }

  static async start(redisUrl: string): Promise<ConsumerGroup> {
    const group = new ConsumerGroup(redisUrl);
    for (const place of group.#consumers.keys()) await group.#run(place);
    return group;
  }

  /** Kills each process, and starts it again: one function for each. */
  get killings(): readonly (() => Promise<void>)[] {
    return this.#consumers.map((consumer, place) => async () => {
      await consumer.kill();
      await this.#run(place);
    });
  }

  /** The ids of the events of items that were handled, in the order in which each was handled first. */
  async handled(): Promise<ReadonlySet<string>> {
    return new Set(await this.#redis.lrange('handled', 0, -1));
  }

  async end(): Promise<void> {
    await Promise.all(this.#consumers.map((consumer) => consumer.kill()));
    this.#redis.disconnect();
  }

  /** Without the address of a gateway, so that nothing but the stream is read. */
  async #run(place: number): Promise<void> {
    const location = { redisUrl: this.#redisUrl, group: 'team', consumer: `consumer-${place}` };
    const options = { ...location, takeOverAfter: 900, seen: { url: this.#redisUrl, key: 'handled' } };
    const args = [program, JSON.stringify(options)];
    // The error that ends it is shown.
    const child = await this.#consumers[place]?.run(process.execPath, args, ['ignore', 'ignore', 'inherit']);
    child?.once('exit', (code) => code !== null && this.faults.push(`consumer ${place}: exit code ${code}`));
  }
}
