import { describe, expect, test } from '@jest/globals';
import { collectionKey } from '#core';
import { entry, entryWithSync, feed } from './feed.ts';
import { summary } from './pipeline-under-test.ts';
import { usePipeline } from './use-pipeline.ts';
import { until } from '../../support/until.ts';

// One item in a merge job, so that the jobs show how many items were sent.
const pipeline = usePipeline(
  {
    FETCH_BATCH_ITEMS: '1',
    FETCH_BACKLOG: '2',
    // All feeds of these tests are of one host.
    FETCH_HOST_LONGEST_PAUSE_SECONDS: '0.01',
  },
  'fetcher',
  'merger',
  'publisher',
);

const [a, b, c] = [entry('a', ['1 there']), entry('b', ['1 there']), entry('c', ['1 there'])];
const laterB = entry('b', ['2 there', '1 there']);

/** How many merge jobs a piece of work sends. */
async function mergeJobs(work: () => Promise<unknown>): Promise<number> {
  const before = await pipeline.sent('merge');
  await work();
  return (await pipeline.sent('merge')) - before;
}

describe('a conditional GET', () => {
  test('sends both validators as the server gave them; an unchanged feed needs no merge', async () => {
    const [etag, modified] = ['W/"a b, c"', 'Sat, 03 Jan 2026 10:00:00 GMT'];
    pipeline.feeds.serve('/conditional', (request, response) => {
      const isCurrent =
        request.headers['if-none-match'] === etag && request.headers['if-modified-since'] === modified;
      if (isCurrent) response.writeHead(304, { etag }).end();
      else response.writeHead(200, { etag, 'last-modified': modified }).end(feed([a, b]));
    });
    await pipeline.subscribe('conditional');
    const first = await pipeline.fetch('conditional');
    expect(first.cursor).toMatchObject({ etag, lastModified: modified });
    const [items, events] = [
      await pipeline.items('conditional'),
      await pipeline.published(collectionKey('conditional')),
    ];

    let second = first;
    expect(
      await mergeJobs(async () => {
        second = await pipeline.fetch('conditional');
      }),
    ).toBe(0);
    expect(second).toMatchObject({
      last: { outcome: 'not-modified' },
      cursor: first.cursor,
      cursorVersion: 1,
      failures: 0,
    });
    expect(second.nextFetchAt.getTime()).toBeGreaterThan(Date.now());
    const [one, two] = pipeline.feeds.requests('/conditional');
    expect(one?.headers).not.toHaveProperty('if-none-match');
    expect(two?.headers).toMatchObject({ 'if-none-match': etag, 'if-modified-since': modified });
    expect([
      await pipeline.items('conditional'),
      await pipeline.published(collectionKey('conditional')),
    ]).toEqual([items, events]);
  });

  test('a server that ignores it changes no revision, and no item is merged again', async () => {
    pipeline.feeds.serve('/ignorant', feed([a, b]));
    await pipeline.subscribe('ignorant');
    await pipeline.fetch('ignorant');
    const [items, events] = [
      await pipeline.items('ignorant'),
      await pipeline.published(collectionKey('ignorant')),
    ];
    for (let round = 0; round < 3; round += 1)
      expect(await mergeJobs(() => pipeline.fetch('ignorant'))).toBe(0);
    expect(await pipeline.items('ignorant')).toEqual(items);
    expect(await pipeline.published(collectionKey('ignorant'))).toEqual(events);
  });
});

test('of a feed that has changed, only the items that are new are sent on', async () => {
  pipeline.feeds.serve('/known', feed([a, b]));
  await pipeline.subscribe('known');
  expect(await mergeJobs(() => pipeline.fetch('known'))).toBe(2);
  pipeline.feeds.serve('/known', feed([c, laterB, a]));
  expect(await mergeJobs(() => pipeline.fetch('known'))).toBe(2);
  expect(await pipeline.items('known')).toMatchObject({
    a: { revision: 1 },
    b: { revision: 2, updates: 2 },
    c: { revision: 1 },
  });
});

