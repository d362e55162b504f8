import { describe, expect, test } from '@jest/globals';
import type { OpenFixture } from './fixture.ts';
import { useStore } from './fixture.ts';
import { block, event } from './samples.ts';

/** What every log of changes does. */
export function describeChangeLog(name: string, open: OpenFixture): void {
  describe(`Changes in ${name}`, () => {
    const under = useStore(open);
    const sequences = async (since: number, limit: number): Promise<number[]> =>
      (await under.store.changes.read(under.key, since, limit)).map(({ sequence }) => Number(sequence));

    test('an empty log has no last block, no events and no oldest cursor', async () => {
      const { store, key } = under;
      expect(await store.changes.last(key)).toBeUndefined();
      expect(await store.changes.read(key, 0, 10)).toEqual([]);
      expect(await store.changes.oldestSince(key)).toBeUndefined();
      await store.changes.prune(key, 10);
    });

    test('the last block is the one with the highest sequences, as it was appended', async () => {
      const { store, key } = under;
      for (const [first, count] of [
        [1, 9],
        [10, 1],
        [11, 100],
      ] as const)
        expect(await store.changes.append(block(key, first, count))).toBe(true);
      expect(await store.changes.last(key)).toEqual(block(key, 11, 100));
    });

    test('a place in the log is taken once', async () => {
      const { store, key } = under;
      await store.changes.append(block(key, 1, 2));
      expect(await store.changes.append({ ...block(key, 1, 5), notices: ['n1'] })).toBe(false);
      expect(await store.changes.last(key)).toEqual(block(key, 1, 2));
    });

    test('of many that append at the same place at once, one does', async () => {
      const { store, key } = under;
      const blocks = [1, 2, 3, 4].map((count) => block(key, 1, count));
      const appended = await Promise.all(blocks.map((each) => store.changes.append(each)));
      expect(appended.filter(Boolean)).toHaveLength(1);
      expect(await store.changes.last(key)).toEqual(blocks[appended.indexOf(true)]);
    });

    test('events are read from above `since`, ascending across blocks, up to the limit', async () => {
      const { store, key } = under;
      for (const [first, count] of [
        [1, 3],
        [4, 1],
        [5, 4],
      ] as const)
        await store.changes.append(block(key, first, count));
      expect(await sequences(0, 100)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
      expect(await sequences(1, 4)).toEqual([2, 3, 4, 5]);
      expect(await sequences(3, 1)).toEqual([4]);
      expect(await sequences(6, 100)).toEqual([7, 8]);
      expect(await sequences(8, 100)).toEqual([]);
      expect(await sequences(100, 100)).toEqual([]);
      expect(await store.changes.read(key, 4, 1)).toEqual([event(key, 5)]);
    });

    test('events are read up to the one with which they have a number of bytes', async () => {
      const { store, key } = under;
      for (const [first, count] of [
        [1, 3],
        [4, 4],
      ] as const)
        await store.changes.append(block(key, first, count));
      const length = JSON.stringify(event(key, 1)).length;
      const upTo = async (since: number, bytes: number): Promise<number[]> =>
        (await store.changes.read(key, since, 100, bytes)).map(({ sequence }) => Number(sequence));
      expect(await upTo(0, 1)).toEqual([1]);
      expect(await upTo(0, 2 * length)).toEqual([1, 2]);
      expect(await upTo(1, 4 * length)).toEqual([2, 3, 4, 5]);
      expect(await upTo(4, 100 * length)).toEqual([5, 6, 7]);
    });

    test('pruning removes the blocks wholly at or below a sequence; the oldest cursor moves', async () => {
      const { store, key } = under;
      for (const [first, count] of [
        [1, 3],
        [4, 1],
        [5, 4],
        [9, 2],
      ] as const)
        await store.changes.append(block(key, first, count));
      expect(await store.changes.oldestSince(key)).toBe(0);
      await store.changes.prune(key, 0);
      await store.changes.prune(key, 2);
      expect(await store.changes.oldestSince(key)).toBe(0);
      await store.changes.prune(key, 3);
      expect(await store.changes.oldestSince(key)).toBe(3);
      await store.changes.prune(key, 6);
      expect(await store.changes.oldestSince(key)).toBe(4);
      expect(await sequences(4, 100)).toEqual([5, 6, 7, 8, 9, 10]);
    });

    test('the last block stays, however much is pruned', async () => {
      const { store, key } = under;
      for (const [first, count] of [
        [1, 3],
        [4, 2],
      ] as const)
        await store.changes.append(block(key, first, count));
      await store.changes.prune(key, 1000);
      expect(await store.changes.last(key)).toEqual(block(key, 4, 2));
      expect(await store.changes.oldestSince(key)).toBe(3);
      expect(await sequences(0, 100)).toEqual([4, 5]);
    });
  });
}
