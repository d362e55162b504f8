import { sseDialect, arrange, sseProtocol } from '#sse';
import { describe, expect, test } from '@jest/globals';
import { payloadFromFields } from '#xml';
import { createMemoryStore, sampleCollection } from '#in-memory';
import { collectionKey, finish, itemId, subscriptionId } from '#core';
import type { CollectionSettings, ItemId, Collection, StoredItem } from '#core';
import type { SseContent, Branch } from '#sse';
import type { Placed } from '#core';
import { arrangeCollection } from './arrange-collection.ts';
import { editItem } from './edit-item.ts';
import { mergeFragments } from './merge-fragments.ts';
import { renderedXml } from './rendered-xml.ts';
import type { ItemEdit } from './requested-placement.ts';
import { raced } from '../../../test/support/raced.ts';
import { fragmentsOf } from '../../../test/support/fragments-of.ts';

const reading = collectionKey('reading');
const oneId = subscriptionId('one');
const peerId = subscriptionId('peer');
const two = subscriptionId('two');
const aId = itemId('a');
const bId = itemId('b');
const milk = itemId('milk');

const now = (): Date => new Date('2026-02-01T00:00:00Z');
const day = (number: number): string => `${String(number).padStart(2, '0')} Jan 2026 09:00:00 GMT`;

/** `sx:sync` of an item that these endpoints have modified, one a day, the first first. */
function sync(id: string, by: readonly string[], more = ''): string {
  const [topmost, ...updates] = by
    .map((endpoint, index) => `when="${day(index + 1)}" by="${endpoint}"`)
    .toReversed();
  return (
    `<sx:sync id="${id}" version="${by.length}"><sx:history ${topmost}>` +
    `${updates.map((update) => `<sx:update ${update}/>`).join('')}</sx:history>${more}</sx:sync>`
  );
}

const item = (id: string, by: readonly string[], more = ''): string =>
  `<item><title>${id} of ${by.at(-1)}</title>${sync(id, by, more)}</item>`;
const outline = (id: string, by: readonly string[], ...children: string[]): string =>
  `<outline text="${id} of ${by.at(-1)}">${sync(id, by)}${children.join('')}</outline>`;
const rss = (...items: string[]): string =>
  '<rss version="2.0" xmlns:sx="http://www.microsoft.com/schemas/rss/sse"><channel>' +
  `<title>Theirs</title>\n${items.join('\n')}\n</channel></rss>`;
const opml = (...outlines: string[]): string =>
  '<opml version="1.0" xmlns:sx="https://www.microsoft.com/schemas/rss/sse"><head><title>Theirs</title>' +
  `</head><body>\n${outlines.join('\n')}\n</body></opml>`;

/** An endpoint with one collection. */
function endpoint(format: 'rss' | 'opml', settings: Partial<CollectionSettings> = {}) {
  const store = createMemoryStore({ clock: { now } });
  const collection = sampleCollection({
    key: reading,
    protocol: 'sse',
    format,
    title: 'Reading',
    createdAt: now(),
    settings,
  });
  const ports = { store, now, publicUrl: 'http://here.example' };
  const taking =
    (into: Collection) =>
    async (document: string, subscription = peerId, manifest = 'm1') => {
      const fragments = fragmentsOf(document, sseDialect);
      const { changed, ...report } = await mergeFragments(ports, into, {
        version: 1,
        collection: reading,
        subscription,
        manifest,
        batch: 0,
        fragments,
      });
      return { ...report, changed: changed.length };
    };
  const stored = async (id: ItemId): Promise<StoredItem & { readonly content: SseContent }> => {
    const found = (await store.items.load(reading, [id])).get(id);
    if (found === undefined) throw new Error(`There is no item ${id}.`);
    return { ...found, content: found.content as SseContent };
  };
  return {
    take: taking(collection),
    /** The same endpoint with another identifier. */
    renewed: (by: string) => ({
      take: taking({ ...collection, endpoint: by, retiredEndpoints: [collection.endpoint] }),
    }),
    store,
    arrange: (items = store.items) => arrangeCollection({ ...ports, store: { ...store, items } }, collection),
    edit: (id: string, edit: ItemEdit) => editItem(ports, collection, itemId(id), edit),
    stored,
    /** The item as it stands in our feed. */
    feedXml: async (id: ItemId) => finish(renderedXml(format, collection, await stored(id), ports.publicUrl)),
    tree: async (): Promise<string> => {
      const placed: Placed[] = [];
      for await (const one of store.items.positions(reading)) placed.push(one);
      return treeText(arrange(placed));
    },
    letters: () => store.deadLetters.list({ limit: 10 }),
  };
}

