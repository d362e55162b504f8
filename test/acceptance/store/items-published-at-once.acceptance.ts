import { beforeEach, describe, expect, test } from '@jest/globals';
import { writtenBlocks } from '#items';
import type { ChangeEvent } from '#contracts';
import { itemId } from '#core';
import type { ComposeBlock, ItemWrite, Store } from '#core';
import { publishBlock } from '../../support/published-blocks.ts';
import type { OpenFixture } from './fixture.ts';
import { useStore } from './fixture.ts';
import { block, collection, second, write } from './samples.ts';

let time = second(10);
const blocks = writtenBlocks({ now: () => time, publicUrl: 'http://here.example' });

/** What every store does with items that are published as they are written. */
export function describeItemsPublishedAtOnce(name: string, open: OpenFixture): void {
  describe(`Items published as they are written in ${name}`, () => {
    let compose: ComposeBlock = blocks;
    const under = useStore(open, (...written) => compose(...written));

    beforeEach(async () => {
      time = second(10);
      compose = blocks;
      await under.store.collections.create(collection(under.key));
    });

    const events = ({ changes }: Store): Promise<ChangeEvent[]> => changes.read(under.key, 0, 1000);

    test('have their sequences, their events are in the log, and nothing is pending', async () => {
      const { store, key } = under;
      expect(await store.items.compareAndSet([write(key, 'one'), write(key, 'two')])).toEqual([]);
      const [one, two] = (await store.items.load(key, ['one', 'two'].map(itemId))).values();
      expect([one?.sequence, two?.sequence]).toEqual([1, 2]);
      expect(one).toMatchObject({
        revision: 1,
        publishedAt: second(10),
        announced: { revision: 1, deleted: false, conflictCount: 0 },
      });
      expect(await store.items.pending(key, 10)).toEqual([]);
      expect((await events(store)).map(({ subject, type, sequence }) => [subject, type, sequence])).toEqual([
        ['one', 'feedmesh.item.created.v1', '0000000000000001'],
        ['two', 'feedmesh.item.created.v1', '0000000000000002'],
      ]);
      expect((await store.collections.find(key))?.publication).toEqual({
        sequence: 2,
        since: 0,
        relayed: 0,
        updatedAt: second(10),
      });
      expect((await store.collections.sequences([key])).get(key)).toBe(2);
    });

    test('get another sequence, and an event by what was announced, with each revision', async () => {
      const { store, key } = under;
      await store.items.compareAndSet([write(key, 'one')]);
      await store.items.compareAndSet([await next(store, 'one', { deleted: true })]);
      time = second(5);
      await store.items.compareAndSet([await next(store, 'one')]);
      expect((await events(store)).map(({ type }) => type)).toEqual(
        ['created', 'deleted', 'undeleted'].map((change) => `feedmesh.item.${change}.v1`),
      );
      const item = (await store.items.load(key, [itemId('one')])).get(itemId('one'));
      // The clock went back; the time of what is published does not.
      expect(item).toMatchObject({ revision: 3, sequence: 3, publishedAt: second(10) });
    });

    test('that lost the race change nothing and take no sequence; the rest of their batch do', async () => {
      const { store, key } = under;
      await store.items.compareAndSet([write(key, 'one'), write(key, 'two')]);
      const stale = await next(store, 'one');
      await store.items.compareAndSet([stale]);
      const batch = [stale, await next(store, 'two'), write(key, 'two'), write(key, 'three')];
      expect((await store.items.compareAndSet(batch)).toSorted()).toEqual(['one', 'two']);
      expect((await events(store)).map(({ subject }) => subject)).toEqual([
        'one',
        'two',
        'one',
        'two',
        'three',
      ]);
      expect(sequencesOf(await events(store))).toEqual([1, 2, 3, 4, 5]);
    });

    test('go on after what others have published, by the settings of now', async () => {
      const { store, key } = under;
      await store.items.compareAndSet([write(key, 'one')]);
      await publishBlock(store, block(key, 2, 3));
      await store.items.compareAndSet([write(key, 'two')]);
      expect(sequencesOf(await events(store))).toEqual([1, 2, 3, 4, 5]);
      const { title, settings } = collection(key);
      await store.collections.update(key, { title, settings: { ...settings, includeItem: true } });
      await store.items.compareAndSet([write(key, 'three')]);
      // Events with items are left to a publisher.
      expect((await store.items.pending(key, 10)).map(({ id }) => id)).toEqual(['three']);
      expect(await events(store)).toHaveLength(5);
    });

    test('wait for a publisher if no block can be composed, or the collection is gone', async () => {
      const { store, key } = under;
      await store.items.compareAndSet([write(key, 'one')]);
      compose = () => undefined;
      await store.items.compareAndSet([await next(store, 'one'), write(key, 'two')]);
      expect(await store.items.pending(key, 10)).toMatchObject([
        { id: 'one', revision: 2, sequence: 1, announced: { revision: 1 } },
        { id: 'two' },
      ]);
      compose = blocks;
      await store.collections.remove(key);
      await store.items.compareAndSet([write(key, 'three')]);
      expect((await store.items.pending(key, 10)).map(({ id }) => id)).toEqual(['three']);
      expect(await events(store)).toEqual([]);
    });

    test('are found until a publisher has followed them', async () => {
      const { store, key } = under;
      await store.items.compareAndSet([write(key, 'one'), write(key, 'two')]);
      expect(await store.collections.unfollowed()).toEqual([key]);
      await store.collections.follow(key, { relayed: 2, since: 0 });
      expect(await store.collections.unfollowed()).toEqual([]);
    });

    test('written by many at the same time have sequences without a gap, each once', async () => {
      const { store, key } = under;
      const ids = Array.from({ length: 40 }, (_, place) => `item ${place}`);
      await Promise.all(ids.map((id) => store.items.compareAndSet([write(key, id)])));
      const stored = await store.items.load(key, ids.map(itemId));
      const sequences = [...stored.values()].map(({ sequence }) => sequence ?? 0);
      const all = ids.map((_id, place) => place + 1);
      expect(sequences.toSorted((one, other) => one - other)).toEqual(all);
      const logged = await events(store);
      expect(sequencesOf(logged)).toEqual(all);
      for (const { subject, sequence } of logged)
        expect(stored.get(itemId(subject))?.sequence).toBe(Number(sequence));
    });

    /** The next revision of an item that is stored. */
    async function next(store: Store, id: string, more: Partial<ItemWrite['item']> = {}): Promise<ItemWrite> {
      const former = (await store.items.load(under.key, [itemId(id)])).get(itemId(id));
      if (former === undefined) throw new Error(`there is no item ${id}`);
      return { ...write(under.key, id, former.revision, more), former };
    }
  });
}

function sequencesOf(events: readonly ChangeEvent[]): number[] {
  return events.map(({ sequence }) => Number(sequence));
}
