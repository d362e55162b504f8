import { describe, expect, test } from '@jest/globals';
import { rootFeed } from '#ports';
import type { OpenFixture } from './fixture.ts';
import { useStore } from './fixture.ts';
import { second, treeFeed } from './samples.ts';

/** What every store of the feeds of trees does. */
export function describeFeedStore(name: string, open: OpenFixture): void {
  describe(`Feeds in ${name}`, () => {
    const under = useStore(open);

    test('a feed is loaded as it was put', async () => {
      const { store, name } = under;
      const mirrored = { ...treeFeed(name, 'news'), url: 'http://feeds.example/$news.rss' };
      const own = { ...treeFeed(name, rootFeed), title: '', head: [] };
      expect(await store.feeds.put(mirrored)).toBe(true);
      expect(await store.feeds.put(own)).toBe(true);
      expect(await store.feeds.load(name, ['news', 'none', rootFeed])).toEqual(new Map([mirrored, own].map((feed) => [feed.id, feed])));
      expect(await store.feeds.load(name, [])).toEqual(new Map());
    });

    test('putting it again replaces title, head and url, and nothing else', async () => {
      const { store, name } = under;
      await store.feeds.put({ ...treeFeed(name, 'news'), url: 'http://feeds.example/news' });
      await store.feeds.raise(name, ['news'], second(5));
      const change = { title: 'Old news', head: ['<ttl>5</ttl>'] };
      expect(await store.feeds.put({ ...treeFeed(name, 'news'), ...change, createdAt: second(9) })).toBe(false);
      const feed = (await store.feeds.load(name, ['news'])).get('news');
      expect(feed).toStrictEqual({ ...treeFeed(name, 'news'), ...change, publishedAt: second(5) });
    });

    test('creating it leaves one that is there as it is', async () => {
      const { store, name } = under;
      const mirrored = { ...treeFeed(name, 'news'), url: 'http://feeds.example/news' };
      expect(await store.feeds.create(mirrored)).toBe(true);
      await store.feeds.raise(name, ['news'], second(5));
      expect(await store.feeds.create({ ...treeFeed(name, 'news'), title: 'Other', publishedAt: second(9) } as typeof mirrored)).toBe(false);
      await store.feeds.create({ ...treeFeed(name, rootFeed), publishedAt: second(9) } as typeof mirrored);
      expect(await store.feeds.list(name, { limit: 10 })).toStrictEqual([{ ...mirrored, publishedAt: second(5) }, treeFeed(name, rootFeed)]);
    });

    test('of many that put it at once, one creates it', async () => {
      const { store, name } = under;
      const created = await Promise.all([1, 2, 3, 4].map(() => store.feeds.put(treeFeed(name, 'news'))));
      expect(created.filter(Boolean)).toHaveLength(1);
    });

    test('a put does not say when it was published', async () => {
      const { store, name } = under;
      const published = { ...treeFeed(name, 'news'), publishedAt: second(9) };
      await store.feeds.put(published);
      await store.feeds.put(published);
      expect((await store.feeds.load(name, ['news'])).get('news')).not.toHaveProperty('publishedAt');
    });

    test('when it was published is raised and never gets smaller, and nothing is made by it', async () => {
      const { store, name } = under;
      for (const id of ['a', 'b', 'c']) await store.feeds.put(treeFeed(name, id));
      await store.feeds.raise(name, ['a', 'b', 'none'], second(5));
      await Promise.all([second(7), second(6)].map((at) => store.feeds.raise(name, ['b'], at)));
      await store.feeds.raise(name, ['a', 'b'], second(5));
      await store.feeds.raise(name, [], second(9));
      expect((await store.feeds.list(name, { limit: 10 })).map(({ id, publishedAt }) => [id, publishedAt])).toEqual([['a', second(5)], ['b', second(7)], ['c', undefined]]);
    });

    test('a list is in ascending order of id, page after page', async () => {
      const { store, name } = under;
      for (const id of ['b', 'a-1', 'a', 'a1', rootFeed]) await store.feeds.put(treeFeed(name, id));
      expect((await store.feeds.list(name, { limit: 3 })).map(({ id }) => id)).toEqual(['a', 'a-1', 'a1']);
      expect((await store.feeds.list(name, { limit: 3, after: 'a1' })).map(({ id }) => id)).toEqual(['b', rootFeed]);
    });

    test('a removed one is gone, and cannot be removed again', async () => {
      const { store, name } = under;
      await store.feeds.put(treeFeed(name, 'news'));
      expect(await store.feeds.remove(name, 'news')).toBe(true);
      expect(await store.feeds.list(name, { limit: 1 })).toEqual([]);
      expect(await store.feeds.remove(name, 'news')).toBe(false);
    });

    test('collections whose names begin alike keep apart', async () => {
      const { store, name } = under;
      const alike = `${name}0`;
      try {
        await store.feeds.put(treeFeed(name, 'news'));
        await store.feeds.put(treeFeed(alike, 'news'));
        await store.feeds.raise(alike, ['news'], second(5));
        expect(await store.feeds.list(name, { limit: 5 })).toEqual([treeFeed(name, 'news')]);
      } finally {
        await store.collections.remove(alike);
      }
    });
  });
}
