import { describe, expect, test } from '@jest/globals';
import { itemId } from '#core';
import type { BranchDeletion, CollectionKey } from '#core';
import type { OpenFixture } from './fixture.ts';
import { useStore } from './fixture.ts';
import { collection, second } from './samples.ts';

/** Longer than any test takes, and over at once, in milliseconds. */
const [long, over] = [3_600_000, 0];

function deletion(collection: CollectionKey, id: string): BranchDeletion {
  return { collection, id, item: itemId('folder'), requestedAt: second(1), done: 0, total: 0 };
}

/** What every store of deletions of branches does. */
export function describeBranchDeletionStore(name: string, open: OpenFixture): void {
  describe(`Deletions of branches in ${name}`, () => {
    const under = useStore(open);
    const abandoned = async (): Promise<string[]> =>
      (await under.store.branchDeletions.abandoned(100))
        .filter(({ collection }) => collection === under.key)
        .map(({ id }) => id);

    test('one is added once, found as it is, and gone once it is removed', async () => {
      const { store, key } = under;
      const whole = { ...deletion(key, 'd'), removeData: true, item: itemId('$folder') };
      expect(await store.branchDeletions.add(whole, long)).toEqual(whole);
      expect(await store.branchDeletions.add({ ...whole, requestedAt: second(2) }, long)).toEqual(whole);
      expect(await store.branchDeletions.find(key, 'd')).toEqual(whole);
      expect(await store.branchDeletions.find(key, 'e')).toBeUndefined();
      await store.branchDeletions.remove(key, 'd');
      await store.branchDeletions.remove(key, 'd');
      expect(await store.branchDeletions.find(key, 'd')).toBeUndefined();
    });

    test('anyone may take a new one, and nobody else while that lease runs', async () => {
      const { store, key } = under;
      await store.branchDeletions.add(deletion(key, 'd'), long);
      const take = (holder: string, duration = long) =>
        store.branchDeletions.take(key, 'd', { holder, duration });
      expect(await take('$one')).toEqual(deletion(key, 'd'));
      expect(await take('two')).toBeUndefined();
      expect(await take('$one', over)).toEqual(deletion(key, 'd'));
      expect(await take('two')).toEqual(deletion(key, 'd'));
      await store.branchDeletions.release(key, 'd', '$one');
      expect(await take('three')).toBeUndefined();
      await store.branchDeletions.release(key, 'd', 'two');
      expect(await take('three')).toEqual(deletion(key, 'd'));
      expect(
        await store.branchDeletions.take(key, 'none', { holder: 'one', duration: long }),
      ).toBeUndefined();
    });

    test('progress only grows, renews the lease, and is that of the holder', async () => {
      const { store, key } = under;
      await store.branchDeletions.add(deletion(key, 'd'), long);
      await store.branchDeletions.take(key, 'd', { holder: 'one', duration: over });
      const advance = (holder: string, done: number, total: number) =>
        store.branchDeletions.advance(key, 'd', { holder, duration: long }, { done, total });
      expect(await advance('one', 5, 9)).toBe(true);
      expect(await advance('two', 7, 9)).toBe(false);
      expect(await store.branchDeletions.take(key, 'd', { holder: 'two', duration: long })).toBeUndefined();
      expect(await advance('one', 2, 12)).toBe(true);
      const found = { ...deletion(key, 'd'), isBegun: true, done: 5, total: 12 };
      expect(await store.branchDeletions.find(key, 'd')).toEqual(found);
      expect(await store.branchDeletions.advance(key, 'e', { holder: 'one', duration: long }, found)).toBe(
        false,
      );
    });

    test('its holder ends it, well or not; nobody takes it any more', async () => {
      const { store, key } = under;
      const keptUntil = new Date(Date.now() + long);
      for (const [id, failure] of [
        ['well', undefined],
        ['ill', 'It has too many updates.'],
      ] as const) {
        await store.branchDeletions.add(deletion(key, id), over);
        await store.branchDeletions.take(key, id, { holder: 'one', duration: over });
        const end = { at: second(3), keptUntil, ...(failure !== undefined && { failure }) };
        await store.branchDeletions.end(key, id, 'two', end);
        expect(await store.branchDeletions.find(key, id)).toEqual(deletion(key, id));
        await store.branchDeletions.end(key, id, 'one', end);
        const ended = { ...deletion(key, id), endedAt: second(3), ...(failure !== undefined && { failure }) };
        expect(await store.branchDeletions.find(key, id)).toEqual(ended);
        expect(await store.branchDeletions.add(deletion(key, id), long)).toEqual(ended);
        expect(await store.branchDeletions.take(key, id, { holder: 'one', duration: long })).toBeUndefined();
      }
      expect(await abandoned()).toEqual([]);
    });

    test('abandoned are those whose lease has run out', async () => {
      const { store, key } = under;
      await store.branchDeletions.add(deletion(key, 'fresh'), long);
      await store.branchDeletions.add(deletion(key, 'forgotten'), over);
      await store.branchDeletions.add(deletion(key, 'in-work'), over);
      await store.branchDeletions.take(key, 'in-work', { holder: 'one', duration: long });
      await store.branchDeletions.add(deletion(key, 'given-back'), long);
      await store.branchDeletions.take(key, 'given-back', { holder: 'one', duration: long });
      await store.branchDeletions.release(key, 'given-back', 'one');
      expect((await abandoned()).toSorted()).toEqual(['forgotten', 'given-back']);
      expect(await store.branchDeletions.abandoned(1)).toHaveLength(1);
    });

    test('they go with their collection', async () => {
      const { store, key } = under;
      await store.collections.create(collection(key));
      await store.branchDeletions.add(deletion(key, 'd'), over);
      await store.collections.remove(key);
      expect(await store.branchDeletions.find(key, 'd')).toBeUndefined();
      expect(await abandoned()).toEqual([]);
    });
  });
}
