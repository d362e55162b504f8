import { describe, expect, jest, test } from '@jest/globals';
import { defaultScanLimits } from '#xml';
import { collectionKey } from '#core';
import { at, createMirror, rootUrl } from './__fixtures__/mirror.ts';
import type { MirrorOptions } from './__fixtures__/mirror.ts';
import { feed, file, nested, onDemand } from './__fixtures__/feed.ts';

const paper = collectionKey('paper');

/** A tree of three levels, with a file that two feeds name. */
const site = {
  'root.xml': feed(
    'Paper',
    ['news', 3, nested('news.xml')],
    ['arts', 2, nested('arts.xml')],
    ['logo', 2, file('logo.png')],
  ),
  'news.xml': feed('News', ['1', 3, nested('today.xml')], ['2', 2, file('a.jpg'), file('shared.jpg')]),
  'arts.xml': feed('Arts', ['3', 2, file('b.jpg'), file('shared.jpg')]),
  'today.xml': feed('Today', ['4', 3, file('c.jpg')]),
  'logo.png': 'logo',
  'a.jpg': 'a',
  'b.jpg': 'bb',
  'c.jpg': 'ccc',
  'shared.jpg': 'shared',
};

async function syncedMirror(options: MirrorOptions = {}) {
  const mirror = createMirror(options);
  await mirror.subscribe();
  mirror.serve(site);
  const first = await mirror.fetch();
  return { ...mirror, first };
}

describe('the first fetch of a tree', () => {
  test(
    'downloads the feeds of each level, then the files, each once, and asks for the feeds to be ' +
      'mirrored, those of deeper levels first',
    async () => {
      const { first, subscription, store } = await syncedMirror();
      expect(first.asked.slice(0, 1)).toEqual(['root.xml']);
      expect(first.asked.slice(1, 3).toSorted()).toEqual(['arts.xml', 'news.xml']);
      expect(first.asked.slice(3, 4)).toEqual(['today.xml']);
      expect(first.asked.slice(4).toSorted()).toEqual(['a.jpg', 'b.jpg', 'c.jpg', 'logo.png', 'shared.jpg']);
      expect(first.mirrored).toHaveLength(4);
      expect([first.mirrored[0], first.mirrored.at(-1)]).toEqual(['today.xml', 'root.xml']);
      const bytes = Object.values(site).reduce((sum, { length }) => sum + length, 0);
      expect(first.manifest?.seal).toMatchObject({
        cursor: {},
        batches: 4,
        items: 7,
        known: 0,
        resynced: false,
        progress: { done: 9, total: 9, bytes, failed: 0 },
        feed: { title: 'Paper' },
      });
      expect(first.manifest?.done.toSorted()).toEqual([0, 1, 2, 3]);
      expect((await subscription())?.progress ?? first.manifest?.seal?.progress).toMatchObject({ done: 9 });
      // Nine documents, and what the four feeds among them were parsed to.
      expect(await store.contents.list(collectionKey('paper'), { limit: 100 })).toHaveLength(13);
    },
  );

  test('records of every document what the tree says of it and which copy the cache holds', async () => {
    const { document } = await syncedMirror();
    expect(await document('shared.jpg')).toMatchObject({
      isFeed: false,
      onDemand: false,
      lastBuildDate: '2026-01-02T00:00:00Z',
      copy: { length: 6, lastBuildDate: '2026-01-02T00:00:00Z', isFeed: false, base: at('shared.jpg') },
      outcome: { kind: 'arrived', bytes: 6 },
    });
    expect(await document('today.xml')).toMatchObject({
      isFeed: true,
      lastBuildDate: '2026-01-03T00:00:00Z',
      copy: { isFeed: true, type: 'application/rss+xml' },
    });
    expect((await document('root.xml'))?.merged).toMatch(/^[0-9a-f]{64}$/);
  });

  test(
    'sends jobs of one host that hold no more than a batch, and no more of them at once than the host ' +
      'may have',
    async () => {
      const mirror = createMirror({ tree: { batch: 3, parallelPerHost: 2, parallel: 10 } });
      await mirror.subscribe();
      const names = Array.from({ length: 14 }, (_, index) => `${index}.bin`);
      mirror.serve({
        'root.xml': feed('Files', ['1', 2, ...names.map(file)]),
        ...Object.fromEntries(names.map((name) => [name, name])),
      });
      let most = 0;
      mirror.onPause(async () => void (most = Math.max(most, await mirror.queue.backlog('download'))));
      await mirror.fetch();
      expect(mirror.jobs.map(({ documents }) => documents.length)).toEqual([3, 3, 3, 3, 2]);
      expect(most).toBe(2);
    },
  );
});

