import { describe, expect, test } from '@jest/globals';
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
      const { store, name } = under;
      const created = await Promise.all(
        ['a', 'b', 'c'].map((title) => store.collections.create({ ...collection(name), title })),
      );
      expect(created.filter(Boolean)).toHaveLength(1);
      const title = ['a', 'b', 'c'][created.indexOf(true)] ?? '';
      expect(await store.collections.find(name)).toEqual({ ...collection(name), title });
      expect(await store.collections.create(collection(name))).toBe(false);
      expect((await store.collections.find(name))?.title).toBe(title);
    });

    test('title and settings are replaced, and nothing else', async () => {
      const { store, name } = under;
      const change = { title: '', settings: { windowItems: 5, expiresAfter: 60, cleanUpHistory: true } };
      expect(await store.collections.update(name, change)).toBe(false);
      expect(await store.collections.find(name)).toBeUndefined();
      await store.collections.create(collection(name));
      expect(await store.collections.update(name, change)).toBe(true);
      expect(await store.collections.find(name)).toEqual({ ...collection(name), ...change });
    });

    test('an endpoint identifier is renewed once, and the former ones are kept', async () => {
      const { store, name } = under;
      const { endpoint } = collection(name);
      expect(await store.collections.renewEndpoint(name, endpoint, 'second')).toBe(false);
      await store.collections.create(collection(name));
      const attempts = await Promise.all(
        ['second', 'second', 'second'].map((next) => store.collections.renewEndpoint(name, endpoint, next)),
      );
      expect(attempts.filter((renewed) => renewed)).toEqual([true]);
      expect(await store.collections.renewEndpoint(name, 'second', 'third')).toBe(true);
      expect(await store.collections.find(name)).toEqual({
        ...collection(name),
        endpoint: 'third',
        retiredEndpoints: [endpoint, 'second'],
      });
    });

    test('every setting is kept as it is given', async () => {
      const { store, name } = under;
      const settings = {
        ...collection(name).settings,
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
      await store.collections.create({ ...collection(name), settings });
      expect((await store.collections.find(name))?.settings).toEqual(settings);
      await store.collections.update(name, {
        title: '',
        settings: { ...settings, resolution: { policy: 'latest' } },
      });
      expect((await store.collections.find(name))?.settings.resolution).toEqual({ policy: 'latest' });
    });

    test('a list is in ascending order of name, page after page', async () => {
      const { store, name } = under;
      const names = ['2', '-', '10', 'a'].map((end) => `${name}-x${end}`);
      try {
        for (const each of names) await store.collections.create(collection(each));
        const first = await store.collections.list({ limit: 3 });
        const rest = await store.collections.list({ limit: 3, after: first.at(-1)?.name ?? '' });
        expect([...first, ...rest].map((each) => each.name)).toEqual([...names].sort());
        expect(first).toHaveLength(3);
      } finally {
        for (const each of names) await store.collections.remove(each);
      }
    });

    test('removing a collection removes all that is kept under its name', async () => {
      const { store, name } = under;
      await store.collections.create(collection(name));
      await store.items.compareAndSet([write(name, 'one')]);
      await store.items.markPublished(name, [published('one', 1)], second(1));
      await store.subscriptions.put(subscription(name, 'beta'));
      await store.manifests.open(manifest(name, 'm1'));
      await store.notices.add(notice(name, 'n1'));
      await store.changes.append(block(name, 1, 1));
      await store.deadLetters.add([deadLetter(name, 'l1')]);
      await store.feeds.put(treeFeed(name, 'news'));
      await store.documents.describe(name, [foundDocument('a')]);
      expect(await store.collections.remove(name)).toBe(true);
      expect(await store.collections.find(name)).toBeUndefined();
      expect(await store.items.load(name, ['one'])).toEqual(new Map());
      expect(await store.subscriptions.find(name, 'beta')).toBeUndefined();
      expect(await store.manifests.find(name, 'm1')).toBeUndefined();
      expect(await store.notices.pending(name, 1)).toEqual([]);
      expect(await store.changes.last(name)).toBeUndefined();
      expect(await store.deadLetters.find('l1')).toBeUndefined();
      expect(await store.feeds.list(name, { limit: 1 })).toEqual([]);
      expect(await store.documents.list(name, { limit: 1 })).toEqual([]);
      expect(await store.collections.remove(name)).toBe(false);
    });

    test('a name that is used again goes on with its sequences and epochs', async () => {
      const { store, name } = under;
      await store.collections.create(collection(name));
      const old = await store.collections.lease(name, 'a', minute);
      if (!old) throw new Error('no lease');
      await store.collections.advance(old, { sequence: 7, since: 0, relayed: 7 });
      await store.changes.append(block(name, 8, 2));
      await store.collections.remove(name);
      expect(await store.collections.create(collection(name))).toBe(true);
      expect((await store.collections.find(name))?.publication).toEqual({
        sequence: 9,
        since: 9,
        relayed: 9,
      });
      expect(await store.collections.advance(old, { sequence: 99, since: 0, relayed: 99 })).toBe(false);
      expect((await store.collections.lease(name, 'b', minute))?.epoch).toBeGreaterThan(old.epoch);
    });

    describe('the lease', () => {
      test('one holder has it at a time; renewing in time keeps the epoch', async () => {
        const { store, name } = under;
        await store.collections.create(collection(name));
        const lease = await store.collections.lease(name, 'a', minute);
        expect(lease).toEqual({ collection: name, epoch: expect.any(Number) });
        expect(await store.collections.lease(name, 'b', minute)).toBeUndefined();
        expect(await store.collections.lease(name, 'a', minute)).toEqual(lease);
      });

      test('of many that ask at once, one gets it', async () => {
        const { store, name } = under;
        await store.collections.create(collection(name));
        const leases = await Promise.all(
          ['a', '$b', '$$ROOT', 'd'].map((holder) => store.collections.lease(name, holder, minute)),
        );
        expect(leases.filter((lease) => lease !== undefined)).toHaveLength(1);
      });

      test('a collection that is not there cannot be leased', async () => {
        expect(await under.store.collections.lease(under.name, 'a', minute)).toBeUndefined();
      });

      test(
        'once it has run out another holder gets it, with the next epoch, and the former one can ' +
          'change nothing',
        async () => {
          const { store, name } = under;
          await store.collections.create(collection(name));
          const former = await until(() => store.collections.lease(name, 'a', 1));
          const lease = await until(() => store.collections.lease(name, 'b', minute));
          expect(lease.epoch).toBe(former.epoch + 1);
          expect(await store.collections.advance(former, { sequence: 9, since: 0, relayed: 0 })).toBe(false);
          await store.collections.release(former);
          expect(await store.collections.lease(name, 'a', minute)).toBeUndefined();
          expect((await store.collections.find(name))?.publication.sequence).toBe(0);
        },
      );

      test('a holder that comes too late gets a new epoch', async () => {
        const { store, name } = under;
        await store.collections.create(collection(name));
        const former = await until(() => store.collections.lease(name, 'a', 1));
        const renewed = await until(async () => {
          const lease = await store.collections.lease(name, 'a', 1);
          return lease?.epoch === former.epoch ? undefined : lease;
        });
        expect(renewed.epoch).toBeGreaterThan(former.epoch);
      });

      test('a released lease is free at once, with the next epoch', async () => {
        const { store, name } = under;
        await store.collections.create(collection(name));
        const former = await until(() => store.collections.lease(name, 'a', minute));
        await store.collections.release(former);
        const lease = await until(() => store.collections.lease(name, 'b', minute));
        expect(lease.epoch).toBe(former.epoch + 1);
      });
    });

    describe('the publication', () => {
      test('it moves under the lease', async () => {
        const { store, name } = under;
        await store.collections.create(collection(name));
        const lease = await until(() => store.collections.lease(name, 'a', minute));
        const publication = { sequence: 7, since: 2, relayed: 5, updatedAt: second(3) };
        expect(await store.collections.advance(lease, publication)).toBe(true);
        expect(await store.collections.find(name)).toEqual({ ...collection(name), publication });
      });

      test('its `since` is raised by anybody, and never becomes smaller', async () => {
        const { store, name } = under;
        await store.collections.raiseSince(name, 3);
        expect(await store.collections.find(name)).toBeUndefined();
        await store.collections.create(collection(name));
        const lease = await until(() => store.collections.lease(name, 'a', minute));
        const sinceNow = async (): Promise<number | undefined> =>
          (await store.collections.find(name))?.publication.since;
        await store.collections.raiseSince(name, 3);
        await store.collections.raiseSince(name, 2);
        expect(await sinceNow()).toBe(3);
        await store.collections.advance(lease, { sequence: 7, since: 0, relayed: 7 });
        expect((await store.collections.find(name))?.publication).toEqual({
          sequence: 7,
          since: 3,
          relayed: 7,
        });
        await Promise.all([4, 6, 5].map((sequence) => store.collections.raiseSince(name, sequence)));
        expect(await sinceNow()).toBe(6);
      });

      test('it is unrelayed while the stream has not had all that is published', async () => {
        const { store, name } = under;
        await store.collections.create(collection(name));
        const lease = await until(() => store.collections.lease(name, 'a', minute));
        expect(await store.collections.unrelayed()).toEqual([]);
        await store.collections.advance(lease, { sequence: 7, since: 0, relayed: 5 });
        expect(await store.collections.unrelayed()).toEqual([name]);
        await store.collections.advance(lease, { sequence: 7, since: 0, relayed: 7 });
        expect(await store.collections.unrelayed()).toEqual([]);
      });

      test(
        'it is unrelayed where the log is ahead, as a publisher leaves it that dies before it moves ' +
          'the publication',
        async () => {
          const { store, name } = under;
          await store.collections.create(collection(name));
          await store.changes.append(block(name, 1, 2));
          await store.changes.append(block(name, 3, 2));
          expect(await store.collections.unrelayed()).toEqual([name]);
          const lease = await until(() => store.collections.lease(name, 'a', minute));
          await store.collections.advance(lease, { sequence: 4, since: 0, relayed: 4 });
          expect(await store.collections.unrelayed()).toEqual([]);
        },
      );
    });
  });
}
