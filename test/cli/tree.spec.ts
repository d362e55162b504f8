import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { run } from '../../apps/cli/src/run.ts';
import { answerJson, closeServers, localServer } from './local-server.ts';
import { memoryIo } from './memory-io.ts';

const nested = (feed: string, state?: string) => ({
  url: `http://here/feeds/news/${feed}.rss`,
  source: `http://there/${feed}.xml`,
  nestedFeed: true,
  onDemand: false,
  feed,
  ...(state && { state }),
});
const picture = {
  url: 'http://here/files/news/ab/a%20b.jpg',
  source: 'http://there/a%20b.jpg',
  nestedFeed: false,
  onDemand: false,
  state: 'cached',
  file: { digest: 'ab', name: 'a b.jpg', length: 3_400_000, type: 'image/jpeg' },
};
const film = {
  url: 'http://there/film.mp4',
  source: 'http://there/film.mp4',
  nestedFeed: false,
  onDemand: true,
  state: 'on-demand',
};
const missing = { rule: 'http-status', reason: 'The server answered 404.' };
const item = (id: string, links: readonly object[] = [], more: object = {}) => ({
  id,
  title: `About ${id}`,
  hidden: false,
  links,
  ...more,
});
const feed = (id: string, more: object = {}) => ({ id, title: `Feed ${id}`, state: 'cached', ...more });

/** Pages by path and query. */
let answers: Record<string, object>;
let url: string;

beforeEach(async () => {
  answers = {
    '/v1/collections/news/tree?feed=root': {
      feed: feed('root', { state: 'stale' }),
      items: [item('root:today', [nested('today', 'cached')], { hidden: true })],
      next: 'a+b',
    },
    '/v1/collections/news/tree?feed=root&cursor=a%2Bb': {
      feed: feed('root', { state: 'stale' }),
      items: [item('root:photos', [picture, film])],
    },
    '/v1/collections/news/tree?feed=today': {
      feed: feed('today'),
      items: [item('today:sport', [nested('sport', 'stale')]), item('today:up', [nested('root', 'cached')])],
    },
    '/v1/collections/news/tree?feed=sport': {
      feed: feed('sport'),
      items: [item('sport:1', [{ ...picture, state: 'stale', reason: missing }])],
    },
    '/v1/collections/news/documents?state=failed': {
      items: [{ url: 'http://there/b.pdf', state: 'failed', reason: missing }],
    },
  };
  ({ url } = await localServer((request, response) => {
    const answer = answers[request.url ?? ''];
    answerJson(response, answer ?? { title: 'Not found' }, answer === undefined ? 404 : 200);
  }));
});
afterEach(closeServers);

async function shown(...commandLine: readonly string[]): Promise<string> {
  const io = memoryIo();
  expect([await run([...commandLine, '--url', url], io), io.err()]).toEqual([0, '']);
  return io.out();
}