function treeText(branches: readonly Branch[]): string {
  return branches
    .map(({ item: { id }, children }) => (children.length > 0 ? `${id}(${treeText(children)})` : id))
    .join(' ');
}

describe('an SSE item in RSS that is taken in', () => {
  test('is copied whole: every child stays, and nothing is added (4.2)', async () => {
    const { take, stored, feedXml } = endpoint('rss');
    const xml =
      '<item><guid>theirs</guid><pubDate>then</pubDate><x:price xmlns:x="urn:x">1</x:price>' +
      `${sync('milk', ['a', 'b'])}</item>`;
    expect(await take(rss(xml))).toEqual({ changed: 1, rejected: 0, notUnique: 0, plain: 0, violations: [] });
    const { content, version } = await stored(milk);
    const entry = await feedXml(milk);
    expect(content.data.children.map(({ name }) => name)).toEqual(['guid', 'pubDate', 'price']);
    expect(entry).toMatch(/^<item>.*<guid>theirs<\/guid><pubDate>then<\/pubDate>.*<sx:sync .*<\/item>$/s);
    expect(entry).toContain(
      '<sx:sync id="milk" version="2"><sx:history when="Fri, 02 Jan 2026 09:00:00 GMT" by="b">',
    );
    expect(entry.match(/<(guid|pubDate|link)/g)).toHaveLength(2);
    expect(version).toEqual({ updates: 2, history: { sequence: 2, when: '2026-01-02T09:00:00Z', by: 'b' } });
  });

  test('a second time changes nothing', async () => {
    const { take, stored } = endpoint('rss');
    await take(rss(item('milk', ['a'])));
    expect((await take(rss(item('milk', ['a'])), peerId, 'm2')).changed).toBe(0);
    expect(await stored(milk)).toMatchObject({ revision: 1, sources: [{ fetchPass: 'm2.feed' }] });
  });

  test('has a place only where the collection has an order (3.2)', async () => {
    const [unordered, ordered] = [endpoint('rss'), endpoint('rss', { ordered: true })];
    for (const { take } of [unordered, ordered]) await take(rss(item('b', ['a']), item('a', ['a'])));
    expect((await unordered.stored(aId)).position).toBeUndefined();
    expect((await ordered.stored(aId)).position).toEqual({ after: 'b' });
    expect(await ordered.arrange()).toBe(2);
    expect(await ordered.tree()).toBe('b a');
    expect(sseProtocol.json((await unordered.stored(aId)).content)).not.toHaveProperty('parent');
  });

  test(
    'goes to the dead letters for an outline, with the rule, and so does one that breaks a rule of its ' +
      'own',
    async () => {
      const { take, letters } = endpoint('opml');
      expect(await take(rss(item('milk', ['a'])))).toMatchObject({ changed: 0, rejected: 1 });
      expect(await letters()).toMatchObject([
        { violations: [{ rule: 'format-fixed', section: 'SSE 2.3', line: 2, column: 1 }] },
      ]);
      const other = endpoint('rss', { ordered: true });
      await other.take(
        rss(
          item('eggs', ['a']),
          '<item><sx:sync id="milk" version="0"><sx:history by="a"/></sx:sync></item>',
        ),
      );
      const [letter] = await other.letters();
      expect(letter).toMatchObject({
        fragment: { id: 'milk', place: { after: 'eggs' } },
        violations: [{ rule: 'sse-sync-version-range', section: 'SSE 2.3' }],
      });
    },
  );
});

