import { describe, expect, test } from '@jest/globals';
import { collectionKey } from '#core';
import { lastBlock, publishBlock } from '../../support/published-blocks.ts';
import type { OpenFixture } from './fixture.ts';
import { removeAll, useStore } from './fixture.ts';
import { block, event, second } from './samples.ts';

/** What every log of changes does. */
export function describeChangeLog(name: string, open: OpenFixture): void {
  describe(`Changes in ${name}`, () => {
    const under = useStore(open);
    /** Publishes blocks with this first sequence and this number of changes. */
    async function append(blocks: readonly (readonly [first: number, count: number])[]): Promise<void> {
      for (const [first, count] of blocks)
        expect(await publishBlock(under.store, block(under.key, first, count))).toBe(true);
    }
    const sequences = async (since: number, limit: number): Promise<number[]> =>
      (await under.store.changes.read(under.key, since, limit)).map(({ sequence }) => Number(sequence));

    test('an empty log has no blocks, no events and no oldest cursor', async () => {
      const { store, key } = under;
      expect(await store.changes.blocks(key, 0, 1)).toEqual([]);
      expect(await store.changes.read(key, 0, 10)).toEqual([]);
      expect(await store.changes.oldestSince(key)).toBeUndefined();
      await store.changes.prune(key, 10);
    });

    test('blocks are read whole, from after a sequence, up to a number of bytes', async () => {
      const { store, key } = under;
      await append([
        [1, 9],
        [10, 1],
        [11, 100],
      ]);
      await publishBlock(store, block(collectionKey(`${key}0`), 1, 1));
      const first = { first: 1, events: block(key, 1, 9).events, at: second(1) };
      const length = JSON.stringify(event(key, 1)).length;
      const firsts = async (after: number, bytes: number): Promise<number[]> =>
        (await store.changes.blocks(key, after, bytes)).map((each) => each.first);
      expect(await store.changes.blocks(key, 0, 1)).toEqual([first]);
      expect(await firsts(0, 9 * length)).toEqual([1]);
      expect(await firsts(0, 9 * length + 1)).toEqual([1, 10]);
      expect(await firsts(0, Infinity)).toEqual([1, 10, 11]);
      expect(await firsts(9, Infinity)).toEqual([10, 11]);
      expect(await firsts(110, Infinity)).toEqual([]);
      await removeAll(store, collectionKey(`${key}0`));
    });

    test('events are read from above `since`, ascending across blocks, up to the limit', async () => {
      const { store, key } = under;
      await append([
        [1, 3],
        [4, 1],
        [5, 4],
      ]);
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
      await append([
        [1, 3],
        [4, 4],
      ]);
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
      await append([
        [1, 3],
        [4, 1],
        [5, 4],
        [9, 2],
      ]);
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
      await append([
        [1, 3],
        [4, 2],
      ]);
      await store.changes.prune(key, 1000);
      expect(await lastBlock(store, key)).toMatchObject({ first: 4 });
      expect(await store.changes.oldestSince(key)).toBe(3);
      expect(await sequences(0, 100)).toEqual([4, 5]);
    });
  });
}
