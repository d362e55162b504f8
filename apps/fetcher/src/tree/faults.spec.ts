import { describe, expect, test } from '@jest/globals';
import { feedIdOf } from '#items';
import type { Job } from '#contracts';
import { collectionKey, FetchError, subscriptionId } from '#core';
import { fetchSubscription } from '../fetch-subscription.ts';
import { downloadDocument } from './download-document.ts';
import { at, createMirror } from './__fixtures__/mirror.ts';
import type { MirrorOptions } from './__fixtures__/mirror.ts';
import { feed, file, nested } from './__fixtures__/feed.ts';

const paper = collectionKey('paper');

const site = {
  'root.xml': feed('Paper', ['news', 3, nested('news.xml')], ['logo', 2, file('logo.png')]),
  'news.xml': feed('News', ['1', 3, file('a.jpg'), file('b.jpg')]),
  'logo.png': 'logo',
  'a.jpg': 'a',
  'b.jpg': 'b',
};

async function mirrorOf(options: MirrorOptions = {}) {
  const mirror = createMirror(options);
  await mirror.subscribe();
  mirror.serve(site);
  return mirror;
}

describe('a download job', () => {
  test.each<[string, (job: Job) => boolean]>([
    ['is lost', () => false],
    [
      'is not taken by the queue',
      () => {
        throw new Error('Redis is missing');
      },
    ],
  ])(
    'that %s is sent again once it has been silent for long enough, and later each time',
    async (_fault, fault) => {
      const sent: number[] = [];
      const mirror = await mirrorOf({
        takes: (job) => {
          if (job.queue !== 'download' || job.data.documents[0]?.url !== at('news.xml')) return true;
          sent.push(mirror.now().getTime());
          return sent.length <= 2 ? fault(job) : true;
        },
      });
      const { asked } = await mirror.fetch();
      expect(asked.filter((path) => path === 'news.xml')).toHaveLength(1);
      const [first = 0, second = 0, third = 0] = sent;
      expect(sent).toHaveLength(3);
      expect([second - first, third - second].map((pause) => Math.floor(pause / 10_000))).toEqual([1, 2]);
    },
  );

  test('that finds unchanged what another fetch has just downloaded brings it all the same', async () => {
    const mirror = await mirrorOf();
    await mirror.fetch();
    mirror.serve({
      'root.xml': feed('Paper', ['news', 4, nested('news.xml')], ['logo', 2, file('logo.png')]),
      'news.xml': feed('News', ['1', 3, file('a.jpg'), file('b.jpg')], ['2', 4, file('c.jpg')]),
      'c.jpg': 'c',
    });
    let isLate = true;
    mirror.onPause(async () => {
      if (!isLate) return;
      isLate = false;
      const news = { url: at('news.xml'), isFeed: true, lastBuildDate: '2026-01-04T00:00:00Z' };
      await downloadDocument(mirror.ports, undefined, { collection: paper, manifest: 'm0' }, news, undefined);
    });
    const { asked } = await mirror.fetch();
    expect(asked).toEqual(['root.xml', 'news.xml', 'news.xml?', 'c.jpg']);
    expect(await mirror.document('news.xml')).toMatchObject({ outcome: { kind: 'unchanged' } });
    expect(await mirror.document('c.jpg')).toMatchObject({ copy: { length: 1 } });
  });

  test('is sent again without what has arrived already', async () => {
    const mirror = await mirrorOf({ tree: { parallelPerHost: 1, batch: 3 } });
    let failures = 1;
    mirror.http.serve(at('b.jpg'), () => {
      failures -= 1;
      if (failures === 0) throw new TypeError('a fault of ours');
      return { status: 200, body: 'b' };
    });
    const { jobs, queue } = mirror;
    // The worker dies in the middle of the job, and its queue with it.
    const deliver = queue.deliver.bind(queue);
    queue.deliver = async (handlers) =>
      deliver(handlers).catch(async () => {
        await deliver({ download: async () => {} });
        return true;
      });
    await mirror.fetch();
    const files = jobs
      .map(({ documents }) => documents.map(({ url }) => url))
      .filter((urls) => urls.includes(at('b.jpg')));
    expect(files).toEqual([[at('logo.png'), at('a.jpg'), at('b.jpg')], [at('b.jpg')]]);
    expect(await mirror.document('b.jpg')).toMatchObject({ copy: { length: 1 } });
  });

  test('that never ends well is given up, and takes none of its neighbours with it', async () => {
    const mirror = await mirrorOf({ tree: { parallelPerHost: 1, batch: 3, progress: 1_000_000 } });
    mirror.http.serve(at('logo.png'), () => {
      throw new TypeError('a fault of ours');
    });
    const { queue } = mirror;
    const deliver = queue.deliver.bind(queue);
    let faults = 0;
    // A job that was tried too often.
    queue.deliver = async (handlers) =>
      deliver(handlers).catch(async () => {
        faults += 1;
        return deliver({ download: async () => {} });
      });
    const { manifest } = await mirror.fetch();
    expect(faults).toBe(6);
    expect(manifest?.seal?.progress).toMatchObject({ done: 5, failed: 1 });
    expect((await mirror.document('logo.png'))?.failure).toEqual({
      rule: 'download-silent',
      reason: 'Nothing was heard of its download, however often it was requested (TREE_RESEND_MS).',
    });
    expect(await mirror.document('b.jpg')).toMatchObject({ copy: { length: 1 } });
  });

  test('of a fetch that is over does nothing', async () => {
    const mirror = await mirrorOf();
    await mirror.fetch();
    const job = mirror.jobs[0];
    mirror.asked.length = 0;
    await mirror.queue.send(
      job === undefined
        ? []
        : [
            {
              queue: 'download',
              data: {
                ...job,
                documents: job.documents.map((document) => ({
                  ...document,
                  lastBuildDate: '2026-02-01T00:00:00Z',
                })),
              },
            },
          ],
    );
    await mirror.ports.clock.wait(1);
    expect(mirror.jobs.length).toBeGreaterThan(1);
    expect(mirror.asked).toEqual([]);
  });

  test('that comes twice downloads nothing twice', async () => {
    const mirror = await mirrorOf();
    let copies = 0;
    mirror.onPause(async () => {
      const job = mirror.jobs.at(-1);
      if (job === undefined || copies === mirror.jobs.length) return;
      copies = mirror.jobs.length + 1;
      await mirror.queue.send([{ queue: 'download', data: job }]);
    });
    const { asked } = await mirror.fetch();
    expect(asked.toSorted()).toEqual(['a.jpg', 'b.jpg', 'logo.png', 'news.xml', 'root.xml']);
    expect(mirror.jobs.length).toBeGreaterThan(new Set(mirror.jobs.map((job) => JSON.stringify(job))).size);
  });
});