describe('an SSE item that two endpoints have updated', () => {
  const mine = item('milk', ['a', 'b']);
  const theirs = item('milk', ['a', 'c']);

  test('is in conflict, whichever version comes first, with the loser as it was (4.4.1, 5.2)', async () => {
    for (const documents of [
      [mine, theirs],
      [theirs, mine],
    ]) {
      const { take, stored } = endpoint('rss');
      for (const [index, document] of documents.entries())
        await take(rss(document), subscriptionId(`peer-${index}`));
      const { content, conflictCount } = await stored(milk);
      expect(conflictCount).toBe(1);
      expect(sseProtocol.json(content)).toMatchObject({
        title: 'milk of c',
        deleted: false,
        sync: {
          version: 2,
          conflict: true,
          history: [{ when: '2026-01-02T09:00:00Z', by: 'c' }, { by: 'a' }],
        },
        conflicts: [
          { version: 2, when: '2026-01-02T09:00:00Z', by: 'b', deleted: false, title: 'milk of b' },
        ],
      });
    }
  });

  test('counts as one conflict where the other version is not given', async () => {
    const { take, stored } = endpoint('rss');
    await take(rss(mine.replace('version="2"', 'version="2" conflict="true"')));
    expect(await stored(milk)).toMatchObject({ conflictCount: 1, content: { conflicts: [] } });
  });

  test('is resolved by an update, which removes every conflict (5, 4.2)', async () => {
    const { take, stored, edit } = endpoint('rss');
    await take(rss(mine), oneId);
    await take(rss(theirs), two);
    await edit('milk', { action: 'resolve', keep: { conflict: 0 } });
    const { content, conflictCount } = await stored(milk);
    expect(sseProtocol.json(content)).toMatchObject({
      title: 'milk of b',
      sync: { version: 3, conflict: false },
      conflicts: [],
    });
    expect(conflictCount).toBe(0);
  });

  test('is reported where both versions stand in one document', async () => {
    const { take } = endpoint('rss');
    expect((await take(rss(mine, theirs))).violations).toMatchObject([
      { rule: 'sse-sync-id-unique', section: 'SSE 2.3', severity: 'warning', line: 3 },
    ]);
  });

  test("stays with its policy of resolution unheard, which is FeedSync's", async () => {
    const { take, stored } = endpoint('rss', { resolution: { policy: 'latest' } });
    await take(rss(mine), oneId);
    await take(rss(theirs), two);
    expect((await stored(milk)).conflictCount).toBe(1);
  });
});

describe('outlines that are taken in', () => {
  test('stand where the document shows them, each an item of its own, once they are arranged', async () => {
    const { take, arrange, tree, stored, feedXml } = endpoint('opml');
    await take(opml(outline('b', ['x'], outline('d', ['x']), outline('c', ['x'])), outline('a', ['x'])));
    expect((await stored(itemId('c'))).position).toEqual({ parent: 'b', after: 'd' });
    expect(await arrange()).toBe(4);
    expect(await tree()).toBe('b(d c) a');
    expect((await stored(bId)).content).toMatchObject({ sync: { version: 1, conflict: false } });
    expect(await feedXml(bId)).toMatch(/^<outline text="b of x".*<\/outline>$/s);
    expect(await feedXml(bId)).not.toContain('c of x');
    expect(await arrange()).toBe(0);
  });

  test('keep the key that they had where they still stand there, and follow a move', async () => {
    const { take, arrange, tree, stored } = endpoint('opml');
    await take(opml(outline('a', ['x']), outline('b', ['x']), outline('c', ['x'])));
    await arrange();
    const before = (await stored(bId)).position;
    await take(opml(outline('a', ['x']), outline('b', ['x', 'y']), outline('c', ['x'])), peerId, 'm2');
    expect((await stored(bId)).position).toMatchObject({ ...before, after: 'a' });
    await arrange();
    expect((await stored(bId)).position).toEqual(before);
    await take(opml(outline('a', ['x']), outline('c', ['x'], outline('b', ['x', 'y', 'x']))), peerId, 'm3');
    await arrange();
    expect(await tree()).toBe('a c(b)');
  });

  test(
    'stand between two of the same location if a plain peer shows them there, here and where our feed ' +
      'is read (3.2)',
    async () => {
      const at = (id: string, key: string): string =>
        outline(id, ['x']).replace(
          '<sx:sync',
          `<sx:sync xmlns:fm="urn:feedmesh:position" fm:position="1 ${key}"`,
        );
      const [here, there] = [endpoint('opml'), endpoint('opml')];
      for (const { take, arrange } of [here, there]) {
        await take(opml(at('x', 'B'), at('a', 'V'), at('b', 'V')));
        await arrange();
      }
      await here.take(
        opml(...['x', 'a', 'm', 'b'].map((id) => outline(id, ['x']))),
        subscriptionId('plain'),
        'm2',
      );
      await here.arrange();
      expect(await here.tree()).toBe('x a m b');
      expect([(await here.stored(aId)).revision, (await here.stored(bId)).revision]).toEqual([1, 1]);
      const entry = await here.feedXml(itemId('m'));
      await there.take(
        opml(entry.replace('<outline', '<outline xmlns:fm="urn:feedmesh:position"')),
        subscriptionId('here'),
        'm2',
      );
      await there.arrange();
      expect(await there.tree()).toBe('x a m b');
    },
  );

  test("are still the subscription's after they were arranged", async () => {
    const { take, arrange, stored } = endpoint('opml');
    await take(opml(outline('a', ['x'])));
    await arrange();
    expect(await stored(aId)).toMatchObject({
      revision: 2,
      subscription: peerId,
      sources: [{ subscription: peerId, fetchPass: 'm1.feed' }],
    });
  });

  test(
    'that concurrent moves have put into each other come apart at the root, in conflict, without a new ' +
      'version (4.4.2)',
    async () => {
      const { take, arrange, tree, stored } = endpoint('opml');
      await take(opml(outline('a', ['x']), outline('b', ['x'])));
      await arrange();
      await take(opml(outline('a', ['x'], outline('b', ['x', 'y']))), oneId);
      await take(opml(outline('b', ['x'], outline('a', ['x', 'z']))), two);
      await arrange();
      expect(await tree()).toBe('a(b)');
      expect([await stored(aId), await stored(bId)]).toMatchObject([
        { conflictCount: 1, content: { sync: { version: 2, conflict: true } } },
        { conflictCount: 0 },
      ]);
      expect(await arrange()).toBe(0);
    },
  );

  test.each<[string, ItemEdit, string]>([
    ['moved', { action: 'update', place: { parent: 'a' } }, 'a(b)'],
    [
      'edited',
      { action: 'update', payload: payloadFromFields('opml', { attributes: { text: 'b of here' } }) },
      'a b',
    ],
  ])('are arranged again where one is %s at the same time', async (_, other, expected) => {
    for (const method of ['load', 'compareAndSet'] as const) {
      const { take, store, edit, arrange, tree, stored } = endpoint('opml');
      await take(opml(outline('a', ['x']), outline('b', ['x'])));
      await arrange(raced(store.items, method, () => edit('b', other)));
      expect(await tree()).toBe(expected);
      for (const id of ['a', 'b'])
        expect((await stored(itemId(id))).position).toMatchObject({ key: expect.any(String) as unknown });
      expect([(await stored(bId)).content.sync.version, await arrange()]).toEqual([2, 0]);
    }
  });
});

