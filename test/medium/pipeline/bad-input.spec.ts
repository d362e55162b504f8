import { gzipSync } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import { collectionKey, subscriptionId } from '#core';
import type { Answer } from './feed-server.ts';
import { entry, entryWithSync, feed, historyElement } from './feed.ts';
import { summary } from './pipeline-under-test.ts';
import { usePipeline } from './use-pipeline.ts';

const pipeline = usePipeline({ FEED_ITEM_LENGTH: '20000' }, 'fetcher', 'merger', 'publisher');

const good = entry('a', ['1 there']);
const whole = feed([good, entry('b', ['1 there'])]);

/** The line of a text that a piece of it stands on. */
function lineOf(text: string, piece: string): number {
  return text.slice(0, text.indexOf(piece)).split('\n').length;
}

const entityBomb = `<?xml version="1.0"?>
<!DOCTYPE feed [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>
<feed xmlns="http://www.w3.org/2005/Atom"><title>&b;</title></feed>`;
const oversize = feed([good, entry('b', ['1 there'], '', 'x'.repeat(20_000))]);
const html: Answer = {
  headers: { 'content-type': 'text/html' },
  body: '<!DOCTYPE html>\n<html lang="en"><head><title>Sign in</title></head><body></body></html>',
};
const rdf = `<rdf:RDF xmlns="http://purl.org/rss/1.0/"
 xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
<channel rdf:about="http://a.example/"><title>News</title></channel></rdf:RDF>`;
const jsonFeed = '{"version": "https://jsonfeed.org/version/1.1", "title": "News", "items": []}';
const illFormed = whole.replace('</title>\n<id>urn:sample:feed', '</titel>\n<id>urn:sample:feed');
const illFormedLine = lineOf(illFormed, '</titel>');
const illFormedReason = new RegExp(
  `^This is an Atom feed, but its XML is broken\\. .*line ${illFormedLine}, `,
);

/** `settings` are those of the fetcher while the feed is bad. */
const cases: [
  what: string,
  answer: Answer,
  rule: string,
  reason: RegExp,
  settings?: Record<string, string>,
][] = [
  [
    'that breaks off',
    whole.slice(0, whole.indexOf('</entry>')),
    'xml-well-formed',
    new RegExp(`line ${lineOf(whole, '</entry>')}, column \\d+`),
  ],
  ['that is not well-formed', illFormed, 'xml-well-formed', illFormedReason],
  ['with entities of its own', entityBomb, 'xml-doctype', /internal subset.*line 2, column \d+/],
  ['that is a web page', html, 'feed-root', /^This is an HTML page, not a feed\. .*"html".*line 2, /],
  ['in RSS 1.0', rdf, 'feed-root', /^This is an RSS 1\.0 feed \(RDF\), a format that is not read\. .*"RDF"/],
  ['in JSON', jsonFeed, 'xml-well-formed', /^This is a JSON Feed, a format that is not read\. .*line 1, /],
  [
    'that is not UTF-8',
    { body: Buffer.from(whole.replace('A feed', 'A f\u00E9\u00E9d'), 'latin1') },
    'encoding-invalid',
    /not valid UTF-8.*line \d+, column \d+/,
  ],
  [
    'packed into a bomb',
    {
      headers: { 'content-encoding': 'gzip' },
      body: gzipSync(feed(Array.from({ length: 3000 }, () => entryWithSync('a', '', ' '.repeat(10_000))))),
    },
    'compression-ratio',
    /100 times.*FETCH_COMPRESSION_RATIO/,
  ],
  [
    'that redirects to a private address',
    { status: 302, headers: { location: 'http://10.0.0.1/feed' } },
    'address-refused',
    /10\.0\.0\.1.*not a public address.*FETCH_ALLOW_NETWORKS/,
  ],
  [
    'that redirects to the addresses of a cloud',
    { status: 302, headers: { location: 'http://169.254.169.254/latest/meta-data/' } },
    'address-refused',
    /169\.254\.169\.254/,
  ],
  ['that is forbidden', { status: 403 }, 'forbidden', /responded with 403/],
  ['whose server fails', { status: 500 }, 'http-status', /responded with 500/],
  [
    'whose server sends no header',
    () => {},
    'http-timeout',
    /0\.3 s \(FETCH_HEADERS_SECONDS\)/,
    { FETCH_HEADERS_SECONDS: '0.3' },
  ],
  [
    'whose server falls silent',
    (_request, response) => void response.writeHead(200).write(whole.slice(0, 200)),
    'http-timeout',
    /0\.3 s \(FETCH_IDLE_SECONDS\)/,
    { FETCH_IDLE_SECONDS: '0.3' },
  ],
  [
    'whose server hangs up',
    (_request, response) =>
      void response
        .writeHead(200, { 'content-length': '9999' })
        .write(whole.slice(0, 200), () => response.destroy()),
    'connection',
    /./,
  ],
];

/** Ends the fetcher and starts another one. */
async function replaceFetcher(settings: Record<string, string>): Promise<void> {
  await pipeline.stop('fetcher');
  await pipeline.startWith(settings, 'fetcher');
}

