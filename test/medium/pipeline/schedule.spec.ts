import { beforeAll, describe, expect, test } from '@jest/globals';
import { collectionKey } from '#core';
import { freePort } from '#databases';
import { feed, entry } from './feed.ts';
import { PipelineUnderTest } from './pipeline-under-test.ts';
import { usePipeline } from './use-pipeline.ts';

// One item in a merge job, so that the jobs show how many items were sent.
const pipeline = usePipeline({ FETCH_BATCH_ITEMS: '1' });
let address: string;

beforeAll(async () => {
  const port = `${await freePort()}`;
  address = `http://127.0.0.1:${port}`;
  await pipeline.start('fetcher', 'merger', 'publisher');
  await pipeline.startWith({ PORT: port, PUBLIC_URL: address }, 'gateway');
});

const hour = 3_600_000;
const interval = { minimum: 60, maximum: 86_400 };

function rss(dates: readonly Date[], head = ''): string {
  const items = dates.map(
    (date) => `<item><title>${date.getTime()}</title><guid isPermaLink="false">${date.getTime()}</guid>
<pubDate>${date.toUTCString()}</pubDate></item>`,
  );
  return `<rss version="2.0" xmlns:sy="http://purl.org/rss/1.0/modules/syndication/"><channel>
<title>News</title><link>http://a.example/</link><description>News</description>${head}
${items.join('\n')}</channel></rss>`;
}

/** Seconds from the last fetch to the next. */
function secondsOf({ last, nextFetchAt }: Awaited<ReturnType<PipelineUnderTest['fetch']>>): number {
  return (nextFetchAt.getTime() - (last?.at.getTime() ?? 0)) / 1000;
}

async function shown(collection: string): Promise<string> {
  const response = await fetch(`${address}/v1/collections/${collection}/subscriptions/peer`);
  return ((await response.json()) as { nextFetchReason: string }).nextFetchReason;
}

test('the first items of a feed tell how often it changes, and further items are learned', async () => {
  const now = Math.floor(Date.now() / 1000) * 1000;
  const dates = Array.from({ length: 15 }, (_, number) => new Date(now - (number + 0.5) * hour));
  pipeline.feeds.serve('/hourly', { body: rss(dates) });
  await pipeline.subscribe('hourly', interval);
  const first = await pipeline.fetch('hourly');
  expect(first.rhythm).toMatchObject({ since: dates.at(-1), at: dates[0] });
  // From 257 to 2318, by the hour of the day at which the test runs, and at random.
  expect(secondsOf(first)).toBeGreaterThan(200);
  expect(secondsOf(first)).toBeLessThan(3000);
  expect(first.nextFetchReason).toMatch(/^it has changed about .* at this time of the week$/);
  expect(await shown('hourly')).toBe(first.nextFetchReason);

  pipeline.feeds.serve('/hourly', { body: rss([new Date(), ...dates]) });
  const second = await pipeline.fetch('hourly');
  expect(second.rhythm?.changes).toBeGreaterThan(first.rhythm?.changes ?? Infinity);
  expect(second.rhythm?.since).toEqual(first.rhythm?.since);
});

test('a feed that has not changed for long is polled seldom, and says so', async () => {
  pipeline.feeds.serve('/quiet', { body: rss([new Date('2020-01-01T00:00:00Z')]) });
  await pipeline.subscribe('quiet', interval);
  const found = await pipeline.fetch('quiet');
  expect(secondsOf(found)).toBeGreaterThan(4 * 3600);
  expect(await shown('quiet')).toMatch(/^it has not changed since \d{4}-\d\d-\d\d$/);
});

describe('what a feed says of its next update is kept', () => {
  const weekly = '<sy:updatePeriod>weekly</sy:updatePeriod><sy:updateFrequency>14</sy:updateFrequency>';
  const syndication = 'xmlns:sy="http://purl.org/rss/1.0/modules/syndication/"';
  const sy = 'the feed says that it is updated every 43200 s (sy:updatePeriod)';
  const rdf = `<rdf:RDF xmlns="http://purl.org/rss/1.0/" ${syndication}
 xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><channel rdf:about="http://a.example/">
<title>News</title>${weekly}</channel><item rdf:about="http://a.example/1">
<title>One</title></item></rdf:RDF>`;
  const atom = feed([])
    .replace('<title>A feed', `${weekly}<title>A feed`)
    .replace('<feed ', `<feed ${syndication} `);

  test.each([
    ['rss-sy', rss([new Date()], weekly), sy],
    ['rdf-sy', rdf, sy],
    ['atom-sy', atom, sy],
    ['rss-ttl', rss([new Date()], '<ttl>720</ttl>'), "the feed's ttl is 43200 s"],
  ])('of %s, also when it has not changed', async (name, body, reason) => {
    const headers = { etag: '"1"' };
    pipeline.feeds.serve(`/${name}`, (request, response) => {
      if (request.headers['if-none-match'] === '"1"') response.writeHead(304, headers).end();
      else response.writeHead(200, headers).end(body);
    });
    await pipeline.subscribe(name, interval);
    expect((await pipeline.fetch(name)).nextFetchReason).toBe(reason);
    const second = await pipeline.fetch(name);
    expect(second).toMatchObject({ last: { outcome: 'not-modified' }, nextFetchReason: reason });
    expect(secondsOf(second)).toBeGreaterThanOrEqual(43_200);
  });
});

