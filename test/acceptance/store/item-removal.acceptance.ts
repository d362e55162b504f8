import { describe, expect, test } from '@jest/globals';
import { collectionKey, itemId, subscriptionId } from '#core';
import type { IssuedRecord, Source } from '#core';
import { publishItems } from '../../support/published-blocks.ts';
import type { OpenFixture } from './fixture.ts';
import { useStore } from './fixture.ts';
import { awkwardIds, collection, published, second, write } from './samples.ts';

const beta = subscriptionId('beta');
const gamma = subscriptionId('gamma');
const broughtId = itemId('brought');
const noneId = itemId('none');
const notNamed = itemId('not named');
const oneId = itemId('one');
const two = itemId('two');

/**
 * How every store of items finds and removes what is to go: old tombstones, and what a subscription no longer
 * brings.
 */
export function describeItemRemoval(name: string, open: OpenFixture): void {
  describe(`Items removed from ${name}`, () => {
    const under = useStore(open);
    const read = { subscription: beta, manifest: 'm2' };

    /** Writes items of one source each. */
    async function brought(sources: Readonly<Record<string, Source>>): Promise<void> {
      await under.store.items.compareAndSet(
        Object.entries(sources).map(([id, source]) => write(under.key, id, 0, { sources: [source] })),
      );
    }

    const ids = async (): Promise<string[]> =>
      (await under.store.items.list(under.key, { limit: 100 })).map(({ id }) => id);

    describe('expired tombstones', () => {
      test('they are the published ones from before the time, the oldest first', async () => {
        const { store, key } = under;
        const tombstones = ['a', 'b', 'c', 'late', 'unpublished', 'changed'];
        await store.items.compareAndSet([
          write(key, 'alive'),
          ...tombstones.map((id) => write(key, id, 0, { deleted: true })),
        ]);
        await publishItems(store, key, [published('c', 1), published('alive', 2)], second(1));
        await publishItems(
          store,
          key,
          [published('b', 3), published('a', 4), published('changed', 5)],
          second(2),
        );
        await publishItems(store, key, [published('late', 6)], second(3));
        await store.items.compareAndSet([write(key, 'changed', 1, { deleted: true })]);
        const expired = [
          ['c', 1],
          ['b', 3],
          ['a', 4],
        ].map(([id, sequence]) => ({ id, revision: 1, sequence }));
        expect(await store.items.expiredTombstones(key, second(3), 10)).toEqual(expired);
        expect(await store.items.expiredTombstones(key, second(3), 2)).toEqual(expired.slice(0, 2));
        expect(await store.items.expiredTombstones(key, second(1), 10)).toEqual([]);
      });

      test('the oldest of them says when it was published', async () => {
        const { store, key } = under;
        expect(await store.items.oldestTombstone(key)).toBeUndefined();
        await store.items.compareAndSet([
          write(key, 'alive'),
          ...['a', 'b', 'unpublished', 'changed'].map((id) => write(key, id, 0, { deleted: true })),
        ]);
        await publishItems(store, key, [published('changed', 1), published('alive', 2)], second(1));
        await store.items.compareAndSet([write(key, 'changed', 1, { deleted: true })]);
        expect(await store.items.oldestTombstone(key)).toBeUndefined();
        await publishItems(store, key, [published('a', 3)], second(5));
        await publishItems(store, key, [published('b', 4)], second(4));
        expect(await store.items.oldestTombstone(key)).toEqual(second(4));
        expect(await store.items.oldestTombstone(collectionKey(`${key}0`))).toBeUndefined();
      });

      test('those of other collections are none', async () => {
        const { store, key } = under;
        await store.items.compareAndSet([write(key, 'a', 0, { deleted: true })]);
        await publishItems(store, key, [published('a', 1)], second(1));
        expect(await store.items.expiredTombstones(collectionKey(`${key}0`), second(9), 10)).toEqual([]);
      });
    });

    describe('unseen items', () => {
      const source = { subscription: beta, digest: 'd1' };

      test(
        'they are those of the subscription that no document of the manifest has brought, page after ' +
          'page',
        async () => {
          const { store, key } = under;
          await brought({
            'by the complete feed': { ...source, fetchPass: 'm2.complete' },
            'by the feed': { ...source, fetchPass: 'm2.feed' },
            'by an earlier one': { ...source, fetchPass: 'm1.feed' },
            'by a longer name': { ...source, fetchPass: 'm2.feed.feed' },
            'by nobody knows': source,
            'by another': { subscription: gamma, digest: 'd1', fetchPass: 'm1.feed' },
          });
          await store.items.compareAndSet([
            write(key, 'own'),
            write(key, 'two', 0, {
              sources: [{ subscription: gamma, digest: 'd1', fetchPass: 'm2.feed' }, source],
            }),
          ]);
          const unseen = ['by a longer name', 'by an earlier one', 'by nobody knows', 'two'].map(itemId);
          const found = await store.items.unseen(key, read, { limit: 10 });
          expect(found.map(({ id }) => id)).toEqual(unseen);
          expect(found[0]).toEqual((await store.items.load(key, unseen)).get(itemId(unseen[0] ?? '')));
          expect((await store.items.unseen(key, read, { limit: 2 })).map(({ id }) => id)).toEqual(
            unseen.slice(0, 2),
          );
          expect(
            (await store.items.unseen(key, read, { limit: 2, after: unseen[1] ?? '' })).map(({ id }) => id),
          ).toEqual(unseen.slice(2));
        },
      );

      test(
        "forgetting takes the subscription's source away, without a revision, unless it was brought by " +
          'now',
        async () => {
          const { store, key } = under;
          const others = { subscription: gamma, digest: 'd2' };
          await store.items.compareAndSet([write(key, 'one', 0, { sources: [source, others] })]);
          await brought({
            brought: { ...source, fetchPass: 'm2.complete' },
            'not named': source,
            $set: { ...source, fetchPass: 'm1.feed' },
          });
          const before = await store.items.load(key, [oneId, broughtId, notNamed]);
          await store.items.forget(key, read, [oneId, broughtId, itemId('$set'), noneId]);
          await store.items.forget(key, read, []);
          const after = await store.items.load(key, [oneId, broughtId, notNamed, itemId('$set')]);
          expect(after.get(oneId)).toEqual({ ...before.get(oneId), sources: [others] });
          expect(after.get(itemId('$set'))?.sources).toEqual([]);
          expect(after.get(broughtId)).toEqual(before.get(broughtId));
          expect(after.get(notNamed)).toEqual(before.get(notNamed));
        },
      );
    });

    describe('what was signed', () => {
      const issued = (highest: number): readonly IssuedRecord[] => [
        {
          by: '$here.__proto__',
          highest,
          completeAbove: 0,
          versions: [
            { sequence: highest, when: '2026-01-01T00:00:00Z', mark: ['live', ''] },
            { sequence: 1 },
          ],
        },
      ];

      test('it is in the item until that is removed, and is kept then', async () => {
        const { store, key } = under;
        await store.items.compareAndSet([
          write(key, 'one', 0, { issued: issued(2) }),
          write(key, 'two'),
          write(key, 'three', 0, { issued: issued(4) }),
        ]);
        expect((await store.items.load(key, [oneId])).get(oneId)?.issued).toEqual(issued(2));
        expect(await store.items.issued(key, [oneId, two])).toEqual(new Map());
        await store.items.compareAndSet([
          write(key, 'one', 1, { issued: issued(3) }),
          write(key, 'three', 1),
        ]);
        await store.items.remove(key, [
          { id: oneId, revision: 2 },
          { id: two, revision: 1 },
          { id: itemId('three'), revision: 2 },
        ]);
        expect(await store.items.issued(key, [oneId, two, itemId('three'), noneId])).toEqual(
          new Map([['one', issued(3)]]),
        );
        expect(await store.items.issued(collectionKey(`${key}0`), [oneId])).toEqual(new Map());
      });

      test('what a later item of the same id has signed takes its place', async () => {
        const { store, key } = under;
        for (const highest of [2, 5]) {
          await store.items.compareAndSet([write(key, 'one', 0, { issued: issued(highest) })]);
          await store.items.remove(key, [{ id: oneId, revision: 1 }]);
        }
        await store.items.compareAndSet([write(key, 'one')]);
        await store.items.remove(key, [{ id: oneId, revision: 1 }]);
        expect(await store.items.issued(key, [oneId])).toEqual(new Map([['one', issued(5)]]));
      });

      test('it outlives the collection', async () => {
        const { store, key } = under;
        const ids = Array.from({ length: 30 }, (_, index) => `item ${index}`);
        await store.items.compareAndSet(
          ids.map((id, index) => write(key, id, 0, index % 3 === 0 ? { issued: issued(index + 2) } : {})),
        );
        await store.collections.create(collection(key));
        await store.collections.remove(key);
        expect(await store.items.list(key, { limit: 100 })).toEqual([]);
        expect((await store.items.issued(key, ids.map(itemId))).size).toBe(10);
        expect((await store.items.issued(key, ids.map(itemId))).get(itemId('item 27'))).toEqual(issued(29));
      });
    });

    describe('removing', () => {
      test('an item at the named revision goes without a trace, and its id can be used again', async () => {
        const { store, key } = under;
        await store.items.compareAndSet(['one', 'two'].map((id) => write(key, id)));
        await publishItems(store, key, [published('one', 1), published('two', 2)], second(1));
        expect(await store.items.remove(key, [{ id: oneId, revision: 1 }])).toEqual(['one']);
        expect(await ids()).toEqual(['two']);
        const again = write(key, 'one');
        expect(await store.items.compareAndSet([again])).toEqual([]);
        expect((await store.items.load(key, [oneId])).get(oneId)).toEqual({
          ...again.item,
          revision: 1,
        });
      });

      test('an item that changed meanwhile stays, and its neighbours go', async () => {
        const { store, key } = under;
        await store.items.compareAndSet(['a', 'b', 'c'].map((id) => write(key, id)));
        await store.items.compareAndSet([write(key, 'b', 1)]);
        const gone = await store.items.remove(
          key,
          ['a', 'b', 'c'].map((id) => ({ id: itemId(id), revision: 1 })),
        );
        expect(gone).toEqual(['a', 'c']);
        expect(await ids()).toEqual(['b']);
      });

      test('a repeated removal returns the same result', async () => {
        const { store, key } = under;
        await store.items.compareAndSet([write(key, 'one')]);
        const items = [{ id: itemId('one'), revision: 1 }];
        expect(await store.items.remove(key, items)).toEqual(['one']);
        expect(await store.items.remove(key, items)).toEqual(['one']);
        expect(await store.items.remove(key, [])).toEqual([]);
      });

      test('if sources are given, only an item with exactly these goes, in whatever order', async () => {
        const { store, key } = under;
        const one = { subscription: beta, digest: 'd1', fetchPass: 'm1.feed' };
        const other = { subscription: gamma, digest: 'd2' };
        const stored: Record<string, Source[]> = {
          'the same': [one, other],
          'the other way round': [other, one],
          'one more': [one, other, { subscription: subscriptionId('delta'), digest: 'd3' }],
          'one less': [one],
          none: [],
          'another digest': [{ ...one, digest: 'd9' }, other],
          'another fetch pass': [{ ...one, fetchPass: 'm2.feed' }, other],
          'a fetch pass if there was none': [one, { ...other, fetchPass: 'm1.feed' }],
        };
        await store.items.compareAndSet(
          Object.entries(stored).map(([id, sources]) => write(key, id, 0, { sources })),
        );
        const given = Object.keys(stored).map((id) => ({
          id: itemId(id),
          revision: 1,
          sources: [one, other],
        }));
        expect(await store.items.remove(key, given)).toEqual(['the same', 'the other way round']);
        expect(
          await store.items.remove(key, [
            { id: noneId, revision: 1, sources: [] },
            { id: itemId('one less'), revision: 1, sources: [] },
          ]),
        ).toEqual(['none']);
        expect(await ids()).toEqual([
          'a fetch pass if there was none',
          'another digest',
          'another fetch pass',
          'one less',
          'one more',
        ]);
      });

      test.each(awkwardIds)('the id %j is an ordinary id', async (id) => {
        const { store, key } = under;
        await brought({ [id]: { subscription: beta, digest: 'd1' } });
        expect((await store.items.unseen(key, read, { limit: 10 })).map((item) => item.id)).toEqual([id]);
        expect(
          await store.items.remove(key, [
            { id: itemId(id), revision: 1, sources: [{ subscription: beta, digest: 'd1' }] },
          ]),
        ).toEqual([id]);
        expect(await ids()).toEqual([]);
      });
    });
  });
}
