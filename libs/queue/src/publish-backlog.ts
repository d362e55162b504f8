import type { RedisClient } from './redis.ts';
import type { CollectionKey, Job } from '#contracts';
import { itemId } from '#core';
import type { PublishBacklog, PublishRequests } from '#core';

/** How many items are kept for a collection: of more, the first are left to whoever looks for them. */
const maximumItems = 100_000;

/** How long an id is kept, in characters; a longer one is requested with whatever else is pending. */
const maximumLength = 256;

/** How many requests for whatever is pending are kept; they are all alike. */
const maximumSearches = 1000;

/** For how many seconds after the last one the requests for a collection are kept. */
const keptFor = 86_400;

/**
 * What is requested to be published, two lists in Redis for each collection: the ids of items, and a mark for
 * each request for whatever is pending.
 */
export class RedisPublishBacklog implements PublishBacklog {
  readonly #redis: RedisClient;
  readonly #prefix: string;

  constructor(redis: RedisClient, prefix: string) {
    this.#redis = redis;
    this.#prefix = prefix;
  }

  /** Keeps what these jobs ask to be published. */
  async add(jobs: readonly Job[]): Promise<void> {
    const commands = jobs.flatMap((job) => {
      if (job.queue !== 'publish') return [];
      const [items, searches] = this.#keys(job.data.collection);
      const named = job.items?.filter((id) => id.length <= maximumLength) ?? [];
      const isNamed = job.items?.length === named.length;
      return [
        ...(named.length > 0 ? appended(items, named, maximumItems) : []),
        ...(isNamed ? [] : appended(searches, [''], maximumSearches)),
      ];
    });
    await this.#run(commands);
  }

  async requested(collection: CollectionKey, limit: number): Promise<PublishRequests> {
    return this.#oldest(collection, [], limit);
  }

  async published(
    collection: CollectionKey,
    { ids, everything }: PublishRequests,
    limit: number,
  ): Promise<PublishRequests> {
    const [items, searches] = this.#keys(collection);
    const forgotten = [
      ...(ids.length > 0 ? [['ltrim', items, String(ids.length), '-1']] : []),
      ...(everything > 0 ? [['ltrim', searches, String(everything), '-1']] : []),
    ];
    return this.#oldest(collection, forgotten, limit);
  }

  /** The oldest requests after some commands, in the same round trip. */
  async #oldest(
    collection: CollectionKey,
    commands: readonly string[][],
    limit: number,
  ): Promise<PublishRequests> {
    const [items, searches] = this.#keys(collection);
    const replies = await this.#run([
      ...commands,
      ['lrange', items, '0', String(limit - 1)],
      ['llen', searches],
    ]);
    const [ids = [], count = 0] = replies.slice(commands.length);
    const named = (ids as string[]).map(itemId);
    return { ids: named, everything: named.length < limit ? Number(count) : 0 };
  }

  #keys(collection: CollectionKey): readonly [items: string, searches: string] {
    const key = `${this.#prefix}:requested:${collection}`;
    return [`${key}:items`, `${key}:searches`];
  }

  async #run(commands: string[][]): Promise<unknown[]> {
    if (commands.length === 0) return [];
    const replies = (await this.#redis.pipeline(commands).exec()) ?? [];
    return replies.map(([error, reply]) => {
      if (error) throw error;
      return reply;
    });
  }
}

function appended(key: string, values: readonly string[], maximum: number): string[][] {
  return [
    ['rpush', key, ...values],
    ['ltrim', key, String(-maximum), '-1'],
    ['expire', key, String(keptFor)],
  ];
}
