import { describe, expect, test } from '@jest/globals';
import { collectionKey, rootFeed } from '#core';
import type { OpenFixture } from './fixture.ts';
import { removeAll, useStore } from './fixture.ts';
import { second, treeFeed } from './samples.ts';

/** What every store of the feeds of trees does. */
export function describeFeedStore(name: string, open: OpenFixture): void {
  describe(`Feeds in ${name}`, () => {
    const under = useStore(open);

    test('a feed is loaded as it was put', async () => {
      const { store, key } = under;
      const mirrored = { ...treeFeed(key, 'news'), url: 'http://feeds.example/$news.rss' };
      const own = { ...treeFeed(key, rootFeed), title: '', head: [] };
      expect(await store.feeds.put(mirrored)).toBe(true);
      expect(await store.feeds.put(own)).toBe(true);
      expect(await store.feeds.load(key, ['news', 'none', rootFeed])).toEqual(
        new Map([mirrored, own].map((feed) => [feed.id, feed])),
      );
      expect(await store.feeds.load(key, [])).toEqual(new Map());
    });

    test('putting it again replaces title, head and url, and nothing else', async () => {
      const { store, key } = under;
      await store.feeds.put({ ...treeFeed(key, 'news'), url: 'http://feeds.example/news' });
      await store.feeds.raise(key, ['news'], second(5));
      const change = { title: 'Old news', head: ['<ttl>5</ttl>'] };
      expect(await store.feeds.put({ ...treeFeed(key, 'news'), ...change, createdAt: second(9) })).toBe(
        false,
      );
      const feed = (await store.feeds.load(key, ['news'])).get('news');
      expect(feed).toStrictEqual({ ...treeFeed(key, 'news'), ...change, publishedAt: second(5) });
    });

    test('creating it leaves one that is there as it is', async () => {
      const { store, key } = under;
      const mirrored = { ...treeFeed(key, 'news'), url: 'http://feeds.example/news' };
      expect(await store.feeds.create(mirrored)).toBe(true);
      await store.feeds.raise(key, ['news'], second(5));
      expect(
        await store.feeds.create({
          ...treeFeed(key, 'news'),
          title: 'Other',
          publishedAt: second(9),
        } as typeof mirrored),
      ).toBe(false);
      await store.feeds.create({ ...treeFeed(key, rootFeed), publishedAt: second(9) } as typeof mirrored);
      expect(await store.feeds.list(key, { limit: 10 })).toStrictEqual([
        { ...mirrored, publishedAt: second(5) },
        treeFeed(key, rootFeed),
      ]);
    });

    test('of many that put it at once, one creates it', async () => {
      const { store, key } = under;
      const created = await Promise.all([1, 2, 3, 4].map(() => store.feeds.put(treeFeed(key, 'news'))));
      expect(created.filter(Boolean)).toHaveLength(1);
    });

    test('a put does not say when it was published', async () => {
      const { store, key } = under;
      const published = { ...treeFeed(key, 'news'), publishedAt: second(9) };
      await store.feeds.put(published);
      await store.feeds.put(published);
      expect((await store.feeds.load(key, ['news'])).get('news')).not.toHaveProperty('publishedAt');
    });

    test('when it was published is raised and never gets smaller, and nothing is made by it', async () => {
      const { store, key } = under;
      for (const id of ['a', 'b', 'c']) await store.feeds.put(treeFeed(key, id));
      await store.feeds.raise(key, ['a', 'b', 'none'], second(5));
      await Promise.all([second(7), second(6)].map((at) => store.feeds.raise(key, ['b'], at)));
      await store.feeds.raise(key, ['a', 'b'], second(5));
      await store.feeds.raise(key, [], second(9));
      expect(
        (await store.feeds.list(key, { limit: 10 })).map(({ id, publishedAt }) => [id, publishedAt]),
      ).toEqual([
        ['a', second(5)],
        ['b', second(7)],
        ['c', undefined],
      ]);
    });

    test('one whose title or head changes is pending until that very change is published', async () => {
      const { store, key } = under;
      const put = (change: object) => store.feeds.put({ ...treeFeed(key, 'news'), ...change });
      await put({ title: 'News' });
      await put({ title: '$title' });
      const [former] = await store.feeds.pending(key, 10);
      await put({ head: [] });
      const [latter] = await store.feeds.pending(key, 10);
      expect([former?.id, latter?.id, (latter?.revision ?? 0) > (former?.revision ?? 0)]).toEqual([
        'news',
        'news',
        true,
      ]);
      await store.feeds.markPublished(key, former ? [former, { id: 'none', revision: 1 }] : []);
      expect(await store.feeds.pending(key, 10)).toEqual([latter]);
      await store.feeds.markPublished(key, latter ? [latter] : []);
      expect(await store.feeds.pending(key, 10)).toEqual([]);
      await store.feeds.markPublished(key, []);
      expect((await store.feeds.load(key, ['news'])).get('news')).toStrictEqual({
        ...treeFeed(key, 'news'),
        head: [],
      });
    });

    test('a new one is not pending, nor one of which anything else changes', async () => {
      const { store, key } = under;
      await store.feeds.create(treeFeed(key, 'news'));
      await store.feeds.put(treeFeed(key, rootFeed));
      for (const id of ['news', rootFeed])
        await store.feeds.put({ ...treeFeed(key, id), url: 'http://feeds.example/news' });
      await store.feeds.raise(key, ['news'], second(5));
      expect(await store.feeds.pending(key, 10)).toEqual([]);
      await store.feeds.create({ ...treeFeed(key, 'news'), title: 'Other' });
      expect(await store.feeds.pending(key, 10)).toEqual([]);
    });

    test('all are pending again', async () => {
      const { store, key } = under;
      for (const id of ['news', rootFeed]) await store.feeds.put(treeFeed(key, id));
      await store.feeds.publishAgain(key);
      const pending = await store.feeds.pending(key, 10);
      expect(pending.map(({ id }) => id)).toEqual(['news', rootFeed]);
      await store.feeds.markPublished(key, pending);
      expect(await store.feeds.pending(key, 10)).toEqual([]);
    });

    test('one that is pending stays so when it is put again as it is, or dated', async () => {
      const { store, key } = under;
      await store.feeds.create({ ...treeFeed(key, 'news'), title: '', head: [] });
      await store.feeds.put(treeFeed(key, 'news'));
      const pending = await store.feeds.pending(key, 10);
      await store.feeds.put(treeFeed(key, 'news'));
      await store.feeds.raise(key, ['news'], second(5));
      expect(await store.feeds.pending(key, 10)).toEqual(pending);
      expect(pending).toEqual([{ id: 'news', revision: 1 }]);
    });

    test(
      'those that are pending are given in ascending order of id, at most as many as requested, with ' +
        'the collections that have any',
      async () => {
        const { store, key } = under;
        for (const title of ['old', 'new'])
          for (const id of ['b', 'a-1', 'a', 'a1']) await store.feeds.put({ ...treeFeed(key, id), title });
        await store.feeds.put(treeFeed(key, rootFeed));
        expect((await store.feeds.pending(key, 3)).map(({ id }) => id)).toEqual(['a', 'a-1', 'a1']);
        expect((await store.feeds.collectionsPending()).filter((other) => other === key)).toEqual([key]);
        await store.feeds.markPublished(key, await store.feeds.pending(key, 10));
        expect(await store.feeds.collectionsPending()).not.toContain(key);
      },
    );

    test('a list is in ascending order of id, page after page', async () => {
      const { store, key } = under;
      for (const id of ['b', 'a-1', 'a', 'a1', rootFeed]) await store.feeds.put(treeFeed(key, id));
      expect((await store.feeds.list(key, { limit: 3 })).map(({ id }) => id)).toEqual(['a', 'a-1', 'a1']);
      expect((await store.feeds.list(key, { limit: 3, after: 'a1' })).map(({ id }) => id)).toEqual([
        'b',
        rootFeed,
      ]);
    });

    test('a removed one is gone, and cannot be removed again', async () => {
      const { store, key } = under;
      await store.feeds.put(treeFeed(key, 'news'));
      expect(await store.feeds.remove(key, 'news')).toBe(true);
      expect(await store.feeds.list(key, { limit: 1 })).toEqual([]);
      expect(await store.feeds.remove(key, 'news')).toBe(false);
    });

    test('collections whose names begin alike keep apart', async () => {
      const { store, key } = under;
      const alike = collectionKey(`${key}0`);
      try {
        await store.feeds.put(treeFeed(key, 'news'));
        await store.feeds.put(treeFeed(alike, 'news'));
        await store.feeds.raise(alike, ['news'], second(5));
        expect(await store.feeds.list(key, { limit: 5 })).toEqual([treeFeed(key, 'news')]);
      } finally {
        await removeAll(store, alike);
      }
    });
  });
}
