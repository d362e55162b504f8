import { describe, expect, test } from '@jest/globals';
import { Queue } from 'bullmq';
import { editItem } from '#items';
import type { ItemEdit } from '#items';
import { collectionKey, itemId, subscriptionId } from '#core';
import type { Collection, CollectionKey, ItemWrite, PlacedItem, Store } from '#core';
import type { SseContent, Branch } from '#sse';
import { systemClock } from '#service';
import { arrange } from '#sse';
import { sampleCollection } from '#in-memory';
import { finalizeManifest } from '../../../apps/merger/src/finalize-manifest.ts';
import { historyElement, opml, outline, outlineWithSync } from './opml.ts';
import { summary } from './pipeline-under-test.ts';
import { usePipeline } from './use-pipeline.ts';
import { replaced } from '../../support/replaced.ts';
import { until } from '../../support/until.ts';

const pipeline = usePipeline({ FETCH_BATCH_ITEMS: '25' }, 'fetcher', 'merger', 'merger', 'publisher');

/** Creates a collection of outlines that subscribes to a document of these. */
async function subscribe(name: string, document: string): Promise<Collection> {
  const collection = sampleCollection({
    key: collectionKey(name),
    protocol: 'sse',
    format: 'opml',
    title: 'Reading',
    createdAt: new Date(),
  });
  await pipeline.store.collections.create(collection);
  pipeline.feeds.serve(`/${name}`, document);
  await pipeline.subscribe(name);
  return collection;
}

/** Edits an item here, on the third of January. */
async function edit(collection: Collection, id: string, change: ItemEdit): Promise<void> {
  await editItem(
    { store: pipeline.store, now: () => new Date('2026-01-03T09:00:00Z'), publicUrl: 'http://here.example' },
    collection,
    itemId(id),
    change,
  );
}

/** The tree as it is shown, with who is in conflict. */
async function tree(collection: string): Promise<string[]> {
  const inConflict = new Map(
    (await pipeline.store.items.list(collectionKey(collection), { limit: 10_000 })).map(({ id, content }) => [
      id,
      (content as SseContent).sync.conflict,
    ]),
  );
  const shown = (branches: readonly Branch<PlacedItem>[], depth: number): string[] =>
    branches.flatMap(({ item: { id }, children }) => [
      `${'  '.repeat(depth)}${id}${inConflict.get(id) === true ? ' in conflict' : ''}`,
      ...shown(children, depth + 1),
    ]);
  return shown(arrange(await placed(collection)), 0);
}

async function placed(collection: string): Promise<PlacedItem[]> {
  const items: PlacedItem[] = [];
  for await (const item of pipeline.store.items.positions(collectionKey(collection))) items.push(item);
  return items;
}

/**
 * Items that another endpoint has moved into those that this one has moved into them, so that a cycle comes
 * with every pair.
 */
const pairs = Array.from({ length: 20 }, (_, index) => [`a${index}`, `b${index}`] as const);
const asBefore = opml(pairs.flat().map((id) => outline(id)));
const movedThere = opml(
  pairs.map(([a, b]) => outline(a, { children: [outline(b, { history: ['2 there', '1 there'] })] })),
);
const broken = pairs.flatMap(([a, b]) => [`${a} in conflict`, `  ${b}`]).toSorted();

/**
 * A collection in which both have moved their half of each pair; what the other has done is served, and not
 * fetched yet.
 */
async function movedHere(name: string): Promise<Collection> {
  const collection = await subscribe(name, asBefore);
  await pipeline.fetch(name);
  for (const [a, b] of pairs) await edit(collection, a, { action: 'update', place: { parent: b } });
  await pipeline.published(collectionKey(name));
  pipeline.feeds.serve(`/${name}`, movedThere);
  return collection;
}

