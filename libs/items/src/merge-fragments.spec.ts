import { feedsyncDialect, feedsyncProtocol } from '#feedsync';
import { describe, expect, test } from '@jest/globals';
import type { Format } from '#xml';
import { createMemoryStore, sampleCollection } from '#in-memory';
import { collectionKey, finish, itemId, subscriptionId } from '#core';
import type { CollectionSettings, ItemStore, StoredItem } from '#core';
import type { FeedSyncContent } from '#feedsync';
import { editItem } from './edit-item.ts';
import { renderedXml } from './rendered-xml.ts';
import { mergeFragments } from './merge-fragments.ts';
import type { ResolutionModules } from '#protocol';
import { raced } from '../../../test/support/raced.ts';
import { replaced } from '../../../test/support/replaced.ts';
import { fragmentsOf } from '../../../test/support/fragments-of.ts';

const todo = collectionKey('todo');
const milk = itemId('milk');

const publicUrl = 'http://here.example';
const now = (): Date => new Date('2026-02-01T00:00:00Z');

type FeedSyncItem = StoredItem & { readonly content: FeedSyncContent };

/**
 * An Atom entry by this endpoint, `updates` times updated at the given hours; `conflicts` are entries too.
 */
function entry(
  by: string,
  hours: readonly number[],
  { id = 'milk', title = `of ${by}`, conflicts = '', more = '' } = {},
): string {
  const when = (hour: number): string => `2026-01-01T${String(hour).padStart(2, '0')}:00:00Z`;
  const history = hours
    .map((hour, index) => `<sx:history sequence="${index + 1}" when="${when(hour)}" by="${by}"/>`)
    .toReversed();
  const held = conflicts && `<sx:conflicts>${conflicts}</sx:conflicts>`;
  const sync = `<sx:sync id="${id}" updates="${hours.length}">${history.join('')}${held}</sx:sync>`;
  const dated = '<id>urn:theirs</id><updated>2026-01-01T00:00:00Z</updated>';
  return `<entry><title>${title}</title>${dated}<author><name>they</name></author>${more}${sync}</entry>`;
}

function fragments(...entries: string[]) {
  const feed =
    '<feed xmlns="http://www.w3.org/2005/Atom" xmlns:sx="http://feedsync.org/2007/feedsync" ' +
    'xmlns:x="urn:x"><title>A feed</title><id>urn:f</id><updated>2026-01-01T00:00:00Z</updated>' +
    `\n${entries.join('\n')}\n</feed>`;
  return fragmentsOf(feed, feedsyncDialect);
}

/** An endpoint with one collection. */
function endpoint(
  settings: Partial<CollectionSettings> = {},
  format: Format = 'atom',
  modules: ResolutionModules = new Map(),
) {
  const store = createMemoryStore({ clock: { now } });
  const collection = sampleCollection({
    key: todo,
    format,
    createdAt: now(),
    settings,
  });
  const ports = { store, now, publicUrl, modules };
  return {
    collection,
    store,
    take: async (
      entries: readonly string[],
      job: { manifest?: string; batch?: number; base?: string; document?: 'feed' | 'complete' } = {},
      items: ItemStore = store.items,
    ) => {
      const { changed, ...report } = await mergeFragments(
        { ...ports, store: { ...store, items } },
        collection,
        {
          version: 1,
          collection: todo,
          subscription: subscriptionId('peer'),
          manifest: 'm1',
          batch: 0,
          ...job,
          fragments: fragments(...entries),
        },
      );
      return { ...report, changed: changed.length };
    },
    stored: async (): Promise<FeedSyncItem> => {
      const item = (await store.items.load(todo, [milk])).get(milk);
      if (item === undefined) throw new Error('There is no item.');
      return { ...item, content: item.content as FeedSyncContent };
    },
    edit: (edit: Parameters<typeof editItem>[3]) => editItem(ports, collection, milk, edit),
  };
}

