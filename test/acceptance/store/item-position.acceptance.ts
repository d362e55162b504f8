import { describe, expect, test } from '@jest/globals';
import { collectionKey, itemId } from '#core';
import type { ChildPlace, PlaceRange, ItemId, PlacedItem, StoredItem } from '#core';
import { publishItems } from '../../support/published-blocks.ts';
import type { OpenFixture } from './fixture.ts';
import { removeAll, useStore } from './fixture.ts';
import { awkwardIds, published, second, write } from './samples.ts';

type Position = NonNullable<StoredItem['position']>;

/**
 * What every store of items does for collections that have an order (SSE 3.2), and for feeds that tell times
 * (SSE 2.1).
 */
export function describeItemPosition(name: string, open: OpenFixture): void {
  describe(`The places of items in ${name}`, () => {
    const under = useStore(open);

    /** Writes items at these positions. */
    async function place(positions: Readonly<Record<string, Position>>): Promise<void> {
      await under.store.items.compareAndSet(
        Object.entries(positions).map(([id, position]) => write(under.key, id, 0, { position })),
      );
    }

    const load = async (id: ItemId): Promise<StoredItem | undefined> =>
      (await under.store.items.load(under.key, [id])).get(id);

    async function positions(): Promise<PlacedItem[]> {
      const items: PlacedItem[] = [];
      for await (const item of under.store.items.positions(under.key)) items.push(item);
      return items;
    }

    const children = async (...parents: readonly string[]): Promise<string[]> =>
      (await under.store.items.children(under.key, parents)).map(({ id }) => id);

    test.each<[string, Position]>([
      ['below an item', { parent: 'folder', key: 'a0' }],
      ['below the root', { key: 'a0' }],
      ['not yet given a key', { parent: 'folder', after: 'one' }],
      ['not yet given a key, between two others', { parent: 'folder', after: 'one', before: 'three' }],
      ['below the root, the first, not yet given a key', { after: '' }],
      ['with a key that may be outdated', { key: 'a0', after: 'one' }],
      ['below an item with an awkward id', { parent: '$set', key: '__proto__' }],
    ])('a position %s is loaded as it was written', async (_what, position) => {
      await place({ one: position });
      expect((await load(itemId('one')))?.position).toStrictEqual(position);
    });

    test('each write replaces the position, or takes it away', async () => {
      await place({ one: { parent: 'folder', key: 'a0', after: itemId('x') } });
      await under.store.items.compareAndSet([write(under.key, 'one', 1, { position: { key: 'b0' } })]);
      expect((await load(itemId('one')))?.position).toStrictEqual({ key: 'b0' });
      await under.store.items.compareAndSet([write(under.key, 'one', 2)]);
      expect(await load(itemId('one'))).not.toHaveProperty('position');
      expect(await positions()).toEqual([]);
      expect(await children('')).toEqual([]);
    });

    test('the items that have a position come in ascending order of id, with what places them', async () => {
      const { store, key } = under;
      await place({ b: { parent: 'a', key: 'a0' }, a: { key: 'z' }, c: { after: itemId('a') } });
      await store.items.compareAndSet([
        write(key, 'nowhere'),
        write(key, 'gone', 0, { deleted: true, position: { key: 'y' } }),
        write(key, 'b', 1, { position: { parent: 'a', key: 'a1' } }),
      ]);
      await publishItems(store, key, [published('a', 7)], second(1));
      expect(await positions()).toEqual([
        { id: 'a', revision: 1, deleted: false, sequence: 7, position: { key: 'z' } },
        { id: 'b', revision: 2, deleted: false, position: { parent: 'a', key: 'a1' } },
        { id: 'c', revision: 1, deleted: false, position: { after: 'a' } },
        { id: 'gone', revision: 1, deleted: true, position: { key: 'y' } },
      ]);
    });

    test('all the places of a large collection come, each once', async () => {
      const ids = Array.from({ length: 2500 }, (_, index) => `item ${String(index).padStart(4, '0')}`);
      await place(Object.fromEntries(ids.map((id) => [id, { key: 'a0' }])));
      expect((await positions()).map(({ id }) => id)).toEqual(ids);
    });

    test(
      'children come in the order of their keys, then of their ids, by code point; those without a key ' +
        'first',
      async () => {
        await place({
          z: { parent: 'folder', key: 'A' },
          '\uff5e': { parent: 'folder', key: 'a' },
          '\u{1f600}': { parent: 'folder', key: 'a' },
          b: { parent: 'folder', key: 'a0' },
          late: { parent: 'folder', after: itemId('z') },
          root: { key: 'A' },
          elsewhere: { parent: 'other', key: 'A' },
        });
        await under.store.items.compareAndSet([
          write(under.key, 'gone', 0, { deleted: true, position: { parent: 'folder', key: 'B' } }),
          write(under.key, 'nowhere'),
        ]);
        const inFolder = ['late', 'z', 'gone', '\uff5e', '\u{1f600}', 'b'];
        expect(await children('folder')).toEqual(inFolder);
        expect(await children('')).toEqual(['root']);
        expect(await children('other', 'none', '')).toEqual(['elsewhere', 'root']);
        expect(await children('none')).toEqual([]);
        expect(await children()).toEqual([]);
        expect((await under.store.items.children(under.key, ['folder']))[2]).toEqual({
          id: 'gone',
          revision: 1,
          deleted: true,
          position: { parent: 'folder', key: 'B' },
        });
      },
    );

    test('the children of one parent are read by their ids, their first key, and page by page', async () => {
      const { store, key } = under;
      await place({
        z: { parent: 'folder', key: 'A' },
        b: { parent: 'folder', key: 'a0' },
        a: { parent: 'folder', key: 'a0' },
        c: { parent: 'folder', key: 'b' },
        late: { parent: 'folder', after: itemId('z') },
        later: { parent: 'folder', after: itemId('z') },
        elsewhere: { parent: 'other', key: '0' },
      });
      await store.items.compareAndSet([
        write(key, 'gone', 0, { deleted: true, position: { parent: 'folder', key: '9' } }),
      ]);
      const live = ['late', 'later', 'z', 'a', 'b', 'c'];
      expect(await store.items.childIds(key, 'folder')).toEqual(['late', 'later', 'gone', ...live.slice(2)]);
      expect(await store.items.childIds(key, 'none')).toEqual([]);
      const states = await store.items.childStates(key, ['folder', 'other', 'none']);
      expect(new Map(states.map(({ id, deleted }) => [id, deleted]))).toEqual(
        new Map([
          ...live.map((id) => [itemId(id), false] as const),
          [itemId('gone'), true],
          [itemId('elsewhere'), false],
        ]),
      );
      expect(await store.items.firstKey(key, 'folder')).toBe('9');
      expect(await store.items.firstKey(key, 'none')).toBeUndefined();
      const page = async (limit: number, after?: ChildPlace): Promise<StoredItem[]> =>
        store.items.listChildren(key, 'folder', { limit, ...(after && { after }) });
      expect((await page(10)).map(({ id }) => id)).toEqual(live);
      expect((await page(10))[0]).toEqual(await load(itemId('late')));
      for (const [before, { id, position }] of (await page(10)).entries()) {
        const following = await page(2, { id, key: position?.key ?? '' });
        expect(following.map((item) => item.id)).toEqual(live.slice(before + 1, before + 3));
      }
    });

    test('places are those of live items with a key, in any range', async () => {
      const { store, key } = under;
      await place({
        z: { parent: 'folder', key: 'A' },
        b: { parent: 'folder', key: 'a0' },
        a: { parent: 'folder', key: 'a0' },
        c: { parent: 'folder', key: 'b' },
        waiting: { parent: 'folder', after: itemId('z') },
        elsewhere: { key: '0' },
      });
      await store.items.compareAndSet([
        write(key, 'gone', 0, { deleted: true, position: { parent: 'folder', key: 'a0' } }),
        write(key, 'only', 0, { deleted: true, position: { parent: 'tombs', key: 'a0' } }),
      ]);
      const ids = async (range: PlaceRange, parent = 'folder'): Promise<string[]> =>
        (await store.items.placesBelow(key, parent, range)).map(({ id }) => id);
      expect(await ids({})).toEqual(['z', 'a', 'b', 'c']);
      expect(await ids({ isReversed: true, limit: 3 })).toEqual(['c', 'b', 'a']);
      expect(await ids({ skip: 1, limit: 2 })).toEqual(['a', 'b']);
      expect(await ids({ skip: 1, limit: 2, except: itemId('a') })).toEqual(['b', 'c']);
      expect(await ids({ from: 'a0' })).toEqual(['a', 'b', 'c']);
      expect(await ids({ from: 'A', before: 'a0' })).toEqual(['z']);
      expect(await ids({ skip: 9 })).toEqual([]);
      expect(await ids({}, 'none')).toEqual([]);
      expect(await store.items.placesBelow(key, '', {})).toEqual([
        { id: 'elsewhere', position: { key: '0' } },
      ]);
      expect(await store.items.placesBelow(key, 'folder', { limit: 1 })).toEqual([
        { id: 'z', position: { parent: 'folder', key: 'A' } },
      ]);
      expect(await store.items.countPlacesBelow(key, 'folder', { before: 'b' })).toBe(3);
      expect(await store.items.countPlacesBelow(key, 'folder', { before: 'A' })).toBe(0);
      expect(await store.items.countPlacesBelow(key, 'none', { before: 'b' })).toBe(0);
      const parents = ['folder', 'tombs', '', 'none'];
      const held = await Promise.all(parents.map((parent) => store.items.hasChildren(key, parent)));
      expect(held).toEqual([true, true, true, false]);
    });

    test('the children of many parents come in one order', async () => {
      const ids = Array.from({ length: 300 }, (_, index) => String(index).padStart(3, '0'));
      await place(
        Object.fromEntries(ids.map((id, index) => [id, { parent: `folder ${299 - index}`, key: 'a' }])),
      );
      expect(await children(...ids.map((_, index) => `folder ${index}`))).toEqual(ids);
    });

    test.each(awkwardIds)('the id %j is an ordinary id of a parent', async (id) => {
      await place({ child: { parent: id, key: 'a0' }, [id]: { key: 'a0' } });
      expect(await children(id)).toEqual(['child']);
      expect(await children('')).toEqual([id]);
    });

    test('collections whose names begin alike keep apart', async () => {
      const alike = collectionKey(`${under.key}0`);
      await place({ one: { key: 'a0' } });
      try {
        await under.store.items.compareAndSet([write(alike, 'other', 0, { position: { key: 'a0' } })]);
        expect(await children('')).toEqual(['one']);
        expect((await positions()).map(({ id }) => id)).toEqual(['one']);
      } finally {
        await removeAll(under.store, alike);
      }
    });

    test('the first item above a sequence says when it was published', async () => {
      const { store, key } = under;
      await store.items.compareAndSet(['a', 'b', 'c', 'unpublished'].map((id) => write(key, id)));
      await publishItems(store, key, [published('b', 2)], second(1));
      await publishItems(store, key, [published('a', 5)], second(3));
      const after = await Promise.all(
        [0, 1, 2, 4, 5].map((sequence) => store.items.publishedAfter(key, sequence)),
      );
      expect(after).toEqual([second(1), second(1), second(3), second(3), undefined]);
      expect(await store.items.publishedAfter(collectionKey(`${key}0`), 0)).toBeUndefined();
    });
  });
}