describe('a further fetch', () => {
  test(
    'after the subscription was given another URL mirrors all of the tree that is there, though ' +
      'nothing in it has changed',
    async () => {
      const { fetch, store, subscription } = await syncedMirror();
      const former = await subscription();
      if (former !== undefined) await store.subscriptions.put({ ...former, url: at('news.xml') });
      expect((await fetch()).mirrored).toEqual(['today.xml', 'news.xml']);
      expect((await fetch()).mirrored).toEqual([]);
    },
  );

  test('asks for the root alone where nothing has changed, and mirrors nothing', async () => {
    const { fetch } = await syncedMirror();
    expect(await fetch()).toMatchObject({
      asked: ['root.xml?'],
      mirrored: [],
      manifest: { seal: { batches: 0, progress: { done: 1, total: 1, bytes: 0, failed: 0 } } },
    });
  });

  test('reads no copy where nothing has changed, also if the server ignores conditions', async () => {
    const { fetch, http, store, subscription } = await syncedMirror();
    const cursor = (await subscription())?.cursor;
    expect(cursor?.tree?.signature).toMatch(/^[0-9a-f]{64}$/);
    const read = jest.spyOn(store.contents, 'read');
    await fetch();
    const body = site['root.xml'];
    http.serve(rootUrl, () => ({ status: 200, headers: { 'content-type': 'application/rss+xml' }, body }));
    await fetch();
    expect((await subscription())?.last).toMatchObject({ outcome: 'not-modified' });
    expect(read).not.toHaveBeenCalled();
    expect((await subscription())?.cursor.tree?.signature).toBe(cursor?.tree?.signature);
  });

  test('asks again at the time that the root says, whether or not it has changed', async () => {
    const mirror = createMirror();
    await mirror.subscribe();
    mirror.serve({
      'root.xml': feed('Paper').replace('</channel>', '<ttl>59</ttl></channel>'),
    });
    const first = await mirror.fetch();
    const second = await mirror.fetch();
    expect(first.manifest?.seal?.nextFetchReason).toMatch(/ttl is 3540 s/);
    expect(second.manifest?.seal?.nextFetchReason).toBe(first.manifest?.seal?.nextFetchReason);
  });

  test('walks through the whole tree again if a document has failed, or a limit has changed', async () => {
    const mirror = createMirror();
    await mirror.subscribe();
    mirror.serve({ ...site, 'a.jpg': undefined });
    await mirror.fetch();
    expect((await mirror.subscription())?.cursor).toEqual({});
    mirror.serve({ 'a.jpg': 'a' });
    expect((await mirror.fetch()).asked).toEqual(['root.xml?', 'a.jpg']);
    Object.assign(mirror.settings.tree, { limits: { ...mirror.settings.tree.limits, links: 15 } });
    await mirror.fetch();
    expect((await mirror.document('today.xml'))?.failure).toMatchObject({ rule: 'limit-links' });
  });

  test('mirrors a feed again that the mergers have not been able to mirror', async () => {
    const { fetch, store } = await syncedMirror();
    await store.documents.markMerged(paper, at('arts.xml'), 'something else');
    expect((await fetch()).mirrored).toEqual(['arts.xml']);
    expect((await fetch()).mirrored).toEqual([]);
  });

  test('fetches the feeds on the path of a change and its files, and mirrors only these feeds', async () => {
    const { fetch, serve } = await syncedMirror();
    serve({
      'root.xml': feed(
        'Paper',
        ['news', 5, nested('news.xml')],
        ['arts', 2, nested('arts.xml')],
        ['logo', 2, file('logo.png')],
      ),
      'news.xml': feed('News', ['1', 5, nested('today.xml')], ['2', 2, file('a.jpg'), file('shared.jpg')]),
      'today.xml': feed('Today', ['5', 5, file('d.jpg')], ['4', 5, file('c.jpg')]),
      'd.jpg': 'dddd',
    });
    const { asked, mirrored } = await fetch();
    expect(asked).toEqual(['root.xml', 'news.xml', 'today.xml', 'd.jpg', 'c.jpg?']);
    expect(mirrored).toEqual(['today.xml', 'news.xml', 'root.xml']);
  });

  test('brings a copy that is as it was in step with the later date', async () => {
    const { fetch, serve, document } = await syncedMirror();
    serve({
      'root.xml': feed(
        'Paper',
        ['logo', 9, file('logo.png')],
        ['news', 3, nested('news.xml')],
        ['arts', 2, nested('arts.xml')],
      ),
    });
    const before = await document('logo.png');
    expect((await fetch()).asked).toEqual(['root.xml', 'logo.png?']);
    expect(await document('logo.png')).toMatchObject({
      outcome: { kind: 'unchanged' },
      copy: { ...before?.copy, lastBuildDate: '2026-01-09T00:00:00Z' },
    });
  });

  test('drops what nothing refers to any more, and keeps what another feed still names', async () => {
    const { fetch, serve, document, store } = await syncedMirror();
    serve({
      'root.xml': feed('Paper', ['arts', 2, nested('arts.xml')], ['logo', 2, file('logo.png')], ['new', 4]),
    });
    await fetch();
    const left: string[] = [];
    for await (const { url } of store.documents.all(paper)) left.push(new URL(url).pathname.slice(1));
    expect(left).toEqual(['arts.xml', 'b.jpg', 'logo.png', 'root.xml', 'shared.jpg']);
    expect(await document('shared.jpg')).toMatchObject({ copy: { length: 6 } });
  });

  test('downloads a feed once more whose copy is damaged', async () => {
    const { fetch, store, document } = await syncedMirror();
    await store.contents.remove(paper, (await document('news.xml'))?.copy?.digest ?? '');
    const { asked, mirrored } = await fetch();
    // Its items count as new, so that what they link to is asked about.
    expect(asked).toEqual(['root.xml?', 'news.xml', 'today.xml?', 'a.jpg?', 'shared.jpg?']);
    expect(mirrored).toEqual(['news.xml']);
  });

  test('reads as a feed what was a file before, without asking whether it has changed', async () => {
    const { fetch, serve, document } = await syncedMirror();
    serve({ 'root.xml': feed('Paper', ['arts', 4, file('arts.xml')]) });
    await fetch();
    expect(await document('arts.xml')).toMatchObject({ isFeed: false, copy: { isFeed: false } });
    serve({ 'root.xml': feed('Paper', ['arts', 5, nested('arts.xml')]) });
    expect((await fetch()).asked).toEqual(['root.xml', 'arts.xml', 'b.jpg', 'shared.jpg']);
    expect(await document('arts.xml')).toMatchObject({ isFeed: true, copy: { isFeed: true } });
  });

  test(
    'knows the root where a feed links back to it, and is in step with what that link says from the ' +
      'next fetch on',
    async () => {
      const mirror = createMirror();
      await mirror.subscribe('http://source.example/root.xml#top');
      mirror.serve({
        'root.xml': feed('Paper', ['a', 2, nested('a.xml')]),
        'a.xml': feed('A', ['back', 3, nested('root.xml')]),
      });
      expect((await mirror.fetch()).asked).toEqual(['root.xml', 'a.xml']);
      expect(await mirror.document('root.xml')).toMatchObject({
        lastBuildDate: '2026-01-03T00:00:00Z',
        copy: { lastBuildDate: '1601-01-01T00:00:00Z' },
      });
      const { mirrored } = await mirror.fetch();
      expect(await mirror.document('root.xml')).toMatchObject({
        copy: { lastBuildDate: '2026-01-03T00:00:00Z' },
      });
      expect(mirrored).toEqual(['a.xml']);
      expect((await mirror.fetch()).mirrored).toEqual([]);
    },
  );
});