describe('partial and complete feeds (FeedSync 4.1)', () => {
  test('the first reading takes both and caches the smaller until', async () => {
    const complete = pipeline.feeds.url('/initial/complete');
    pipeline.feeds.serve('/initial', feed([laterB], { since: '10', until: '20', complete }));
    pipeline.feeds.serve('/initial/complete', feed([a, b, c], { until: '15', since: '0' }));
    await pipeline.subscribe('initial');
    expect(await pipeline.fetch('initial')).toMatchObject({
      cursor: { until: '15' },
      // One of them is in both documents.
      last: { outcome: 'fetched', items: 3 },
    });
    expect(await pipeline.items('initial')).toMatchObject({
      a: { revision: 1 },
      b: { revision: 1, updates: 2 },
      c: { revision: 1 },
    });

    pipeline.feeds.serve('/initial', feed([laterB], { since: '15', until: '25', complete }));
    expect(await pipeline.fetch('initial')).toMatchObject({ cursor: { until: '25' }, cursorVersion: 2 });
    expect(pipeline.feeds.requests('/initial/complete')).toHaveLength(1);
  });

  test('a subscriber that has fallen out of the window reads the complete feed, and says so', async () => {
    const complete = pipeline.feeds.url('/window/complete');
    pipeline.feeds.serve('/window', feed([a], { since: '00', until: '10', complete }));
    pipeline.feeds.serve('/window/complete', feed([a], { since: '00', until: '10' }));
    await pipeline.subscribe('window');
    await pipeline.fetch('window');
    await pipeline.published(collectionKey('window'));

    pipeline.feeds.serve('/window', feed([c], { since: '11', until: '30', complete }));
    pipeline.feeds.serve('/window/complete', feed([a, b, c], { since: '00', until: '30' }));
    expect(await pipeline.fetch('window')).toMatchObject({ cursor: { until: '30' }, cursorVersion: 2 });
    expect(pipeline.feeds.requests('/window/complete')).toHaveLength(2);
    expect(await pipeline.items('window')).toMatchObject({
      a: { revision: 1 },
      b: { revision: 1 },
      c: { revision: 1 },
    });
    const events = summary(await pipeline.published(collectionKey('window')));
    expect(events.slice(0, 2)).toEqual(['item.created a', 'subscription.fetched peer']);
    expect(events.slice(2).toSorted()).toEqual([
      'item.created b',
      'item.created c',
      'subscription.resynced peer',
    ]);
  });

  test.each([
    ['absent', { status: 404 }, 'http-status'],
    ['gone', { status: 410 }, 'gone'],
    ['broken', feed([a, b]).slice(0, -20), 'xml-well-formed'],
  ] as const)(
    'while the complete feed is %s, the first reading is not done, and the subscription goes on',
    async (name, answer, rule) => {
      const collection = `complete-${name}`;
      const complete = pipeline.feeds.url(`/${collection}/complete`);
      pipeline.feeds.serve(`/${collection}`, feed([a], { since: '0', until: '1', complete }));
      pipeline.feeds.serve(`/${collection}/complete`, answer);
      await pipeline.subscribe(collection);
      expect(await pipeline.fetch(collection)).toMatchObject({
        status: 'active',
        failures: 1,
        last: { outcome: 'failed', rule },
        cursor: {},
        cursorVersion: 0,
      });
      pipeline.feeds.serve(`/${collection}/complete`, feed([a, b], { since: '0', until: '1' }));
      expect(await pipeline.fetch(collection)).toMatchObject({
        failures: 0,
        cursor: { until: '1' },
        cursorVersion: 1,
      });
      expect(Object.keys(await pipeline.items(collection))).toEqual(['a', 'b']);
    },
  );
});

test.each([
  [503, '7200'],
  [429, '7200'],
])('a server that answers %i may say when to come back', async (status, after) => {
  const collection = `wait-${status}`;
  pipeline.feeds.serve(`/${collection}`, { status, headers: { 'retry-after': after } });
  const asked = Date.now();
  await pipeline.subscribe(collection);
  const found = await pipeline.fetch(collection);
  expect(found).toMatchObject({
    last: { outcome: 'failed', rule: 'http-status' },
    nextFetchReason: expect.stringContaining('7200'),
  });
  expect(found.nextFetchAt.getTime()).toBeGreaterThanOrEqual(asked + 7_200_000);
});

