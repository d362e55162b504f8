import { expect, test } from '@jest/globals';
import { entry, entryWithSync, feed } from './feed.ts';
import { usePipeline } from './use-pipeline.ts';

const pipeline = usePipeline(
  {
    FETCH_HEADER_BYTES: '400000',
    FETCH_HOST_LONGEST_PAUSE_SECONDS: '0.01',
  },
  'fetcher',
  'merger',
  'publisher',
);

const day = 86_400_000;

test(
  'validators and an until that are too long are not kept: the subscription says so, and the next ' +
    'request has the Date in their place',
  async () => {
    const [etag, modified, until] = [`"${'e'.repeat(100_000)}"`, 'm'.repeat(2000), '2'.repeat(100_000)];
    const body = feed([entry('a', ['1 there'])], { since: '1', until });
    const headers = { etag, 'last-modified': modified };
    await pipeline.subscribe('long');
    for (const cursorVersion of [1, 2]) {
      pipeline.feeds.serve('/long', { headers, body: `${body}<!-- ${cursorVersion} -->` });
      const subscription = await pipeline.fetch('long');
      expect(subscription).toMatchObject({
        cursorVersion,
        cursor: { digest: expect.any(String) },
        last: { outcome: 'fetched', items: 1, rejected: 0 },
      });
      expect(Object.keys(subscription.cursor).toSorted()).toEqual([
        'date',
        'digest',
        'isSynchronised',
        'unconditionalAt',
      ]);
      expect(subscription.last?.violations).toMatchObject([
        {
          rule: 'limit-field-length',
          severity: 'warning',
          message:
            'The header field ETag has 100002 characters; at most 1024 are kept (limit "fieldLength").',
        },
        { rule: 'limit-field-length', message: expect.stringContaining('Last-Modified has 2000') },
        {
          rule: 'limit-window-length',
          message: expect.stringContaining(
            'until has 100000 characters; at most 4096 are kept (limit "windowLength")',
          ),
        },
      ]);
      expect(JSON.stringify(subscription).length).toBeLessThan(4000);
    }
    const conditions = pipeline.feeds
      .requests('/long')
      .map(({ headers: sent }) => Object.keys(sent).filter((name) => name.startsWith('if-')));
    expect(conditions).toEqual([[], ['if-modified-since']]);
  },
);

test.each([
  ['seconds', '9999999999'],
  ['digits', '9'.repeat(10_000)],
  ['date', 'Fri, 31 Dec 9999 23:59:59 GMT'],
])(
  'a Retry-After of %s puts the next fetch off by a day at the most, and says why',
  async (name, retryAfter) => {
    pipeline.feeds.serve(`/later-${name}`, { status: 503, headers: { 'retry-after': retryAfter } });
    await pipeline.subscribe(`later-${name}`);
    const { nextFetchAt, nextFetchReason } = await pipeline.fetch(`later-${name}`);
    expect(nextFetchAt.getTime()).toBeLessThanOrEqual(Date.now() + day);
    expect(nextFetchReason).toMatch(
      /^the server asked to wait \d{1,20} s; at most 86400 s are granted \(FETCH_RETRY_AFTER_SECONDS\)/,
    );
  },
);

test('the items without synchronisation data are counted', async () => {
  pipeline.feeds.serve('/ordinary', feed([entryWithSync('x', ''), entryWithSync('y', '')]));
  await pipeline.subscribe('ordinary', { minimum: 3600, maximum: 86_400 }, { adopt: false });
  expect(await pipeline.fetch('ordinary')).toMatchObject({
    last: { outcome: 'fetched', items: 2, rejected: 0, plain: 2 },
  });
  pipeline.feeds.serve(
    '/ordinary',
    feed([entry('a', ['1 there']), entryWithSync('x', ''), entryWithSync('b', '<sx:sync id="b"/>')]),
  );
  expect(await pipeline.fetch('ordinary')).toMatchObject({ last: { items: 3, rejected: 1, plain: 1 } });
  pipeline.feeds.serve('/ordinary', feed([entry('a', ['1 there'])]));
  expect((await pipeline.fetch('ordinary')).last).not.toHaveProperty('plain');
});
