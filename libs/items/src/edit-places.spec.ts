import { describe, expect, test } from '@jest/globals';
import { payloadFromFields } from '#xml';
import { createMemoryStore, sampleCollection } from '#in-memory';
import { collectionKey, finish, itemId } from '#core';
import type { Collection, ItemId, Store } from '#core';
import type { SseContent, Branch } from '#sse';
import { arrange, sseProtocol } from '#sse';
import { arrangeCollection } from './arrange-collection.ts';
import { deleteBelow, deleteBranch } from './delete-branch.ts';
import type { DeletedPart } from './delete-branch.ts';
import { editItem } from './edit-item.ts';
import { InvalidEditError, ItemStateError, RevisionMismatchError } from '#protocol';
import { renderedXml } from './rendered-xml.ts';
import type { ItemEdit, RequestedPlacement } from './requested-placement.ts';
import { raced } from '../../../test/support/raced.ts';

const reading = collectionKey('reading');
const aId = itemId('a');
const bId = itemId('b');
const d = itemId('d');

const now = (): Date => new Date('2026-02-01T00:00:00Z');
const outline = (text: string) => payloadFromFields('opml', { attributes: { text } });

/** An endpoint with one collection, of outlines unless said otherwise. */
function endpoint(change: Partial<Collection> = {}) {
  const collection = sampleCollection({
    key: reading,
    protocol: 'sse',
    format: 'opml',
    title: 'Reading',
    createdAt: now(),
    ...change,
  });
  const store = createMemoryStore({ clock: { now } });
  const ports = { store, now, publicUrl: 'http://here.example' };
  const edit = (id: string, edited: ItemEdit, expected?: number) =>
    editItem(ports, collection, itemId(id), edited, expected);
  const item = async (id: ItemId) => {
    const stored = (await store.items.load(reading, [id])).get(id);
    if (stored === undefined) throw new Error(`There is no item ${id}.`);
    return { ...stored, content: stored.content as SseContent };
  };
  return {
    ports,
    collection,
    store,
    edit,
    item,
    create: (id: string, place?: RequestedPlacement) =>
      edit(id, {
        action: 'create',
        id: itemId(id),
        payload:
          collection.format === 'opml'
            ? outline(id)
            : payloadFromFields(collection.format === 'rss' ? 'rss' : 'atom', { title: id }),
        ...(place && { place }),
      }),
    move: (id: string, place: RequestedPlacement) => edit(id, { action: 'update', place }),
    /** The live items as a tree: `a(b c) d`. */
    tree: async () => treeText(arrange(await placedItems(store))),
  };
}

async function placedItems(store: Store) {
  const placed = [];
  for await (const item of store.items.positions(reading)) if (!item.deleted) placed.push(item);
  return placed;
}

function treeText(branches: readonly Branch[]): string {
  return branches
    .map(({ item, children }) => (children.length > 0 ? `${item.id}(${treeText(children)})` : item.id))
    .join(' ');
}

/** An endpoint with `a(b(c)) d e`. */
async function withTree() {
  const one = endpoint();
  await one.create('a');
  await one.create('b', { parent: 'a' });
  await one.create('c', { parent: 'b' });
  await one.create('d');
  await one.create('e', { parent: null });
  return one;
}

describe('an item that is created in an ordered collection (SSE 3.2)', () => {
  test('goes last below the root, or where it is wanted', async () => {
    const { create, tree } = await withTree();
    expect(await tree()).toBe('a(b(c)) d e');
    await create('f', { position: 0 });
    await create('g', { parent: 'a', position: 0 });
    await create('h', { parent: 'a' });
    await create('i', { position: 99 });
    expect(await tree()).toBe('f a(g b(c) h) d e i');
  });

  test('has its place in the feed entry and its parent in the JSON form', async () => {
    const { item, collection, ports } = await withTree();
    const { content, position, ...rest } = await item(bId);
    const xml = finish(renderedXml('opml', collection, { content, ...rest }, ports.publicUrl));
    expect(xml).toContain(`fm:position="1 ${position?.key} a"`);
    expect([sseProtocol.json(content), sseProtocol.json((await item(itemId('a'))).content)]).toMatchObject([
      { parent: 'a' },
      { parent: null },
    ]);
  });

  test('has a place in a flat one too, but no parent', async () => {
    const { create, tree, move } = endpoint({
      format: 'rss',
      settings: { windowItems: 1000, expiresAfter: 1, cleanUpHistory: false, ordered: true },
    });
    for (const id of ['a', 'b', 'c']) await create(id);
    await move('c', { position: 1 });
    expect(await tree()).toBe('a c b');
    await expect(create('d', { parent: 'a' })).rejects.toThrow(InvalidEditError);
  });
});

