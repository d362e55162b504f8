import { expect, jest, test } from '@jest/globals';
import { collectionKey } from '#core';
import type { Store } from '#core';
import { feed, file, nested } from './__fixtures__/feed.ts';
import { at, createMirror, rootUrl } from './__fixtures__/mirror.ts';

const paper = collectionKey('paper');
const day = 86_400_000;

const site = {
  'root.xml': feed('Paper', ['news', 3, nested('news.xml')], ['logo', 2, file('logo.png')]),
  'news.xml': feed('News', ['1', 3, file('a.jpg')]),
  'logo.png': 'logo',
  'a.jpg': 'a',
};

/** A mirror whose documents were compared after its first fetch. */
async function comparedMirror() {
  const mirror = createMirror();
  await mirror.subscribe();
  mirror.serve(site);
  await mirror.fetch();
  await mirror.fetch();
  const all = jest.spyOn(mirror.store.documents, 'all');
  return {
    ...mirror,
    /** Fetches once; tells whether all documents were read. */
    comparesAll: async (): Promise<boolean> => {
      all.mockClear();
      await mirror.fetch();
      return all.mock.calls.length > 0;
    },
  };
}

test('a poll that finds the root unchanged reads nothing else, and opens no manifest', async () => {
  const { comparesAll, fetch, subscription, asked } = await comparedMirror();
  const before = await subscription();
  expect(await comparesAll()).toBe(false);
  expect(asked).toEqual(['root.xml?']);
  expect((await fetch()).manifest).toBeUndefined();
  const after = await subscription();
  expect(after).toMatchObject({ failures: 0, last: { outcome: 'not-modified' } });
  expect(after?.cursor).toEqual(before?.cursor);
});

test('so does one of a server that ignores conditions, each time', async () => {
  const { comparesAll, http, store } = await comparedMirror();
  const body = site['root.xml'];
  http.serve(rootUrl, () => ({ status: 200, headers: { 'content-type': 'application/rss+xml' }, body }));
  for (let poll = 0; poll < 3; poll += 1) expect(await comparesAll()).toBe(false);
  expect(await store.documents.hasChanged(paper)).toBe(false);
});

test.each<[string, (store: Store) => Promise<unknown>]>([
  ['a copy was forgotten', ({ documents }) => documents.forget(paper, [at('a.jpg')])],
  ['a document was requested', ({ documents }) => documents.request(paper, at('a.jpg'), false)],
  ['a feed was mirrored anew', ({ documents }) => documents.markMerged(paper, at('news.xml'), 'other')],
  ['a document was dropped', ({ documents }) => documents.drop(paper, 'm0', [at('a.jpg')])],
])(
  'all documents are compared again after %s, and once the tree is in step no more',
  async (_what, write) => {
    const { comparesAll, store, document } = await comparedMirror();
    const before = await document('a.jpg');
    await write(store);
    expect(await comparesAll()).toBe(true);
    expect(await comparesAll()).toBe(true);
    expect(await comparesAll()).toBe(false);
    expect((await document('a.jpg'))?.copy?.digest).toBe(before?.copy?.digest);
  },
);

test('all documents are compared again after a day, or if a limit has changed', async () => {
  const { comparesAll, pass, settings, subscription } = await comparedMirror();
  pass(day);
  expect(await comparesAll()).toBe(true);
  expect(await comparesAll()).toBe(false);
  Object.assign(settings.tree, { limits: { ...settings.tree.limits, documents: 900 } });
  expect(await comparesAll()).toBe(true);
  expect((await subscription())?.cursor.tree?.comparedAt).toBeDefined();
});

test('a changed root is followed by a walk, which is compared once', async () => {
  const { comparesAll, serve, document } = await comparedMirror();
  serve({
    'root.xml': feed('Paper', ['news', 5, nested('news.xml')], ['logo', 2, file('logo.png')]),
    'news.xml': feed('News', ['1', 3, file('a.jpg')], ['2', 5, file('b.jpg')]),
    'b.jpg': 'b',
  });
  expect(await comparesAll()).toBe(true);
  expect((await document('b.jpg'))?.copy).toMatchObject({ length: 1 });
  expect(await comparesAll()).toBe(true);
  expect(await comparesAll()).toBe(false);
});

test('a walk that breaks off anywhere after the root was recorded is made up for', async () => {
  let breaks = 0;
  // One step of the walk later each time, until it comes to its end.
  for (let step = 0, isBroken = true; isBroken; step += 1) {
    const { comparesAll, serve, store, fetch, document, settings, pass } = await comparedMirror();
    serve({
      'root.xml': feed('Paper', ['news', 5, nested('news.xml')]),
      'news.xml': feed('News', ['2', 5, file('b.jpg')]),
      'b.jpg': 'b',
    });
    const mend = breakAt(store, step);
    isBroken = await fetch().then(
      () => false,
      () => true,
    );
    mend();
    if (isBroken) breaks += 1;
    pass(settings.lease + 1);
    while (await comparesAll());
    expect((await document('b.jpg'))?.copy).toMatchObject({ length: 1 });
    expect(await document('logo.png')).toBeUndefined();
    expect(await document('a.jpg')).toBeUndefined();
  }
  expect(breaks).toBeGreaterThan(5);
});

/** Has every operation on documents and manifests fail after so many of them; returns what ends it. */
function breakAt({ documents, manifests }: Store, after: number): () => void {
  let left = after;
  const spies = [documents, manifests].flatMap((port) =>
    Object.getOwnPropertyNames(Object.getPrototypeOf(port))
      .filter((name) => name !== 'constructor' && name !== 'all')
      .map((name) => {
        const methods = port as unknown as Record<string, (...args: unknown[]) => Promise<unknown>>;
        const method = methods[name]?.bind(port);
        return jest.spyOn(methods, name).mockImplementation(async (...args) => {
          left -= 1;
          if (left < 0) throw new Error('killed');
          return method?.(...args);
        });
      }),
  );
  return () => {
    for (const spy of spies) spy.mockRestore();
  };
}
