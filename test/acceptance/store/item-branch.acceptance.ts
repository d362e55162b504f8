import { describe, expect, test } from '@jest/globals';
import { collectionKey, itemId } from '#core';
import type { ItemId, TreeRefs, StoredItem } from '#core';
import { publishItems } from '../../support/published-blocks.ts';
import type { OpenFixture } from './fixture.ts';
import { useStore } from './fixture.ts';
import { awkwardIds, cseContent, published, second, write } from './samples.ts';

const rootA = itemId('root:a');

/** What every store of items does for trees of feeds (Content Sync Extensions). */
export function describeItemBranch(name: string, open: OpenFixture): void {
  describe(`The items of a tree of feeds in ${name}`, () => {
    const under = useStore(open);

    /** Writes items with these branches, each `<feed>:<name>` in the feed that its id names. */
    async function grow(
      branches: Readonly<Record<string, TreeRefs>>,
      change: { deleted?: boolean; expected?: number } = {},
    ): Promise<void> {
      const { expected = 0, deleted = false } = change;
      await under.store.items.compareAndSet(
        Object.entries(branches).map(([id, branch]) =>
          write(under.key, id, expected, {
            deleted,
            branch,
            content: cseContent(id),
            position: { parent: id.split(':')[0] ?? '', key: 'a0' },
          }),
        ),
      );
    }

    const load = async (id: ItemId): Promise<StoredItem | undefined> =>
      (await under.store.items.load(under.key, [id])).get(id);
    const linking = async (...feeds: readonly string[]): Promise<string[]> =>
      (await under.store.items.linking(under.key, feeds)).map(({ id, feed }) => `${id} in ${feed}`).sort();

    test.each<[string, TreeRefs]>([
      ['a nested feed', { guid: 'g', nested: 'news', files: [] }],
      ['files', { guid: 'g', files: ['d1', 'd2'] }],
      ['nothing', { guid: '', files: [] }],
      ['both', { guid: '$g.a', nested: 'news', files: ['d1'] }],
    ])('an item that refers to %s is loaded as it was written', async (_what, branch) => {
      await grow({ 'root:a': branch });
      expect((await load(rootA))?.branch).toStrictEqual(branch);
      expect((await load(rootA))?.content).toEqual(cseContent('root:a'));
    });

    test('each write replaces what it refers to, or takes it away', async () => {
      await grow({ 'root:a': { guid: 'g', nested: 'news', files: ['d1'] } });
      await grow({ 'root:a': { guid: 'h', files: ['d2'] } }, { expected: 1 });
      expect((await load(rootA))?.branch).toStrictEqual({ guid: 'h', files: ['d2'] });
      expect(await linking('news')).toEqual([]);
      await under.store.items.compareAndSet([write(under.key, 'root:a', 2)]);
      expect(await load(rootA)).not.toHaveProperty('branch');
      expect(await under.store.items.referring(under.key, ['d1', 'd2'])).toEqual(new Map());
      expect(await under.store.items.withGuid(under.key, 'h')).toEqual([]);
    });

    test('the items that link to a feed are found with their own feed, tombstones are not', async () => {
      await grow({
        'root:a': { guid: 'a', nested: 'news', files: [] },
        'news:b': { guid: 'b', nested: 'old', files: [] },
        'other:c': { guid: 'c', nested: 'old', files: [] },
        'root:e': { guid: 'e', files: [] },
      });
      await grow({ 'root:gone': { guid: 'gone', nested: 'old', files: [] } }, { deleted: true });
      expect(await linking('old')).toEqual(['news:b in news', 'other:c in other']);
      expect(await linking('news', 'old', 'none')).toEqual([
        'news:b in news',
        'other:c in other',
        'root:a in root',
      ]);
      expect(await linking('none')).toEqual([]);
      expect(await linking()).toEqual([]);
    });

    test('the nested feeds of items are found, of those that still have their sequence', async () => {
      await grow({
        'root:a': { guid: 'a', nested: 'news', files: ['d1'] },
        'root:b': { guid: 'b', nested: 'old', files: [] },
        'root:c': { guid: 'c', files: [] },
      });
      const all = ['root:a', 'root:b', 'root:c'].map((id, place) => published(id, place + 1));
      await publishItems(under.store, under.key, all, second(1));
      const nested = async (...items: readonly (readonly [string, number])[]): Promise<string[]> => {
        const wanted = items.map(([id, sequence]) => ({ id: itemId(id), sequence }));
        return (await under.store.items.nestedFeeds(under.key, wanted)).sort();
      };
      expect(await nested(['root:a', 1], ['root:b', 2], ['root:c', 3])).toEqual(['news', 'old']);
      expect(await nested(['root:a', 4], ['root:b', 2], ['root:none', 3])).toEqual(['old']);
      expect(await nested()).toEqual([]);
    });

    test('how many items refer to a content is counted, tombstones are not', async () => {
      await grow({
        'root:a': { guid: 'a', files: ['d1', 'd2', 'd4'] },
        'root:b': { guid: 'b', files: ['d2'] },
        'root:c': { guid: 'c', files: [] },
      });
      await grow({ 'root:gone': { guid: 'gone', files: ['d1', 'd3'] } }, { deleted: true });
      const { items } = under.store;
      expect(await items.referring(under.key, ['d1', 'd2', 'd3'])).toEqual(
        new Map([
          ['d1', 1],
          ['d2', 2],
        ]),
      );
      expect(await items.referring(under.key, [])).toEqual(new Map());
      expect(await items.referring(collectionKey(`${under.key}0`), ['d1'])).toEqual(new Map());
    });

    test('contents are counted however many are requested', async () => {
      const digests = Array.from({ length: 2500 }, (_, index) => `d${index}`);
      await grow(
        Object.fromEntries(
          digests.map((digest) => [`root:${digest}`, { guid: digest, files: [digest, 'shared'] }]),
        ),
      );
      expect(await under.store.items.referring(under.key, [...digests, 'shared'])).toEqual(
        new Map([...digests.map((digest): [string, number] => [digest, 1]), ['shared', 2500]]),
      );
    });

    test('the items with a guid are found, tombstones are not', async () => {
      await grow({
        'news:g': { guid: 'g', files: [] },
        'old:g': { guid: 'g', files: [] },
        'root:h': { guid: 'h', files: [] },
      });
      await grow({ 'root:g': { guid: 'g', files: [] } }, { deleted: true });
      expect(await under.store.items.withGuid(under.key, 'g')).toEqual(['news:g', 'old:g']);
      expect(await under.store.items.withGuid(under.key, 'none')).toEqual([]);
      expect(await under.store.items.withGuid(collectionKey(`${under.key}0`), 'g')).toEqual([]);
    });

    test.each(awkwardIds)('the guid %j is an ordinary guid', async (guid) => {
      await grow({ 'root:a': { guid, files: [] } });
      expect(await under.store.items.withGuid(under.key, guid)).toEqual(['root:a']);
    });
  });
}