describe('a position', () => {
  test('counts the live siblings, without the item itself', async () => {
    const { edit, create, move, tree } = await withTree();
    await edit('d', { action: 'delete' });
    await create('f', { position: 2 });
    expect(await tree()).toBe('a(b(c)) e f');
    await move('a', { position: 1 });
    expect(await tree()).toBe('e a(b(c)) f');
  });
});

describe('a move', () => {
  test('keeps its key where it is given the place that it has, as what was read is sent back', async () => {
    const { edit, item, move, tree } = await withTree();
    const { position } = await item(d);
    await edit('d', {
      action: 'update',
      payload: outline('d, renamed'),
      place: { parent: null, position: 1 },
    });
    expect((await item(d)).position).toEqual(position);
    await move('d', { position: 2 });
    expect(await tree()).toBe('a(b(c)) e d');
    expect((await item(d)).position).not.toEqual(position);
  });

  test('is an update of the item, and of nothing else', async () => {
    const { move, tree, item } = await withTree();
    await move('e', { parent: 'a', position: 0 });
    expect(await tree()).toBe('a(e b(c)) d');
    expect((await item(itemId('e'))).content).toMatchObject({
      sync: { version: 2, history: [{ by: 'test:here' }, { by: 'test:here' }] },
      data: { format: 'opml' },
    });
    expect([(await item(itemId('a'))).revision, (await item(bId)).revision]).toEqual([1, 1]);
  });

  test('goes to the end of another parent if it names no position, and stays put in its own', async () => {
    const { move, tree, edit } = await withTree();
    await move('d', { parent: 'a' });
    expect(await tree()).toBe('a(b(c) d) e');
    await move('b', { parent: 'a' });
    await edit('b', { action: 'update', payload: outline('B') });
    expect(await tree()).toBe('a(b(c) d) e');
    await move('b', { parent: null });
    expect(await tree()).toBe('a(d) e b(c)');
  });

  test('puts the item between siblings that two endpoints put at one place, and moves neither', async () => {
    const one = endpoint();
    for (const id of ['a', 'b', 'c']) await one.create(id);
    const key = (await one.item(itemId('a'))).position?.key ?? '';
    await one.edit('b', { action: 'update', position: { key } });
    await one.move('c', { position: 1 });
    expect(await one.tree()).toBe('a c b');
    expect((await one.item(bId)).content.sync.version).toBe(2);
    await one.create('d', { position: 2 });
    await one.create('e', { position: 1 });
    expect(await one.tree()).toBe('a e c d b');
  });

  test(
    'that a move of its new parent crosses forms no cycle: the lower id goes to the root, in conflict ' +
      '(4.4.2)',
    async () => {
      const one = await withTree();
      const racing = raced(one.store.items, 'compareAndSet', () => one.move('d', { parent: 'b' }));
      const moved = await editItem(
        { ...one.ports, store: { ...one.store, items: racing } },
        one.collection,
        aId,
        { action: 'update', place: { parent: 'd' } },
      );
      expect(await one.tree()).toBe('a(b(c d)) e');
      expect([moved.position?.parent, moved.conflictCount]).toEqual([undefined, 1]);
      expect(await arrangeCollection(one.ports, one.collection)).toBe(0);
    },
  );

  test.each<[string, string, RequestedPlacement, typeof InvalidEditError | typeof ItemStateError, string]>([
    ['to a parent that does not exist', 'd', { parent: 'nobody' }, InvalidEditError, 'has no item "nobody"'],
    ['into itself', 'd', { parent: 'd' }, InvalidEditError, "can't stand in itself"],
    ['below itself', 'a', { parent: 'c' }, ItemStateError, '"c" stands below "a"'],
    ['to a parent that is deleted', 'd', { parent: 'e' }, ItemStateError, '"e" is deleted'],
    ['to half a position', 'd', { position: 0.5 }, InvalidEditError, '0.5'],
    ['to a position before the first', 'd', { position: -1 }, InvalidEditError, '-1'],
  ])('%s is refused, and nothing is changed', async (_, id, place, kind, message) => {
    const { edit, move, item, tree } = await withTree();
    await edit('e', { action: 'delete' });
    await expect(move(id, place)).rejects.toThrow(kind);
    await expect(move(id, place)).rejects.toThrow(message);
    expect([await tree(), (await item(itemId(id))).revision]).toEqual(['a(b(c)) d', 1]);
  });

  test('is refused in a collection without order, and of an edit that gives no place', async () => {
    const { create } = endpoint({ format: 'rss' });
    await create('a');
    await expect(create('b', { position: 0 })).rejects.toThrow('have no order');
    const feedsync = endpoint({ protocol: 'feedsync', format: 'atom' });
    await expect(feedsync.create('a', { position: 0 })).rejects.toThrow(InvalidEditError);
    await expect((await withTree()).edit('a', { action: 'delete', place: { position: 1 } })).rejects.toThrow(
      InvalidEditError,
    );
  });
});

