import { randomUUID } from 'node:crypto';
import { parseCursor } from '#contracts';
import { placeValue } from './collection-place.ts';
import { ConsumerLock } from './consumer-lock.ts';
import { GroupStore } from './group-store.ts';
import { partitionOf, withGroup } from './open-group.ts';
import type { ConsumerGroup } from './open-group.ts';

/** Milliseconds for which no consumer can begin to read meanwhile. */
const lockDuration = 10_000;

/** A consumer of the group runs. */
export class GroupInUseError extends Error {
  override readonly name = 'GroupInUseError';
}

/**
 * Has a group go on after a change of a collection, whatever it has handled: to start over after a
 * `ChangeGapError`, or to have changes delivered again. Its consumers must be stopped.
 * @param cursor 16 digits, such as the collection's `cursor`; 0000000000000000 for its first change
 * @throws RangeError if it is no cursor; GroupInUseError if a consumer of the group runs
 */
export async function setPlace(group: ConsumerGroup, collection: string, cursor: string): Promise<void> {
  const sequence = parseCursor(cursor);
  if (sequence === undefined) throw new RangeError(`A cursor must be 16 digits; got "${cursor}"`);
  await withGroup(
    group,
    async (redis, keys) => {
      const consumer = `set-place ${randomUUID()}`;
      const lock = new ConsumerLock(redis, keys.lock, consumer, lockDuration);
      if (!(await lock.take()))
        throw new GroupInUseError(
          `A consumer of the group "${group.group}" is running. Stop all of them first.`,
        );
      try {
        const store = new GroupStore(redis, keys, group.group, consumer, consumer);
        await store.begin('0');
        await store.record({ places: [[collection, placeValue(sequence)]] });
      } finally {
        await lock.end();
      }
    },
    [partitionOf(group, collection)],
  );
}
