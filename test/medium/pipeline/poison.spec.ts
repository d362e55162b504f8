import { expect, test } from '@jest/globals';
import { collectionKey, itemId, storedSize } from '#core';
import type { ItemId, StoredItem } from '#core';
import { lastBlock } from '../../support/published-blocks.ts';
import { entry, entryWithSync, feed, historyElement } from './feed.ts';
import { summary } from './pipeline-under-test.ts';
import { usePipeline } from './use-pipeline.ts';

/** What MongoDB takes as one document. */
const documentBytes = 16_777_216;

const pipeline = usePipeline({}, 'fetcher', 'merger', 'publisher');

const sync = (id: string, by = 'there'): string =>
  `<sx:sync id="${id}" updates="1">${historyElement(`1 ${by}`)}</sx:sync>`;

async function stored(collection: string, id: ItemId): Promise<StoredItem> {
  const item = (await pipeline.store.items.load(collectionKey(collection), [id])).get(id);
  if (item === undefined) throw new Error(`${collection} has no item ${id}`);
  return item;
}

const sizeOf = ({ content, ...row }: StoredItem): number =>
  storedSize({ ...row, content: JSON.stringify(content) });

test.each([
  ['many-children', '195,000 empty category elements', '<category term=""/>'.repeat(195_000)],
  [
    'wide-characters',
    'four million characters of three bytes',
    `<summary>${'\u4e16'.repeat(4_100_000)}</summary>`,
  ],
])(
  '%s: an item of %s goes to the dead letters, its neighbours are merged, and the cursor moves',
  async (collection, _what, content) => {
    const poisoned = entryWithSync('poison', `${content}${sync('poison')}`);
    expect(poisoned.length).toBeLessThan(4_194_304);
    pipeline.feeds.serve(`/${collection}`, {
      headers: { etag: '"1"' },
      body: feed([entry('a', ['1 there']), poisoned, entry('b', ['1 there'])]),
    });
    await pipeline.subscribe(collection);
    expect(await pipeline.fetch(collection)).toMatchObject({
      cursorVersion: 1,
      cursor: { etag: '"1"' },
      failures: 0,
      last: { outcome: 'fetched', items: 3, rejected: 1 },
    });
    expect(Object.keys(await pipeline.items(collection))).toEqual(['a', 'b']);
    const letters = await pipeline.store.deadLetters.list({
      collection: collectionKey(collection),
      limit: 10,
    });
    expect(letters).toMatchObject([
      {
        subscription: 'peer',
        fragment: { id: 'poison' },
        violations: [
          { severity: 'error', rule: expect.stringMatching(/^(item-published-length|limit-elements)$/) },
        ],
      },
    ]);
    expect(letters[0]?.fragment?.xml.length).toBeGreaterThan(3_000_000);

    pipeline.feeds.serve(`/${collection}`, {
      headers: { etag: '"2"' },
      body: feed([entry('a', ['2 there', '1 there']), poisoned, entry('b', ['1 there'])]),
    });
    expect(await pipeline.fetch(collection)).toMatchObject({
      cursorVersion: 2,
      cursor: { etag: '"2"' },
      last: { rejected: 1 },
    });
    expect(await pipeline.items(collection)).toMatchObject({ a: { updates: 2 } });
    expect(
      await pipeline.store.deadLetters.list({ collection: collectionKey(collection), limit: 10 }),
    ).toEqual(letters);
  },
);

test(
  'of versions in conflict that are together too large those are left out that do not fit, and the ' +
    'cursor moves',
  async () => {
    const versions = Array.from({ length: 14 }, (_, number) =>
      entryWithSync('crowd', sync('crowd', `e${number}`), 'x'.repeat(1_000_000)),
    );
    pipeline.feeds.serve('/crowd', {
      headers: { etag: '"1"' },
      body: feed([entry('a', ['1 there']), ...versions, entry('b', ['1 there'])]),
    });
    await pipeline.subscribe('crowd');
    const { cursorVersion, last } = await pipeline.fetch('crowd');
    expect({ cursorVersion, last }).toMatchObject({
      cursorVersion: 1,
      last: { outcome: 'fetched', items: 3 },
    });
    expect(Object.keys(await pipeline.items('crowd'))).toEqual(['a', 'b', 'crowd']);
    const item = await stored('crowd', itemId('crowd'));
    const letters = await pipeline.store.deadLetters.list({ collection: collectionKey('crowd'), limit: 100 });
    expect(item.conflictCount).toBe(3);
    expect(sizeOf(item)).toBeLessThan(documentBytes);
    expect(letters).toHaveLength(last?.rejected ?? 0);
    expect(item.conflictCount + 1 + letters.length).toBe(14);
    expect(new Set(letters.flatMap(({ violations }) => violations.map(({ rule }) => rule)))).toEqual(
      new Set(['item-published-length']),
    );
    expect(new Set(summary(await pipeline.published(collectionKey('crowd'))))).toEqual(
      new Set([
        'item.created a',
        'item.created b',
        'item.created crowd',
        'item.conflicted crowd',
        'subscription.fetched peer',
      ]),
    );
  },
);

test('200 namespaces of 4 kB on the root make no item larger', async () => {
  const root = Array.from(
    { length: 200 },
    (_, number) => ` xmlns:a${number}="urn:${number}:${'n'.repeat(4000)}"`,
  ).join('');
  const body = feed(Array.from({ length: 50 }, (_, number) => entry(`i${number}`, ['1 there']))).replace(
    '<feed',
    `<feed${root}`,
  );
  pipeline.feeds.serve('/wide', { headers: { etag: '"1"' }, body });
  await pipeline.subscribe('wide');
  expect(await pipeline.fetch('wide')).toMatchObject({ cursorVersion: 1, last: { items: 50, rejected: 0 } });
  expect(sizeOf(await stored('wide', itemId('i7')))).toBeLessThan(4000);
});

test('changes of items with the longest ids and authors are published, in blocks that fit', async () => {
  const name = (number: number): string => `${number}`.padStart(4, '0').padEnd(4096, '\u4e16');
  const ids = Array.from({ length: 400 }, (_, number) => name(number));
  pipeline.feeds.serve('/long', {
    headers: { etag: '"1"' },
    body: feed(ids.map((id) => entryWithSync(id, sync(id, name(9)), 'T'))),
  });
  await pipeline.subscribe('long');
  expect(await pipeline.fetch('long')).toMatchObject({ cursorVersion: 1, last: { items: 400, rejected: 0 } });
  const events = await pipeline.published(collectionKey('long'));
  expect(new Set(events.map(({ subject }) => subject))).toEqual(new Set([...ids, 'peer']));
  const last = await lastBlock(pipeline.store, collectionKey('long'));
  expect(storedSize({ ...last, events: last?.events.map((event) => JSON.stringify(event)) })).toBeLessThan(
    documentBytes,
  );
});
