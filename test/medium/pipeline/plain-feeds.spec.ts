import { describe, expect, test } from '@jest/globals';
import { collectionKey, itemId, sharedContent, subscriptionId } from '#core';
import type { StoredItem, Subscription } from '#core';
import { editItem } from '#items';
import { fieldsOfPayload, payloadFromFields } from '#xml';
import { sampleCollection, sampleSubscription } from '#in-memory';
import { entry, feed } from './feed.ts';
import { freePort } from '#databases';
import { usePipeline } from './use-pipeline.ts';
import { until } from '../../support/until.ts';

const pipeline = usePipeline({}, 'fetcher', 'merger', 'publisher');

/** An item of RSS 2.0. */
function rssItem(guid: string, title: string, more = ''): string {
  const link = `<link>http://blog.example/${guid}?utm_source=rss</link>`;
  return `<item><title>${title}</title>${link}<guid isPermaLink="false">${guid}</guid>${more}</item>`;
}

function rss(items: readonly string[], head = ''): string {
  return `<rss version="2.0"><channel><title>A blog</title>${head}${items.join('')}</channel></rss>`;
}

async function itemsOf(collection: string): Promise<StoredItem[]> {
  return pipeline.store.items.list(collectionKey(collection), { limit: 100 });
}

function titleOf({ content }: StoredItem): string {
  return fieldsOfPayload(sharedContent(content).data).title ?? '';
}

/** The revisions of a collection's items by title. */
async function revisions(collection: string): Promise<Record<string, number>> {
  return Object.fromEntries((await itemsOf(collection)).map((item) => [titleOf(item), item.revision]));
}

/** How many conflicts the items have that have some. */
function conflictsIn(items: readonly StoredItem[]): number[] {
  return items.map(({ conflictCount }) => conflictCount).filter((count) => count > 0);
}

/** Corrects an item here. */
async function correct(collection: string, item: StoredItem, title: string): Promise<void> {
  const found = await pipeline.store.collections.find(collectionKey(collection));
  if (found === undefined) throw new Error(`there is no collection ${collection}`);
  const ports = { store: pipeline.store, now: () => new Date(), publicUrl: 'http://here.example' };
  const payload = payloadFromFields('atom', { title });
  await editItem(ports, found, itemId(item.id), { action: 'update', payload });
}