describe('what fails', () => {
  test('is recorded with its reason, holds up nothing else, and is requested again', async () => {
    const mirror = createMirror();
    await mirror.subscribe();
    mirror.serve({ ...site, 'a.jpg': undefined, 'today.xml': '<rss><channel>' });
    const { manifest, mirrored } = await mirror.fetch();
    expect(manifest?.seal?.progress).toMatchObject({ done: 8, failed: 2 });
    expect(mirrored).toEqual(['arts.xml', 'news.xml', 'root.xml']);
    expect((await mirror.document('a.jpg'))?.failure).toEqual({
      rule: 'http-status',
      reason: 'the server responded with 404',
    });
    expect(await mirror.document('today.xml')).toMatchObject({
      failure: { rule: 'xml-well-formed', reason: expect.stringMatching(/^line 1, column \d+: /) },
    });
    expect(await mirror.document('today.xml')).not.toHaveProperty('copy');
    mirror.serve({ 'a.jpg': 'a', 'today.xml': site['today.xml'] });
    const second = await mirror.fetch();
    expect(second.asked).toEqual(['root.xml?', 'today.xml', 'a.jpg', 'c.jpg']);
    expect(second.mirrored).toEqual(['today.xml', 'news.xml']);
    expect(await mirror.document('a.jpg')).not.toHaveProperty('failure');
  });

  test('keeps the copy that the cache had, and with a feed all that is below it', async () => {
    const { fetch, serve, document } = await syncedMirror();
    serve({
      'root.xml': feed(
        'Paper',
        ['news', 5, nested('news.xml')],
        ['arts', 2, nested('arts.xml')],
        ['logo', 2, file('logo.png')],
      ),
      'news.xml': undefined,
    });
    const { mirrored } = await fetch();
    expect(mirrored).toEqual(['root.xml']);
    expect(await document('news.xml')).toMatchObject({
      failure: { rule: 'http-status' },
      copy: { lastBuildDate: '2026-01-03T00:00:00Z' },
    });
    expect(await document('c.jpg')).toMatchObject({ copy: { length: 3 } });
  });

  test.each([
    [
      'depth',
      { depth: 1, documents: 100, links: 1000, bytes: 100_000 },
      'today.xml',
      { rule: 'limit-depth', reason: 'The feed is more than 1 links below the root (TREE_DEPTH).' },
    ],
    [
      'documents',
      { depth: 5, documents: 8, links: 1000, bytes: 100_000 },
      'c.jpg',
      { rule: 'limit-documents', reason: 'The tree has more than 8 documents (TREE_DOCUMENTS).' },
    ],
  ])('because of the limit %s names its setting', async (_limit, limits, path, failure) => {
    const { document } = await syncedMirror({ tree: { limits } });
    expect((await document(path))?.failure).toEqual(failure);
    expect(await document('b.jpg')).toMatchObject({ copy: { length: 2 } });
  });

  test('because too much would be downloaded leaves what was there before, and ends the asking', async () => {
    const mirror = createMirror({
      tree: { limits: { depth: 5, documents: 100, links: 1000, bytes: 3000 }, batch: 1, parallel: 1 },
    });
    await mirror.subscribe();
    const links = ['big.bin', 'x.bin', 'y.bin'].map(file);
    mirror.serve({
      'root.xml': feed('Files', ['1', 2, ...links]),
      'big.bin': 'b'.repeat(100),
      'x.bin': 'x',
      'y.bin': 'y',
    });
    await mirror.fetch();
    mirror.serve({ 'root.xml': feed('Files', ['1', 3, ...links]), 'big.bin': 'b'.repeat(5000) });
    expect((await mirror.fetch()).asked).toEqual(['root.xml', 'big.bin']);
    const failure = { rule: 'limit-bytes', reason: 'More than 3000 bytes would be downloaded (TREE_BYTES).' };
    expect(await mirror.document('big.bin')).toMatchObject({
      failure,
      copy: { length: 100, lastBuildDate: '2026-01-02T00:00:00Z' },
    });
    expect(await mirror.document('y.bin')).toMatchObject({ failure, copy: { length: 1 } });
  });

  test(
    'because its tree would have too many items and links leaves what was there before, also where ' +
      'fewer are allowed by now',
    async () => {
      const links = (count: number, prefix: string) =>
        Array.from({ length: count }, (_, number) => onDemand(`${prefix}${number}.jpg`));
      const site = (day: number, news: number) => ({
        'root.xml': feed('Paper', ['news', day, nested('news.xml')], ['arts', 2, nested('arts.xml')]),
        'news.xml': feed('News', ['n', day, ...links(news, 'n')]),
        'arts.xml': feed('Arts', ['a', 2, file('a.jpg'), ...links(3, 'a')]),
        'a.jpg': 'a',
      });
      const limitsOf = (links: number) => ({ depth: 5, documents: 100, links, bytes: 100_000 });
      const mirror = createMirror({ tree: { limits: limitsOf(14) } });
      await mirror.subscribe();
      mirror.serve(site(2, 4));
      expect((await mirror.fetch()).manifest?.seal?.progress).toMatchObject({ failed: 0 });
      mirror.serve(site(3, 6));
      expect((await mirror.fetch()).asked).toEqual(['root.xml', 'news.xml']);
      const failure = (links: number) => ({
        rule: 'limit-links',
        reason: `The tree would have more than ${links} items and links (TREE_LINKS).`,
      });
      expect(await mirror.document('news.xml')).toMatchObject({
        failure: failure(14),
        outcome: { kind: 'failed', ...failure(14) },
        copy: { isFeed: true, lastBuildDate: '2026-01-02T00:00:00Z' },
      });
      expect(
        (await mirror.store.documents.list(paper, { limit: 100 }))
          .map(({ url }) => new URL(url).pathname)
          .filter((path) => path.startsWith('/n')),
      ).toEqual(['/n0.jpg', '/n1.jpg', '/n2.jpg', '/n3.jpg', '/news.xml']);
      // Of feeds of one level the first comes first. What it holds is not read, and stays.
      Object.assign(mirror.settings.tree, { limits: limitsOf(9) });
      await mirror.fetch();
      expect(await mirror.document('arts.xml')).toMatchObject({
        failure: failure(9),
        copy: { isFeed: true },
      });
      expect(await mirror.document('a.jpg')).toMatchObject({ copy: { length: 1 } });
      Object.assign(mirror.settings.tree, { limits: limitsOf(16) });
      const { manifest } = await mirror.fetch();
      expect(manifest?.seal?.progress).toMatchObject({ failed: 0 });
      expect(await mirror.document('n5.jpg')).toMatchObject({ onDemand: true });
    },
  );

  test('because one item has too many links says so of the feed, and where', async () => {
    const mirror = createMirror({ scan: { ...defaultScanLimits, itemLinks: 2 } });
    await mirror.subscribe();
    mirror.serve({
      'root.xml': feed('Paper', ['news', 2, nested('news.xml')]),
      'news.xml': feed('News', ['n', 2, file('a'), file('b'), file('c')]),
    });
    await mirror.fetch();
    expect((await mirror.document('news.xml'))?.failure).toEqual({
      rule: 'limit-item-links',
      reason: expect.stringMatching(
        /^line 1, column \d+: An item has more than 2 links \(FEED_ITEM_LINKS\)\.$/,
      ),
    });
  });

  test('fails the fetch if the root cannot be fetched: nothing is dropped, and it is retried', async () => {
    const { fetch, http, subscription, document } = await syncedMirror();
    http.serve(rootUrl, () => ({ status: 503, headers: { 'retry-after': '7200' } }));
    await fetch();
    expect(await subscription()).toMatchObject({
      failures: 1,
      last: { outcome: 'failed', rule: 'http-status' },
      nextFetchReason: expect.stringMatching(/^the server asked to wait 7200 s/),
    });
    expect(await document('root.xml')).toMatchObject({
      failure: { rule: 'http-status', reason: 'the server responded with 503' },
      copy: { isFeed: true },
    });
    http.serve(rootUrl, () => ({ status: 410 }));
    await fetch();
    expect(await subscription()).toMatchObject({ status: 'gone', last: { outcome: 'gone' } });
  });

  test('is the fetch itself where the root is larger than the whole tree may be', async () => {
    const mirror = createMirror({ tree: { limits: { depth: 5, documents: 100, links: 1000, bytes: 100 } } });
    await mirror.subscribe();
    mirror.serve(site);
    await mirror.fetch();
    expect(await mirror.subscription()).toMatchObject({
      last: {
        outcome: 'failed',
        rule: 'limit-bytes',
        reason: `${rootUrl}: More than 100 bytes would be downloaded (TREE_BYTES).`,
      },
    });
  });
});
