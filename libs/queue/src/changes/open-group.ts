import { collectionKey } from '#core';
import { ConnectionLog, openRedis } from '../redis.ts';
import type { RedisClient, RedisLocation } from '../redis.ts';
import { placeOf } from '../spread.ts';
import { groupKeys } from './group-keys.ts';
import type { GroupKeys, GroupLocation } from './group-keys.ts';

/** A group of consumers, at all partitions. */
export interface ConsumerGroup extends RedisLocation, Omit<GroupLocation, 'partition'> {
  /** How many partitions there are: `STREAM_PARTITIONS` of the publisher (1). */
  readonly partitionCount?: number;
}

/** Connects to Redis, does something with the keys of a group in each of its partitions, and disconnects. */
export async function withGroup<Result>(
  group: ConsumerGroup,
  work: (redis: RedisClient, keys: GroupKeys, partition: number) => Promise<Result>,
  partitions: readonly number[] = Array.from({ length: group.partitionCount ?? 1 }, (_, place) => place),
): Promise<Result[]> {
  const redis = openRedis(group, { maxRetriesPerRequest: 3 }, new ConnectionLog('ConsumerGroup'));
  try {
    const results: Result[] = [];
    for (const partition of partitions)
      results.push(await work(redis, groupKeys({ ...group, partition }), partition));
    return results;
  } finally {
    redis.disconnect();
  }
}

/** The partition that a collection is in. */
export function partitionOf({ partitionCount = 1 }: ConsumerGroup, collection: string): number {
  return placeOf(collectionKey(collection), partitionCount);
}