describe('tree', () => {
  test(
    'shows a tree with the state of everything in it, nested feeds below the links to them, each once, ' +
      'and last what could not be fetched',
    async () => {
      expect(await shown('tree', 'news')).toBe(
        [
          'root: Feed root (stale)',
          '  root:today: About root:today (hidden)',
          '    0: cached, feed today',
          '      today:sport: About today:sport',
          '        0: stale, feed sport',
          '          sport:1: About sport:1',
          '            0: stale, a b.jpg, image/jpeg, 3.4 MB: The server answered 404. [http-status]',
          '      today:up: About today:up',
          '        0: cached, feed root, shown above',
          '  root:photos: About root:photos',
          '    0: cached, a b.jpg, image/jpeg, 3.4 MB',
          '    1: on demand, http://there/film.mp4',
          'could not be fetched:',
          '  http://there/b.pdf: The server answered 404. [http-status]',
          '',
        ].join('\n'),
      );
    },
  );

  test('begins at a feed, and goes as deep and as far as the options say', async () => {
    answers['/v1/collections/news/documents?state=failed'] = { items: [] };
    expect(await shown('tree', 'news', 'sport')).toMatch(
      /^sport: Feed sport \(cached\)\n {2}sport:1: .*\n.*\n$/,
    );
    expect(await shown('tree', 'news', '--depth', '1')).toContain(
      'today:sport: About today:sport\n        0: stale, feed sport, not shown (--depth)\n',
    );
    expect(await shown('tree', 'news', '--depth', '0')).toContain(
      '0: cached, feed today, not shown (--depth)\n  root:photos',
    );
    expect(await shown('tree', 'news', '--maximum-feeds', '2')).toContain(
      '0: stale, feed sport, not shown (--maximum-feeds)\n',
    );
  });

  test(
    'does not follow a nested feed that does not count, and says of links without a state that they ' +
      'lead elsewhere',
    async () => {
      answers['/v1/collections/news/tree?feed=today'] = {
        feed: feed('today'),
        items: [
          item('today:two', [nested('a'), nested('b')]),
          item('today:out', [{ ...film, state: undefined }]),
        ],
      };
      expect(await shown('tree', 'news', 'today')).toContain(
        '    0: elsewhere, feed a\n    1: elsewhere, feed b\n  today:out: About today:out\n    0: ' +
          'elsewhere, http://there/film.mp4\n',
      );
    },
  );

  test('is JSON with all that the service says, a feed before those that are nested in it', async () => {
    const { feeds, failed } = JSON.parse(await shown('tree', 'news', '-o', 'json')) as {
      feeds: { id: string; depth: number; items: object[] }[];
      failed: object[];
    };
    expect(feeds.map(({ id, depth }) => [id, depth])).toEqual([
      ['root', 0],
      ['today', 1],
      ['sport', 2],
    ]);
    expect(feeds[0]?.items).toEqual([
      item('root:today', [nested('today', 'cached')], { hidden: true }),
      item('root:photos', [picture, film]),
    ]);
    expect(failed).toEqual([{ url: 'http://there/b.pdf', state: 'failed', reason: missing }]);
    answers['/v1/collections/news/documents?state=failed'] = { items: [] };
    expect(JSON.parse(await shown('tree', 'news', 'sport', '-o', 'json'))).toMatchObject({
      feeds: [{ id: 'sport' }],
      failed: [],
    });
  });

  test('is coloured on a terminal, and steers it with nothing that is in the tree', async () => {
    answers['/v1/collections/news/tree?feed=today'] = {
      feed: feed('today'),
      items: [
        item('today:x', [{ ...film, state: 'failed', reason: { rule: 'x', reason: 'Be\u001b[2Jware' } }]),
      ],
    };
    const io = memoryIo({ terminal: true });
    expect(await run(['tree', 'news', 'today', '--url', url], io)).toBe(0);
    expect(io.out()).toContain(
      '0: \u001b[31mfailed\u001b[39m, http://there/film.mp4: Be [2Jware \u001b[2m[x]\u001b[22m\n',
    );
  });

  test('ends with 3 if there is no such feed', async () => {
    expect(await run(['tree', 'news', 'nowhere', '--url', url], memoryIo())).toBe(3);
  });
});

describe('an item of a tree', () => {
  const photos = {
    ...item('root:photos', [picture, { ...picture, state: undefined }, film], { content: 'Look' }),
    feed: 'root',
    guid: 'photos',
    deleted: false,
    version: 2,
    lastBuildDate: '2026-01-01T00:00:00.000Z',
    revision: 3,
  };

  test('is shown with its links, their present and former targets, and how to get the rest', async () => {
    answers['/v1/collections/news/items/root%3Aphotos'] = photos;
    expect(await shown('item', 'news', 'root:photos')).toBe(
      [
        'root:photos: About root:photos (version 2)',
        '  feed: root',
        '  lastBuildDate: 2026-01-01T00:00:00.000Z',
        '  content: Look',
        '  link 0: cached, a b.jpg, image/jpeg, 3.4 MB',
        '    http://here/files/news/ab/a%20b.jpg',
        '    from http://there/a%20b.jpg',
        '  link 1: elsewhere, a b.jpg, image/jpeg, 3.4 MB',
        '    http://here/files/news/ab/a%20b.jpg',
        '    from http://there/a%20b.jpg',
        '  link 2: on demand, http://there/film.mp4',
        '    to fetch it: feedmesh fetch COLLECTION ID 2',
        '',
      ].join('\n'),
    );
    expect(JSON.parse(await shown('item', 'news', 'root:photos', '-o', 'json'))).toEqual(
      JSON.parse(JSON.stringify(photos)),
    );
  });

  test('is listed with its date and how many of its links are in which state', async () => {
    answers['/v1/collections/news'] = {
      name: 'news',
      protocol: 'cse',
      links: { feed: `${url}/feeds/news.rss`, tree: `${url}/v1/collections/news/tree` },
    };
    answers['/v1/collections/news/items'] = {
      items: [
        photos,
        {
          ...photos,
          id: 'root:gone',
          title: undefined,
          hidden: true,
          deleted: true,
          links: [],
          lastBuildDate: undefined,
        },
        { ...photos, id: 'root:more', links: [picture, picture] },
      ],
    };
    expect(await shown('ls', 'news')).toBe(
      [
        'root:photos\tAbout root:photos\t2\t2026-01-01T00:00:00.000Z\t1 cached, 1 elsewhere, 1 on demand\t\t',
        'root:gone\t\t2\t\t\thidden\tdeleted',
        'root:more\tAbout root:photos\t2\t2026-01-01T00:00:00.000Z\t2 cached\t\t',
        '',
      ].join('\n'),
    );
  });
});
