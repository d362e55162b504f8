import { Cluster } from 'ioredis';
import { eventText } from '#core';
import type { EventStream } from '#core';
import { besideStream, changeStream, streamKey } from './changes/change-stream-keys.ts';
import { ConnectionLog, openRedis } from './redis.ts';
import type { RedisClient, RedisLocation } from './redis.ts';
import { placeOf } from './spread.ts';
import { withTimeout } from './time-limit.ts';

interface EventStreamOptions extends RedisLocation {
  /** Leads the keys of the streams (`feedmesh:changes`). */
  readonly stream?: string;
  /** How many streams the collections are spread over (1). */
  readonly partitions?: number;
  /** About how many events a stream keeps; the oldest go first (100,000). */
  readonly maximumLength?: number;
  /** How many replicas must have an event before it counts as appended (0). */
  readonly replicas?: number;
  /** Milliseconds that they have for it (5,000). */
  readonly replicaTimeout?: number;
  /** Milliseconds until a step that Redis does not answer throws `TimeLimitError` (10,000). */
  readonly sendTimeout?: number;
}

/**
 * KEYS: stream, hash of collection → last sequence relayed. ARGV: collection, maximum length, then sequence
 * and event by turns.
 */
const appendScript = `
local last = redis.call('HGET', KEYS[2], ARGV[1]) or ''
for i = 3, #ARGV, 2 do
  if ARGV[i] > last then
    redis.call('XADD', KEYS[1], 'MAXLEN', '~', ARGV[2], '*', 'event', ARGV[i + 1])
    last = ARGV[i]
  end
end
redis.call('HSET', KEYS[2], ARGV[1], last)
`;

/** Events are in Redis, but not yet in as many replicas as they must be. */
class ReplicaError extends Error {
  override readonly name = 'ReplicaError';
}

/** How many events one call of the script takes: it holds up Redis for a few milliseconds at most. */
const batchSize = 500;

/** The event streams of a connection. */
export interface OpenEventStream extends EventStream {
  ping(): Promise<void>;
  /** Why events are not in as many replicas as they must be; undefined if they are, or none is demanded. */
  missingReplicas(): Promise<string | undefined>;
  close(): Promise<void>;
}

/**
 * The change events on Redis Streams: field `event`, CloudEvents JSON. Only events with a sequence above the
 * last one relayed for their collection are appended, so a repeated append adds nothing and a late one of a
 * paused publisher can't disturb the order. Where Redis has lost that memory, everything is appended.
 */
export function openEventStream(options: EventStreamOptions): OpenEventStream {
  const {
    stream = changeStream,
    partitions = 1,
    maximumLength = 100_000,
    replicas = 0,
    replicaTimeout = 5_000,
    sendTimeout = 10_000,
    ...location
  } = options;
  const redis = openRedis(location, { maxRetriesPerRequest: 3 }, new ConnectionLog('EventStream'));
  /** What the last append to a stream was refused for. */
  const refused = new Map<string, string>();
  return {
    async append(collection, events) {
      const partition = placeOf(collection, partitions);
      const keys = [streamKey(stream, partition), besideStream(stream, partition, 'relayed')];
      // One after the other: if a batch is refused, a later one must not get ahead of it.
      for (let start = 0; start < events.length; start += batchSize) {
        const pairs = events
          .slice(start, start + batchSize)
          .flatMap((event) => [event.sequence, eventText(event)]);
        const script = [appendScript, keys.length, ...keys, collection, maximumLength, ...pairs];
        const appended = replicate(redis, script, { replicas, replicaTimeout });
        await withTimeout(sendTimeout, 'sendTimeout', remembered(refused, keys[0] ?? '', appended));
      }
    },
    async ping() {
      await withTimeout(sendTimeout, 'sendTimeout', redis.ping());
    },
    async missingReplicas() {
      if (replicas === 0) return undefined;
      const streams = Array.from({ length: partitions }, (_, partition) => streamKey(stream, partition));
      const looks = streams.map(async (key) => refused.get(key) ?? shortage(redis, key, replicas));
      return (await Promise.all(looks)).find((reason) => reason !== undefined);
    },
    async close() {
      redis.disconnect();
    },
  };
}

/**
 * Runs a script, and waits until so many replicas have what it wrote. Throws `ReplicaError` if they do not
 * take it; the script has run then.
 */
async function replicate(
  redis: RedisClient,
  script: readonly (string | number)[],
  { replicas, replicaTimeout }: Required<Pick<EventStreamOptions, 'replicas' | 'replicaTimeout'>>,
): Promise<void> {
  // Both over one connection, and in a cluster to one node: that is what WAIT goes by.
  const commands = [['eval', ...script], ...(replicas > 0 ? [['wait', replicas, replicaTimeout]] : [])];
  const replies = await runWhereKeyIs(redis, commands, String(script[2]));
  const reached = replicas > 0 ? Number(replies[1]) : 0;
  if (reached < replicas)
    throw new ReplicaError(
      `${reached} replicas have the events, ${replicas} must have them (STREAM_REPLICAS)`,
    );
}

/** Keeps why replicas have not taken what was appended to a stream, until they take something. */
async function remembered(
  refused: Map<string, string>,
  stream: string,
  appended: Promise<void>,
): Promise<void> {
  try {
    await appended;
    refused.delete(stream);
  } catch (error) {
    if (error instanceof ReplicaError) refused.set(stream, error.message);
    throw error;
  }
}

/** Whether the master of a stream has fewer replicas than it must: the sentence for it. */
async function shortage(redis: RedisClient, stream: string, replicas: number): Promise<string | undefined> {
  const [, info] = await runWhereKeyIs(
    redis,
    [
      ['exists', stream],
      ['info', 'replication'],
    ],
    stream,
  );
  const online = String(info).match(/^slave\d+:.*state=online/gm)?.length ?? 0;
  return online < replicas
    ? `${online} replicas are connected, ${replicas} must have each event (STREAM_REPLICAS)`
    : undefined;
}

/**
 * Runs commands one after another on the node of a cluster that has a key. The client follows a key that has
 * moved to another node with a single command only, not with several of which one has succeeded.
 */
async function runWhereKeyIs(
  redis: RedisClient,
  commands: (string | number)[][],
  key: string,
): Promise<unknown[]> {
  for (let follow = redis instanceof Cluster; ; follow = false) {
    const replies = (await redis.pipeline(commands).exec()) ?? [];
    const error = replies.find(([fault]) => fault)?.[0];
    if (!error) return replies.map(([, reply]) => reply);
    if (!follow || !error.message.startsWith('MOVED ')) throw error;
    await redis.exists(key);
  }
}