const named = cases.map((row, index) => [`bad-${index}`, ...row] as const);

describe.each(named)('%s: a feed %s', (collection, _what, answer, rule, reason, settings?) => {
  test('leaves the cursor, is reported with its rule and its place, and heals by itself', async () => {
    pipeline.feeds.serve(`/${collection}`, { headers: { etag: '"1"' }, body: feed([good]) });
    await pipeline.subscribe(collection);
    const before = await pipeline.fetch(collection);
    expect(before).toMatchObject({ cursorVersion: 1, cursor: { etag: '"1"' }, failures: 0 });

    pipeline.feeds.serve(`/${collection}`, answer);
    if (settings) await replaceFetcher(settings);
    for (const failures of [1, 2]) {
      const asked = Date.now();
      const after = await pipeline.fetch(collection);
      expect(after).toMatchObject({
        status: 'active',
        failures,
        last: { outcome: 'failed', rule },
        cursor: before.cursor,
        cursorVersion: 1,
      });
      expect(after.last?.reason).toMatch(reason);
      expect(after.nextFetchAt.getTime()).toBeGreaterThanOrEqual(asked + 3_600_000 * failures);
      expect(after.nextFetchReason).toBe(`failure ${failures} in a row`);
    }

    if (settings) await replaceFetcher({});
    pipeline.feeds.serve(`/${collection}`, {
      headers: { etag: '"2"' },
      body: feed([good, entry('c', ['1 there'])]),
    });
    expect(await pipeline.fetch(collection)).toMatchObject({
      failures: 0,
      last: { outcome: 'fetched', items: 2, rejected: 0 },
      cursor: { etag: '"2"' },
      cursorVersion: 2,
    });
    expect(await pipeline.items(collection)).toMatchObject({ a: { revision: 1 }, c: { revision: 1 } });
    const events = await pipeline.published(collectionKey(collection));
    expect(summary(events).filter((event) => event === 'subscription.failed peer')).toHaveLength(2);
    const left = await pipeline.store.manifests.unfinished(new Date(Date.now() + 1000), 100);
    expect(left.filter((manifest) => manifest.collection === collection)).toEqual([]);
  });
});

test('an item beyond the limit is a dead letter, and the cursor moves past it', async () => {
  const collection = collectionKey('oversize');
  pipeline.feeds.serve('/oversize', { headers: { etag: '"1"' }, body: oversize });
  await pipeline.subscribe('oversize');
  const rejected = { failures: 0, last: { outcome: 'fetched', items: 2, rejected: 1 } };
  expect(await pipeline.fetch('oversize')).toMatchObject({ ...rejected, cursor: { etag: '"1"' } });
  expect(await pipeline.items('oversize')).toMatchObject({ a: { revision: 1 } });
  const letters = await pipeline.store.deadLetters.list({ collection, limit: 10 });
  expect(letters).toMatchObject([
    { isPartial: true, fragment: { xml: '' }, violations: [{ rule: 'limit-item-length' }] },
  ]);
  expect(letters[0]?.violations[0]?.line).toBeGreaterThanOrEqual(17);

  pipeline.feeds.serve('/oversize', { headers: { etag: '"2"' }, body: `${oversize}\n` });
  expect(await pipeline.fetch('oversize')).toMatchObject({ ...rejected, cursor: { etag: '"2"' } });
  expect(await pipeline.store.deadLetters.list({ collection, limit: 10 })).toEqual(letters);

  pipeline.feeds.serve('/oversize', {
    headers: { etag: '"3"' },
    body: feed([good, entry('b', ['1 there'])]),
  });
  expect(await pipeline.fetch('oversize')).toMatchObject({ last: { outcome: 'fetched', rejected: 0 } });
  expect(await pipeline.items('oversize')).toMatchObject({ a: { revision: 1 }, b: { revision: 1 } });
});

test('a feed that is gone is never due again, and says so', async () => {
  pipeline.feeds.serve('/gone', { headers: { etag: '"1"' }, body: feed([good]) });
  await pipeline.subscribe('gone');
  const before = await pipeline.fetch('gone');
  pipeline.feeds.serve('/gone', { status: 410 });
  const after = await pipeline.fetch('gone');
  expect(after).toMatchObject({
    status: 'gone',
    last: { outcome: 'gone', rule: 'gone' },
    cursor: before.cursor,
    cursorVersion: 1,
  });
  expect(after.last?.reason).toContain('410');
  expect(
    await pipeline.store.subscriptions.lease(collectionKey('gone'), subscriptionId('peer'), 'a test', 1),
  ).toBeUndefined();
  expect(
    await pipeline.store.subscriptions.refresh(
      collectionKey('gone'),
      subscriptionId('peer'),
      { nextFetchAt: new Date(), nextFetchReason: 'a test asks' },
      true,
    ),
  ).toBeUndefined();
  expect(summary(await pipeline.published(collectionKey('gone')))).toEqual([
    'item.created a',
    'subscription.fetched peer',
    'subscription.gone peer',
  ]);
});

