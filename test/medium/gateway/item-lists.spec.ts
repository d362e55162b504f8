import { beforeAll, describe, expect, test } from '@jest/globals';
import type { CollectionView, ItemView, Page } from '#contracts';
import { collectionKey, itemId, subscriptionId } from '#core';
import { pathSegment } from '#contracts';
import { problemIn } from './gateway-under-test.ts';
import { useGateway } from './use-gateway.ts';

const list = '/v1/collections/news/items';

const gateway = useGateway();
beforeAll(async () => {
  await gateway.send('PUT', '/v1/collections/news');
  const texts = [
    ['bridge', 'The Bridge opens', { content: '<p>Ships &amp; <b>trains</b></p>', contentType: 'html' }],
    ['ferry', 'A ferry', { content: 'no more SHIPS' }],
    ['tram', 'Trams', { summary: 'about the bridge' }],
    ['gone', 'An old bridge', {}],
    ['zurich', 'ZÜRICH', {}],
  ] as const;
  for (const [id, title, more] of texts) {
    const response = await gateway.send('POST', list, { id, title, ...more });
    expect(response.status).toBe(201);
  }
  await gateway.send('DELETE', `${list}/gone`);
  const news = collectionKey('news');
  const stored = await gateway.store.items.load(
    news,
    texts.map(([id]) => itemId(id)),
  );
  await gateway.store.items.compareAndSet(
    [...stored.values()].map(({ revision, ...item }) => {
      const createdAt = new Date(Date.UTC(2026, 0, 1 + texts.findIndex(([id]) => id === item.id)));
      return { expected: revision, item: { ...item, createdAt } };
    }),
  );
});

async function page(query: string, path = list): Promise<Page<ItemView>> {
  const response = await gateway.send('GET', `${path}?${query}`);
  if (response.status !== 200) throw new Error(await response.text());
  return (await response.json()) as Page<ItemView>;
}

/** The ids of all pages of a query, each page as a list. */
async function pages(query: string, path = list): Promise<string[][]> {
  const read: string[][] = [];
  for (let cursor: string | undefined; ;) {
    const { items, next } = await page(
      cursor === undefined ? query : `${query}&cursor=${encodeURIComponent(cursor)}`,
      path,
    );
    read.push(items.map(({ id }) => id));
    if (next === undefined) return read;
    cursor = next;
  }
}

async function ids(query: string, path = list): Promise<string[]> {
  return (await pages(query, path)).flat();
}

/** Another endpoint's version of an item, which is in conflict with ours. */
async function conflict(collection: string, id: string): Promise<void> {
  const fragment =
    '<entry xmlns="http://www.w3.org/2005/Atom" xmlns:sx="http://feedsync.org/2007/feedsync">' +
    `<title>Theirs</title><sx:sync id="${id}" updates="1">` +
    `<sx:history sequence="1" when="2000-01-01T00:00:00Z" by="there"/></sx:sync></entry>`;
  const letter = `${collection}.${id}`;
  await gateway.store.deadLetters.add([
    {
      id: letter,
      collection: collectionKey(collection),
      subscription: subscriptionId('there'),
      kind: 'item',
      fragment: { xml: fragment, line: 1, column: 1, id },
      violations: [],
      at: new Date(),
    },
  ]);
  expect((await gateway.send('POST', `/v1/dead-letters/${letter}/retry`)).status).toBe(204);
}

describe('items by state', () => {
  test('are live, deleted, or in conflict', async () => {
    await conflict('news', 'ferry');
    expect(await ids('state=live')).toEqual(['bridge', 'ferry', 'tram', 'zurich']);
    expect(await ids('state=deleted')).toEqual(['gone']);
    expect(await ids('state=conflict&limit=1')).toEqual(['ferry']);
    expect(await ids('deleted=false')).toEqual(await ids('state=live'));
    expect(await problemIn(await gateway.send('GET', `${list}?state=gone`))).toMatchObject({ status: 400 });
  });

  test('are named once: state excludes deleted', async () => {
    const problem = await problemIn(await gateway.send('GET', `${list}?state=live&deleted=true`));
    expect(problem).toMatchObject({ status: 400, detail: expect.stringContaining('state') });
  });
});

