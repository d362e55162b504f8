import { sseDialect } from '#sse';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { readOutlineDocument, writeOutlineDocument } from '#xml';
import type { OutlineNode } from '#xml';
import { createMemoryStore, sampleCollection } from '#in-memory';
import { finish, collectionKey, itemId, sharedContent } from '#core';
import type { Store } from '#core';
import { editItem } from '../edit-item.ts';
import type { ItemEdit } from '../requested-placement.ts';
import { exportOutline } from './export-outline.ts';
import { importOutline } from './import-outline.ts';
import type { ImportOptions, ImportReport } from './import-outline.ts';

const feeds = collectionKey('feeds');

const synchronisation = sseDialect.namespaces;

const now = (): Date => new Date('2026-02-01T00:00:00Z');
const collection = sampleCollection({
  key: feeds,
  protocol: 'sse',
  format: 'opml',
  title: 'Feeds',
  createdAt: now(),
});

let store: Store;
let ports: Parameters<typeof importOutline>[0];

beforeEach(() => {
  let count = 0;
  store = createMemoryStore({ clock: { now } });
  ports = { store, now, publicUrl: 'http://here.example', identifier: () => `new-${(count += 1)}` };
});

function opml(body: string): string {
  return `<opml version="1.0"><head><title>Mine</title></head><body>${body}</body></opml>`;
}

/** An outline of this text, or of `text!address` with an `xmlUrl`, and what is in it. */
function o(label: string, ...children: readonly string[]): string {
  const [text = '', address] = label.split('!');
  return (
    `<outline text="${text}"${address === undefined ? '' : ` type="rss" xmlUrl="${address}"`}>` +
    `${children.join('')}</outline>`
  );
}

function take(options: ImportOptions, ...outlines: readonly string[]): Promise<ImportReport> {
  return importOutline(
    ports,
    collection,
    finish(readOutlineDocument(opml(outlines.join('')), { synchronisation })),
    options,
  );
}

const replace: ImportOptions = { mode: 'replace' };
const add: ImportOptions = { mode: 'add' };
const nothing: ImportReport = { created: 0, updated: 0, moved: 0, deleted: 0, unchanged: 0 };

function text({ payload: { attributes = [] } }: OutlineNode): string {
  return attributes.find(({ name }) => name === 'text')?.value ?? '';
}

function shown(nodes: readonly OutlineNode[]): string {
  return nodes
    .map((node) => text(node) + (node.children.length > 0 ? `(${shown(node.children)})` : ''))
    .join(' ');
}

async function tree(): Promise<string> {
  return shown((await exportOutline(ports, collection)).outlines);
}

/** The live items by their text. */
async function items() {
  const live = await store.items.list(feeds, { limit: 1000, deleted: false });
  return new Map(live.map((item) => [text({ payload: item.content.data, children: [] }), item]));
}

async function edit(label: string, change: ItemEdit): Promise<void> {
  await editItem(ports, collection, itemId((await items()).get(label)?.id ?? label), change);
}

describe('adding a document', () => {
  test('creates its outlines in order below the root, with ids of this endpoint', async () => {
    expect(await take(add, o('News', o('A'), o('B')), o('C'))).toEqual({ ...nothing, created: 4 });
    expect(await tree()).toBe('News(A B) C');
    const news = (await items()).get('News');
    expect(news?.id).toMatch(/^test:here\.new-\d+$/);
    expect(news && sharedContent(news.content).sync).toMatchObject({
      version: 1,
      history: [{ when: '2026-02-01T00:00:00Z', by: 'test:here' }],
    });
  });

  test('puts them after what is there, also below an item', async () => {
    await take(add, o('News', o('A')), o('C'));
    await take({ mode: 'add', parent: (await items()).get('News')?.id }, o('B', o('D')));
    await take(add, o('E'), o('F'));
    expect(await tree()).toBe('News(A B(D)) C E F');
  });

  test(
    'keeps the ids of a document where they are free, and gives new ones where they are taken, given ' +
      'twice or no identifiers',
    async () => {
      const synchronised = (id: string, label: string): string =>
        `<outline text="${label}"><sx:sync xmlns:sx="https://www.microsoft.com/schemas/rss/sse" id="${id}" ` +
        'version="3"><sx:history by="x"/></sx:sync></outline>';
      await take(add, synchronised('one', 'A'));
      await take(
        add,
        synchronised('one', 'B'),
        synchronised('two', 'C'),
        synchronised('two', 'D'),
        synchronised('not an id', 'E'),
      );
      const found = await items();
      expect(['A', 'C'].map((label) => found.get(label)?.id)).toEqual(['one', 'two']);
      for (const label of ['B', 'D', 'E']) expect(found.get(label)?.id).toMatch(/^test:here\.new-/);
      expect(await tree()).toBe('A B C D E');
    },
  );

  test('is refused below a missing or deleted item, or in a collection of another format', async () => {
    await take(add, o('A'));
    const id = (await items()).get('A')?.id ?? itemId('');
    await expect(take({ mode: 'add', parent: itemId('x') }, o('B'))).rejects.toThrow('has no item "x"');
    await edit('A', { action: 'delete' });
    await expect(take({ mode: 'add', parent: id }, o('B'))).rejects.toThrow('is deleted');
    await expect(
      importOutline(ports, { ...collection, format: 'rss' }, { outlines: [] }, add),
    ).rejects.toThrow('holds items in rss');
  });
});