describe('a document that makes outlines their own ancestors', () => {
  test(
    'leaves the lower id of each cycle at the root, in conflict, and changes nothing when it comes ' +
      'again',
    async () => {
      await movedHere('cycle');
      expect(await pipeline.fetch('cycle')).toMatchObject({
        cursorVersion: 2,
        last: { outcome: 'fetched', items: 40, rejected: 0 },
      });
      expect((await tree('cycle')).toSorted()).toEqual(broken);
      expect(
        (await placed('cycle')).filter(
          ({ position }) => position.key === undefined || position.after !== undefined,
        ),
      ).toEqual([]);
      const [items, events] = [
        await pipeline.items('cycle'),
        await pipeline.published(collectionKey('cycle')),
      ];
      expect(items['a0']).toMatchObject({ updates: 2, conflicts: 1 });
      expect(items['b0']).toMatchObject({ updates: 2, conflicts: 0 });
      expect(summary(events).filter((event) => event.startsWith('item.conflicted'))).toHaveLength(
        pairs.length,
      );

      // The same items in other bytes are merged once more.
      for (const document of [
        movedThere,
        movedThere.replaceAll('"><sx:history', '" deleted="false"><sx:history'),
      ]) {
        pipeline.feeds.serve('/cycle', document.replace('Reading', `Reading ${document.length}`));
        expect(await pipeline.fetch('cycle')).toMatchObject({
          last: { outcome: 'fetched', items: 40, rejected: 0 },
        });
        expect(await pipeline.items('cycle')).toEqual(items);
      }
      const later = await pipeline.published(collectionKey('cycle'));
      expect(summary(later.slice(events.length)).filter((event) => event.startsWith('item.'))).toEqual([]);
    },
  );

  /** Holds the finalizing of the next fetch of a collection back, and does it as the test will. */
  async function finalizing(
    key: CollectionKey,
    finalize: (run: (store: Store) => Promise<void>) => Promise<void>,
  ): Promise<void> {
    const { store, queue } = pipeline;
    await movedHere(key);
    const finalizeQueue = new Queue('finalize', { connection: pipeline.redis, prefix: '{feedmesh}' });
    await finalizeQueue.pause();
    await store.subscriptions.refresh(
      key,
      subscriptionId('peer'),
      { nextFetchAt: new Date(), nextFetchReason: 'a test asks' },
      false,
    );
    const manifest = await until(
      async () => {
        const id = (await pipeline.subscription(key)).manifest ?? '';
        const found = await store.manifests.find(key, id);
        return { id, whole: found?.seal !== undefined && found.done.length === found.seal.batches };
      },
      ({ whole }) => whole,
    );
    const run = (through: Store): Promise<void> =>
      finalizeManifest(
        { store: through, queue, clock: systemClock, publicUrl: 'http://here.example' },
        { version: 1, collection: key, manifest: manifest.id },
      );
    await finalize(run);
    await finalizeQueue.resume();
    await finalizeQueue.close();
    await until(
      () => pipeline.subscription(key),
      ({ cursorVersion }) => cursorVersion === 2,
    );
    expect((await tree(key)).toSorted()).toEqual(broken);
    expect(
      (await placed(key)).filter(
        ({ position }) => position.key === undefined || position.after !== undefined,
      ),
    ).toEqual([]);
    expect(
      summary(await pipeline.published(key)).filter((event) => event.startsWith('item.conflicted')),
    ).toHaveLength(pairs.length);
  }

  test.each([
    ['killed-early', 'before it has written', 0],
    ['killed', 'when it has written a part', 7],
    ['killed-late', 'after it has written, unheard', pairs.length * 2],
  ])('%s: is finalized by another merger where one dies %s', async (name, _when, count) => {
    await finalizing(collectionKey(name), async (run) => {
      const { store } = pipeline;
      const items = replaced(store.items, 'compareAndSet', async (writes: readonly ItemWrite[]) => {
        await store.items.compareAndSet(writes.slice(0, count));
        throw new Error('the merger dies');
      });
      await expect(run({ ...store, items })).rejects.toThrow('the merger dies');
      expect(await pipeline.subscription(name)).toMatchObject({ cursorVersion: 1 });
      const reparented = (await pipeline.store.items.list(collectionKey(name), { limit: 100 })).filter(
        ({ content }) => (content as SseContent).sync.conflict,
      );
      expect(reparented).toHaveLength(Math.min(count, pairs.length));
    });
  });

  test('is finalized once by two mergers at the same time', async () => {
    await finalizing(collectionKey('both'), async (run) => {
      const { store } = pipeline;
      let revisions: unknown;
      // The second merger does all of it after the first has read where everything stands.
      const items = replaced(store.items, 'positions', async function* positions(collection: string) {
        yield* await placed(collection);
        if (revisions !== undefined) return;
        await run(store);
        revisions = await pipeline.items('both');
      });
      await run({ ...store, items });
      expect(await pipeline.items('both')).toEqual(revisions);
    });
  });
});

