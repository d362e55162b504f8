import type { Redis } from 'ioredis';
import type { CollectionKey, Job } from '#contracts';
import { itemId } from '#core';
import type { PublishBacklog } from '#core';

/** How many requests are kept for a collection: of more, the oldest are left to whoever looks for them. */
const maximumRequests = 100_000;

/** How long an id is kept, in characters; a longer one is requested with whatever else is pending. */
const maximumLength = 256;

/** For how many seconds after the last one the requests for a collection are kept. */
const keptFor = 86_400;

/** Stands for whatever is pending: no item has an empty id. */
const everything = '';

/** What is requested to be published, a list in Redis for each collection, oldest first. */
export class RedisPublishBacklog implements PublishBacklog {
  readonly #redis: Redis;
  readonly #prefix: string;

  constructor(redis: Redis, prefix: string) {
    this.#redis = redis;
    this.#prefix = prefix;
  }

  /** Keeps what these jobs ask to be published. */
  async add(jobs: readonly Job[]): Promise<void> {
    const commands = jobs.flatMap((job) => {
      if (job.queue !== 'publish') return [];
      const key = this.#key(job.data.collection);
      return [
        ['rpush', key, ...(job.items?.map(requestOf) ?? [everything])],
        ['ltrim', key, String(-maximumRequests), '-1'],
        ['expire', key, String(keptFor)],
      ];
    });
    if (commands.length === 0) return;
    const replies = (await this.#redis.pipeline(commands).exec()) ?? [];
    for (const [error] of replies) if (error) throw error;
  }

  async requested(collection: CollectionKey, limit: number): ReturnType<PublishBacklog['requested']> {
    const requests = await this.#redis.lrange(this.#key(collection), 0, limit - 1);
    const named = requests.filter((request) => request !== everything);
    return {
      ids: named.map(itemId),
      everything: named.length < requests.length,
      count: requests.length,
    };
  }

  async published(collection: CollectionKey, count: number): Promise<void> {
    await this.#redis.ltrim(this.#key(collection), count, -1);
  }

  #key(collection: CollectionKey): string {
    return `${this.#prefix}:requested:${collection}`;
  }
}

function requestOf(id: string): string {
  return id.length > maximumLength ? everything : id;
}