describe('a search', () => {
  test.each([
    ['bridge', ['bridge', 'gone', 'tram']],
    ['OPENS the', ['bridge']],
    ['ships', ['bridge', 'ferry']],
    ['ships trains', ['bridge']],
    ['zürich', ['zurich']],
    ['<b>', []],
    ['ships &', ['bridge']],
    ['nowhere', []],
  ])('for %s finds all of its words, whatever their case, and no markup', async (q, expected) => {
    expect((await ids(new URLSearchParams({ q }).toString())).toSorted()).toEqual(expected.toSorted());
  });

  test('goes with a state, an order and pages', async () => {
    expect(await ids('q=bridge&state=live')).toEqual(['bridge', 'tram']);
    expect(await pages('q=bridge&sort=-published&limit=1')).toEqual([['bridge'], ['tram'], ['gone']]);
  });

  test('finds outlines by their text', async () => {
    await gateway.send('PUT', '/v1/collections/reading', { format: 'opml' });
    const path = '/v1/collections/reading/items';
    for (const id of ['Rail', 'Sea'])
      await gateway.send('POST', path, {
        id,
        attributes: { text: `${id} News`, xmlUrl: 'http://rail.example/' },
      });
    expect(await ids('q=rail+news', path)).toEqual(['Rail']);
  });

  test('reads at most 2,000 items for a page, and goes on from there', async () => {
    await gateway.send('PUT', '/v1/collections/long');
    const path = '/v1/collections/long/items';
    await gateway.send('POST', path, { id: 'needle', title: 'Needle' });
    const [needle] = await gateway.store.items.list(collectionKey('long'), { limit: 1 });
    if (needle === undefined) throw new Error('no item');
    const { revision: _revision, sequence: _sequence, ...item } = needle;
    const hay = await page('limit=1', path);
    expect(hay.items).toHaveLength(1);
    for (let start = 0; start < 3000; start += 1000)
      await gateway.store.items.compareAndSet(
        Array.from({ length: 1000 }, (_, place) => ({
          expected: 0,
          item: { ...item, id: `hay ${String(start + place).padStart(4, '0')}` as typeof item.id },
        })),
      );
    const read = await pages('q=straw', path);
    expect(read).toEqual([[], []]);
    expect((await pages('q=needle&limit=1000', path)).flat()).toHaveLength(3001);
  });

  test('is for a text of 1 to 200 characters', async () => {
    for (const q of ['', '%20', 'x'.repeat(201)])
      expect((await gateway.send('GET', `${list}?q=${q}`)).status).toBe(400);
  });
});

describe('an order by time', () => {
  test('has the newest first, or the oldest with a minus', async () => {
    const created = ['bridge', 'ferry', 'tram', 'gone', 'zurich'];
    expect(await ids('sort=-published&limit=2')).toEqual(created);
    expect(await ids('sort=published&limit=2')).toEqual(created.toReversed());
    await gateway.send('PATCH', `${list}/tram`, { title: 'Trams stop' });
    expect((await page('sort=updated&limit=1')).items[0]?.id).toBe('tram');
    expect((await ids('sort=-updated&limit=2')).at(-1)).toBe('tram');
    expect(await ids('sort=published&limit=2')).toEqual(created.toReversed());
  });

  test('has each item that does not change once, whatever changes between two pages', async () => {
    const first = await page('sort=updated&limit=2');
    await gateway.send('PATCH', `${list}/${first.items[0]?.id ?? ''}`, { title: 'Read, then changed' });
    await gateway.send('POST', list, { id: 'new', title: 'New' });
    const next = await page(`sort=updated&limit=10&cursor=${first.next ?? ''}`);
    const seen = [...first.items, ...next.items].map(({ id }) => id);
    expect(seen.toSorted()).toEqual(['zurich', 'bridge', 'ferry', 'gone', 'tram'].toSorted());
    await gateway.send('DELETE', `${list}/new?data=remove`);
  });
});