describe('a walk that takes long', () => {
  test('renews its lease, touches its manifest, and reports progress no more often than set', async () => {
    const mirror = await mirrorOf({ tree: { resend: 1000, progress: 20_000, poll: 1000 } });
    const slow = 300_000;
    const from = mirror.now().getTime();
    mirror.onPause(async () => {
      // Another fetch can't begin meanwhile.
      await fetchSubscription(
        { ...mirror.ports, random: { fraction: () => 0, identifier: () => 'other' } },
        mirror.settings,
        { version: 1, collection: paper, subscription: subscriptionId('source') },
      );
      mirror.pass(20_000);
    });
    mirror.http.serve(at('a.jpg'), () => {
      mirror.pass(80_000);
      return { status: 200, body: 'a' };
    });
    const { manifest } = await mirror.fetch();
    expect(await mirror.store.manifests.find(paper, 'other')).toBeUndefined();
    expect(manifest?.seal?.progress).toMatchObject({ done: 5, total: 5, failed: 0 });
    expect(manifest?.touchedAt.getTime()).toBeGreaterThan(from);
    const notices = await mirror.store.notices.pending(paper, 100);
    expect(notices.length).toBeGreaterThan(1);
    expect(notices.map(({ id, type, subscription }) => [id, type, subscription])).toEqual(
      notices.map((_, index) => [`m1.${index}`, 'progress', 'source']),
    );
    const times = notices.map(({ at }) => at.getTime());
    expect(times.slice(1).every((time, index) => time - (times[index] ?? 0) >= 20_000)).toBe(true);
    expect(
      new Set(notices.map((notice) => JSON.stringify('progress' in notice && notice.progress))).size,
    ).toBe(notices.length);
    expect((times.at(-1) ?? 0) - from).toBeLessThan(slow);
    expect((await mirror.subscription())?.progress).toMatchObject({ done: 5 });
  });

  test(
    'ends without a trace where another fetch has begun, and what it had downloaded is not downloaded ' +
      'again',
    async () => {
      const mirror = await mirrorOf({ tree: { batch: 1, parallelPerHost: 1 } });
      mirror.http.serve(at('a.jpg'), async () => {
        // The fetcher sleeps for longer than its lease lasts.
        mirror.pass(100_000);
        await mirror.store.subscriptions.lease(paper, subscriptionId('source'), 'other', 90_000);
        return { status: 200, body: 'a' };
      });
      const { asked, manifest, mirrored } = await mirror.fetch();
      expect([manifest, mirrored, asked]).toEqual([undefined, [], ['root.xml', 'news.xml', 'logo.png']]);
      expect(await mirror.subscription()).toMatchObject({ manifest: 'other' });
      mirror.pass(100_000);
      mirror.serve({ 'a.jpg': 'a' });
      const second = await mirror.fetch();
      expect(second.asked).toEqual(['root.xml?', 'b.jpg']);
      expect(second.mirrored).toEqual(['news.xml', 'root.xml']);
    },
  );
});