describe('versions that someone else signs as this endpoint does', () => {
  const edited = {
    action: 'update',
    payload: payloadFromFields('rss', { title: 'a of test:here' }),
  } as const;

  test.each([
    ['never made here', ['there', 'test:here', 'test:here']],
    ['made here at another time', ['there', 'test:here']],
    ["never made here, below another endpoint's", ['there', 'test:here', 'test:here', 'other']],
  ])('%s, are refused', async (_reason, by) => {
    const here = endpoint('rss');
    await here.take(rss(item('a', ['there'])));
    await here.edit('a', edited);
    const before = await here.stored(aId);
    expect(await here.take(rss(item('a', by)))).toMatchObject({ changed: 0, rejected: 1, notUnique: 1 });
    expect(await here.stored(aId)).toEqual(before);
    const [letter] = await here.store.deadLetters.list({ limit: 2 });
    expect(letter?.violations).toEqual([
      expect.objectContaining({
        rule: 'endpoint-not-unique',
        message: expect.stringContaining('FeedSync 2.1.1'),
      }),
    ]);
  });

  test('what was made here comes back in', async () => {
    const here = endpoint('rss');
    await here.take(rss(item('a', ['there'])));
    await here.edit('a', edited);
    const entry = await here.feedXml(aId);
    expect(await here.take(rss(entry))).toMatchObject({ changed: 0, rejected: 0 });
  });

  test('of the former identifier, they stand beside ours', async () => {
    const here = endpoint('rss');
    await here.take(rss(item('a', ['there'])));
    await here.edit('a', edited);
    const theirs = rss(item('a', ['there', 'test:here', 'test:here']));
    const renewed = here.renewed('test:now');
    expect(await renewed.take(theirs)).toMatchObject({ changed: 1, rejected: 0 });
    const {
      content: { sync, conflicts },
    } = await here.stored(aId);
    expect([
      sync.version,
      sync.history.map(({ by }) => by),
      conflicts.map(({ version, by }) => [version, by]),
    ]).toEqual([3, ['test:here', 'test:here', 'there'], [[2, 'test:now']]]);
    expect(await renewed.take(theirs)).toMatchObject({ changed: 0, rejected: 0 });
  });
});
