import { describe, expect, test } from '@jest/globals';
import { itemId, subscriptionId } from '#core';
import type { Source, StoredItem } from '#core';
import { publishItems } from '../../support/published-blocks.ts';
import type { OpenFixture } from './fixture.ts';
import { useStore } from './fixture.ts';
import { awkwardIds, content, published, second, sseContent, titleOf, write } from './samples.ts';

const beta = subscriptionId('beta');
const noneId = itemId('none');
const oneId = itemId('one');

/** What every store of items does when they are written. */
export function describeItemStore(name: string, open: OpenFixture): void {
  describe(`Items in ${name}`, () => {
    const under = useStore(open);

    test('items loaded in batches come in the order of their ids, missing ones left out', async () => {
      const { store, key } = under;
      const sizes = [10, 300_000, 10, 2_000_000, ...Array.from({ length: 1500 }, () => 1000)];
      const ids = sizes.map((_, place) => `item ${place}`);
      for (let start = 0; start < ids.length; start += 500) {
        await store.items.compareAndSet(
          ids
            .slice(start, start + 500)
            .map((id, place) =>
              write(key, id, 0, { content: content(id, 'x'.repeat(sizes[start + place] ?? 0)) }),
            ),
        );
      }
      const wanted = [...ids.toReversed(), 'none', 'item 3'];
      const steps: StoredItem[][] = [];
      for await (const step of store.items.loadInSteps(key, wanted.map(itemId))) steps.push([...step]);
      expect(steps.flat().map(({ id }) => id)).toEqual([...ids.toReversed(), 'item 3']);
      expect(steps.flat().at(-1)).toEqual(
        (await store.items.load(key, [itemId('item 3')])).get(itemId('item 3')),
      );
      for (const step of steps.filter(({ length }) => length > 1))
        expect(step.reduce((sum, item) => sum + titleOf(item).length, 0)).toBeLessThan(300_000);
      for await (const step of store.items.loadInSteps(key, [])) throw new Error(`a step of ${step.length}`);
    });

    describe('compare-and-set', () => {
      test('an item that is written is loaded as it was written, at revision 1', async () => {
        const { store, key } = under;
        const given = write(key, 'one', 0, {
          sources: [{ subscription: beta, digest: 'd1' }],
          subscription: beta,
          conflictCount: 2,
          deleted: true,
        });
        expect(await store.items.compareAndSet([given])).toEqual([]);
        expect(await store.items.load(key, [oneId, noneId])).toEqual(
          new Map([['one', { ...given.item, revision: 1 }]]),
        );
      });

      test('each write grows the revision by one and leaves nothing of the former version', async () => {
        const { store, key } = under;
        await store.items.compareAndSet([
          write(key, 'one', 0, {
            subscription: beta,
            sources: [{ subscription: beta, digest: 'd1' }],
            actor: { kind: 'key', id: '3f7a', name: 'shop' },
          }),
        ]);
        const next = write(key, 'one', 1, { content: content('one', 'Buy bread'), deleted: true });
        expect(await store.items.compareAndSet([next])).toEqual([]);
        expect((await store.items.load(key, [oneId])).get(oneId)).toEqual({
          ...next.item,
          revision: 2,
        });
      });

      test('marks of edits are stored with the item, and stay when it is written without them', async () => {
        const { store, key } = under;
        const edits = [{ key: 'k', request: 'r', at: new Date('2026-01-01T00:00:00Z') }];
        await store.items.compareAndSet([write(key, 'one', 0, { edits })]);
        await store.items.compareAndSet([write(key, 'one', 1, { content: content('one', 'merged') })]);
        expect((await store.items.load(key, [oneId])).get(oneId)).toMatchObject({
          revision: 2,
          content: content('one', 'merged'),
          edits,
        });
        const later = [...edits, { key: 'l', request: 's', at: new Date('2026-01-02T00:00:00Z') }];
        await store.items.compareAndSet([
          write(key, 'one', 2, { edits: later }),
          write(key, 'two', 0, { edits }),
        ]);
        expect(
          [...(await store.items.load(key, [oneId, itemId('two')])).values()].map((item) => item.edits),
        ).toEqual(expect.arrayContaining([later, edits]));
        expect(await store.items.compareAndSet([write(key, 'one', 2, { edits: [] })])).toEqual(['one']);
        expect((await store.items.load(key, [oneId])).get(oneId)?.edits).toEqual(later);
      });

      test('an item of Simple Sharing Extensions is loaded as it was written', async () => {
        const { store, key } = under;
        const given = write(key, 'one', 0, {
          content: sseContent('one'),
          position: { parent: '$parent.a', key: 'a0' },
        });
        await store.items.compareAndSet([given]);
        expect((await store.items.load(key, [oneId])).get(oneId)).toEqual({
          ...given.item,
          revision: 1,
        });
      });

      test('only writes whose expected revision is not the stored one fail, changing nothing', async () => {
        const { store, key } = under;
        await store.items.compareAndSet(['a', 'b', 'c'].map((id) => write(key, id)));
        await store.items.compareAndSet([write(key, 'b', 1)]);
        const lost = await store.items.compareAndSet([
          write(key, 'a', 1, { content: content('a', 'new') }),
          write(key, 'b', 1, { content: content('b', 'new') }),
          write(key, 'c', 0, { content: content('c', 'new') }),
          write(key, 'd', 0, { content: content('d', 'new') }),
          write(key, 'e', 1, { content: content('e', 'new') }),
          write(key, 'a', 5, { content: content('a', 'newer') }),
        ]);
        expect(lost.sort()).toEqual(['a', 'b', 'c', 'e']);
        const items = await store.items.load(key, [
          itemId('a'),
          itemId('b'),
          itemId('c'),
          itemId('d'),
          itemId('e'),
        ]);
        expect(new Map([...items].map(([id, item]) => [id, [item.revision, titleOf(item)]]))).toEqual(
          new Map([
            ['a', [2, 'new']],
            ['b', [2, 'Buy milk']],
            ['c', [1, 'Buy milk']],
            ['d', [1, 'new']],
          ]),
        );
      });

      test('of many single writes at once each is decided by itself', async () => {
        const { store, key } = under;
        const ids = Array.from({ length: 30 }, (_, place) => `item ${place}`);
        await store.items.compareAndSet(ids.slice(0, 20).map((id) => write(key, id)));
        // Of three writes of each item one is for another revision.
        const writes = ids.flatMap((id, place) => {
          const expected = place < 20 ? 1 : 0;
          return [expected, expected, 7].map((revision, writer) =>
            write(key, id, revision, {
              conflictCount: writer,
              content: content(id, 'x'.repeat(place === 5 ? 2_000_000 : 10)),
            }),
          );
        });
        const lost = await Promise.all(writes.map((one) => store.items.compareAndSet([one])));
        const stored = await store.items.load(key, ids.map(itemId));
        for (const [place, id] of ids.entries()) {
          const outcomes = lost.slice(place * 3, place * 3 + 3);
          const winner = outcomes.findIndex((outcome) => outcome.length === 0);
          expect(outcomes.filter((outcome) => outcome.length === 0)).toHaveLength(1);
          expect([0, 1]).toContain(winner);
          expect(stored.get(itemId(id))).toMatchObject({
            revision: place < 20 ? 2 : 1,
            conflictCount: winner,
          });
        }
      });

      test('of writers that race for the same items, each item has exactly one winner', async () => {
        const { store, key } = under;
        const ids = Array.from({ length: 50 }, (_, place) => `item ${place}`);
        for (const expected of [0, 1, 2]) {
          const writers = ['w1', 'w2', 'w3', 'w4'];
          const lost = await Promise.all(
            writers.map((writer) =>
              store.items.compareAndSet(
                ids.map((id) => write(key, id, expected, { content: content(id, writer) })),
              ),
            ),
          );
          const items = await store.items.load(key, ids.map(itemId));
          for (const id of ids) {
            const winners = writers.filter((_, place) => !lost[place]?.includes(itemId(id)));
            const item = items.get(itemId(id));
            expect(winners).toEqual(item && [titleOf(item)]);
            expect(items.get(itemId(id))?.revision).toBe(expected + 1);
          }
        }
      });

      test(
        'a write keeps the stored sequence, its time and the announcement, whatever the writer had ' +
          'loaded',
        async () => {
          const { store, key } = under;
          await store.items.compareAndSet([write(key, 'one')]);
          const loaded = (await store.items.load(key, [oneId])).get(oneId);
          await publishItems(store, key, [published('one', 7)], second(1));
          const stale = {
            ...write(key, 'one').item,
            ...loaded,
            sequence: 3,
            publishedAt: second(9),
            announced: undefined,
          };
          expect(await store.items.compareAndSet([{ expected: 1, item: stale }])).toEqual([]);
          const announced = { revision: 1, deleted: false, conflictCount: 0 };
          expect((await store.items.load(key, [oneId])).get(oneId)).toMatchObject({
            revision: 2,
            sequence: 7,
            publishedAt: second(1),
            announced,
          });
        },
      );

      test('nothing to write is written', async () => {
        expect(await under.store.items.compareAndSet([])).toEqual([]);
      });

      test.each(awkwardIds)('the id %j is an ordinary id', async (id) => {
        const { store, key } = under;
        expect(await store.items.compareAndSet([write(key, id)])).toEqual([]);
        expect(await store.items.compareAndSet([write(key, id)])).toEqual([id]);
        expect(await store.items.compareAndSet([write(key, id, 1)])).toEqual([]);
        const source = { id: itemId(id), subscription: beta, digest: 'd1' };
        await store.items.remember(key, [source]);
        await publishItems(store, key, [published(id, 1, 2)], second(1));
        expect(await store.items.known(key, [source])).toEqual(new Set([id]));
        const [item] = await store.items.list(key, { limit: 5 });
        expect(item).toMatchObject({ id, revision: 2, sequence: 1, content: content(id) });
        expect(await store.items.pending(key, 5)).toEqual([]);
      });

      test('what was handed in or out is not the stored item itself', async () => {
        const { store, key } = under;
        const given = write(key, 'one', 0, { sources: [{ subscription: beta, digest: 'd1' }] });
        await store.items.compareAndSet([given]);
        Object.assign(given.item.content, { conflicts: ['another'] });
        // Refused, or without an effect on what is stored.
        Reflect.set((await store.items.load(key, [oneId])).get(oneId)?.sources[0] ?? {}, 'digest', 'other');
        const stored = (await store.items.load(key, [oneId])).get(oneId);
        expect(stored?.content).toEqual(content('one'));
        expect(stored?.sources).toEqual([{ subscription: beta, digest: 'd1' }]);
      });
    });

    describe('sources', () => {
      test(
        "a remembered source takes the place of the same subscription's earlier one, and the revision " +
          'stays',
        async () => {
          const { store, key } = under;
          await store.items.compareAndSet([
            write(key, 'one', 0, {
              sources: [
                { subscription: beta, digest: 'd1' },
                { subscription: subscriptionId('gamma'), digest: 'd2' },
              ],
            }),
          ]);
          await store.items.remember(key, [
            { id: oneId, subscription: beta, digest: 'd3' },
            { id: noneId, subscription: beta, digest: 'd4' },
            { id: oneId, subscription: subscriptionId('delta'), digest: 'd5' },
          ]);
          const items = await store.items.load(key, [oneId, noneId]);
          expect([...items.keys()]).toEqual(['one']);
          expect(items.get(oneId)?.revision).toBe(1);
          expect(
            new Map(items.get(oneId)?.sources.map(({ subscription, digest }) => [subscription, digest])),
          ).toEqual(
            new Map([
              ['beta', 'd3'],
              ['gamma', 'd2'],
              ['delta', 'd5'],
            ]),
          );
          expect(items.get(oneId)?.sources).toHaveLength(3);
        },
      );

      test('a source says which document brought it last, in a write and when it is remembered', async () => {
        const { store, key } = under;
        const source = { subscription: beta, digest: 'd1', fetchPass: 'm1.feed' };
        const sources = async (): Promise<unknown> =>
          (await store.items.load(key, [oneId])).get(oneId)?.sources;
        await store.items.compareAndSet([write(key, 'one', 0, { sources: [source] })]);
        expect(await sources()).toEqual([source]);
        await store.items.remember(key, [{ id: oneId, ...source, fetchPass: 'm2.complete' }]);
        expect(await sources()).toEqual([{ ...source, fetchPass: 'm2.complete' }]);
        expect(await store.items.known(key, [{ id: oneId, ...source, fetchPass: 'm3.feed' }])).toEqual(
          new Set(['one']),
        );
        await store.items.remember(key, [{ id: oneId, subscription: beta, digest: 'd2' }]);
        expect(await sources()).toEqual([{ subscription: beta, digest: 'd2' }]);
      });

      test('a write, and what is remembered of an item that was read, leave a later source', async () => {
        const { store, key } = under;
        const [early, late] = ['m1.feed', 'm2.feed'].map((fetchPass) => ({
          subscription: beta,
          digest: 'd1',
          fetchPass,
        })) as [Source, Source];
        const other = { subscription: subscriptionId('gamma'), digest: 'd2' };
        await store.items.compareAndSet([write(key, 'one', 0, { sources: [other, early] })]);
        const loaded = await store.items.load(key, [oneId]);
        const again = { ...early, digest: 'd3' };
        await store.items.remember(key, [{ id: oneId, ...late }]);
        await store.items.remember(key, [{ id: oneId, ...again }], loaded);
        const former = loaded.get(oneId);
        const changed = { ...write(key, 'one', 1, { sources: [again] }), ...(former && { former }) };
        expect(await store.items.compareAndSet([changed])).toEqual([oneId]);
        const stored = (await store.items.load(key, [oneId])).get(oneId);
        expect(stored).toMatchObject({ revision: 1, sources: [other, late] });

        await store.items.remember(key, [{ id: oneId, ...again }], await store.items.load(key, [oneId]));
        const read = (await store.items.load(key, [oneId])).get(oneId);
        expect(read?.sources).toEqual([other, again]);
        expect(await store.items.compareAndSet([{ ...changed, ...(read && { former: read }) }])).toEqual([]);
      });

      test('known is what this very subscription brought with this very digest', async () => {
        const { store, key } = under;
        const sources = [{ subscription: beta, digest: 'd1' }];
        await store.items.compareAndSet([
          write(key, 'same', 0, { sources }),
          write(key, 'changed', 0, { sources }),
          write(key, 'elsewhere', 0, { sources }),
        ]);
        const known = await store.items.known(key, [
          { id: itemId('same'), subscription: beta, digest: 'd1' },
          { id: itemId('changed'), subscription: beta, digest: 'd2' },
          { id: itemId('elsewhere'), subscription: subscriptionId('gamma'), digest: 'd1' },
          { id: noneId, subscription: beta, digest: 'd1' },
        ]);
        expect(known).toEqual(new Set(['same']));
      });

      test('nothing to remember or to know is nothing', async () => {
        await under.store.items.remember(under.key, []);
        expect(await under.store.items.known(under.key, [])).toEqual(new Set());
      });
    });
  });
}