describe('an item that another writer changes while its batch is decided', () => {
  const both = [entry('a', [1]), entry('a', [1], { id: 'tea' })];
  const report = { rejected: 0, notUnique: 0, plain: 0, violations: [] };

  test('is decided again on what that one wrote, and its neighbours are not', async () => {
    const { take, stored, store } = endpoint();
    const items = raced(store.items, 'compareAndSet', () => take([entry('b', [2])], { manifest: 'm2' }));
    expect(await take(both, {}, items)).toEqual({ changed: 2, ...report });
    expect(await stored()).toMatchObject({ revision: 2, conflictCount: 1 });
    const tea = (await store.items.load(todo, [itemId('tea')])).get(itemId('tea'));
    expect(tea).toMatchObject({ revision: 1, conflictCount: 0 });
  });

  test('is decided so often and no more; then the whole batch fails, and is merged again', async () => {
    const { take, stored, store } = endpoint();
    let calls = 0;
    const edits = replaced(store.items, 'compareAndSet', async (writes) => {
      calls += 1;
      await take(
        [
          entry(
            'b',
            Array.from({ length: calls }, (_, number) => number),
          ),
        ],
        { manifest: 'm2' },
      );
      return store.items.compareAndSet(writes);
    });
    await expect(take([entry('a', [1])], {}, edits)).rejects.toThrow('were changed by others 20 times');
    expect((await stored()).conflictCount).toBe(0);
    expect(await take([entry('a', [1])])).toEqual({ changed: 1, ...report });
  });
});

describe('an item that is taken in', () => {
  test('keeps shared data, foreign markup and the base of its document, as do its conflicts', async () => {
    const { take, stored } = endpoint();
    await take(
      [
        entry('a', [1, 2], {
          more: '<link href="milk.html"/><x:price>1</x:price>',
          conflicts: entry('b', [3]),
        }),
      ],
      { base: 'http://there.example/feed' },
    );
    const { content } = await stored();
    expect(content.data.children.map(({ name }) => name)).toEqual(['title', 'link', 'price']);
    expect(content.data.scope.base).toBe('http://there.example/feed');
    expect(content.conflicts[0]?.data.children.map(({ name }) => name)).toEqual(['title']);
  });

  test('keeps what the settings of the collection call shared', async () => {
    const { take, stored } = endpoint({ sharedElements: { atom: ['title', 'author'], rss: ['title'] } });
    await take([entry('a', [1], { more: '<content>none of it</content>' })]);
    expect((await stored()).content.data.children.map(({ name }) => name)).toEqual(['title', 'author']);
  });

  test(
    'is converted to the native format of the collection, with its conflicts, and stands in feeds of ' +
      'both',
    async () => {
      const { take, stored, collection } = endpoint({}, 'rss');
      await take([entry('a', [1, 2], { conflicts: entry('b', [3]) })]);
      const item = await stored();
      expect([item.content, ...item.content.conflicts].map(({ data }) => data.format)).toEqual([
        'rss',
        'rss',
      ]);
      expect(finish(renderedXml('rss', collection, item, publicUrl))).toMatch(
        /^<item[ >].*<item[ >].*<\/item><\/sx:conflicts><\/sx:sync><\/item>$/s,
      );
      const atom = finish(renderedXml('atom', collection, item, publicUrl));
      expect(atom).toMatch(
        /^<entry[ >].*of a.*<entry[ >].*of b.*<\/entry><\/sx:conflicts><\/sx:sync><\/entry>$/s,
      );
      expect(atom).toContain('href="http://here.example/v1/collections/todo/items/milk"');
    },
  );

  test('remembers which document brought it last', async () => {
    const { take, stored } = endpoint();
    await take([entry('a', [1])]);
    expect((await stored()).sources).toMatchObject([{ subscription: 'peer', fetchPass: 'm1.feed' }]);
    await take([entry('a', [1])], { manifest: 'm2', document: 'complete' });
    expect(await stored()).toMatchObject({
      revision: 1,
      sources: [{ subscription: 'peer', fetchPass: 'm2.complete' }],
    });
  });
});

describe('an item that stands in one document more than once (Implementation Notes, Note 2)', () => {
  const conflict = {
    rule: 'repeated-item-conflict',
    severity: 'warning',
    message: expect.stringContaining('"milk"') as unknown,
  };

  test('is merged among itself, without a word where one version subsumes the other', async () => {
    const { take, stored } = endpoint();
    expect(
      await take([
        entry('a', [1, 2]),
        entry('a', [1]),
        entry('a', [1, 2, 3], { conflicts: entry('b', [4]) }),
      ]),
    ).toEqual({ changed: 1, rejected: 0, notUnique: 0, plain: 0, violations: [] });
    expect((await stored()).version.updates).toBe(3);
  });

  test('in versions that conflict is taken in, and reported at the place of the later one', async () => {
    const { take, stored } = endpoint();
    expect(await take([entry('a', [1, 2]), entry('b', [3])])).toMatchObject({
      changed: 1,
      rejected: 0,
      violations: [{ ...conflict, line: 3, column: 1 }],
    });
    expect((await stored()).conflictCount).toBe(1);
  });

  test('is reported also where its versions come in two batches', async () => {
    const { take } = endpoint();
    expect((await take([entry('a', [1, 2])])).violations).toEqual([]);
    expect((await take([entry('b', [3])], { batch: 1 })).violations).toMatchObject([conflict]);
  });

  test('is not reported where the other version came with another document, or from elsewhere', async () => {
    const { take } = endpoint();
    await take([entry('a', [1, 2])]);
    expect((await take([entry('b', [3])], { document: 'complete' })).violations).toEqual([]);
    expect((await take([entry('c', [4])], { manifest: 'm2' })).violations).toEqual([]);
  });
});