test('a large document that two mergers take in together gets its order and nesting at the end', async () => {
  const branch = (name: string, depth: number): string =>
    outline(name, {
      children: depth === 0 ? [] : ['z', 'm', 'a'].map((letter) => branch(`${name}${letter}`, depth - 1)),
    });
  const rows = (name: string, depth: number): string[] => [
    `${'  '.repeat(name.length - 1)}${name}`,
    ...(depth === 0 ? [] : ['z', 'm', 'a'].flatMap((letter) => rows(`${name}${letter}`, depth - 1))),
  ];
  await subscribe('large', opml(['y', 'x'].map((name) => branch(name, 4))));
  expect(await pipeline.fetch('large')).toMatchObject({ last: { items: 242, rejected: 0 } });
  expect(await tree('large')).toEqual(['y', 'x'].flatMap((name) => rows(name, 4)));
});

describe('a subscriber that was away', () => {
  /** Serves a partial document and the complete one. */
  function serve(
    name: string,
    sharing: { since: string; until: string },
    partial: readonly string[],
    complete: readonly string[],
  ): string {
    pipeline.feeds.serve(`/${name}/complete`, opml(complete, { until: sharing.until }));
    const document = opml(partial, { ...sharing, complete: pipeline.feeds.url(`/${name}/complete`) });
    pipeline.feeds.serve(`/${name}`, document);
    return document;
  }
  const at = (second: number): string => `Thu, 01 Jan 2026 09:00:${String(second).padStart(2, '0')} GMT`;

  test('for longer than the window reads the complete document, and discards nothing', async () => {
    await subscribe(
      'away',
      serve(
        'away',
        { since: at(0), until: at(10) },
        [outline('c')],
        ['a', 'b', 'c'].map((id) => outline(id)),
      ),
    );
    expect(await pipeline.fetch('away')).toMatchObject({ cursor: { until: '2026-01-01T09:00:10Z' } });
    await pipeline.published(collectionKey('away'));
    serve(
      'away',
      { since: at(12), until: at(20) },
      [outline('d')],
      [outline('c', { history: ['2 there', '1 there'], children: [outline('d')] })],
    );
    expect(await pipeline.fetch('away')).toMatchObject({
      cursor: { until: '2026-01-01T09:00:20Z' },
      cursorVersion: 2,
      last: { outcome: 'fetched' },
    });
    expect(pipeline.feeds.requests('/away/complete')).toHaveLength(2);
    expect(await pipeline.items('away')).toMatchObject({
      a: { updates: 1 },
      b: { updates: 1 },
      c: { updates: 2, conflicts: 0 },
      d: { updates: 1 },
    });
    const events = await pipeline.published(collectionKey('away'));
    expect(
      events
        .filter((event) => event.type === 'feedmesh.subscription.resynced.v1')
        .map(({ data }) => data.discarded),
    ).toEqual([0]);
    expect(summary(events).filter((event) => event.startsWith('item.deleted'))).toEqual([]);
  });

  test('reads no more than a window that begins in the second after the last visit', async () => {
    await subscribe(
      'near',
      serve('near', { since: at(0), until: at(10) }, [outline('c')], [outline('b'), outline('c')]),
    );
    await pipeline.fetch('near');
    serve('near', { since: at(11), until: at(20) }, [outline('d')], [outline('e')]);
    expect(await pipeline.fetch('near')).toMatchObject({
      cursor: { until: '2026-01-01T09:00:20Z' },
      cursorVersion: 2,
    });
    expect(pipeline.feeds.requests('/near/complete')).toHaveLength(1);
    expect(Object.keys(await pipeline.items('near')).toSorted()).toEqual(['b', 'c', 'd']);
  });
});

