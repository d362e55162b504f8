import { describe, expect, test } from '@jest/globals';
import { collectionKey, itemId } from '#core';
import type { FeedItem } from '#core';
import { publishBlock, publishItems } from '../../support/published-blocks.ts';
import type { OpenFixture } from './fixture.ts';
import { removeAll, useStore } from './fixture.ts';
import { awkwardIds, block, content, published, second, titleOf, write } from './samples.ts';

const bId = itemId('b');
const c = itemId('c');

async function collect<Item>(feed: AsyncIterable<Item>): Promise<Item[]> {
  const items: Item[] = [];
  for await (const item of feed) items.push(item);
  return items;
}

/** What every store of items does when they are published and read. */
export function describeItemPublishing(name: string, open: OpenFixture): void {
  describe(`Items published in ${name}`, () => {
    const under = useStore(open);

    /** Publishes items in one block, in the order in which they are given. */
    const publishAll = (ids: readonly string[]): Promise<boolean> =>
      publishBlock(under.store, {
        ...block(under.key, 1, ids.length),
        items: ids.map((id, place) => published(id, place + 1)),
      });

    describe('the latest items', () => {
      test('come the latest first, with what feed readers see and without tombstones', async () => {
        const { store, key } = under;
        const version = { updates: 2, history: { sequence: 2, when: '2026-01-02T00:00:00Z', by: 'A' } };
        await store.items.compareAndSet([
          write(key, 'one'),
          write(key, 'gone', 0, { deleted: true }),
          write(key, 'two', 0, { version, createdAt: second(3) }),
          write(key, 'pending'),
          write(collectionKey(`${key}0`), 'other'),
        ]);
        await publishItems(
          store,
          key,
          [published('one', 1), published('two', 2), published('gone', 3)],
          second(5),
        );
        await publishItems(store, collectionKey(`${key}0`), [published('other', 9)], second(5));
        const latest = await collect(store.items.latest(key));
        expect(latest.map(({ id }) => id)).toEqual(['two', 'one']);
        expect(latest[0]).toEqual({
          id: 'two',
          sequence: 2,
          content: content('two'),
          version,
          createdAt: second(3),
          updatedAt: second(0),
          publishedAt: second(5),
        });
        await store.items.compareAndSet([write(key, 'one', 1)]);
        await publishItems(store, key, [published('one', 4, 2)], second(6));
        expect((await collect(store.items.latest(key))).map(({ id, sequence }) => [id, sequence])).toEqual([
          ['one', 4],
          ['two', 2],
        ]);
        expect((await collect(store.items.latest(key, 4))).map(({ id }) => id)).toEqual(['two']);
        await removeAll(store, collectionKey(`${key}0`));
      });

      test('are read in steps, each once, even if one is published again meanwhile', async () => {
        const { store, key } = under;
        const ids = Array.from({ length: 250 }, (_, place) => `item ${place}`);
        await store.items.compareAndSet(ids.map((id) => write(key, id)));
        await publishAll(ids);
        const seen: string[] = [];
        for await (const { id } of store.items.latest(key)) {
          seen.push(id);
          if (seen.length === 1) await publishItems(store, key, [published('item 7', 999)], second(2));
        }
        const rest = seen.filter((id) => id !== 'item 7');
        expect(rest).toEqual(ids.filter((id) => id !== 'item 7').toReversed());
        expect(seen.length - rest.length).toBeLessThanOrEqual(1);
      });
    });

    describe('publishing', () => {
      test('a pending item has the trace of its last write, and of no earlier one', async () => {
        const { store, key } = under;
        const trace = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`;
        const traces = async (): Promise<unknown> =>
          (await store.items.pending(key, 10)).map((item) => item.trace);
        await store.items.compareAndSet([{ ...write(key, 'one'), trace }]);
        expect(await traces()).toEqual([trace]);
        const again = trace.replaceAll('a', 'c');
        await store.items.compareAndSet([{ ...write(key, 'one', 1), trace: again }]);
        expect(await traces()).toEqual([again]);
        await store.items.compareAndSet([write(key, 'one', 2)]);
        expect(await traces()).toEqual([undefined]);
      });

      test('an item is pending from its write until that revision is announced', async () => {
        const { store, key } = under;
        await store.items.compareAndSet([write(key, 'one'), write(key, 'two')]);
        expect((await store.items.pending(key, 10)).map(({ id }) => id).sort()).toEqual(['one', 'two']);
        expect(await store.items.pending(key, 1)).toHaveLength(1);
        expect(await store.items.collectionsPending()).toEqual([key]);
        await publishItems(store, key, [published('one', 1), published('two', 2)], second(1));
        expect(await store.items.pending(key, 10)).toEqual([]);
        expect(await store.items.collectionsPending()).toEqual([]);
        await store.items.compareAndSet([write(key, 'two', 1)]);
        expect((await store.items.pending(key, 10)).map(({ id, sequence }) => [id, sequence])).toEqual([
          ['two', 2],
        ]);
        expect(await store.items.collectionsPending()).toEqual([key]);
      });

      test('all are pending again as if they had never been announced', async () => {
        const { store, key } = under;
        const otherKey = collectionKey(`${key}0`);
        await store.items.compareAndSet([write(key, 'one'), write(key, 'two'), write(otherKey, 'other')]);
        await publishItems(store, key, [published('one', 1)], second(5));
        await publishItems(store, otherKey, [published('other', 1)], second(5));
        await store.items.publishAgain(key);
        const pending = await store.items.pending(key, 10);
        expect(Object.fromEntries(pending.map(({ id, announced }) => [id, announced]))).toEqual({
          one: undefined,
          two: undefined,
        });
        expect(pending).toHaveLength(2);
        expect(await store.items.pending(otherKey, 10)).toEqual([]);
        await publishItems(store, key, [published('one', 1001), published('two', 1002)], second(6));
        expect(await store.items.pending(key, 10)).toEqual([]);
        await removeAll(store, otherKey);
      });

      test("each item of a block gets its own sequence and announcement, and the block's time", async () => {
        const { store, key } = under;
        await store.items.compareAndSet(['a', 'b', 'c'].map((id) => write(key, id)));
        await publishBlock(store, {
          ...block(key, 1, 9),
          items: [
            { id: c, sequence: 4, revision: 1, deleted: true, conflictCount: 3 },
            published('none', 5),
            published('a', 9),
          ],
        });
        const items = await store.items.load(key, [itemId('a'), bId, c, itemId('none')]);
        expect(items.get(itemId('a'))).toMatchObject({
          sequence: 9,
          publishedAt: second(1),
          announced: { revision: 1, deleted: false, conflictCount: 0 },
        });
        expect(items.get(c)).toMatchObject({
          sequence: 4,
          announced: { revision: 1, deleted: true, conflictCount: 3 },
        });
        expect(items.get(bId)?.sequence).toBeUndefined();
        expect(items.get(bId)?.publishedAt).toBeUndefined();
        expect(items.has(itemId('none'))).toBe(false);
      });
    });

    describe('lists', () => {
      test('a list is in ascending order of id by code point, page after page', async () => {
        const { store, key } = under;
        await store.items.compareAndSet(awkwardIds.map((id) => write(key, id)));
        const ascending = [...awkwardIds].sort((one, other) =>
          Buffer.compare(Buffer.from(one), Buffer.from(other)),
        );
        const seen: string[] = [];
        for (let after: string | undefined; ; after = seen.at(-1)) {
          const page = await store.items.list(key, {
            limit: 3,
            ...(after !== undefined && { after }),
          });
          if (page.length === 0) break;
          seen.push(...page.map(({ id }) => id));
        }
        expect(seen).toEqual(ascending);
      });

      test('a list can leave out tombstones, or all but the items in conflict', async () => {
        const { store, key } = under;
        await store.items.compareAndSet([
          write(key, 'plain'),
          write(key, 'tombstone', 0, { deleted: true }),
          write(key, 'conflict', 0, { conflictCount: 1 }),
          write(key, 'both', 0, { deleted: true, conflictCount: 2 }),
        ]);
        const ids = async (page: { deleted?: boolean; conflicts?: boolean }): Promise<string[]> =>
          (await store.items.list(key, { limit: 10, ...page })).map(({ id }) => id);
        expect(await ids({})).toEqual(['both', 'conflict', 'plain', 'tombstone']);
        expect(await ids({ deleted: false })).toEqual(['conflict', 'plain']);
        expect(await ids({ conflicts: true })).toEqual(['both', 'conflict']);
        expect(await ids({ deleted: false, conflicts: true })).toEqual(['conflict']);
        expect(
          (await store.items.list(key, { after: 'both', limit: 10, conflicts: true })).map(({ id }) => id),
        ).toEqual(['conflict']);
      });

      test('collections whose names begin alike keep apart', async () => {
        const { store, key } = under;
        const alike = [`${key}-x`, `${key}0`, key.slice(0, -1)];
        try {
          for (const other of [key, ...alike]) {
            await store.items.compareAndSet([write(collectionKey(other), `of ${other}`)]);
            await publishItems(store, collectionKey(other), [published(`of ${other}`, 1)], second(1));
          }
          expect((await store.items.list(key, { limit: 10 })).map(({ id }) => id)).toEqual([`of ${key}`]);
          expect((await collect(store.items.published(key, 0))).map(({ id }) => id)).toEqual([`of ${key}`]);
          await store.collections.remove(key);
          for (const other of alike)
            expect(await store.items.list(collectionKey(other), { limit: 10 })).toHaveLength(1);
        } finally {
          for (const other of alike) await removeAll(store, collectionKey(other));
        }
      });
    });

    describe('feeds', () => {
      test('published items come ascending from above `since`; those never published do not', async () => {
        const { store, key } = under;
        await store.items.compareAndSet(
          ['a', 'b', 'c', 'd'].map((id) => write(key, id, 0, { updatedAt: second(9) })),
        );
        await publishItems(store, key, [published('b', 1), published('c', 2), published('a', 3)], second(1));
        const feed = (id: string, sequence: number): FeedItem => ({
          id: itemId(id),
          sequence,
          content: content(id),
          updatedAt: second(9),
        });
        expect(await collect(store.items.published(key, 0))).toEqual([
          feed('b', 1),
          feed('c', 2),
          feed('a', 3),
        ]);
        expect(await collect(store.items.published(key, 1))).toEqual([feed('c', 2), feed('a', 3)]);
        expect(await collect(store.items.published(key, 3))).toEqual([]);
      });

      test('large items come in their order among small ones', async () => {
        const { store, key } = under;
        const sizes = [10, 200_000, 100_000, 3_000_000, 10, 10, 500_000];
        const ids = sizes.map((_, place) => `item ${place}`);
        await store.items.compareAndSet(
          sizes.map((size, place) =>
            write(key, `item ${place}`, 0, { content: content(`item ${place}`, 'x'.repeat(size)) }),
          ),
        );
        await publishAll(ids);
        expect((await collect(store.items.published(key, 0))).map((item) => titleOf(item).length)).toEqual(
          sizes,
        );
      });

      test(
        'a long feed comes whole, and an item that is published again meanwhile is seen at its new ' +
          'place',
        async () => {
          const { store, key } = under;
          const ids = Array.from({ length: 2500 }, (_, place) => `item ${place}`);
          await store.items.compareAndSet(ids.map((id) => write(key, id)));
          await publishAll(ids);
          const seen: number[] = [];
          for await (const { sequence } of store.items.published(key, 0)) {
            if (sequence === 1)
              await publishItems(
                store,
                key,
                [published('item 0', 3001), published('item 2400', 3002)],
                second(1),
              );
            seen.push(sequence);
          }
          const unmoved = ids.map((_, place) => place + 1).filter((sequence) => sequence !== 2401);
          expect(seen).toEqual([...unmoved, 3001, 3002]);
        },
      );
    });
  });
}
