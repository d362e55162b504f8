import { beforeEach, describe, expect, test } from '@jest/globals';
import { collectionKey, itemId, subscriptionId } from '#core';
import type { Collection, PublicationOutcome, Store, Subscription } from '#core';
import { publishBlock } from '../../support/published-blocks.ts';
import type { OpenFixture } from './fixture.ts';
import { useStore } from './fixture.ts';
import { block, collection, event, notice, published, second, subscription, write } from './samples.ts';
import { until } from '../../support/until.ts';

/** How every store of collections publishes what is pending. */
export function describePublications(name: string, open: OpenFixture): void {
  describe(`Publications in ${name}`, () => {
    const under = useStore(open);
    const read = (): Promise<Collection> => until(() => under.store.collections.find(under.key));

    beforeEach(async () => {
      await under.store.collections.create(collection(under.key));
    });

    /** What a publication may change. */
    async function state({ collections, changes, items, notices }: Store): Promise<unknown[]> {
      return Promise.all([
        collections.find(under.key),
        collections.unfollowed(),
        changes.read(under.key, 0, 100),
        items.list(under.key, { limit: 100 }),
        items.pending(under.key, 100),
        notices.pending(under.key, 100),
      ]);
    }

    /** Makes an item and a notice pending, for a block with them. */
    async function addPending(): Promise<void> {
      await under.store.items.compareAndSet([write(under.key, 'item 1')]);
      await under.store.notices.add(notice(under.key, 'n1'));
    }

    describe('the end of a fetch', () => {
      const peer = subscriptionId('peer');
      const at = second(50);
      const next = { nextFetchAt: second(100), nextFetchReason: 'The feed asks for it.' };
      const seal = { ...next, cursor: { etag: '"2"' }, batches: 1, items: 3, known: 1, resynced: false };
      const end = (former: Collection, manifest = 'm'): Promise<PublicationOutcome> =>
        under.store.subscriptions.completePublished(
          {
            collection: under.key,
            id: peer,
            manifest,
            result: { ...next, report: { at, outcome: 'fetched' }, cursor: { etag: '"2"' } },
          },
          former,
          { collection: under.key, first: 1, events: [event(under.key, 1)], items: [], notices: [], at },
        );
      const find = (): Promise<Subscription | undefined> => under.store.subscriptions.find(under.key, peer);

      beforeEach(async () => {
        const { store, key } = under;
        await store.subscriptions.put(subscription(key, peer));
        await store.subscriptions.lease(key, peer, 'm', 60_000, undefined, seal);
      });

      test('is published with it, and the lease has gone with its seal', async () => {
        const { store, key } = under;
        expect(await find()).toMatchObject({ manifest: 'm', seal });
        expect(await end(await read())).toBe('published');
        const ended = await find();
        expect(ended).toMatchObject({ ...next, cursor: { etag: '"2"' }, last: { at, outcome: 'fetched' } });
        expect(ended).not.toHaveProperty('manifest');
        expect(ended).not.toHaveProperty('seal');
        expect(await store.changes.read(key, 0, 10)).toEqual([event(key, 1)]);
        expect((await read()).publication).toEqual({ sequence: 1, since: 0, relayed: 0, updatedAt: at });
      });

      test('keeps the time of a refresh that was requested meanwhile', async () => {
        const requested = { nextFetchAt: second(7), nextFetchReason: 'It was requested.' };
        await under.store.subscriptions.refresh(under.key, peer, requested, false);
        expect(await end(await read())).toBe('published');
        expect(await find()).toMatchObject({ ...requested, cursor: { etag: '"2"' } });
      });

      test('is neither recorded nor published once somebody else has published', async () => {
        const former = await read();
        await publishBlock(under.store, { ...block(under.key, 1, 1), items: [] });
        const before = [await find(), await read()];
        expect(await end(former)).toBe('raced');
        expect([await find(), await read()]).toEqual(before);
      });

      test('is neither recorded nor published if the lease has been lost', async () => {
        const before = [await find(), await read()];
        expect(await end(await read(), 'another')).toBe('refused');
        expect([await find(), await read()]).toEqual(before);
        expect(await under.store.changes.read(under.key, 0, 10)).toEqual([]);
      });

      test('leaves the seal of a former lease behind', async () => {
        const { store, key } = under;
        await store.subscriptions.releaseAll([{ collection: key, id: peer, manifest: 'm', next }]);
        await store.subscriptions.lease(key, peer, 'n', 60_000);
        expect(await find()).not.toHaveProperty('seal');
      });
    });

    describe('a block', () => {
      test('is in the log, its items and notices have it, and the collection is at its end', async () => {
        const { store, key } = under;
        await addPending();
        await store.items.compareAndSet([write(key, 'item 2')]);
        await store.notices.add(notice(key, 'n2'));
        const former = await read();
        const published = { ...block(key, 1, 1), notices: ['n1', 'none'], at: second(9) };
        expect(await store.collections.publish(former, published)).toBe(true);
        const publication = { sequence: 1, since: 0, relayed: 0, updatedAt: second(9) };
        expect(await read()).toEqual({ ...former, publication });
        expect(await store.collections.sequences([key, collectionKey(`${key}-no`)])).toEqual(
          new Map([[key, 1]]),
        );
        expect(await store.collections.unfollowed()).toEqual([key]);
        expect(await store.changes.read(key, 0, 10)).toEqual([event(key, 1)]);
        expect(await store.changes.blocks(key, 0, 1)).toEqual([
          { first: 1, events: [event(key, 1)], at: second(9) },
        ]);
        expect((await store.items.load(key, [itemId('item 1')])).get(itemId('item 1'))).toMatchObject({
          sequence: 1,
          publishedAt: second(9),
          announced: { revision: 1, deleted: false, conflictCount: 0 },
        });
        expect((await store.items.pending(key, 10)).map(({ id }) => id)).toEqual(['item 2']);
        expect(await store.notices.pending(key, 10)).toEqual([notice(key, 'n2')]);
      });

      test('leaves an item pending that has changed since, with what was announced', async () => {
        const { store, key } = under;
        await store.items.compareAndSet([write(key, 'item 1')]);
        await store.items.compareAndSet([write(key, 'item 1', 1)]);
        await publishBlock(store, block(key, 1, 1));
        expect(await store.items.pending(key, 10)).toMatchObject([
          { id: 'item 1', revision: 2, sequence: 1, announced: { revision: 1 } },
        ]);
        await publishBlock(store, { ...block(key, 2, 1), items: [published('item 1', 2, 2)] });
        expect(await store.items.pending(key, 10)).toEqual([]);
      });

      test('is published in a collection with any settings', async () => {
        const { store, key } = under;
        const settings = {
          ...collection(key).settings,
          sharedElements: { atom: ['title', 'link:enclosure'], rss: [] },
          resolution: { policy: 'prefer-endpoint', endpoint: '$a.b' },
          windowAge: 700_000,
        } as const;
        await store.collections.update(key, { title: '', settings });
        expect(await publishBlock(store, block(key, 1, 1))).toBe(true);
        expect(await store.collections.setPublicationTime(await read(), second(7))).toBe(true);
      });
    });

    describe('neither a block nor a time', () => {
      const { title, settings } = collection(collectionKey('any'));
      const updates = (change: Partial<Collection['settings']>) => (store: Store) =>
        store.collections.update(under.key, { title, settings: { ...settings, ...change } });

      test.each<readonly [what: string, change: (store: Store) => Promise<unknown>]>([
        ['was published', async (store) => publishBlock(store, block(under.key, 1, 1))],
        ['was given a time', async (store) => store.collections.setPublicationTime(await read(), second(2))],
        ['was given a setting', updates({ includeItem: true })],
        ['was given another setting', updates({ windowItems: 7 })],
        [
          'signs with another identifier',
          (store) => store.collections.renewEndpoint(under.key, 'feedmesh:alpha', 'second'),
        ],
        [
          'comes from a backup',
          (store) => store.collections.restart(under.key, 'feedmesh:alpha', 'second', 10),
        ],
        ['is removed', (store) => store.collections.remove(under.key)],
      ])('is given to a collection that meanwhile %s, and nothing is changed', async (_what, change) => {
        const { store, key } = under;
        const former = await read();
        await change(store);
        await addPending();
        const before = await state(store);
        // A place that is free in each log, so that the log does not refuse it.
        const late = { ...block(key, 50, 1), items: [published('item 1', 50)], notices: ['n1'] };
        expect(await store.collections.publish(former, late)).toBe(false);
        expect(await store.collections.setPublicationTime(former, second(9))).toBe(false);
        expect(await state(store)).toEqual(before);
      });

      test('is given to one that never was', async () => {
        const { store, key } = under;
        const none = collectionKey(`${key}-no`);
        expect(await store.collections.publish(collection(none), block(none, 1, 1))).toBe(false);
        expect(await store.collections.setPublicationTime(collection(none), second(9))).toBe(false);
        expect(await store.changes.read(none, 0, 1)).toEqual([]);
      });
    });

    test('a new title, and who may read it, keep no block away', async () => {
      const { store, key } = under;
      const former = await read();
      await store.collections.setPublic(key, true);
      await store.collections.update(key, { title: 'new', settings: former.settings });
      expect(await store.collections.publish(former, block(key, 1, 1))).toBe(true);
    });

    test('of many that publish after the same state at once, one does', async () => {
      const { store, key } = under;
      const former = await read();
      const counts = Array.from({ length: 10 }, (_, place) => place + 1);
      const outcomes = await Promise.all(
        counts.map((count) => store.collections.publish(former, block(key, 1, count))),
      );
      expect(outcomes.filter(Boolean)).toEqual([true]);
      const count = counts[outcomes.indexOf(true)] ?? 0;
      expect(await store.changes.read(key, 0, 100)).toEqual(block(key, 1, count).events);
      expect((await read()).publication.sequence).toBe(count);
    });

    test('of many that set the time of the same state at once, one does', async () => {
      const { store, key } = under;
      const former = await read();
      const outcomes = await Promise.all(
        [1, 2, 3, 4].map((at) => store.collections.setPublicationTime(former, second(at))),
      );
      expect(outcomes.filter(Boolean)).toEqual([true]);
      const updatedAt = second(outcomes.indexOf(true) + 1);
      expect(await read()).toEqual({ ...former, publication: { ...former.publication, updatedAt } });
      expect(await store.changes.read(key, 0, 1)).toEqual([]);
      expect(await store.collections.unfollowed()).toEqual([]);
    });

    test('a collection is unfollowed until all that was published is recorded as followed', async () => {
      const { store, key } = under;
      const { collections } = store;
      await collections.follow(key, { relayed: 0, since: 0 });
      expect(await collections.unfollowed()).toEqual([]);
      await publishBlock(store, block(key, 1, 2));
      await publishBlock(store, block(key, 3, 2));
      await collections.follow(key, { relayed: 2, since: 1 });
      expect(await collections.unfollowed()).toEqual([key]);
      await collections.follow(key, { relayed: 4, since: 0 });
      expect(await collections.unfollowed()).toEqual([]);
      await collections.follow(key, { relayed: 2, since: 3 });
      const publication = { sequence: 4, since: 3, relayed: 4, updatedAt: second(3) };
      expect((await read()).publication).toEqual(publication);
      await publishBlock(store, block(key, 5, 1));
      expect(await collections.unfollowed()).toEqual([key]);
      await collections.remove(key);
      await collections.follow(key, { relayed: 5, since: 5 }, second(1));
      expect([await collections.unfollowed(), await collections.find(key)]).toEqual([[], undefined]);
    });

    test('`since` is raised by anybody, and never becomes smaller', async () => {
      const { store, key } = under;
      await store.collections.raiseSince(collectionKey(`${key}-no`), 3);
      const sinceNow = async (): Promise<number> => (await read()).publication.since;
      await store.collections.raiseSince(key, 3);
      await store.collections.raiseSince(key, 2);
      expect(await sinceNow()).toBe(3);
      await publishBlock(store, block(key, 1, 7));
      await store.collections.follow(key, { relayed: 7, since: 0 });
      expect(await sinceNow()).toBe(3);
      await Promise.all([4, 6, 5].map((sequence) => store.collections.raiseSince(key, sequence)));
      expect(await sinceNow()).toBe(6);
    });
  });
}