describe('a feed without synchronisation data', () => {
  test('is adopted; unchanged, reordered or with other dates it makes no version', async () => {
    const date = (day: string) => `<pubDate>${day} Jan 2026 10:00:00 GMT</pubDate>`;
    pipeline.feeds.serve('/blog', rss([rssItem('a', 'A', date('05')), rssItem('b', 'B')]));
    await pipeline.subscribe('blog');
    expect(await pipeline.fetch('blog')).toMatchObject({ last: { outcome: 'fetched', items: 2 } });
    expect(await revisions('blog')).toEqual({ A: 1, B: 1 });

    const again = rssItem('a', ' A ', date('06')).replace('utm_source=rss', 'utm_source=atom');
    pipeline.feeds.serve('/blog', rss([rssItem('b', 'B'), again], '<ttl>10</ttl>'));
    await pipeline.fetch('blog');
    expect(await revisions('blog')).toEqual({ A: 1, B: 1 });

    // What leaves the window stays.
    pipeline.feeds.serve('/blog', rss([rssItem('a', 'A, corrected')]));
    await pipeline.fetch('blog');
    expect(await revisions('blog')).toEqual({ 'A, corrected': 2, B: 1 });
  });

  test('conflicts with our edits only where it changes itself', async () => {
    pipeline.feeds.serve('/edited', rss([rssItem('a', 'A')]));
    await pipeline.subscribe('edited');
    await pipeline.fetch('edited');
    const [item] = await itemsOf('edited');
    if (item === undefined) throw new Error('there is no item');
    await correct('edited', item, 'A, ours');
    pipeline.feeds.serve('/edited', rss([rssItem('a', 'A'), rssItem('b', 'B')]));
    await pipeline.fetch('edited');
    expect(await itemsOf('edited')).toMatchObject([{ conflictCount: 0 }, { conflictCount: 0 }]);

    pipeline.feeds.serve('/edited', rss([rssItem('a', 'A, theirs'), rssItem('b', 'B')]));
    await pipeline.fetch('edited');
    expect(conflictsIn(await itemsOf('edited'))).toEqual([1]);
  });

  test('deletes by its tombstones (RFC 6721)', async () => {
    const entryOf = (id: string) => `<entry><id>tag:${id}</id><title>${id}</title></entry>`;
    const atom = (content: string) =>
      `<feed xmlns="http://www.w3.org/2005/Atom"><title>T</title>${content}</feed>`;
    pipeline.feeds.serve('/withdrawn', atom(entryOf('a') + entryOf('b')));
    await pipeline.subscribe('withdrawn');
    await pipeline.fetch('withdrawn');
    const deleted =
      '<at:deleted-entry xmlns:at="http://purl.org/atompub/tombstones/1.0" ref="tag:a" ' +
      'when="2026-02-01T00:00:00Z"/>';
    pipeline.feeds.serve('/withdrawn', atom(deleted + entryOf('b')));
    await pipeline.fetch('withdrawn');
    const items = await itemsOf('withdrawn');
    expect(Object.fromEntries(items.map((item) => [titleOf(item), item.deleted]))).toEqual({
      a: true,
      b: false,
    });
  });

  test('shows an entry again after its tombstone, and a correction with an older date', async () => {
    const entry = (title: string, day: string) =>
      `<entry><id>urn:1</id><title>${title}</title><updated>2026-11-${day}T00:00:00Z</updated></entry>`;
    const tombstone =
      '<at:deleted-entry xmlns:at="http://purl.org/atompub/tombstones/1.0" ref="urn:1" ' +
      'when="2026-11-10T00:00:00Z"/>';
    const show = async (inside: string, hour: string): Promise<readonly unknown[]> => {
      pipeline.feeds.serve('/restored', {
        headers: { 'last-modified': `Wed, 25 Nov 2026 ${hour}:00:00 GMT` },
        body: `<feed xmlns="http://www.w3.org/2005/Atom"><title>f</title>${inside}</feed>`,
      });
      await pipeline.fetch('restored');
      const [item] = await itemsOf('restored');
      return item === undefined ? [] : [item.deleted, titleOf(item), item.revision];
    };
    pipeline.feeds.serve('/restored', '');
    await pipeline.subscribe('restored');
    expect(await show(entry('T', '03'), '10')).toEqual([false, 'T', 1]);
    expect(await show(tombstone, '11')).toEqual([true, 'T', 2]);
    expect(await show(entry('T', '03'), '10')).toEqual([true, 'T', 2]);
    expect(await show(`${entry('T', '03')}<!-- -->`, '12')).toEqual([false, 'T', 3]);
    expect(await show(entry('T, corrected', '02'), '13')).toEqual([false, 'T, corrected', 4]);
  });

  test('that has lost a byte changes nothing, and comes back whole', async () => {
    const russian = (last: string) =>
      rss([
        rssItem('a', 'Привет'),
        rssItem('b', 'Мороз погубил цвет'),
        ...(last === '' ? [] : [rssItem('c', last)]),
      ]);
    pipeline.feeds.serve('/bytes', russian(''));
    await pipeline.subscribe('bytes');
    await pipeline.fetch('bytes');
    const item = (await itemsOf('bytes')).find((one) => titleOf(one) === 'Мороз погубил цвет');
    if (item === undefined) throw new Error('there is no item');
    await correct('bytes', item, 'Мороз погубил цветы');

    // The last byte of a title is missing: first of a new item, then of the one that was corrected.
    const cut = (text: string, title: string): Buffer => {
      const bytes = Buffer.from(text);
      const end = bytes.indexOf(`${title}</title>`) + Buffer.byteLength(title);
      return Buffer.concat([bytes.subarray(0, end - 1), bytes.subarray(end)]);
    };
    pipeline.feeds.serve('/bytes', { body: cut(russian('Обрез'), 'Обрез') });
    const { last } = await pipeline.fetch('bytes');
    expect(await revisions('bytes')).toEqual({ Привет: 1, 'Мороз погубил цветы': 2, 'Обре\uFFFD': 1 });
    expect(last?.violations?.map(({ rule }) => rule)).toEqual(['mended-bytes']);

    pipeline.feeds.serve('/bytes', { body: cut(russian('Обрез'), 'Мороз погубил цвет') });
    await pipeline.fetch('bytes');
    pipeline.feeds.serve('/bytes', russian('Обрез'));
    await pipeline.fetch('bytes');
    expect(await revisions('bytes')).toEqual({ Привет: 1, 'Мороз погубил цветы': 2, Обрез: 2 });
    expect(conflictsIn(await itemsOf('bytes'))).toEqual([]);
  });

  test('makes no version where it only changes its encoding', async () => {
    const blog = (encoding: string, mark: BufferEncoding) =>
      Buffer.from(`<?xml version="1.0" encoding="${encoding}"?>${rss([rssItem('a', 'Café d’été')])}`, mark);
    pipeline.feeds.serve('/recoded', { body: blog('utf-8', 'utf8') });
    await pipeline.subscribe('recoded');
    for (const body of [
      blog('utf-16', 'utf16le'),
      Buffer.from(blog('ISO-8859-1', 'utf8').toString().replace('’', '\u0092'), 'latin1'),
    ]) {
      await pipeline.fetch('recoded');
      pipeline.feeds.serve('/recoded', { body });
    }
    await pipeline.fetch('recoded');
    expect(await revisions('recoded')).toEqual({ 'Café d’été': 1 });
  });

  test('has items apart that share a link, and later ones too', async () => {
    const poll = (number: number) =>
      `<item><title>Poll ${number}</title><link>http://blog.example/polls</link></item>`;
    pipeline.feeds.serve('/polls', rss([poll(1)]));
    await pipeline.subscribe('polls');
    await pipeline.fetch('polls');
    for (const numbers of [[2, 1], [3, 2], [3]]) {
      pipeline.feeds.serve('/polls', rss(numbers.map(poll)));
      await pipeline.fetch('polls');
    }
    expect(await revisions('polls')).toEqual({ 'Poll 1': 1, 'Poll 2': 1, 'Poll 3': 1 });
  });

  test('keeps the items that share a guid in one document apart', async () => {
    const [a, b] = [rssItem('a', 'A'), rssItem('b', 'B')];
    pipeline.feeds.serve('/slip', rss([a, b]));
    await pipeline.subscribe('slip');
    await pipeline.fetch('slip');
    pipeline.feeds.serve('/slip', rss([a, b.replace('>b</guid>', '>a</guid>')]));
    const { last } = await pipeline.fetch('slip');
    expect(last?.violations?.map(({ rule }) => rule)).toEqual(['item-identifier-shared']);
    pipeline.feeds.serve('/slip', rss([a, b.replace('>B<', '>B, corrected<')]));
    await pipeline.fetch('slip');
    expect(await revisions('slip')).toEqual({ A: 1, 'B, corrected': 2 });
  });

  test('takes in an item with the guid of another one once the feed shows it again', async () => {
    const [a, b] = [rssItem('a', 'A'), rssItem('b', 'B').replace('>b</guid>', '>a</guid>')];
    pipeline.feeds.serve('/copied', rss([a]));
    await pipeline.subscribe('copied');
    await pipeline.fetch('copied');
    for (const comment of ['<!-- 1 -->', '<!-- 2 -->']) {
      pipeline.feeds.serve('/copied', rss([b, a], comment));
      await pipeline.fetch('copied');
    }
    expect(await revisions('copied')).toEqual({ A: 1, B: 1 });
  });

  test('has its items without dates in the order of the document', async () => {
    const titles = Array.from({ length: 150 }, (_, number) => `Item ${number}`);
    pipeline.feeds.serve('/undated', rss(titles.map((title) => `<item><title>${title}</title></item>`)));
    await pipeline.subscribe('undated');
    await pipeline.fetch('undated');
    const latest = async (): Promise<string[]> => {
      const found: string[] = [];
      for await (const { content } of pipeline.store.items.latest(collectionKey('undated')))
        found.push(fieldsOfPayload(sharedContent(content).data).title ?? '');
      return found;
    };
    await until(latest, (found) => found.length === titles.length);
    expect(await latest()).toEqual(titles);
  });

  test('leaves out an item without content, and says why', async () => {
    const empty = ['<item><description/></item>', '<item></item>'];
    pipeline.feeds.serve('/empty-items', rss([rssItem('a', 'A'), ...empty]));
    await pipeline.subscribe('empty-items');
    const { last } = await pipeline.fetch('empty-items');
    expect(last?.violations).toMatchObject([
      {
        rule: 'item-empty',
        message: '2 items without an id, a link, a title or any content were left out.',
      },
    ]);
  });

  test('that is broken is mended, and says so', async () => {
    pipeline.feeds.serve('/broken', rss(['<item><title>Fish & chips<link>http://x.example/1</link></item>']));
    await pipeline.subscribe('broken');
    const { last } = await pipeline.fetch('broken');
    expect(await revisions('broken')).toEqual({ 'Fish & chips': 1 });
    expect(last?.violations?.map(({ rule }) => rule)).toEqual(['mended-reference', 'mended-end-tag']);
  });

  test('that is a web page fails, and its error names the feeds of the page', async () => {
    const link = '<link rel="alternate" type="application/rss+xml" title="News" href="/news.xml">';
    pipeline.feeds.serve('/page', `<!doctype html><html><head>${link}</head><body>A page</body></html>`);
    await pipeline.subscribe('page');
    const { last } = await pipeline.fetch('page');
    expect(last).toMatchObject({ outcome: 'failed' });
    expect(last?.reason).toContain(`${pipeline.feeds.url('/news.xml')} (News)`);
  });
});