describe('deleting a branch', () => {
  test('makes a tombstone of every live item below, and leaves the others alone', async () => {
    const { ports, collection, create, edit, tree, item } = await withTree();
    await create('x', { parent: 'c' });
    await edit('b', { action: 'delete' });
    await deleteBranch(ports, collection, aId, { action: 'delete' });
    expect(await tree()).toBe('d e');
    expect((await item(itemId('x'))).content.sync).toMatchObject({ version: 2, deleted: true });
    expect((await item(bId)).revision).toBe(2);
  });

  test('takes a child that was edited at the same time along', async () => {
    const one = await withTree();
    const racing = raced(
      one.store.items,
      'compareAndSet',
      () => one.edit('b', { action: 'update', payload: outline('changed') }),
      2,
    );
    await deleteBranch({ ...one.ports, store: { ...one.store, items: racing } }, one.collection, aId, {
      action: 'delete',
    });
    expect(await one.tree()).toBe('d e');
    expect((await one.item(bId)).content.sync).toMatchObject({ version: 3, deleted: true });
  });

  test('leaves what is moved out of it at the same time, with all that is in it', async () => {
    const one = await withTree();
    const racing = raced(
      one.store.items,
      'compareAndSet',
      () => one.edit('b', { action: 'update', place: { parent: 'd' } }),
      2,
    );
    await deleteBranch({ ...one.ports, store: { ...one.store, items: racing } }, one.collection, aId, {
      action: 'delete',
    });
    expect(await one.tree()).toBe('d(b(c)) e');
  });

  test('is taken up again where it broke off, and says how far it is', async () => {
    const { ports, collection, create, edit, tree } = await withTree();
    await create('x', { parent: 'c' });
    await create('y', { parent: 'a' });
    await edit('a', { action: 'delete' });
    const parts: DeletedPart[] = [];
    const deletion = { action: 'delete' } as const;
    const until = (last: number) => async (part: DeletedPart) => parts.push(part) < last;
    expect(await deleteBelow(ports, collection, aId, deletion, until(2))).toBe(false);
    expect(await deleteBelow(ports, collection, aId, deletion, until(9))).toBe(true);
    expect(await tree()).toBe('d e');
    expect(parts).toEqual([
      { deleted: ['b', 'y'], done: 2, total: 2 },
      { deleted: ['c'], done: 3, total: 3 },
      { deleted: [], done: 2, total: 2 },
      { deleted: [], done: 3, total: 3 },
      { deleted: ['x'], done: 4, total: 4 },
    ]);
  });

  test('is refused as a whole for another revision than the one it was made for', async () => {
    const { ports, collection, tree } = await withTree();
    await expect(deleteBranch(ports, collection, aId, { action: 'delete' }, 7)).rejects.toThrow(
      RevisionMismatchError,
    );
    expect(await tree()).toBe('a(b(c)) d e');
  });

  test('leaves a parent that can come back, alone, and keeps its place', async () => {
    const { ports, collection, tree, edit } = await withTree();
    await deleteBranch(ports, collection, aId, { action: 'delete', removeData: true });
    await expect(edit('a', { action: 'undelete' })).rejects.toThrow('its deletion removed it');
    await edit('a', { action: 'undelete', payload: outline('a again') });
    await edit('c', { action: 'undelete', payload: outline('c'), place: { parent: 'a' } });
    expect(await tree()).toBe('a(c) d e');
  });
});

describe('an edit of an SSE item', () => {
  test('truncates the history as the settings say (4.2)', async () => {
    const { create, edit, item } = endpoint({
      settings: { windowItems: 1000, expiresAfter: 1, cleanUpHistory: false, updatesKept: 1 },
    });
    await create('a');
    for (const text of ['b', 'c', 'd']) await edit('a', { action: 'update', payload: outline(text) });
    expect((await item(itemId('a'))).content.sync).toMatchObject({ version: 4, history: [{}, {}] });
    expect((await item(itemId('a'))).content.sync.history).toHaveLength(2);
  });

  test.each<[string, ItemEdit]>([
    ['noconflicts', { action: 'create', id: bId, payload: outline('b'), noconflicts: true }],
    ['some of the conflicts', { action: 'resolve', keep: 'winner', conflicts: [0] }],
  ])('that names %s, which only FeedSync has, is refused', async (_, refused) => {
    const { create, edit } = endpoint();
    await create('a');
    await expect(edit(refused.action === 'create' ? 'b' : 'a', refused)).rejects.toThrow(InvalidEditError);
  });

  test.each([
    ['opml', 'rss'],
    ['opml', 'atom'],
    ['rss', 'atom'],
  ] as const)(
    'in a collection in %s that has content in %s is refused: SSE converts nothing',
    async (format, other) => {
      const { edit } = endpoint({ format });
      await expect(
        edit('a', { action: 'create', id: aId, payload: payloadFromFields(other, { title: 'a' }) }),
      ).rejects.toThrow('format-fixed');
    },
  );
});