describe('an outline that breaks a rule', () => {
  const history = historyElement(['1 there']);
  const sync = (attributes: string, content = history): string =>
    `<sx:sync ${attributes}>${content}</sx:sync>`;
  test.each(
    [
      ['no id', sync('version="1"'), 'sse-sync-id-required', '2.3'],
      ['an empty id', sync('id="" version="1"'), 'sse-sync-id-empty', '2.3'],
      ['no version', sync('id="bad"'), 'sse-sync-version-required', '2.3'],
      ['version 0', sync('id="bad" version="0"'), 'sse-sync-version-range', '2.3'],
      ['version 1e3', sync('id="bad" version="1e3"'), 'sse-sync-version-range', '2.3'],
      ['version 2^53', sync('id="bad" version="9007199254740992"'), 'sse-sync-version-range', '2.3'],
      ['deleted="yes"', sync('id="bad" version="1" deleted="yes"'), 'sse-sync-deleted-value', '2.3'],
      ['conflict="TRUE"', sync('id="bad" version="1" conflict="TRUE"'), 'sse-sync-conflict-value', '2.3'],
      [
        'two sx:sync',
        sync('id="bad" version="1"') + sync('id="worse" version="1"'),
        'sse-sync-multiple',
        '2.3',
      ],
      ['no history', sync('id="bad" version="1"', ''), 'sse-history-required', '2.4'],
      ['two histories', sync('id="bad" version="1"', history + history), 'sse-history-multiple', '2.4'],
      [
        'a history of nobody at no time',
        sync('id="bad" version="1"', '<sx:history/>'),
        'sse-history-when-or-by',
        '2.4',
      ],
      [
        'a date that is none',
        sync('id="bad" version="1"', '<sx:history when="Mon, 30 Feb 2026 09:00:00 GMT"/>'),
        'sse-history-when-format',
        '2.4',
      ],
      [
        'an update of nobody at no time',
        sync('id="bad" version="2"', '<sx:history by="there"><sx:update/></sx:history>'),
        'sse-update-when-or-by',
        '2.5',
      ],
      [
        'a conflict without a version',
        sync('id="bad" version="1"', `${history}<sx:conflicts><sx:conflict by="there"/></sx:conflicts>`),
        'sse-conflict-version-required',
        '5.2',
      ],
    ].map((row, index) => [`rule-${index}`, ...row] as const),
  )(
    '%s: %s: is set aside alone, with its rule and its place in the document',
    async (name, _what, written, rule, section) => {
      const bad = outlineWithSync(written, 'bad', [outline('child')]);
      const document = opml([outline('a'), bad, outline('b')]);
      await subscribe(name, document);
      expect(await pipeline.fetch(name)).toMatchObject({
        cursorVersion: 1,
        failures: 0,
        last: { outcome: 'fetched', items: 4, rejected: 1 },
      });
      expect(new Set((await tree(name)).map((row) => row.trim()))).toEqual(new Set(['a', 'child', 'b']));
      const letters = await pipeline.store.deadLetters.list({ collection: collectionKey(name), limit: 10 });
      const line = document.slice(0, document.indexOf(bad)).split('\n').length;
      expect(letters).toHaveLength(1);
      expect(letters[0]).toMatchObject({
        collection: name,
        subscription: 'peer',
        kind: 'item',
        fragment: { line, column: 1 },
      });
      expect(letters[0]?.fragment?.xml).not.toContain('child');
      expect(letters[0]?.violations).toContainEqual({
        rule,
        section: `SSE ${section}`,
        message: expect.stringMatching(/./),
        severity: 'error',
        line: line + 1,
        column: expect.any(Number),
      });

      pipeline.feeds.serve(`/${name}`, document.replace('Reading', 'Reading again'));
      expect(await pipeline.fetch(name)).toMatchObject({ cursorVersion: 2, last: { rejected: 1 } });
      expect(await pipeline.store.deadLetters.list({ collection: collectionKey(name), limit: 10 })).toEqual(
        letters,
      );
    },
  );

  test('or is an item of RSS, which has no place among outlines, is set aside', async () => {
    await subscribe(
      'rss',
      `<rss version="2.0" xmlns:sx="https://www.microsoft.com/schemas/rss/sse"><channel><title>News</title>
<item><title>a</title>${sync('id="a" version="1"')}</item></channel></rss>`,
    );
    expect(await pipeline.fetch('rss')).toMatchObject({
      cursorVersion: 1,
      last: { outcome: 'fetched', items: 1, rejected: 1 },
    });
    expect(await pipeline.items('rss')).toEqual({});
    const letters = await pipeline.store.deadLetters.list({ collection: collectionKey('rss'), limit: 10 });
    expect(letters.map(({ violations }) => violations)).toEqual([
      [
        {
          rule: 'format-fixed',
          section: 'SSE 2.3',
          message: expect.stringMatching(/opml.*rss/),
          severity: 'error',
          line: 2,
          column: expect.any(Number),
        },
      ],
    ]);
  });
});