describe('items without synchronisation data', () => {
  const plain = '<entry><id>tag:plain</id><title>plain</title></entry>';

  test.each([
    ['stands beside others', 'mixed', feed([entry('a', ['1 there']), plain]), undefined, 2],
    [
      'is in a synchronised feed',
      'sharing',
      feed([entry('a', ['1 there']), plain], { until: '1' }),
      undefined,
      1,
    ],
    ['is to be adopted always', 'always', feed([entry('a', ['1 there']), plain], { until: '1' }), true, 2],
    ['is never to be adopted', 'never', feed([entry('a', ['1 there']), plain]), false, 1],
  ] as const)('are adopted or left out: one that %s', async (_what, name, document, adopt, count) => {
    pipeline.feeds.serve(`/${name}`, document);
    await pipeline.subscribe(name, { minimum: 3600, maximum: 86_400 }, adopt === undefined ? {} : { adopt });
    await pipeline.fetch(name);
    expect(await itemsOf(name)).toHaveLength(count);
  });

  test('do not make a feed be mended that was synchronised before', async () => {
    pipeline.feeds.serve('/strict', feed([entry('a', ['1 there'])]));
    await pipeline.subscribe('strict');
    await pipeline.fetch('strict');
    pipeline.feeds.serve('/strict', rss(['<item><title>Fish & chips</title></item>']));
    expect(await pipeline.fetch('strict')).toMatchObject({
      last: { outcome: 'failed', rule: 'xml-well-formed' },
    });
  });
});

