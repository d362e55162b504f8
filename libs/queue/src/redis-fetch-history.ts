import { fetchRecord, rememberedFetches } from '#core';
import type { CollectionKey, Completion, FetchHistory, FetchRecord, SubscriptionId } from '#core';
import type { RedisClient } from './redis.ts';

/** For how many seconds the fetches of a subscription are kept after the last one: a month. */
const keptFor = 2_592_000;

/** How many characters of a reason are kept. */
const longestReason = 500;

const outcomes = ['fetched', 'not-modified', 'failed', 'gone'] as const;

/** Times in milliseconds; the status 0 is none. */
type Stored = [started: number, took: number, outcome: number, status: number, bytes: number, more?: object];

/** The latest fetches in Redis: a short list for each subscription. */
export class RedisFetchHistory implements FetchHistory {
  readonly #redis: RedisClient;
  readonly #prefix: string;

  constructor(redis: RedisClient, prefix: string) {
    this.#redis = redis;
    this.#prefix = prefix;
  }

  recordFetches(completions: readonly Completion[]): void {
    if (this.#redis.status !== 'ready') return;
    const commands = completions.flatMap((completion) => {
      const record = fetchRecord(completion);
      if (record === undefined) return [];
      const key = this.#keyOf(completion.collection, completion.id);
      return [
        ['lpush', key, stored(record)],
        ['ltrim', key, '0', String(rememberedFetches - 1)],
        ['expire', key, String(keptFor)],
      ];
    });
    if (commands.length > 0)
      this.#redis
        .pipeline(commands)
        .exec()
        .catch(() => {});
  }

  async recentFetches(collection: CollectionKey, id: SubscriptionId): Promise<FetchRecord[]> {
    return (await this.#redis.lrange(this.#keyOf(collection, id), 0, rememberedFetches - 1)).map(read);
  }

  #keyOf(collection: CollectionKey, id: SubscriptionId): string {
    return `${this.#prefix}:fetches:${collection}:${id}`;
  }
}

function stored({ startedAt, at, outcome, status = 0, bytes, reason, ...rest }: FetchRecord): string {
  const more = { ...rest, ...(reason !== undefined && { reason: reason.slice(0, longestReason) }) };
  const [started, took] = [startedAt.getTime(), at.getTime() - startedAt.getTime()];
  const numbers: Stored = [started, took, outcomes.indexOf(outcome), status, bytes];
  return JSON.stringify(Object.keys(more).length > 0 ? [...numbers, more] : numbers);
}

function read(text: string): FetchRecord {
  const [started, took, outcome, status, bytes, more = {}] = JSON.parse(text) as Stored;
  return {
    startedAt: new Date(started),
    at: new Date(started + took),
    outcome: outcomes[outcome] ?? 'failed',
    ...(status > 0 && { status }),
    bytes,
    ...more,
  };
}
