import type { ChangeEvent } from '#contracts';
import { readDeadLetter } from './group-store.ts';
import { withGroup } from './open-group.ts';
import type { ConsumerGroup } from './open-group.ts';

/** An event whose handlers have failed for good. */
export interface DeadEvent {
  /** `<partition>:<entry>`. */
  readonly id: string;
  readonly event: ChangeEvent;
  /** The last error of the handler, with its stack. */
  readonly error: string;
  /** How often the handler was called. */
  readonly attempts: number;
  /** When it was given up (RFC 3339). */
  readonly at: string;
}

/** Lists the dead events of a group, at most 1,000 for each partition, the oldest of each first. */
export async function listDeadEvents(group: ConsumerGroup): Promise<DeadEvent[]> {
  const lists = await withGroup(group, async (redis, { dead }, partition) => {
    const entries = await redis.xrange(dead, '-', '+');
    return entries.map(([entry, fields]): DeadEvent => {
      const { event, ...letter } = readDeadLetter(fields);
      return { id: `${partition}:${entry}`, event: JSON.parse(event) as ChangeEvent, ...letter };
    });
  });
  return lists.flat();
}

/**
 * Has the consumers of the group handle dead events again: within seconds, and after later events of the same
 * collection. Once its handlers succeed, an event is removed from the dead events. Returns the number found.
 * @param ids those of `listDeadEvents`; all dead events by default
 */
export async function retryDeadEvents(group: ConsumerGroup, ids?: readonly string[]): Promise<number> {
  const counts = await withGroup(group, async (redis, { dead, retry }, partition) => {
    const entries = (await redis.xrange(dead, '-', '+')).map(([entry]) => entry);
    const chosen = entries.filter((entry) => ids?.includes(`${partition}:${entry}`) ?? true);
    if (chosen.length > 0) await redis.sadd(retry, ...chosen);
    return chosen.length;
  });
  return counts.reduce((sum, count) => sum + count, 0);
}