test('a body that is the same as the last one counts as unchanged, and its validators are kept', async () => {
  const body = feed([entry('a', ['1 there'])]);
  pipeline.feeds.serve('/same', { headers: { etag: '"1"' }, body });
  await pipeline.subscribe('same');
  const first = await pipeline.fetch('same');
  pipeline.feeds.serve('/same', { headers: { etag: '"2"' }, body });
  const sent = await pipeline.sent('merge');
  const second = await pipeline.fetch('same');
  expect(await pipeline.sent('merge')).toBe(sent);
  expect(second).toMatchObject({
    last: { outcome: 'not-modified' },
    cursor: { ...first.cursor, etag: '"2"' },
    rhythm: first.rhythm,
  });
  expect(Object.keys(await pipeline.items('same'))).toEqual(['a']);
});

describe('a request has no conditions but the first', () => {
  const conditionsOf = (name: string): unknown[] =>
    pipeline.feeds
      .requests(`/${name}`)
      .map(({ headers }) => headers['if-none-match'] ?? headers['if-modified-since']);

  /**
   * Serves one body after the other under the same ETag, and 304 to whoever has it. They are sent in chunks,
   * as by a proxy that ends what it did not get all of: no length shows that something is missing.
   */
  const serveTagged = (name: string, bodies: (string | Buffer)[]): void =>
    pipeline.feeds.serve(`/${name}`, (request, response) => {
      const isSame = request.headers['if-none-match'] === '"1"';
      response.writeHead(isSame ? 304 : 200, { etag: '"1"' }).end(isSame ? '' : bodies.shift());
    });

  test('if the server sends no validators: then it has the Date of the last response', async () => {
    const date = new Date(Date.now() - hour).toUTCString();
    pipeline.feeds.serve('/plain', { headers: { date }, body: feed([entry('a', ['1 there'])]) });
    await pipeline.subscribe('plain');
    for (let number = 0; number < 3; number += 1) await pipeline.fetch('plain');
    expect(conditionsOf('plain')).toEqual([undefined, date, date]);
  });

  test('if the document could not be read: it fails as before until it changes', async () => {
    serveTagged('broken', ['<feed xmlns="http://www.w3.org/2005/Atom"></entry>']);
    await pipeline.subscribe('broken');
    const first = await pipeline.fetch('broken');
    const second = await pipeline.fetch('broken');
    expect(first).toMatchObject({ failures: 1, last: { outcome: 'failed', rule: 'xml-well-formed' } });
    expect(second).toMatchObject({
      failures: 2,
      last: { outcome: 'failed', rule: 'xml-well-formed', reason: first.last?.reason },
    });
    expect(conditionsOf('broken')).toEqual([undefined, '"1"']);

    pipeline.feeds.serve('/broken', { headers: { etag: '"2"' }, body: feed([entry('a', ['1 there'])]) });
    expect(await pipeline.fetch('broken')).toMatchObject({ failures: 0, cursor: { etag: '"2"' } });
    expect(
      (await pipeline.store.subscriptions.list(collectionKey('broken'), { limit: 1 }))[0]?.cursor,
    ).not.toHaveProperty('isUnread');
  });

  test.each([
    ['in its markup', Buffer.from(feed([entry('a', ['1 there'])])).subarray(0, -12)],
    [
      'in a character',
      Buffer.from(feed([]).replace(/<title>.*/s, `<title>${'é'.repeat(1000)}`)).subarray(0, -1),
    ],
    ['before it began', Buffer.alloc(0)],
  ])('if the document was cut off %s: it is sent again', async (where, beginning) => {
    const name = where.replaceAll(' ', '-');
    serveTagged(name, [beginning, feed([entry('a', ['1 there'])])]);
    await pipeline.subscribe(name);
    expect(await pipeline.fetch(name)).toMatchObject({ failures: 1, last: { outcome: 'failed' } });
    expect(await pipeline.fetch(name)).toMatchObject({ failures: 0, cursor: { etag: '"1"' } });
    expect(conditionsOf(name)).toEqual([undefined, undefined]);
    expect(Object.keys(await pipeline.items(name))).toEqual(['a']);
  });

  test.each([
    ['once: it is sent again', 1],
    ['twice in the same place: then it is taken to end there', 2],
  ])('if a plain feed was cut off %s', async (_times, cuts) => {
    const name = `plain-cut-${cuts}`;
    const whole = rss([new Date(Date.now() - hour), new Date(Date.now() - 2 * hour)]);
    const cut = whole.slice(0, -60);
    serveTagged(name, [cut, cuts === 1 ? whole : cut]);
    await pipeline.subscribe(name);
    for (let number = 0; number < 3; number += 1)
      expect(await pipeline.fetch(name)).toMatchObject({ failures: 0 });
    expect(conditionsOf(name)).toEqual([undefined, undefined, '"1"']);
    expect(Object.keys(await pipeline.items(name))).toHaveLength(cuts === 1 ? 2 : 1);
  });
});
