import { describe, expect, test } from '@jest/globals';
import { collectionKey, timePlaceOf } from '#core';
import type { CollectionKey, ConflictPlace, ItemSelection, StoredItem, TimeOrder } from '#core';
import type { OpenFixture } from './fixture.ts';
import { removeAll, useStore } from './fixture.ts';
import { awkwardIds, second, write } from './samples.ts';

const idsOf = (items: readonly StoredItem[]): string[] => items.map(({ id }) => id);

/** What every store of items does when they are listed by time or over collections, and counted. */
export function describeItemLists(name: string, open: OpenFixture): void {
  describe(`Lists of items in ${name}`, () => {
    const under = useStore(open);

    /** Four live items, two tombstones, and conflicts in one of each; two items have each date. */
    async function plant(key: CollectionKey = under.key): Promise<void> {
      const at = (created: number, updated: number) => ({
        createdAt: second(created),
        updatedAt: second(updated),
      });
      await under.store.items.compareAndSet([
        write(key, 'a', 0, at(1, 60)),
        write(key, 'b', 0, { ...at(1, 50), conflictCount: 1 }),
        write(key, 'c', 0, { ...at(2, 40), deleted: true }),
        write(key, 'd', 0, { ...at(2, 30), deleted: true, conflictCount: 2 }),
        write(key, 'e', 0, at(3, 20)),
        write(key, 'f', 0, at(3, 10)),
      ]);
    }

    async function byTime(
      order: TimeOrder,
      selection: ItemSelection = {},
      limit = 2,
      key = under.key,
    ): Promise<string[]> {
      const seen: StoredItem[] = [];
      for (;;) {
        const last = seen.at(-1);
        const after = last && timePlaceOf(last, order);
        const page = await under.store.items.listByTime(key, order, {
          ...selection,
          limit,
          ...(after && { after }),
        });
        seen.push(...page);
        if (page.length < limit) return idsOf(seen);
      }
    }

    test('a list by time has each item once, whichever way, though several have one time', async () => {
      await plant();
      expect(await byTime({ by: 'createdAt', isAscending: true })).toEqual(['a', 'b', 'c', 'd', 'e', 'f']);
      expect(await byTime({ by: 'createdAt', isAscending: false })).toEqual(['f', 'e', 'd', 'c', 'b', 'a']);
      expect(await byTime({ by: 'updatedAt', isAscending: true })).toEqual(['f', 'e', 'd', 'c', 'b', 'a']);
      expect(await byTime({ by: 'updatedAt', isAscending: false })).toEqual(['a', 'b', 'c', 'd', 'e', 'f']);
    });

    test('items of one time come by id, by code point', async () => {
      const { store, key } = under;
      await store.items.compareAndSet(awkwardIds.map((id) => write(key, id, 0, { createdAt: second(1) })));
      const ascending = [...awkwardIds].sort((one, other) =>
        Buffer.compare(Buffer.from(one), Buffer.from(other)),
      );
      expect(await byTime({ by: 'createdAt', isAscending: true }, {}, 3)).toEqual(ascending);
    });

    test('a list has the items of its selection only', async () => {
      const { store, key } = under;
      await plant();
      const newest = { by: 'createdAt', isAscending: false } as const;
      const cases: [ItemSelection, string[]][] = [
        [{ deleted: false }, ['a', 'b', 'e', 'f']],
        [{ deleted: true }, ['c', 'd']],
        [{ conflicts: true }, ['b', 'd']],
        [{ conflicts: true, deleted: false }, ['b']],
      ];
      for (const [selection, ids] of cases) {
        expect(idsOf(await store.items.list(key, { limit: 10, ...selection }))).toEqual(ids);
        expect(await byTime(newest, selection)).toEqual(ids.toReversed());
      }
      expect(idsOf(await store.items.list(key, { limit: 10, deleted: true, after: 'c' }))).toEqual(['d']);
    });

    test('the items in conflict of all collections come by collection, then id', async () => {
      const { store, key } = under;
      // "-" and "0" come before and after the "/" between collection and id.
      const keys = [key, collectionKey(`${key}-2`), collectionKey(`${key}0`)];
      try {
        for (const each of keys) await plant(each);
        const seen: string[] = [];
        for (let after: ConflictPlace | undefined; ;) {
          const page = await store.items.listConflicts({ limit: 2, ...(after && { after }) });
          seen.push(...page.map(({ collection, id }) => `${collection}/${id}`));
          const last = page.at(-1);
          if (last === undefined) break;
          after = last;
        }
        expect(seen).toEqual(keys.flatMap((each) => [`${each}/b`, `${each}/d`]));
        const behind = await store.items.listConflicts({ after: { collection: key }, limit: 1 });
        expect(behind.map(({ collection, id }) => [collection, id])).toEqual([[keys[1], 'b']]);
      } finally {
        for (const each of keys) await removeAll(store, each);
      }
    });

    test('items are counted by collection, those of no item not at all', async () => {
      const { store, key } = under;
      const other = collectionKey(`${key}-2`);
      try {
        await plant();
        await store.items.compareAndSet([write(other, 'one')]);
        const counts = await store.items.counts([key, other, collectionKey(`${key}-3`)]);
        expect(counts).toEqual(
          new Map([
            [key, { live: 4, deleted: 2, conflicts: 2 }],
            [other, { live: 1, deleted: 0, conflicts: 0 }],
          ]),
        );
        expect(await store.items.counts([])).toEqual(new Map());
      } finally {
        await removeAll(store, other);
      }
    });
  });
}
