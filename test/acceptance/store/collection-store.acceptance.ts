import { describe, expect, test } from '@jest/globals';
import { collectionKey, itemId, subscriptionId } from '#core';
import type { Collection, CollectionKey } from '#core';
import { lastBlock, publishBlock, publishItems } from '../../support/published-blocks.ts';
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
import { until } from '../../support/until.ts';

/** What every store of collections does. */
export function describeCollectionStore(name: string, open: OpenFixture): void {
  describe(`Collections in ${name}`, () => {
    const under = useStore(open);
    const read = (): Promise<Collection> => until(() => under.store.collections.find(under.key));

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
      await publishBlock(store, block(key, 1, 2));
      await publishBlock(store, block(otherKey, 1, 1));
      const former = await read();

      expect(await store.collections.restart(key, 'second', 'third', 1000)).toBeUndefined();
      expect(await store.collections.restart(key, endpoint, 'second', 1000)).toBe(1002);
      expect(await store.collections.find(key)).toEqual({
        ...collection(key),
        endpoint: 'second',
        retiredEndpoints: [endpoint],
        publication: { sequence: 1002, since: 1002, relayed: 1002, updatedAt: second(1) },
      });
      expect(await lastBlock(store, key)).toBeUndefined();
      expect(await lastBlock(store, otherKey)).toMatchObject({ first: 1 });
      expect(await store.collections.unfollowed()).toEqual([otherKey]);
      expect(await store.collections.publish(former, block(key, 3, 1))).toBe(false);
      expect(await store.collections.publish(await read(), block(key, 1003, 1))).toBe(true);
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
      await store.subscriptions.put(subscription(key, 'beta'));
      await store.manifests.open(manifest(key, 'm1'));
      await store.notices.add(notice(key, 'n1'));
      await publishItems(store, key, [published('one', 1)], second(1));
      await store.deadLetters.add([deadLetter(key, 'l1')]);
      await store.feeds.put(treeFeed(key, 'news'));
      await store.documents.describe(key, [foundDocument('a')]);
      expect(await store.collections.remove(key)).toBe(true);
      expect(await store.collections.find(key)).toBeUndefined();
      expect(await store.items.load(key, [itemId('one')])).toEqual(new Map());
      expect(await store.subscriptions.find(key, subscriptionId('beta'))).toBeUndefined();
      expect(await store.manifests.find(key, 'm1')).toBeUndefined();
      expect(await store.notices.pending(key, 1)).toEqual([]);
      expect(await lastBlock(store, key)).toBeUndefined();
      expect(await store.deadLetters.find('l1')).toBeUndefined();
      expect(await store.feeds.list(key, { limit: 1 })).toEqual([]);
      expect(await store.documents.list(key, { limit: 1 })).toEqual([]);
      expect(await store.collections.remove(key)).toBe(false);
    });

    test('a name that is used again goes on with its sequences', async () => {
      const { store, key } = under;
      await store.collections.create(collection(key));
      expect(await store.collections.beganAfter(key)).toBe(0);
      await publishBlock(store, block(key, 1, 9));
      const former = await read();
      await store.collections.remove(key);
      expect(await store.collections.create(collection(key))).toBe(true);
      expect((await read()).publication).toEqual({ sequence: 9, since: 9, relayed: 9 });
      expect(await store.collections.beganAfter(key)).toBe(9);
      expect(await store.collections.publish(former, block(key, 10, 1))).toBe(false);
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
      const publish = (sequence: number): Promise<boolean> =>
        publishBlock(under.store, block(under.key, sequence, 1));
      /** Publishes a change, and follows it. */
      async function publishAndFollow(sequence: number, purgeAt?: Date): Promise<void> {
        await publish(sequence);
        await under.store.collections.follow(under.key, { relayed: sequence, since: 0 }, purgeAt);
      }

      test('is due from the earliest time that was named where a publication was followed', async () => {
        const { store, key } = under;
        await store.collections.create(collection(key));
        await publishAndFollow(1);
        expect(await due(second(1e6))).toEqual([]);
        await publishAndFollow(2, second(20));
        await publishAndFollow(3, second(30));
        await publishAndFollow(4);
        expect(await due(second(19))).toEqual([]);
        expect(await due(second(20))).toEqual([key]);
        await publishAndFollow(5, second(10));
        expect(await due(second(10))).toEqual([key]);
        expect(await read()).toEqual({
          ...collection(key),
          publication: { sequence: 5, since: 0, relayed: 5, updatedAt: second(5) },
        });
      });

      test('is put off, for good or until a time', async () => {
        const { store, key } = under;
        await store.collections.create(collection(key));
        await publishAndFollow(1, second(10));
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
        await publishAndFollow(1, second(10));
        const before = await read();
        await publishAndFollow(2);
        await store.collections.postponePurge(before, second(20));
        expect(await due(second(10))).toEqual([key]);
        const published = await read();
        await store.collections.update(key, { title, settings: { ...settings, windowAge: 700_000 } });
        await store.collections.postponePurge(published);
        expect(await due(second(10))).toEqual([key]);
        await store.collections.postponePurge(await read());
        expect(await due(second(1e6))).toEqual([]);
      });

      test('becomes due, if it never was, by being put off before all is followed', async () => {
        const { store, key } = under;
        await store.collections.create(collection(key));
        await publish(1);
        await store.collections.postponePurge(await read(), second(20));
        expect(await due(second(1))).toEqual([key]);
        await store.collections.follow(key, { relayed: 1, since: 0 });
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
  });
}
