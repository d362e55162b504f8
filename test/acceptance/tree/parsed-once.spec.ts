import { expect, jest, test } from '@jest/globals';
import { collectionKey } from '#core';
import { FeedScanner } from '#xml';
import { feed, nested } from '../../../apps/fetcher/src/tree/__fixtures__/feed.ts';
import { createMirror } from '../../../apps/fetcher/src/tree/__fixtures__/mirror.ts';
import { mirrorTreeFeed } from '../../../apps/merger/src/tree/mirror-tree-feed.ts';

test.each([
  ['a small feed', 10],
  ['a feed of more than 2 MiB', 800_000],
])(
  'from its download to its items, a changed nested feed is parsed once, and an unchanged one never: %s',
  async (_of, length) => {
    const mirror = createMirror({
      mirror: mirrorTreeFeed,
      tree: { limits: { depth: 5, documents: 100, links: 100, bytes: 20_000_000 } },
    });
    await mirror.subscribe();
    const news = (day: number) =>
      feed(
        'News',
        ['first', day, 'x'.repeat(length)],
        ['second', 1, 'y'.repeat(length)],
        ['third', 1, 'z'.repeat(length)],
      );
    const root = (day: number) =>
      feed('Paper', ['arts', 1, nested('arts.xml')], ['n', day, nested('news.xml')]);
    mirror.serve({ 'root.xml': root(2), 'news.xml': news(2), 'arts.xml': feed('Arts', ['one', 1]) });
    await mirror.fetch();
    mirror.serve({ 'root.xml': root(3), 'news.xml': news(3) });

    const scanned = jest.spyOn(FeedScanner.prototype, 'write');
    expect((await mirror.fetch()).mirrored).toEqual(['news.xml', 'root.xml']);
    expect(scanned.mock.calls.map(([text]) => text).join('') === root(3) + news(3)).toBe(true);
    scanned.mockRestore();
    const items = await mirror.store.items.list(collectionKey('paper'), { limit: 10 });
    expect(items.map(({ deleted }) => deleted)).toEqual(Array.from({ length: 6 }, () => false));
  },
);
