import { describe, expect, test } from '@jest/globals';
import { payloadFromFields } from '#xml';
import { createMemoryStore, sampleCollection } from '#in-memory';
import { collectionKey, finish, itemId, ItemSizeError, UnavailableError } from '#core';
import type { ItemId, ItemWrite, StoredItem } from '#core';
import { editWrite } from './write-edits.ts';
import { RaceError, writeItems } from './write-items.ts';
import type { WriteTask } from './write-items.ts';

const todoKey = collectionKey('todo');
const aId = itemId('a');
const bId = itemId('b');

const now = (): Date => new Date('2026-02-01T00:00:00Z');
const collection = sampleCollection({
  key: todoKey,
  format: 'rss',
  createdAt: now(),
});
const title = (text: string) => payloadFromFields('rss', { title: text });

/** A store of items, and what is written to them one after the other. */
function createItems() {
  const store = createMemoryStore({ clock: { now } });
  const ports = { store, now, publicUrl: 'http://here.example' };
  const write = (id: ItemId, stored: StoredItem | undefined, text = 'Milk'): ItemWrite =>
    finish(
      editWrite(
        ports,
        collection,
        stored,
        stored === undefined
          ? { action: 'create', id, payload: title(text) }
          : { action: 'update', payload: title(text) },
      ),
    );
  const writeAll = (ids: readonly ItemId[], stored: ReadonlyMap<ItemId, StoredItem>) => ({
    writes: ids.map((id) => write(id, stored.get(id))),
  });
  /** Somebody else edits an item. */
  const edit = async (id: ItemId): Promise<void> => {
    const stored = (await store.items.load(todoKey, [id])).get(id);
    await store.items.compareAndSet([write(id, stored, 'Bread')]);
  };
  const revisions = async () =>
    Object.fromEntries(
      (await store.items.list(todoKey, { limit: 2000 })).map((item) => [item.id, item.revision]),
    );
  const run = async (task: Omit<WriteTask, 'collection'>): Promise<number> => {
    const written = await writeItems(store.items, { collection: todoKey, ...task });
    return written.length;
  };
  return { items: store.items, write, writeAll, edit, revisions, run };
}

describe('items that nobody else changes', () => {
  test('are decided about once, and written', async () => {
    const { run, writeAll, revisions } = createItems();
    expect(await run({ ids: [aId, bId], decide: writeAll })).toBe(2);
    expect(await revisions()).toEqual({ a: 1, b: 1 });
    expect(await run({ ids: [aId, bId], decide: () => ({ writes: [] }) })).toBe(0);
  });

  test('and were loaded before are not loaded again; those that somebody has changed since are', async () => {
    const { items, run, writeAll, edit, revisions } = createItems();
    await run({ ids: [aId, bId], decide: writeAll });
    const loaded = await items.load(todoKey, [aId, bId]);
    await edit(aId);
    const seen: unknown[] = [];
    const decide: WriteTask['decide'] = (ids, stored) => {
      seen.push(ids.map((id) => stored.get(id)?.revision));
      return writeAll(ids, stored);
    };
    await run({ ids: [aId, bId], loaded, decide });
    expect(seen).toEqual([[1, 1], [2]]);
    expect(await revisions()).toEqual({ a: 3, b: 2 });
  });

  test('are loaded and written in batches of bounded size', async () => {
    const { run, writeAll, revisions } = createItems();
    const batches: number[] = [];
    const ids = Array.from({ length: 1201 }, (_, number) => `i${number}`);
    const written = await run({
      ids: ids.map(itemId),
      decide: (batch, stored) => {
        batches.push(batch.length);
        return writeAll(batch, stored);
      },
    });
    expect([written, batches]).toEqual([1201, [500, 500, 201]]);
    expect(Object.keys(await revisions())).toHaveLength(1201);
  });
});

