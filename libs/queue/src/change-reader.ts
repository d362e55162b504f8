import type { ChangeEvent } from '#contracts';
import { changeEvent } from '#contracts';
import { promises as timers } from 'node:timers';
import { Logger } from '@nestjs/common';
import { besideStream, changeStream, streamKey } from './change-stream-keys.ts';
import { ConsumerLock } from './consumer-lock.ts';
import { LimitedLog } from './limited-log.ts';
import { ConnectionLog, openRedis } from './redis.ts';
import type { RedisClient, RedisLocation } from './redis.ts';

export interface ChangeReaderOptions extends RedisLocation {
  /** Consumers of one group share the place they have read up to. */
  readonly group: string;
  /** Unique within its group, and better the same after a restart: it then goes on at once. */
  readonly consumer: string;
  /** Ends the reading; the event being handled is still acknowledged. */
  readonly signal: AbortSignal;
  /** The stream's name and partition (`feedmesh:changes`, 0). */
  readonly stream?: string;
  readonly partition?: number;
  /** Where a new group begins: with all that is kept, or with what comes next (`oldest`). */
  readonly from?: 'oldest' | 'newest';
  /**
   * Milliseconds after which another consumer of the group takes over from one that gives no sign of life
   * (30,000).
   */
  readonly takeOverAfter?: number;
  /** How many events are fetched at once (100). */
  readonly batch?: number;
}

type Entry = [id: string, fields: string[] | null];

/** How long to wait after a fault, and how long one read waits for an event, in milliseconds. */
const pause = 500;
const readFor = 5_000;

/**
 * The change events of a partition in the order of the stream, at least once, for one consumer of the group
 * at a time. An event counts as handled, and is acknowledged, when the next one is requested; one that was
 * not is delivered again, here or to whoever takes over. Repeated events (a sequence not above the last one
 * handled of their collection) and entries that are no change event are skipped. Faults of Redis are
 * waited out. Ends when the signal aborts.
 */
export async function* readChanges(
  options: ChangeReaderOptions,
): AsyncGenerator<ChangeEvent, void, undefined> {
  const { group, consumer, signal, stream = changeStream, partition = 0, takeOverAfter = 30_000 } = options;
  if (signal.aborted) return;
  const logger = new Logger('ChangeReader');
  const limitedLog = new LimitedLog(logger);
  const log = new ConnectionLog('ChangeReader');
  const key = streamKey(stream, partition);
  const redis = openRedis(options, { maxRetriesPerRequest: 1, commandTimeout: readFor }, log);
  const blocking = openRedis(
    options,
    { maxRetriesPerRequest: 1, commandTimeout: 2 * readFor, socketTimeout: 2 * readFor },
    log,
  );
  const stop = (): void => blocking.disconnect();
  signal.addEventListener('abort', stop, { once: true });
  const lock = new ConsumerLock(
    redis,
    besideStream(stream, partition, `reader:${group}`),
    consumer,
    takeOverAfter,
  );
  const handled = new Map<string, string>();
  let from = options.from === 'newest' ? '$' : '0';
  try {
    while (!signal.aborted) {
      try {
        if (!(await lock.take())) {
          await timers.setTimeout(takeOverAfter / 3, undefined, { signal });
          continue;
        }
        await createGroup(redis, key, group, from);
        // Should the stream be lost later on, all of its successor is new.
        from = '0';
        for await (const [id, fields] of entries({
          redis,
          blocking,
          key,
          group,
          consumer,
          batch: options.batch ?? 100,
        })) {
          if (!lock.held) break;
          const event = readEvent(fields);
          if (!event) logger.warn(`entry ${id} of ${key} is no change event; skipped`);
          else if (event.sequence > (handled.get(collectionOf(event)) ?? '')) {
            yield event;
            handled.set(collectionOf(event), event.sequence);
          }
          await redis.xack(key, group, id);
          if (signal.aborted) return;
        }
      } catch (error) {
        if (signal.aborted) return;
        if (redis.status === 'ready') limitedLog.warn(`reading ${key}`, String(error));
        await timers.setTimeout(pause, undefined, { signal }).catch(() => {});
      }
    }
  } finally {
    signal.removeEventListener('abort', stop);
    await lock.end().catch(() => {});
    if (!signal.aborted) blocking.disconnect();
    redis.disconnect();
  }
}

async function createGroup(redis: RedisClient, key: string, group: string, from: string): Promise<void> {
  try {
    await redis.xgroup('CREATE', key, group, from, 'MKSTREAM');
  } catch (error) {
    if (!String(error).includes('BUSYGROUP')) throw error;
  }
}

interface Place {
  readonly redis: RedisClient;
  readonly blocking: RedisClient;
  readonly key: string;
  readonly group: string;
  readonly consumer: string;
  readonly batch: number;
}

/**
 * First what was delivered to anyone of the group and not acknowledged, oldest first; then what is new,
 * without end.
 */
async function* entries({
  redis,
  blocking,
  key,
  group,
  consumer,
  batch,
}: Place): AsyncGenerator<Entry, never, undefined> {
  let cursor = '0-0';
  do {
    const [next, leased] = (await redis.xautoclaim(key, group, consumer, 0, cursor, 'COUNT', batch)) as [
      string,
      Entry[],
    ];
    yield* leased;
    cursor = next;
  } while (cursor !== '0-0');
  for (;;) {
    const reply = await blocking.xreadgroup(
      'GROUP',
      group,
      consumer,
      'COUNT',
      batch,
      'BLOCK',
      readFor,
      'STREAMS',
      key,
      '>',
    );
    if (reply?.[0]) yield* reply[0][1] as Entry[];
  }
}

function readEvent(fields: string[] | null): ChangeEvent | undefined {
  const at = fields?.indexOf('event') ?? -1;
  try {
    const value: unknown = JSON.parse(fields?.[at + 1] ?? '');
    // The value itself, not what the schema keeps of it: a later version may say more.
    return at >= 0 && changeEvent.safeParse(value).success ? (value as ChangeEvent) : undefined;
  } catch {
    return undefined;
  }
}

function collectionOf(event: ChangeEvent): string {
  return event.id.slice(0, event.id.lastIndexOf(':'));
}