test.each([
  ['seconds', '9999999999'],
  ['a date', 'Fri, 31 Dec 9999 23:59:59 GMT'],
])('Retry-After in the far future (%s) leaves a feed alone for a day at most', async (kind, after) => {
  const collection = `far-${kind.length}`;
  pipeline.feeds.serve(`/${collection}`, { status: 503, headers: { 'retry-after': after } });
  await pipeline.subscribe(collection);
  const found = await pipeline.fetch(collection);
  expect(found.nextFetchReason).toMatch(/asked to wait \d+ s; at most 86400 s .*FETCH_RETRY_AFTER_SECONDS/);
  expect(found.nextFetchAt.getTime()).toBeLessThanOrEqual(Date.now() + 86_400_000);
});

describe('an item that occurs in a feed more than once', () => {
  test('is merged in the order of the feed', async () => {
    pipeline.feeds.serve('/repeated', feed([b, a, laterB]));
    await pipeline.subscribe('repeated');
    expect(await pipeline.fetch('repeated')).toMatchObject({ last: { items: 2, rejected: 0 } });
    expect(await pipeline.items('repeated')).toMatchObject({
      a: { revision: 1 },
      b: { updates: 2, conflicts: 0 },
    });
  });

  test('is in conflict if neither version knows of the other', async () => {
    pipeline.feeds.serve(
      '/apart',
      feed([entry('a', ['2 there', '1 there']), entry('a', ['2 elsewhere', '1 there'])]),
    );
    await pipeline.subscribe('apart');
    await pipeline.fetch('apart');
    expect(await pipeline.items('apart')).toMatchObject({ a: { updates: 2, conflicts: 1 } });
  });
});

test('items without sx:sync are skipped in a feed with sx:sharing', async () => {
  const entries = [entryWithSync('x', ''), a, entryWithSync('y', '')];
  pipeline.feeds.serve('/plain', feed(entries, { since: '0', until: '1' }));
  await pipeline.subscribe('plain');
  expect(await pipeline.fetch('plain')).toMatchObject({
    last: { outcome: 'fetched', items: 3, rejected: 0 },
  });
  expect(Object.keys(await pipeline.items('plain'))).toEqual(['a']);
});

test('a fetch that takes longer than its lease goes on as long as there are signs of life', async () => {
  await pipeline.stop('fetcher');
  await pipeline.stop('merger');
  // It is due for renewal after a quarter of that; on a busy machine a sign of life may be many seconds late.
  await pipeline.startWith({ FETCH_LEASE_MS: '24000' }, 'fetcher');
  // One fetch waits for the mergers.
  pipeline.feeds.serve('/behind', feed(['a', 'b', 'c', 'd', 'e'].map((id) => entry(id, ['1 there']))));
  await pipeline.subscribe('behind');
  await until(
    () => pipeline.queue.backlog('merge'),
    (backlog) => backlog === 2,
  );
  // Another waits for its server, which takes longer than the lease lasts until it comes to the items.
  const [head = '', items = ''] = feed([a, b, c]).split(/(?=<entry>)([^]*)/);
  let comeToItems = (): void => {};
  pipeline.feeds.serve('/slow', (_request, response) => {
    response.writeHead(200).write(head);
    const timer = setInterval(() => response.write('<!-- soon -->'), 250);
    comeToItems = () => {
      clearInterval(timer);
      response.end(items);
    };
  });
  await pipeline.subscribe('slow');
  const ends = async (): Promise<number[]> => {
    const rows = (await pipeline.rows()).get('subscriptions') ?? [];
    const leased = ['behind', 'slow'].map((name) => rows.find(({ collection }) => collection === name));
    return leased.map((row) => Number(row?.['leasedUntil'] ?? 0));
  };
  const taken = await until(ends, (all) => all.every((end) => end > 0));
  await until(() => Date.now() > Math.max(...taken));
  expect(pipeline.feeds.requests('/behind')).toHaveLength(1);
  comeToItems();
  await pipeline.start('merger');
  for (const [collection, count] of [
    ['behind', 5],
    ['slow', 3],
  ] as const) {
    const last = { outcome: 'fetched', items: count };
    expect(await pipeline.fetch(collection)).toMatchObject({ last, failures: 0, cursorVersion: 1 });
    expect(pipeline.feeds.requests(`/${collection}`)).toHaveLength(1);
  }
});
