import { feedsyncDialect } from '#feedsync';
import { expect, test } from '@jest/globals';
import { createMemoryStore, sampleCollection } from '#in-memory';
import { collectionKey, itemId, subscriptionId, UnavailableError } from '#core';
import type { ItemStore, Store } from '#core';
import { mergeFragments } from './merge-fragments.ts';
import { fragmentsOf } from '../../../test/support/fragments-of.ts';

const todo = collectionKey('todo');

const now = (): Date => new Date('2026-02-01T00:00:00Z');
const collection = sampleCollection({
  key: todo,
  createdAt: now(),
});

const ids = Array.from({ length: 20 }, (_, number) => `i${number}`);

function entriesWith(titles: ReadonlyMap<string, string>) {
  const entries = ids.map(
    (id) =>
      `<entry><title>${titles.get(id) ?? id}</title><sx:sync id="${id}" updates="1">` +
      '<sx:history sequence="1" when="2026-01-01T00:00:00Z" by="b"/></sx:sync></entry>',
  );
  return fragmentsOf(
    '<feed xmlns="http://www.w3.org/2005/Atom" xmlns:sx="http://feedsync.org/2007/feedsync">' +
      `\n${entries.join('\n')}</feed>`,
    feedsyncDialect,
  );
}

/**
 * Merges the items, of which some have another title; returns what came of it, the ids that are stored, and
 * the dead letters.
 */
async function merge(
  titles: ReadonlyMap<string, string> = new Map(),
  change: (items: ItemStore) => Partial<ItemStore> = () => ({}),
) {
  const whole = createMemoryStore({ clock: { now }, itemBytes: 10_000 });
  const changed = change(whole.items);
  const items = new Proxy(whole.items, {
    get: (target, name) =>
      Reflect.get(changed, name) ?? (Reflect.get(target, name) as () => unknown).bind(target),
  });
  const store: Store = { ...whole, items };
  const job = {
    version: 1,
    collection: todo,
    subscription: subscriptionId('peer'),
    manifest: 'm1',
    batch: 0,
    fragments: entriesWith(titles),
  } as const;
  const run = async () => {
    const { changed, ...report } = await mergeFragments(
      { store, now, publicUrl: 'http://here.example' },
      collection,
      { ...job, fragments: [...job.fragments] },
    );
    return { ...report, changed: changed.length };
  };
  return {
    run,
    stored: async () => (await whole.items.list(todo, { limit: 100 })).map(({ id }) => id),
    letters: () => whole.deadLetters.list({ limit: 100 }),
  };
}

const others = (...left: string[]): string[] => ids.filter((id) => !left.includes(id)).toSorted();

test('items that are too large to be stored become dead letters; their neighbours are merged', async () => {
  const { run, stored, letters } = await merge(
    new Map([
      ['i3', 'x'.repeat(10_000)],
      ['i11', 'y'.repeat(9000)],
    ]),
  );
  expect(await run()).toMatchObject({ changed: 19, rejected: 1 });
  expect(await stored()).toEqual(others('i3'));
  expect(await letters()).toMatchObject([
    {
      kind: 'item',
      subscription: subscriptionId('peer'),
      fragment: { id: 'i3', line: 5, column: 1 },
      violations: [
        {
          rule: 'item-stored-size',
          section: 'limits',
          severity: 'error',
          line: 5,
          column: 1,
          message: expect.stringMatching(
            /"i3" would take \d+ bytes .* 10000 are allowed \(setting ITEM_STORED_BYTES\)/,
          ),
        },
      ],
    },
  ]);
  expect(await run()).toMatchObject({ changed: 0, rejected: 1 });
  expect(await letters()).toHaveLength(1);
});

test('an item that the store refuses for whatever reason goes to the dead letters alone', async () => {
  const refusing = (items: ItemStore): Partial<ItemStore> => ({
    async compareAndSet(writes) {
      if (writes.some(({ item }) => item.id === 'i7')) throw new TypeError('this can never be written');
      return items.compareAndSet(writes);
    },
  });
  const { run, stored, letters } = await merge(new Map(), refusing);
  expect(await run()).toMatchObject({ changed: 19, rejected: 1 });
  expect(await stored()).toEqual(others('i7'));
  expect(await letters()).toMatchObject([
    {
      fragment: { id: 'i7' },
      violations: [
        { rule: 'merge-failed', section: 'FeedSync 3.3', message: 'this can never be written', line: 9 },
      ],
    },
  ]);
});

test('an item that fails after it was written goes to the dead letters alone, too', async () => {
  const refusing = (items: ItemStore): Partial<ItemStore> => ({
    async load(key, wanted) {
      const loaded = await items.load(key, wanted);
      if (loaded.has(itemId('i7'))) throw new RangeError('too large to be read');
      return loaded;
    },
  });
  const { run, letters } = await merge(new Map(), refusing);
  expect(await run()).toMatchObject({ changed: 20, rejected: 0 });
  expect(await run()).toMatchObject({ changed: 0, rejected: 1 });
  expect(await letters()).toMatchObject([{ fragment: { id: 'i7' }, violations: [{ rule: 'merge-failed' }] }]);
});

test.each([
  ['away at once', 0],
  ['away after the items were loaded', 1],
])('while the store is %s nothing goes to the dead letters', async (_when, writes) => {
  const away = (items: ItemStore): Partial<ItemStore> => ({
    load: (key, wanted) =>
      writes === 0
        ? Promise.reject(new UnavailableError('MongoDB', 'no primary', 'none'))
        : items.load(key, wanted),
    compareAndSet: () => Promise.reject(new UnavailableError('MongoDB', 'no primary', 'unknown')),
  });
  const { run, letters } = await merge(new Map(), away);
  await expect(run()).rejects.toThrow(UnavailableError);
  expect(await letters()).toEqual([]);
});