describe('an item that breaks a rule', () => {
  const top = historyElement('1 there');
  test.each(
    [
      [
        'updates of 0',
        `<sx:sync id="bad" updates="0">${top}</sx:sync>`,
        'sync-updates-range',
        '<sx:sync id="bad"',
      ],
      [
        'updates of -1',
        `<sx:sync id="bad" updates="-1">${top}</sx:sync>`,
        'sync-updates-range',
        '<sx:sync id="bad"',
      ],
      [
        'updates of 1e3',
        `<sx:sync id="bad" updates="1e3">${top}</sx:sync>`,
        'sync-updates-range',
        '<sx:sync id="bad"',
      ],
      [
        'updates with a space',
        `<sx:sync id="bad" updates=" 1">${top}</sx:sync>`,
        'sync-updates-range',
        '<sx:sync id="bad"',
      ],
      [
        'updates of 2^31',
        `<sx:sync id="bad" updates="2147483648">${top}</sx:sync>`,
        'sync-updates-range',
        '<sx:sync id="bad"',
      ],
      ['no updates', `<sx:sync id="bad">${top}</sx:sync>`, 'sync-updates-required', '<sx:sync id="bad"'],
      ['no id', `<sx:sync updates="1">${top}</sx:sync>`, 'sync-id-required', '<sx:sync updates="1">'],
      ['no history', '<sx:sync id="bad" updates="1"/>', 'sync-history-required', '<sx:sync id="bad"'],
      [
        'a sequence of 10^30',
        `<sx:sync id="bad" updates="1">\n  ${top.replace('"1"', `"1${'0'.repeat(30)}"`)}</sx:sync>`,
        'history-sequence-range',
        '<sx:history sequence="10',
      ],
      [
        'a history of nobody at no time',
        '<sx:sync id="bad" updates="1">\n   <sx:history sequence="1"/></sx:sync>',
        'history-when-or-by',
        '<sx:history sequence="1"/>',
      ],
      [
        'deleted="yes"',
        `<sx:sync id="bad" updates="1" deleted="yes">${top}</sx:sync>`,
        'sync-deleted-value',
        '<sx:sync id="bad"',
      ],
      [
        'two sx:sync',
        `<sx:sync id="bad" updates="1">${top}</sx:sync>\n  <sx:sync id="worse" updates="1">${top}</sx:sync>`,
        'sync-multiple',
        '<sx:sync id="worse"',
      ],
      [
        'a conflict with another id',
        `<sx:sync id="bad" updates="1">${top}<sx:conflicts>\n    ${entry('other', ['1 elsewhere'])}` +
          '</sx:conflicts></sx:sync>',
        'conflict-id',
        '<entry>\n <title>other',
      ],
    ].map((row, index) => [`item-${index}`, ...row] as const),
  )(
    '%s: %s: is set aside alone, with its rule and its place in the feed',
    async (collection, _what, sync, rule, place) => {
      const bad = entryWithSync('bad', sync);
      const text = feed([good, bad, entry('b', ['2 there', '1 there'])]);
      pipeline.feeds.serve(`/${collection}`, { headers: { etag: '"1"' }, body: text });
      await pipeline.subscribe(collection);

      expect(await pipeline.fetch(collection)).toMatchObject({
        cursorVersion: 1,
        cursor: { etag: '"1"' },
        failures: 0,
        last: { outcome: 'fetched', items: 3, rejected: 1 },
      });
      expect(await pipeline.items(collection)).toEqual({
        a: expect.objectContaining({ revision: 1 }),
        b: expect.objectContaining({ revision: 1, updates: 2 }),
      });
      const events = summary(await pipeline.published(collectionKey(collection)));
      expect(events.toSorted()).toEqual(['item.created a', 'item.created b', 'subscription.fetched peer']);

      const offset = text.indexOf(place, text.indexOf(bad));
      const line = text.slice(0, offset).split('\n').length;
      const column = offset - text.lastIndexOf('\n', offset);
      const letters = await pipeline.store.deadLetters.list({
        collection: collectionKey(collection),
        limit: 10,
      });
      expect(letters).toHaveLength(1);
      expect(letters[0]).toMatchObject({
        collection,
        subscription: 'peer',
        kind: 'item',
        fragment: { line: lineOf(text, bad), column: 1 },
      });
      expect(letters[0]?.fragment?.xml).toContain('<title>bad</title>');
      expect(letters[0]?.violations).toContainEqual({
        rule,
        section: expect.stringMatching(/^FeedSync 2\.\d$/),
        message: expect.stringMatching(/./),
        severity: 'error',
        line,
        column,
      });

      pipeline.feeds.serve(`/${collection}`, { headers: { etag: '"2"' }, body: `${text}<!-- again -->` });
      expect(await pipeline.fetch(collection)).toMatchObject({ cursorVersion: 2, last: { rejected: 1 } });
      expect(
        await pipeline.store.deadLetters.list({ collection: collectionKey(collection), limit: 10 }),
      ).toEqual(letters);
    },
  );
});