test('two endpoints that adopt a feed and each other have one item each, and come to rest', async () => {
  const port = `${await freePort()}`;
  const gateway = `http://127.0.0.1:${port}`;
  await pipeline.startWith({ PORT: port, PUBLIC_URL: gateway }, 'gateway');
  const names = ['left', 'right'] as const;
  pipeline.feeds.serve('/shared', rss([rssItem('a', 'A'), rssItem('b', 'B')]));
  const createdAt = new Date();
  const subscriptionOf = async (collection: string, id: string): Promise<Subscription> => {
    const found = await pipeline.store.subscriptions.find(collectionKey(collection), subscriptionId(id));
    if (found === undefined) throw new Error(`${collection} has no subscription ${id}`);
    return found;
  };
  /** Lets a subscription be fetched once. */
  const fetch = async (collection: string, id: string): Promise<void> => {
    const { last } = await subscriptionOf(collection, id);
    const next = { nextFetchAt: new Date(), nextFetchReason: 'a test asks' };
    await pipeline.store.subscriptions.refresh(collectionKey(collection), subscriptionId(id), next, false);
    await until(
      () => subscriptionOf(collection, id),
      (found) => found.manifest === undefined && (found.last?.at.getTime() ?? 0) > (last?.at.getTime() ?? 0),
    );
  };
  for (const name of names)
    await pipeline.store.collections.create(
      sampleCollection({ key: collectionKey(name), endpoint: `test:${name}`, createdAt }),
    );
  for (const [name, other] of [names, names.toReversed()] as const) {
    const given = {
      collection: collectionKey(name ?? ''),
      createdAt,
      interval: { minimum: 3600, maximum: 86_400 },
    };
    const urls = { blog: pipeline.feeds.url('/shared'), peer: `${gateway}/feeds/${other}.atom` };
    for (const [id, url] of Object.entries(urls))
      await pipeline.store.subscriptions.put(sampleSubscription({ ...given, id: subscriptionId(id), url }));
  }
  const exchange = async (): Promise<void> => {
    for (const name of names)
      for (const id of ['blog', 'peer']) {
        await fetch(name, id);
        await pipeline.published(collectionKey(name));
      }
  };
  for (let round = 0; round < 3; round += 1) await exchange();
  const [left, right] = [await itemsOf('left'), await itemsOf('right')];
  expect(left.map(titleOf).toSorted()).toEqual(['A', 'B']);
  expect(right.map(({ id }) => id)).toEqual(left.map(({ id }) => id));
  expect([...left, ...right].map(({ revision }) => revision)).toEqual([1, 1, 1, 1]);

  // One corrects an item, then the publisher changes it, and one of them sees it first.
  const [a] = left.filter((item) => titleOf(item) === 'A');
  if (a === undefined) throw new Error('there is no item A');
  await correct('left', a, 'A, ours');
  await pipeline.published(collectionKey('left'));
  for (let round = 0; round < 2; round += 1) await exchange();
  expect(Object.keys(await revisions('right')).toSorted()).toEqual(['A, ours', 'B']);
  pipeline.feeds.serve('/shared', rss([rssItem('a', 'A, theirs'), rssItem('b', 'B')]));
  for (let round = 0; round < 3; round += 1) await exchange();
  const before = await Promise.all(names.map(itemsOf));
  await exchange();
  expect(
    (await Promise.all(names.map(itemsOf))).map((items) => items.map(({ revision }) => revision)),
  ).toEqual(before.map((items) => items.map(({ revision }) => revision)));
  expect(before.map(conflictsIn)).toEqual([[1], [1]]);
  const [one, other] = before.map((items) =>
    items.map((item) => ({ title: titleOf(item), sync: sharedContent(item.content).sync })),
  );
  expect(other).toEqual(one);
});
