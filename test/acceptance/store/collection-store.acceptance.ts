import { describe, expect, test } from '@jest/globals';
import { collectionKey, itemId, subscriptionId } from '#core';
import type { Collection, CollectionKey, Lease, LeasedCollection } from '#core';
import type { OpenFixture } from './fixture.ts';
import { useStore } from './fixture.ts';
import {
  block,
  collection,
  deadLetter,
  foundDocument,
  manifest,
  notice,
  published,
  second,
  subscription,
  treeFeed,
  write,
} from './samples.ts';
import { until } from './until.ts';

const minute = 60_000;

/** What every store of collections does. */
export function describeCollectionStore(name: string, open: OpenFixture): void {
  describe(`Collections in ${name}`, () => {
    const under = useStore(open);

    test('a collection is created once, also when many try at once', async () => {
      const { store, key } = under;
      const created = await Promise.all(
        ['a', 'b', 'c'].map((title) => store.collections.create({ ...collection(key), title })),
      );
      expect(created.filter(Boolean)).toHaveLength(1);
      const title = ['a', 'b', 'c'][created.indexOf(true)] ?? '';
      expect(await store.collections.find(key)).toEqual({ ...collection(key), title });
      expect(await store.collections.create(collection(key))).toBe(false);
      expect((await store.collections.find(key))?.title).toBe(title);
    });

    test('title and settings are replaced, and nothing else', async () => {
      const { store, key } = under;
      const change = { title: '', settings: { windowItems: 5, expiresAfter: 60, cleanUpHistory: true } };
      expect(await store.collections.update(key, change)).toBe(false);
      expect(await store.collections.find(key)).toBeUndefined();
      await store.collections.create(collection(key));
      expect(await store.collections.update(key, change)).toBe(true);
      expect(await store.collections.find(key)).toEqual({ ...collection(key), ...change });
    });

    test('a collection is public until it is not', async () => {
      const { store, key } = under;
      expect(await store.collections.setPublic(key, true)).toBe(false);
      await store.collections.create(collection(key));
      expect(await store.collections.setPublic(key, true)).toBe(true);
      expect(await store.collections.find(key)).toEqual({ ...collection(key), isPublic: true });
      expect(await store.collections.setPublic(key, false)).toBe(true);
      expect((await store.collections.find(key))?.isPublic).toBe(false);
    });

    test('an endpoint identifier is renewed once, and the former ones are kept', async () => {
      const { store, key } = under;
      const { endpoint } = collection(key);
      expect(await store.collections.renewEndpoint(key, endpoint, 'second')).toBe(false);
      await store.collections.create(collection(key));
      const attempts = await Promise.all(
        ['second', 'second', 'second'].map((next) => store.collections.renewEndpoint(key, endpoint, next)),
      );
      expect(attempts.filter((renewed) => renewed)).toEqual([true]);
      expect(await store.collections.renewEndpoint(key, 'second', 'third')).toBe(true);
      expect(await store.collections.find(key)).toEqual({
        ...collection(key),
        endpoint: 'third',
        retiredEndpoints: [endpoint, 'second'],
      });
    });

    test('one from a backup goes on under another identifier, far ahead and without its log', async () => {
      const { store, key } = under;
      const { endpoint } = collection(key);
      const otherKey = collectionKey(`${key}0`);
      expect(await store.collections.restart(key, endpoint, 'second', 1000)).toBeUndefined();
      await store.collections.create(collection(key));
      await store.changes.append(block(key, 1, 2));
      await store.changes.append(block(otherKey, 1, 1));
      const stale = await store.collections.lease(key, 'a', minute);
      await store.collections.advance(stale as Lease, { sequence: 1, since: 0, relayed: 0 });

      expect(await store.collections.restart(key, 'second', 'third', 1000)).toBeUndefined();
      expect(await store.collections.restart(key, endpoint, 'second', 1000)).toBe(1002);
      expect(await store.collections.find(key)).toEqual({
        ...collection(key),
        endpoint: 'second',
        retiredEndpoints: [endpoint],
        publication: { sequence: 1002, since: 1002, relayed: 1002 },
      });
      expect(await store.changes.last(key)).toBeUndefined();
      expect(await store.changes.last(otherKey)).toMatchObject({ first: 1 });
      expect(await store.collections.advance(stale as Lease, { sequence: 3, since: 0, relayed: 3 })).toBe(
        false,
      );
      expect(await store.collections.lease(key, 'b', minute)).toBeDefined();
      expect(await store.collections.interrupted()).not.toContain(key);
      await store.collections.remove(otherKey);
    });

    test('every setting is kept as it is given', async () => {
      const { store, key } = under;
      const settings = {
        ...collection(key).settings,
        windowAge: 700_000,
        tombstoneAge: 800_000,
        removeDeletedData: true,
        sharedElements: { atom: ['title', 'link:enclosure'], rss: [] },
        listSubscriptions: true,
        republishMarkup: false,
        resolution: { policy: 'prefer-endpoint', endpoint: '$a.b' },
        links: 'original',
        refreshOnDemand: false,
      } as const;
      await store.collections.create({ ...collection(key), settings });
      expect((await store.collections.find(key))?.settings).toEqual(settings);
      await store.collections.update(key, {
        title: '',
        settings: { ...settings, resolution: { policy: 'latest' } },
      });
      expect((await store.collections.find(key))?.settings.resolution).toEqual({
        policy: 'latest',
      });
      // They are compared as they are kept.
      expect(
        await store.collections.takeVacant(await until(() => store.collections.vacant(key)), 'a', minute),
      ).toBe(true);
    });

    test('a list is in ascending order of name, page after page', async () => {
      const { store, key } = under;
      const names = ['2', '-', '10', 'a'].map((end) => `${key}-x${end}`);
      try {
        for (const each of names) await store.collections.create(collection(collectionKey(each)));
        const first = await store.collections.list({ limit: 3 });
        const rest = await store.collections.list({ limit: 3, after: first.at(-1)?.key ?? '' });
        expect([...first, ...rest].map((each) => each.key)).toEqual([...names].sort());
        expect(first).toHaveLength(3);
      } finally {
        for (const each of names) await store.collections.remove(collectionKey(each));
      }
    });

    test('removing a collection removes all that is kept under its name', async () => {
      const { store, key } = under;
      await store.collections.create(collection(key));
      await store.items.compareAndSet([write(key, 'one')]);
      await store.items.markPublished(key, [published('one', 1)], second(1));
      await store.subscriptions.put(subscription(key, 'beta'));
      await store.manifests.open(manifest(key, 'm1'));
      await store.notices.add(notice(key, 'n1'));
      await store.changes.append(block(key, 1, 1));
      await store.deadLetters.add([deadLetter(key, 'l1')]);
      await store.feeds.put(treeFeed(key, 'news'));
      await store.documents.describe(key, [foundDocument('a')]);
      expect(await store.collections.remove(key)).toBe(true);
      expect(await store.collections.find(key)).toBeUndefined();
      expect(await store.items.load(key, [itemId('one')])).toEqual(new Map());
      expect(await store.subscriptions.find(key, subscriptionId('beta'))).toBeUndefined();
      expect(await store.manifests.find(key, 'm1')).toBeUndefined();
      expect(await store.notices.pending(key, 1)).toEqual([]);
      expect(await store.changes.last(key)).toBeUndefined();
      expect(await store.deadLetters.find('l1')).toBeUndefined();
      expect(await store.feeds.list(key, { limit: 1 })).toEqual([]);
      expect(await store.documents.list(key, { limit: 1 })).toEqual([]);
      expect(await store.collections.remove(key)).toBe(false);
    });

    test('a name that is used again goes on with its sequences and epochs', async () => {
      const { store, key } = under;
      await store.collections.create(collection(key));
      expect(await store.collections.beganAfter(key)).toBe(0);
      const old = await store.collections.lease(key, 'a', minute);
      if (!old) throw new Error('no lease');
      await store.collections.advance(old, { sequence: 7, since: 0, relayed: 7 });
      await store.changes.append(block(key, 8, 2));
      await store.collections.remove(key);
      expect(await store.collections.create(collection(key))).toBe(true);
      expect((await store.collections.find(key))?.publication).toEqual({
        sequence: 9,
        since: 9,
        relayed: 9,
      });
      expect(await store.collections.beganAfter(key)).toBe(9);
      expect(await store.collections.advance(old, { sequence: 99, since: 0, relayed: 99 })).toBe(false);
      expect((await store.collections.lease(key, 'b', minute))?.epoch).toBeGreaterThan(old.epoch);
    });

    describe('the lease', () => {
      test('one holder has it at a time; renewing in time keeps the epoch', async () => {
        const { store, key } = under;
        await store.collections.create(collection(key));
        const lease = await store.collections.lease(key, 'a', minute);
        expect(lease).toEqual({ collection: key, epoch: expect.any(Number) });
        expect(await store.collections.lease(key, 'b', minute)).toBeUndefined();
        expect(await store.collections.lease(key, 'a', minute)).toEqual(lease);
      });

      test('is taken together with the collection', async () => {
        const { store, key } = under;
        await store.collections.create(collection(key));
        expect(await store.collections.take(key, 'a', minute)).toEqual({
          lease: { collection: key, epoch: expect.any(Number) },
          collection: collection(key),
        });
        expect(await store.collections.take(key, 'b', minute)).toBeUndefined();
      });

      test('of many that ask at once, one gets it', async () => {
        const { store, key } = under;
        await store.collections.create(collection(key));
        const leases = await Promise.all(
          ['a', '$b', '$$ROOT', 'd'].map((holder) => store.collections.lease(key, holder, minute)),
        );
        expect(leases.filter((lease) => lease !== undefined)).toHaveLength(1);
      });

      test('a collection that does not exist cannot be leased', async () => {
        expect(await under.store.collections.lease(under.key, 'a', minute)).toBeUndefined();
      });

      test(
        'once it has run out another holder gets it, with the next epoch, and the former one can ' +
          'change nothing',
        async () => {
          const { store, key } = under;
          await store.collections.create(collection(key));
          const former = await until(() => store.collections.lease(key, 'a', 1));
          const lease = await until(() => store.collections.lease(key, 'b', minute));
          expect(lease.epoch).toBe(former.epoch + 1);
          expect(await store.collections.advance(former, { sequence: 9, since: 0, relayed: 0 })).toBe(false);
          await store.collections.release(former);
          expect(await store.collections.lease(key, 'a', minute)).toBeUndefined();
          expect((await store.collections.find(key))?.publication.sequence).toBe(0);
        },
      );

      test('a holder that comes too late gets a new epoch', async () => {
        const { store, key } = under;
        await store.collections.create(collection(key));
        const former = await until(() => store.collections.lease(key, 'a', 1));
        const renewed = await until(async () => {
          const lease = await store.collections.lease(key, 'a', 1);
          return lease?.epoch === former.epoch ? undefined : lease;
        });
        expect(renewed.epoch).toBeGreaterThan(former.epoch);
      });

      test('a released lease is free at once, with the next epoch', async () => {
        const { store, key } = under;
        await store.collections.create(collection(key));
        const former = await until(() => store.collections.lease(key, 'a', minute));
        await store.collections.release(former);
        const lease = await until(() => store.collections.lease(key, 'b', minute));
        expect(lease.epoch).toBe(former.epoch + 1);
      });
    });

    describe('a vacant lease', () => {
      const vacant = async (): Promise<LeasedCollection> =>
        until(() => under.store.collections.vacant(under.key));

      test('is that of a new collection, and of one whose lease was released', async () => {
        const { store, key } = under;
        expect(await store.collections.vacant(key)).toBeUndefined();
        await store.collections.create(collection(key));
        const first = await vacant();
        expect(first.collection).toEqual(await store.collections.find(key));
        const lease = await until(() => store.collections.lease(key, 'a', minute));
        expect(lease).toEqual(first.lease);
        expect(await store.collections.vacant(key)).toBeUndefined();
        await store.collections.release(lease, { sequence: 7, since: 0, relayed: 7 });
        expect(await vacant()).toMatchObject({
          lease: { collection: key, epoch: lease.epoch + 1 },
          collection: { publication: { sequence: 7 } },
        });
      });

      test('is none that was abandoned, or has run out', async () => {
        const { store, key } = under;
        await store.collections.create(collection(key));
        await store.collections.abandon(await until(() => store.collections.lease(key, 'a', minute)));
        expect(await store.collections.vacant(key)).toBeUndefined();
        await store.collections.release(await until(() => store.collections.lease(key, 'a', 1)));
        await until(() => store.collections.lease(key, 'a', 1));
        await until(async () => (await store.collections.interrupted()).includes(key));
        expect(await store.collections.vacant(key)).toBeUndefined();
      });

      test('is taken once, and is then as any other', async () => {
        const { store, key } = under;
        await store.collections.create(collection(key));
        const found = await vacant();
        const holders = ['a', 'b', 'c', 'd'];
        const taken = await Promise.all(
          holders.map((holder) => store.collections.takeVacant(found, holder, minute)),
        );
        expect(taken.filter(Boolean)).toHaveLength(1);
        const holder = holders[taken.indexOf(true)] ?? '';
        expect(await store.collections.lease(key, 'e', minute)).toBeUndefined();
        expect(await store.collections.lease(key, holder, minute)).toEqual(found.lease);
        expect(await store.collections.advance(found.lease, { sequence: 7, since: 0, relayed: 0 })).toBe(
          true,
        );
        await store.collections.abandon(found.lease);
        expect(await store.collections.interrupted()).toContain(key);
        const next = { ...found, lease: { ...found.lease, epoch: found.lease.epoch + 1 } };
        expect(await store.collections.takeVacant(next, 'e', minute)).toBe(false);
      });

      test('that has run out is interrupted, as any other', async () => {
        const { store, key } = under;
        await store.collections.create(collection(key));
        expect(await store.collections.takeVacant(await vacant(), 'a', 1)).toBe(true);
        await until(async () => (await store.collections.interrupted()).includes(key));
      });

      test('is not taken once anybody has had it, or settings or identifier have changed', async () => {
        const { store, key } = under;
        await store.collections.create(collection(key));
        const take = (found: LeasedCollection) => store.collections.takeVacant(found, 'b', minute);
        const before = await vacant();
        await store.collections.release(await until(() => store.collections.lease(key, 'a', minute)));
        expect(await take(before)).toBe(false);
        const { title, settings, endpoint } = collection(key);
        const changed = await vacant();
        await store.collections.update(key, { title, settings: { ...settings, expiresAfter: 1234 } });
        expect(await take(changed)).toBe(false);
        const renewed = await vacant();
        await store.collections.renewEndpoint(key, endpoint, `${endpoint}:new`);
        expect(await take(renewed)).toBe(false);
        const removed = await vacant();
        await store.collections.remove(key);
        expect(await take(removed)).toBe(false);
      });
    });

    describe('an interrupted publication', () => {
      const interrupted = async (): Promise<boolean> =>
        (await under.store.collections.interrupted()).includes(under.key);
      const leased = (holder: string, duration = minute): Promise<Lease> =>
        until(() => under.store.collections.lease(under.key, holder, duration));

      test('is none while the lease runs, nor once it is released', async () => {
        const { store, key } = under;
        await store.collections.create(collection(key));
        expect(await interrupted()).toBe(false);
        const lease = await leased('a');
        expect(await interrupted()).toBe(false);
        await leased('a');
        await store.collections.release(lease, { sequence: 7, since: 0, relayed: 7 });
        expect(await interrupted()).toBe(false);
      });

      test('is one whose lease has run out, until the next holder releases it', async () => {
        const { store, key } = under;
        await store.collections.create(collection(key));
        await leased('a', 1);
        await until(interrupted);
        const lease = await leased('b');
        expect(await interrupted()).toBe(false);
        await store.collections.release(lease);
        expect(await interrupted()).toBe(false);
      });

      test('is one whose lease was abandoned, which is free at once', async () => {
        const { store, key } = under;
        await store.collections.create(collection(key));
        const lease = await leased('a');
        await store.collections.abandon(lease);
        expect(await interrupted()).toBe(true);
        expect(await store.collections.advance(lease, { sequence: 7, since: 0, relayed: 7 })).toBe(true);
        const next = await store.collections.lease(key, 'b', minute);
        expect(next?.epoch).toBe(lease.epoch + 1);
      });

      test('that a former holder has abandoned outlives the lease of the present one', async () => {
        const { store, key } = under;
        await store.collections.create(collection(key));
        const former = await leased('a', 1);
        const present = await leased('b');
        await store.collections.abandon(former);
        expect(await interrupted()).toBe(false);
        expect(await store.collections.lease(key, 'c', minute)).toBeUndefined();
        expect(await leased('b')).toEqual(present);
        const publication = { sequence: 7, since: 2, relayed: 7 };
        await store.collections.release(present, publication);
        expect((await store.collections.find(key))?.publication).toEqual(publication);
        expect(await interrupted()).toBe(true);
        await store.collections.release(await leased('c'));
        expect(await interrupted()).toBe(false);
      });

      test('of a collection that is gone is none', async () => {
        const { store, key } = under;
        await store.collections.create(collection(key));
        const lease = await leased('a');
        await store.collections.remove(key);
        await store.collections.abandon(lease);
        expect(await interrupted()).toBe(false);
      });
    });

    describe('the purge', () => {
      const due = async (now: Date, limit = 10): Promise<CollectionKey[]> => {
        const found: CollectionKey[] = [];
        for await (const page of under.store.collections.duePurges(now, limit)) {
          expect(page.length).toBeLessThanOrEqual(limit);
          found.push(...page.map(({ key }) => key));
        }
        return found;
      };
      const read = async (): Promise<Collection> => until(() => under.store.collections.find(under.key));
      const publish = async (sequence: number, purgeAt?: Date): Promise<void> => {
        const lease = await until(() => under.store.collections.lease(under.key, 'a', minute));
        await under.store.collections.advance(lease, { sequence, since: 0, relayed: 0 }, purgeAt);
        await under.store.collections.release(lease);
      };

      test('is due from the earliest time that a publication has named', async () => {
        const { store, key } = under;
        await store.collections.create(collection(key));
        await publish(1);
        expect(await due(second(1e6))).toEqual([]);
        await publish(2, second(20));
        await publish(3, second(30));
        await publish(4);
        expect(await due(second(19))).toEqual([]);
        expect(await due(second(20))).toEqual([key]);
        expect(await read()).toEqual({
          ...collection(key),
          publication: { sequence: 4, since: 0, relayed: 0 },
        });
        await publish(5, second(10));
        expect(await due(second(10))).toEqual([key]);
      });

      test('is put off, for good or until a time', async () => {
        const { store, key } = under;
        await store.collections.create(collection(key));
        await publish(1, second(10));
        await store.collections.postponePurge(await read(), second(20));
        expect([await due(second(19)), await due(second(20))]).toEqual([[], [key]]);
        await store.collections.postponePurge(await read());
        expect(await due(second(1e6))).toEqual([]);
        await store.collections.postponePurge(await read(), second(5));
        expect(await due(second(5))).toEqual([key]);
      });

      test('stays due if the collection was published or given other settings meanwhile', async () => {
        const { store, key } = under;
        const { title, settings } = collection(key);
        await store.collections.create(collection(key));
        await publish(1, second(10));
        const before = await read();
        await publish(2);
        await store.collections.postponePurge(before, second(20));
        expect(await due(second(10))).toEqual([key]);
        const published = await read();
        await store.collections.update(key, { title, settings: { ...settings, windowAge: 700_000 } });
        await store.collections.postponePurge(published);
        expect(await due(second(10))).toEqual([key]);
        await store.collections.postponePurge(await read());
        expect(await due(second(1e6))).toEqual([]);
      });

      test('becomes due, if it never was, by being put off while the collection is published', async () => {
        const { store, key } = under;
        await store.collections.create(collection(key));
        const lease = await until(() => store.collections.lease(key, 'a', minute));
        await store.collections.postponePurge(await read(), second(20));
        expect(await due(second(1))).toEqual([key]);
        await store.collections.release(lease);
        await store.collections.postponePurge(await read(), second(20));
        expect(await due(second(1))).toEqual([]);
      });

      test('is due after every change of the settings', async () => {
        const { store, key } = under;
        const { title, settings } = collection(key);
        await store.collections.create(collection(key));
        await store.collections.update(key, { title, settings });
        expect(await due(second(0))).toEqual([key]);
      });

      test('of several is due in the order of their times, each met once', async () => {
        const { store, key } = under;
        const names = [3, 1, 2, 2, 1].map((time, place) => [collectionKey(`${key}-${place}`), time] as const);
        try {
          for (const [name] of names) await store.collections.create(collection(name));
          for (const [name, time] of names)
            await store.collections.postponePurge({ ...collection(name), key: name }, second(time));
          const places = (await due(second(9), 2)).map((name) => name.slice(key.length + 1));
          expect(places).toEqual(['1', '4', '2', '3', '0']);
        } finally {
          for (const [name] of names) await store.collections.remove(name);
        }
      });
    });

    describe('the publication', () => {
      test('it moves with the end of the lease, and not with that of a stale one', async () => {
        const { store, key } = under;
        await store.collections.create(collection(key));
        const former = await until(() => store.collections.lease(key, 'a', minute));
        await store.collections.release(former, { sequence: 7, since: 2, relayed: 7 });
        const other = collectionKey(`${key}-not-there`);
        expect(await store.collections.sequences([key, other])).toEqual(new Map([[key, 7]]));
        await until(() => store.collections.lease(key, 'b', minute));
        await store.collections.release(former, { sequence: 9, since: 9, relayed: 9 });
        expect((await store.collections.find(key))?.publication).toEqual({
          sequence: 7,
          since: 2,
          relayed: 7,
        });
        expect(await store.collections.lease(key, 'c', minute)).toBeUndefined();
      });

      test('it moves under the lease', async () => {
        const { store, key } = under;
        await store.collections.create(collection(key));
        const lease = await until(() => store.collections.lease(key, 'a', minute));
        const publication = { sequence: 7, since: 2, relayed: 5, updatedAt: second(3) };
        expect(await store.collections.advance(lease, publication)).toBe(true);
        expect(await store.collections.find(key)).toEqual({
          ...collection(key),
          publication,
        });
      });

      test('its `since` is raised by anybody, and never becomes smaller', async () => {
        const { store, key } = under;
        await store.collections.raiseSince(key, 3);
        expect(await store.collections.find(key)).toBeUndefined();
        await store.collections.create(collection(key));
        const lease = await until(() => store.collections.lease(key, 'a', minute));
        const sinceNow = async (): Promise<number | undefined> =>
          (await store.collections.find(key))?.publication.since;
        await store.collections.raiseSince(key, 3);
        await store.collections.raiseSince(key, 2);
        expect(await sinceNow()).toBe(3);
        await store.collections.advance(lease, { sequence: 7, since: 0, relayed: 7 });
        expect((await store.collections.find(key))?.publication).toEqual({
          sequence: 7,
          since: 3,
          relayed: 7,
        });
        await Promise.all([4, 6, 5].map((sequence) => store.collections.raiseSince(key, sequence)));
        expect(await sinceNow()).toBe(6);
      });

      test('it is unrelayed while the stream lacks something that is published', async () => {
        const { store, key } = under;
        await store.collections.create(collection(key));
        const lease = await until(() => store.collections.lease(key, 'a', minute));
        expect(await store.collections.unrelayed()).toEqual([]);
        await store.collections.advance(lease, { sequence: 7, since: 0, relayed: 5 });
        expect(await store.collections.unrelayed()).toEqual([key]);
        await store.collections.advance(lease, { sequence: 7, since: 0, relayed: 7 });
        expect(await store.collections.unrelayed()).toEqual([]);
      });

      test(
        'it is unrelayed if the log is ahead, as a publisher leaves it that dies before it moves ' +
          'the publication',
        async () => {
          const { store, key } = under;
          await store.collections.create(collection(key));
          await store.changes.append(block(key, 1, 2));
          await store.changes.append(block(key, 3, 2));
          expect(await store.collections.unrelayed()).toEqual([key]);
          const lease = await until(() => store.collections.lease(key, 'a', minute));
          await store.collections.advance(lease, { sequence: 4, since: 0, relayed: 4 });
          expect(await store.collections.unrelayed()).toEqual([]);
        },
      );
    });
  });
}