describe('replacing the collection by a document', () => {
  const first = [
    o('News', o('A!http://a.example'), o('B!http://b.example'), o('C!http://c.example')),
    o('Blogs', o('D!http://d.example')),
    o('Note'),
  ];

  beforeEach(async () => {
    await take(replace, ...first);
  });

  test('changes nothing the second time', async () => {
    const before = await items();
    expect(await take(replace, ...first)).toEqual({ ...nothing, unchanged: 7 });
    expect(await items()).toEqual(before);
  });

  test('updates an item whose attributes differ, found by its address, wherever it is', async () => {
    const { id } = (await items()).get('A') ?? {};
    expect(
      await take(
        replace,
        o('News', o('B!http://b.example'), o('C!http://c.example')),
        o('Blogs', o('D!http://d.example'), o('Alpha!http://a.example')),
        o('Note'),
      ),
    ).toEqual({ ...nothing, updated: 1, unchanged: 6 });
    expect(await tree()).toBe('News(B C) Blogs(D Alpha) Note');
    const item = (await items()).get('Alpha');
    expect([item?.id, item?.version.updates]).toEqual([id, 2]);
  });

  test('moves as few items as can be', async () => {
    expect(
      await take(
        replace,
        o('News', o('C!http://c.example'), o('A!http://a.example'), o('B!http://b.example')),
        o('Blogs', o('D!http://d.example')),
        o('Note'),
      ),
    ).toEqual({ ...nothing, moved: 1, unchanged: 6 });
    expect(await tree()).toBe('News(C A B) Blogs(D) Note');
    expect((await items()).get('C')?.version.updates).toBe(2);
  });

  test('moves a folder with all that is in it', async () => {
    expect(
      await take(
        replace,
        o(
          'Blogs',
          o('D!http://d.example'),
          o('News', o('A!http://a.example'), o('B!http://b.example'), o('C!http://c.example')),
        ),
        o('Note'),
      ),
    ).toEqual({ ...nothing, moved: 1, unchanged: 6 });
    expect(await tree()).toBe('Blogs(D News(A B C)) Note');
  });

  test('creates what is new and deletes what is gone', async () => {
    expect(
      await take(
        replace,
        o('New', o('E')),
        o('News', o('A!http://a.example'), o('C!http://c.example')),
        o('Note'),
      ),
    ).toEqual({ created: 2, updated: 0, moved: 0, deleted: 3, unchanged: 4 });
    expect(await tree()).toBe('New(E) News(A C) Note');
    expect(await take(replace)).toEqual({ ...nothing, deleted: 6 });
    expect(await tree()).toBe('');
  });

  test('matches equal texts below one parent in order, and a repeated address by its text', async () => {
    const twice = [
      o('Same'),
      o('Same', o('X')),
      o('P!http://p.example'),
      o('Q!http://p.example'),
      '<outline/>',
      '<outline/>',
    ];
    await take(replace, ...twice);
    expect(await take(replace, ...twice)).toEqual({ ...nothing, unchanged: 7 });
    expect(await take(replace, ...twice, o('Same'))).toEqual({ ...nothing, created: 1, unchanged: 7 });
    expect(await tree()).toBe('Same Same(X) P Q   Same');
  });

  test('finds items by their ids first', async () => {
    const news = (await items()).get('News')?.id ?? '';
    const sync =
      `<sx:sync xmlns:sx="https://www.microsoft.com/schemas/rss/sse" id="${news}" version="1">` +
      '<sx:history by="x"/></sx:sync>';
    expect(
      await take(
        replace,
        `<outline text="Papers">${sync}${o('A!http://a.example')}${o('B!http://b.example')}` +
          `${o('C!http://c.example')}</outline>`,
        o('Blogs', o('D!http://d.example')),
        o('Note'),
      ),
    ).toEqual({ ...nothing, updated: 1, unchanged: 6 });
    expect((await items()).get('Papers')?.id).toBe(news);
  });

  test('is done below one item only where that is requested', async () => {
    const parent = (await items()).get('News')?.id;
    expect(await take({ mode: 'replace', parent }, o('C!http://c.example'), o('Note'))).toEqual({
      ...nothing,
      created: 1,
      deleted: 2,
      unchanged: 1,
    });
    expect(await tree()).toBe('News(C Note) Blogs(D) Note');
  });

  test('puts what stands in a deleted item where the document has it', async () => {
    await edit('News', { action: 'delete' });
    expect(await tree()).toBe('A B C Blogs(D) Note');
    const exported = await exportOutline(ports, collection);
    expect(await importOutline(ports, collection, exported, replace)).toEqual({
      ...nothing,
      moved: 3,
      unchanged: 3,
    });
    expect(await tree()).toBe('A B C Blogs(D) Note');
    expect(await importOutline(ports, collection, exported, replace)).toEqual({ ...nothing, unchanged: 6 });
  });

  test('puts an outline between siblings that two endpoints put at one place; neither moves', async () => {
    for (const id of ['x', 'y']) await store.items.compareAndSet([await twin(id)]);
    expect(await tree()).toBe('News(A B C) Blogs(D) Note x y');
    const outlines = [...first, o('x'), o('between'), o('y')];
    expect(await take(replace, ...outlines)).toEqual({ ...nothing, created: 1, unchanged: 9 });
    expect(await tree()).toBe('News(A B C) Blogs(D) Note x between y');
  });

  /** An item of this id and text at the end of the root, at the same place as any other. */
  async function twin(id: string) {
    const { attributes: [, ...rest] = [], ...payload } = (await items()).get('Note')?.content.data ?? {
      format: 'opml',
      children: [],
      scope: { namespaces: [] },
    };
    await editItem(ports, collection, itemId(`twin-${id}`), {
      action: 'create',
      id: itemId(`twin-${id}`),
      payload: { ...payload, attributes: [{ namespace: '', name: 'text', value: id }, ...rest] },
    });
    const stored = (await store.items.load(feeds, [itemId(`twin-${id}`)])).get(itemId(`twin-${id}`));
    if (stored === undefined) throw new Error('There is no twin.');
    const position = { key: 'zzz' };
    return { expected: 1, item: { ...stored, position, content: { ...stored.content, position } } };
  }

  test('leaves an item that was changed meanwhile for a second look', async () => {
    let isDisturbed = false;
    const compareAndSet: Store['items']['compareAndSet'] = async (writes) => {
      if (!isDisturbed) {
        isDisturbed = true;
        await edit('Note', { action: 'delete' });
      }
      return store.items.compareAndSet(writes);
    };
    const disturbed: Store['items'] = new Proxy(store.items, {
      get: (target, name) =>
        name === 'compareAndSet' ? compareAndSet : Reflect.get(target, name).bind(target),
    });
    const document = finish(readOutlineDocument(opml(o('Note') + o('Blogs')), { synchronisation }));
    const report = await importOutline(
      { ...ports, store: { ...store, items: disturbed } },
      collection,
      document,
      replace,
    );
    expect(report).toEqual({ created: 1, updated: 0, moved: 0, deleted: 5, unchanged: 1 });
    expect(await tree()).toBe('Note Blogs');
  });
});