test(
  'a feed that readers have, whose copy is damaged and that the source does not give, takes nothing ' +
    'with it',
  async () => {
    const mirror = await mirrorOf();
    await mirror.fetch();
    await mirror.store.feeds.put({
      collection: paper,
      id: feedIdOf(at('news.xml'), at('root.xml')),
      title: 'News',
      head: [],
      url: at('news.xml'),
      createdAt: mirror.now(),
    });
    await mirror.store.contents.remove(paper, (await mirror.document('news.xml'))?.copy?.digest ?? '');
    mirror.serve({
      'root.xml': feed('Paper', ['news', 3, nested('news.xml')], ['new', 5]),
      'news.xml': undefined,
    });
    await mirror.fetch();
    expect((await mirror.document('news.xml'))?.failure).toMatchObject({ rule: 'http-status' });
    expect(await mirror.document('a.jpg')).toMatchObject({ copy: { length: 1 } });
    mirror.serve({ 'news.xml': site['news.xml'] });
    await mirror.fetch();
    expect(await mirror.document('a.jpg')).toMatchObject({ copy: { length: 1 } });
    expect(await mirror.document('logo.png')).toBeUndefined();
  },
);

test('a feed that is none, or breaks off, is not kept', async () => {
  const mirror = await mirrorOf();
  mirror.serve({ 'news.xml': '<html><body>Not found</body></html>' });
  mirror.http.serve(at('logo.png'), () => {
    throw new FetchError('connection', `${at('logo.png')}: the connection was reset`);
  });
  await mirror.fetch();
  expect((await mirror.document('logo.png'))?.failure).toEqual({
    rule: 'connection',
    reason: 'the connection was reset',
  });
  expect((await mirror.document('news.xml'))?.copy).toBeUndefined();
  const { copy } = (await mirror.document('root.xml')) ?? {};
  expect(
    (await mirror.store.contents.list(collectionKey('paper'), { limit: 10 })).map(({ digest }) => digest),
  ).toEqual([copy?.digest ?? '', copy?.parsed ?? ''].toSorted());
});