describe('a collection with a policy of resolution (3.4)', () => {
  const both = [entry('a', [1, 2]), entry('b', [3])];
  const title = (item: FeedSyncItem): string | undefined => feedsyncProtocol.json(item.content).title;

  test('resolves conflicts as they arise, and says so of that version only', async () => {
    const { take, stored, edit } = endpoint({ resolution: { policy: 'latest' } });
    await take([both[0] ?? '']);
    expect((await stored()).version.resolution).toBeUndefined();
    await take([both[1] ?? ''], { manifest: 'm2' });
    const resolved = await stored();
    expect([title(resolved), resolved.conflictCount, resolved.version.resolution]).toEqual([
      'of b',
      0,
      { policy: 'latest', conflicts: 1 },
    ]);
    expect((await edit({ action: 'delete' })).version.resolution).toBeUndefined();
  });

  test('resolves an earlier conflict at the next merge; a second merge changes nothing', async () => {
    const { take, stored, collection } = endpoint();
    await take(both);
    Object.assign(collection, {
      settings: { ...collection.settings, resolution: { policy: 'prefer-endpoint', endpoint: 'b' } },
    });
    expect((await take(both)).changed).toBe(1);
    expect(title(await stored())).toBe('of b');
    expect((await take(both)).changed).toBe(0);
  });

  const ask = async (choose: (versions: readonly { title?: string }[]) => unknown) => {
    const one = endpoint(
      { resolution: { policy: 'module', module: 'mine' } },
      'atom',
      new Map([['mine', { digest: '0123456789abcdef', choose }]]),
    );
    const { violations } = await one.take(both, { batch: 1 });
    return {
      violations: violations.filter(({ rule }) => rule !== 'repeated-item-conflict'),
      item: await one.stored(),
    };
  };

  test('asks the module that it names, which chooses a version or writes new data', async () => {
    const chosen = await ask((versions) => versions.findIndex((version) => version.title === 'of b'));
    expect([title(chosen.item), chosen.item.version.resolution, chosen.violations]).toEqual([
      'of b',
      { policy: 'module mine', conflicts: 1 },
      [],
    ]);
    expect(chosen.item.content.sync.history[0]?.by).toMatch(/^resolution:module-mine-01234567:/);
    const written = await ask((versions) => ({
      data: { title: versions.map((version) => version.title).join(' and ') },
    }));
    expect(title(written.item)).toBe('of a and of b');
  });

  test.each<[string, (versions: readonly unknown[]) => unknown, string]>([
    [
      'throws',
      () => {
        throw new Error('out of order');
      },
      'out of order',
    ],
    ['names no version', () => 7, 'the choice is 7'],
    ['answers nothing', () => undefined, 'its answer is neither'],
    ['answers data that are no texts', () => ({ data: { title: 5 } }), 'its answer is neither'],
    [
      'answers data that have no place in the format',
      () => ({ data: { title: 'x', titleType: 'pdf' } }),
      'pdf',
    ],
  ])('keeps the conflicts, with a warning, where the module %s', async (_, choose, message) => {
    const { violations, item } = await ask(choose);
    expect(item.conflictCount).toBe(1);
    expect(violations).toMatchObject([
      {
        rule: 'resolution-failed',
        severity: 'warning',
        message: expect.stringContaining(message) as unknown,
      },
    ]);
  });

  test('keeps the conflicts, with a warning, where no module has the name', async () => {
    const { take, stored } = endpoint({ resolution: { policy: 'module', module: 'mine' } });
    expect((await take(both)).violations).toContainEqual(
      expect.objectContaining({ rule: 'resolution-module-unknown', severity: 'warning' }),
    );
    expect((await stored()).conflictCount).toBe(1);
  });
});
