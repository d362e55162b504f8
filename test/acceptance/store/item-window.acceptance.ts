import { describe, expect, test } from '@jest/globals';
import type { FeedWindow, WindowStart } from '#core';
import { publishItems } from '../../support/published-blocks.ts';
import type { OpenFixture } from './fixture.ts';
import { useStore } from './fixture.ts';
import { published, second, write } from './samples.ts';

/** Where the partial feed begins after its purge (FeedSync 4.2), as every store of items finds it. */
export function describeItemWindow(name: string, open: OpenFixture): void {
  describe(`The feed's window in ${name}`, () => {
    const under = useStore(open);
    const byCount: FeedWindow = { since: 0, items: 2, keptSince: second(1000) };

    /** Publishes an item for each sequence, at that many seconds unless another time is given. */
    async function publish(sequences: readonly (number | readonly [number, number])[]): Promise<void> {
      const { store, key } = under;
      for (const each of sequences) {
        const [sequence, at] = typeof each === 'number' ? [each, each] : each;
        await store.items.compareAndSet([write(key, `item ${sequence}`)]);
        await publishItems(store, key, [published(`item ${sequence}`, sequence)], second(at));
      }
    }

    const edge = (window: Partial<FeedWindow> = {}): Promise<WindowStart> =>
      under.store.items.windowStart(under.key, { ...byCount, ...window });
    const start = async (window: Partial<FeedWindow> = {}): Promise<number> => (await edge(window)).since;

    test('begins where it did before if nothing is published', async () => {
      await under.store.items.compareAndSet([write(under.key, 'one')]);
      expect(await start()).toBe(0);
      expect(await start({ since: 7, items: 0 })).toBe(7);
    });

    test('by count exactly as many items as requested are above it', async () => {
      await publish([2, 5, 9]);
      expect(await Promise.all([0, 1, 2, 3, 4].map((items) => start({ items })))).toEqual([9, 5, 2, 0, 0]);
    });

    test('it never moves back, whatever the count allows', async () => {
      await publish([2, 5, 9]);
      expect(await start({ since: 6, items: 3 })).toBe(6);
      expect(await start({ since: 2, items: 1 })).toBe(5);
      expect(await start({ since: 2, items: 2 })).toBe(2);
    });

    test('what readers have until `expires` to read stays, however many there are', async () => {
      await publish([2, 5, 9, 11]);
      expect(await start({ items: 0, keptSince: second(5) })).toBe(5);
      expect(await start({ items: 0, keptSince: second(4) })).toBe(2);
      expect(await start({ items: 0, keptSince: second(1) })).toBe(0);
    });

    test('an item that must stay keeps those after it, even if a clock went back', async () => {
      await publish([
        [2, 20],
        [5, 90],
        [9, 30],
        [11, 40],
      ]);
      expect(await start({ items: 0, keptSince: second(50) })).toBe(2);
      expect(await start({ items: 0, keptSince: second(50), leftBefore: second(35) })).toBe(2);
    });

    test('what is too old leaves although there is space for it', async () => {
      await publish([2, 5, 9]);
      expect(await start({ leftBefore: second(5) })).toBe(2);
      expect(await start({ leftBefore: second(6) })).toBe(5);
      expect(await start({ leftBefore: second(99) })).toBe(9);
      expect(await start({ since: 2, items: 10, leftBefore: second(6) })).toBe(5);
    });

    test('what is too old stays while readers may come for it', async () => {
      await publish([2, 5, 9]);
      expect(await start({ keptSince: second(4), leftBefore: second(99) })).toBe(2);
    });

    test('says when the first item in it was published, and whether it stays by its time alone', async () => {
      expect(await edge()).toEqual({ since: 0, isCrowded: false });
      await publish([2, 5, 9, 11]);
      expect(await edge()).toEqual({ since: 5, firstAt: second(9), isCrowded: false });
      expect(await edge({ keptSince: second(2) })).toEqual({ since: 2, firstAt: second(5), isCrowded: true });
      expect(await edge({ items: 4 })).toEqual({ since: 0, firstAt: second(2), isCrowded: false });
      expect(await edge({ items: 3, keptSince: second(1), leftBefore: second(6) })).toEqual({
        since: 0,
        firstAt: second(2),
        isCrowded: true,
      });
      expect(await edge({ items: 0 })).toEqual({ since: 11, isCrowded: false });
    });

    test('what is beyond its limit leaves although readers may come for it', async () => {
      await publish([2, 5, 9, 11]);
      const kept = { items: 1, keptSince: second(1) };
      expect(await edge({ ...kept, limit: 4 })).toEqual({ since: 0, firstAt: second(2), isCrowded: true });
      expect(await edge({ ...kept, limit: 3 })).toEqual({ since: 2, firstAt: second(5), isCrowded: true });
      expect(await edge({ ...kept, limit: 1 })).toEqual({ since: 9, firstAt: second(11), isCrowded: false });
      expect(await edge({ ...kept, limit: 3, keptSince: second(5) })).toEqual({
        since: 5,
        firstAt: second(9),
        isCrowded: true,
      });
      expect(await edge({ ...kept, limit: 3, leftBefore: second(99) })).toMatchObject({ since: 2 });
      expect(await edge({ ...kept, since: 9, limit: 3 })).toMatchObject({ since: 9 });
    });

    test('age and count together let go of what either does', async () => {
      await publish([
        [2, 20],
        [5, 90],
        [9, 30],
        [11, 40],
        [12, 95],
      ]);
      expect(await start({ items: 3, leftBefore: second(35) })).toBe(9);
      expect(await start({ items: 1, leftBefore: second(35) })).toBe(11);
      expect(await start({ items: 4, leftBefore: second(35) })).toBe(2);
    });
  });
}