describe('a lost race', () => {
  test('is decided again on what is stored then, for the items that lost it alone', async () => {
    const { run, writeAll, edit, revisions } = createItems();
    const seen: (readonly [string, number])[][] = [];
    const reported: string[][] = [];
    const written = await run({
      ids: [aId, bId],
      decide: async (ids, stored) => {
        seen.push(ids.map((id) => [id, stored.get(id)?.revision ?? 0]));
        if (seen.length === 1) await edit(itemId('b'));
        return { ...writeAll(ids, stored), done: (lost) => void reported.push([...lost]) };
      },
    });
    expect(written).toBe(2);
    expect(seen).toEqual([
      [
        ['a', 0],
        ['b', 0],
      ],
      [['b', 1]],
    ]);
    expect(reported).toEqual([['b'], []]);
    expect(await revisions()).toEqual({ a: 1, b: 2 });
  });

  test('chooses the items anew if the choice depends on what others change', async () => {
    const { run, writeAll, edit, revisions } = createItems();
    let choices = 0;
    const written = await run({
      ids: [aId],
      chooseAgain: async () => {
        choices += 1;
        return ['a', 'c'].map(itemId);
      },
      decide: async (ids, stored) => {
        if (choices === 0) await edit(aId);
        return writeAll(ids, stored);
      },
    });
    expect([written, choices]).toEqual([2, 1]);
    expect(await revisions()).toEqual({ a: 2, c: 1 });
  });

  test('is what an outdated decision counts as', async () => {
    const { run, writeAll } = createItems();
    let decisions = 0;
    const written = await run({
      ids: [aId],
      decide: (ids, stored) => {
        decisions += 1;
        return decisions === 1 ? { writes: [], outdated: ids } : writeAll(ids, stored);
      },
    });
    expect([written, decisions]).toEqual([1, 2]);
  });

  test('that never ends is an error, after 20 attempts', async () => {
    const { run, writeAll, edit } = createItems();
    let decisions = 0;
    const decide: WriteTask['decide'] = async (ids, stored) => {
      decisions += 1;
      await edit(aId);
      return writeAll(ids, stored);
    };
    await expect(run({ ids: [aId], decide })).rejects.toThrow(RaceError);
    expect(decisions).toBe(20);
    await expect(run({ ids: [aId], decide, raced: (message) => new RangeError(message) })).rejects.toThrow(
      /^1 items of "todo" were changed by others 20 times/,
    );
  });
});

describe('a write that fails', () => {
  test('is loaded and decided again by the next call, whatever part of it was stored', async () => {
    const { items, writeAll, revisions } = createItems();
    let calls = 0;
    const failing = {
      load: items.load.bind(items),
      compareAndSet: async (writes: readonly ItemWrite[]) => {
        calls += 1;
        if (calls > 1) return items.compareAndSet(writes);
        await items.compareAndSet(writes.slice(0, 1));
        throw new UnavailableError('MongoDB', 'no primary', 'unknown');
      },
    };
    const task: WriteTask = {
      collection: todoKey,
      ids: [aId, bId],
      decide: (ids, stored) =>
        writeAll(
          ids.filter((id) => !stored.has(id)),
          stored,
        ),
    };
    await expect(writeItems(failing, task)).rejects.toThrow(UnavailableError);
    expect(await writeItems(failing, task)).toHaveLength(1);
    expect(await revisions()).toEqual({ a: 1, b: 1 });
  });

  test('because items are too large is refused for these, and goes well for the others', async () => {
    const { items, writeAll, revisions } = createItems();
    const limited = {
      load: items.load.bind(items),
      compareAndSet: async (writes: readonly ItemWrite[]) => {
        const large = writes.filter(({ item }) => item.id.startsWith('large'));
        if (large.length > 0) throw new ItemSizeError(new Map(large.map(({ item }) => [item.id, 100])), 10);
        return items.compareAndSet(writes);
      },
    };
    const refused: string[] = [];
    const task: WriteTask = {
      collection: todoKey,
      ids: [aId, itemId('large1'), bId, itemId('large2')],
      decide: writeAll,
    };
    const refuse = (id: string, error: Error): void => void refused.push(`${id}: ${error.name}`);
    expect(await writeItems(limited, { ...task, refuse })).toHaveLength(2);
    expect(refused).toEqual(['large1: ItemSizeError', 'large2: ItemSizeError']);
    expect(await revisions()).toEqual({ a: 1, b: 1 });
    await expect(writeItems(limited, task)).rejects.toThrow(ItemSizeError);
  });
});