describe('items by id', () => {
  const awkward = ['a,b', '..', 'c(d)'];

  test('come in the order asked, each once, without those that do not exist', async () => {
    expect(await ids('ids=tram,bridge,none,tram,gone')).toEqual(['tram', 'bridge', 'gone']);
    expect(await ids('ids=tram,bridge&ids=ferry')).toEqual(['tram', 'bridge', 'ferry']);
    expect(await pages('ids=tram,none,bridge,gone&limit=2')).toEqual([['tram', 'bridge'], ['gone']]);
  });

  test('can have any id, written as in a path', async () => {
    await gateway.send('PUT', '/v1/collections/awkward');
    const path = '/v1/collections/awkward/items';
    for (const id of awkward) expect((await gateway.send('POST', path, { id, title: id })).status).toBe(201);
    const named = ['~AGEALABi', ...awkward.slice(1).map(pathSegment)].join(',');
    expect(await ids(`ids=${named}`, path)).toEqual(awkward);
  });

  test('are at most 100, and exclude other selections', async () => {
    const many = Array.from({ length: 101 }, (_, place) => place).join(',');
    for (const query of [`ids=${many}`, 'ids=tram&q=a', 'ids=tram&sort=updated', 'ids=', 'ids=~x'])
      expect(await problemIn(await gateway.send('GET', `${list}?${query}`))).toMatchObject({
        status: 400,
        errors: [{ path: expect.stringMatching(/^query\.ids/) }],
      });
  });
});

describe('a cursor', () => {
  test('of another query is refused, and says why', async () => {
    await gateway.send('PUT', '/v1/collections/other');
    const queries = ['', 'sort=published', 'sort=-published', 'state=live', 'q=e', 'ids=tram,ferry'];
    for (const query of queries) {
      const { next = '' } = await page(`${query}&limit=1`);
      expect(next).not.toBe('');
      expect((await page(`${query}&limit=2&cursor=${next}`)).items.length).toBeGreaterThan(0);
      for (const other of queries.filter((each) => each !== query))
        expect(await problemIn(await gateway.send('GET', `${list}?${other}&cursor=${next}`))).toMatchObject({
          status: 400,
          errors: [{ path: 'query.cursor', message: expect.stringContaining('another query') }],
        });
      const elsewhere = await gateway.send('GET', `/v1/collections/other/items?${query}&cursor=${next}`);
      expect(elsewhere.status).toBe(400);
    }
  });

  test('that was made up is refused', async () => {
    const { next = '' } = await page('sort=published&limit=1');
    const [digest] = next.split('.');
    for (const cursor of ['x', `${digest ?? ''}.bm9uZQ`, `${digest ?? ''}.`])
      expect((await gateway.send('GET', `${list}?sort=published&cursor=${cursor}`)).status).toBe(400);
  });
});

describe('counts of a collection', () => {
  test('are its items, tombstones and conflicts, and its subscriptions by state', async () => {
    await gateway.send('PUT', '/v1/collections/counted');
    for (const id of ['a', 'b', 'c']) await gateway.send('POST', '/v1/collections/counted/items', { id });
    await gateway.send('DELETE', '/v1/collections/counted/items/a');
    await conflict('counted', 'b');
    for (const name of ['one', 'two'])
      await gateway.send('PUT', `/v1/collections/counted/subscriptions/${name}`, {
        url: `http://feeds.example/${name}`,
      });
    await gateway.send('POST', '/v1/collections/counted/subscriptions/two/pause');
    const counts = {
      items: 2,
      deletedItems: 1,
      conflicts: 1,
      subscriptions: { ok: 0, slow: 0, late: 0, failing: 0, gone: 0, paused: 1, new: 1 },
    };
    const one = await (await gateway.send('GET', '/v1/collections/counted')).json();
    expect(one).toMatchObject({ counts });
    const listed = async (query: string): Promise<readonly CollectionView[]> => {
      const response = await gateway.send('GET', `/v1/collections${query}`);
      return ((await response.json()) as Page<CollectionView>).items;
    };
    const all = await listed('');
    expect(all.find(({ name }) => name === 'counted')).toEqual(one);
    expect(all.find(({ name }) => name === 'other')?.counts).toMatchObject({ items: 0, conflicts: 0 });
    expect((await listed('?counts=false')).every((shown) => shown.counts === undefined)).toBe(true);
  });

  test('of a page take four operations, and look at no item and no subscription', async () => {
    const operations = await gateway.operations(() => gateway.send('GET', '/v1/collections'));
    const counted = operations.filter(({ name }) => name.startsWith('aggregate'));
    expect(counted.map(({ name }) => name).toSorted()).toEqual([
      'aggregate items',
      'aggregate items',
      'aggregate subscriptions',
      'aggregate subscriptions',
    ]);
    expect(counted.every(({ documents }) => documents === 0)).toBe(true);
  });
});