describe('the export of an aggregator', () => {
  const reader = `<?xml version="1.0" encoding="UTF-8"?>
<opml version="1.0" xmlns:frss="https://reader.example/opml"><head><title>Subscriptions</title></head><body>
  <outline text="Tech &amp; Science" title="Tech &amp; Science">
    <outline text="Papers" frss:filter="a &lt; b">
      <outline type="rss" text="Nature" title="Nature" xmlUrl="http://nature.example/rss?a=1&amp;b=2"
        htmlUrl="http://nature.example/" frss:priority="important"/>
    </outline>
    <outline type="rss" text="Emoji \u{1f600}" xmlUrl="http://emoji.example/feed"
      htmlUrl="http://emoji.example/" description="line&#10;break">
      <frss:rule xmlns:x="urn:x" x:kind="hide">spam</frss:rule>
    </outline>
  </outline>
  <outline type="rss" text="Alone" xmlUrl="http://alone.example/feed"/>
</body></opml>`;

  test('survives import and export with nothing lost', async () => {
    const document = finish(readOutlineDocument(reader, { synchronisation }));
    await importOutline(ports, collection, document, replace);
    const exported = finish(
      readOutlineDocument([...writeOutlineDocument(await exportOutline(ports, collection))].join('')),
    );
    const contents = (nodes: readonly OutlineNode[]): unknown =>
      nodes.map(({ payload: { attributes, children }, children: below }) => ({
        attributes,
        children: children.map(({ namespace, name }) => [namespace, name]),
        below: contents(below),
      }));
    expect(contents(exported.outlines)).toEqual(contents(document.outlines));
    expect(JSON.stringify(exported)).toContain('spam');
    expect(await importOutline(ports, collection, exported, replace)).toEqual({ ...nothing, unchanged: 5 });
  });

  test('of 5,000 outlines is taken in, and again with one folder moved', async () => {
    const folder = (at: number): string =>
      o(
        `folder-${at}`,
        ...Array.from({ length: 49 }, (_, index) =>
          o(`feed-${at}-${index}!http://feed-${at}-${index}.example`),
        ),
      );
    const folders = Array.from({ length: 100 }, (_, at) => folder(at));
    expect(await take(replace, ...folders)).toEqual({ ...nothing, created: 5000 });
    expect(await take(replace, ...folders.slice(1), folder(0))).toEqual({
      ...nothing,
      moved: 1,
      unchanged: 4999,
    });
    const found = await store.items.list(feeds, { limit: 5000 });
    expect(Math.max(...found.map(({ position }) => position?.key?.length ?? 0))).toBeLessThanOrEqual(4);
  });
});
