import { describe, expect, test } from '@jest/globals';
import { collectionKey } from '#core';
import type { CollectionKey, DocumentStore, DownloadOutcome, TreeDocument } from '#core';
import type { OpenFixture } from './fixture.ts';
import { removeAll, useStore } from './fixture.ts';
import { cachedCopy, foundDocument, treeUrl } from './samples.ts';

const arrived: DownloadOutcome = { manifest: 'm1', kind: 'arrived', bytes: 7 };
const unchanged: DownloadOutcome = { manifest: 'm2', kind: 'unchanged' };
const reason = { rule: 'http-status', reason: 'The server answers 503.' };
const failed: DownloadOutcome = { manifest: 'm2', kind: 'failed', ...reason };
const earliest = '1601-01-01T00:00:00Z';

function withoutChanged({ changed: _changed, ...document }: TreeDocument): TreeDocument {
  return document;
}

/** What every store of the documents of mirrored trees does. */
export function describeDocumentStore(name: string, open: OpenFixture): void {
  describe(`Documents in ${name}`, () => {
    const under = useStore(open);
    const find = async (url: string): Promise<TreeDocument | undefined> => {
      const document = (await under.store.documents.load(under.key, [url])).get(url);
      return document && withoutChanged(document);
    };
    const unseen = (url: string): TreeDocument => ({
      collection: under.key,
      url,
      isFeed: false,
      onDemand: false,
      isRequested: false,
      lastBuildDate: earliest,
    });

    async function all(): Promise<string[]> {
      const urls: string[] = [];
      for await (const { url } of under.store.documents.all(under.key)) urls.push(url);
      return urls;
    }

    describe('what a walk found', () => {
      test('is loaded as it was said, by url', async () => {
        const { store, key } = under;
        const feed = { ...foundDocument('a'), isFeed: true };
        const file = { ...foundDocument('b'), onDemand: true, failure: reason };
        await store.documents.describe(key, [feed, file]);
        const loaded = await store.documents.load(key, [file.url, treeUrl('none'), feed.url]);
        expect([...loaded.keys()].toSorted()).toEqual([feed.url, file.url]);
        for (const found of [feed, file])
          expect(await find(found.url)).toEqual({ collection: key, isRequested: false, ...found });
        expect(await store.documents.load(key, [])).toEqual(new Map());
      });

      test('takes the place of what an earlier one found, its failure too', async () => {
        const { store, key } = under;
        await store.documents.describe(key, [{ ...foundDocument('a'), onDemand: true, failure: reason }]);
        const later = { ...foundDocument('a'), isFeed: true, lastBuildDate: '2026-02-01T00:00:00Z' };
        await store.documents.describe(key, [later]);
        expect(await find(later.url)).toStrictEqual({ collection: key, isRequested: false, ...later });
        await store.documents.describe(key, [{ ...later, failure: reason }]);
        expect((await find(later.url))?.failure).toEqual(reason);
      });

      test(
        'leaves alone what the cache holds, what came of the last download, what was requested and ' +
          'what was merged',
        async () => {
          const { store, key } = under;
          const { url } = foundDocument('a');
          await store.documents.record(key, url, arrived, cachedCopy('d1'));
          await store.documents.request(key, url, true);
          await store.documents.markMerged(key, url, 's1');
          await store.documents.describe(key, [{ ...foundDocument('a'), failure: reason }]);
          expect(await find(url)).toEqual({
            collection: key,
            ...foundDocument('a'),
            failure: reason,
            isRequested: true,
            copy: cachedCopy('d1'),
            outcome: arrived,
            merged: 's1',
          });
        },
      );

      test('is kept of thousands of documents at once', async () => {
        const { store, key } = under;
        const found = Array.from({ length: 2500 }, (_, index) =>
          foundDocument(String(index).padStart(4, '0')),
        );
        await store.documents.describe(key, found.toReversed());
        await store.documents.describe(key, found);
        expect(await all()).toEqual(found.map(({ url }) => url));
        expect(
          (
            await store.documents.load(
              key,
              found.map(({ url }) => url),
            )
          ).size,
        ).toBe(2500);
      });
    });

    describe('what a download came to', () => {
      test('is kept with its copy, and creates the document if it is unknown', async () => {
        const { store, key } = under;
        const whole = {
          ...cachedCopy('d1'),
          type: 'image/png; charset=x',
          etag: 'W/"$1"',
          lastModified: 'Mon, 02 Oct 2006 12:35:12 GMT',
          isFeed: true,
        };
        await store.documents.record(key, treeUrl('a'), arrived, whole);
        expect(await find(treeUrl('a'))).toStrictEqual({
          ...unseen(treeUrl('a')),
          isFeed: true,
          lastBuildDate: whole.lastBuildDate,
          outcome: arrived,
          copy: whole,
        });
        await store.documents.record(key, treeUrl('b'), failed);
        expect(await find(treeUrl('b'))).toStrictEqual({
          ...unseen(treeUrl('b')),
          outcome: failed,
          failure: reason,
        });
      });

      test('replaces copy and outcome as a whole, and leaves alone what the walk found', async () => {
        const { store, key } = under;
        const found = { ...foundDocument('a'), onDemand: true };
        await store.documents.describe(key, [found]);
        await store.documents.record(key, found.url, arrived, {
          ...cachedCopy('d1'),
          etag: '"1"',
        });
        await store.documents.record(key, found.url, unchanged, {
          ...cachedCopy('d2'),
          lastModified: 'yesterday',
        });
        expect(await find(found.url)).toStrictEqual({
          collection: key,
          isRequested: false,
          ...found,
          outcome: unchanged,
          copy: { ...cachedCopy('d2'), lastModified: 'yesterday' },
        });
      });

      test('a failure keeps the copy, and lasts until it is unchanged or replaced', async () => {
        const { store, key } = under;
        const url = treeUrl('a');
        await store.documents.record(key, url, arrived, cachedCopy('d1'));
        await store.documents.record(key, url, failed);
        expect(await find(url)).toMatchObject({ outcome: failed, failure: reason, copy: cachedCopy('d1') });
        await store.documents.record(key, url, unchanged);
        expect(await find(url)).toMatchObject({ outcome: unchanged, copy: cachedCopy('d1') });
        expect(await find(url)).not.toHaveProperty('failure');
        await store.documents.record(key, url, failed);
        await store.documents.record(key, url, arrived, cachedCopy('d2'));
        expect(await find(url)).not.toHaveProperty('failure');
      });

      test('of many that finalize it at once, none is refused', async () => {
        const { store, key } = under;
        await Promise.all(
          ['d1', 'd2', 'd3', 'd4'].map((digest) =>
            store.documents.record(key, treeUrl('a'), arrived, cachedCopy(digest)),
          ),
        );
        expect((await find(treeUrl('a')))?.copy?.digest).toMatch(/^d[1-4]$/);
      });
    });

    test('what is requested is marked, and created on demand if it is unknown', async () => {
      const { store, key } = under;
      await store.documents.describe(key, [foundDocument('known')]);
      await store.documents.request(key, treeUrl('known'), true);
      await store.documents.request(key, treeUrl('new'), true);
      expect(await find(treeUrl('known'))).toEqual({
        collection: key,
        ...foundDocument('known'),
        isRequested: true,
      });
      expect(await find(treeUrl('new'))).toEqual({
        ...unseen(treeUrl('new')),
        isFeed: true,
        onDemand: true,
        isRequested: true,
      });
    });

    test('what is requested is known until its request ends, and may be requested again', async () => {
      const { store, key } = under;
      await store.documents.describe(key, ['a', 'b'].map(foundDocument));
      expect(await store.documents.requested(key)).toEqual([]);
      for (const url of ['b', 'c', 'd']) await store.documents.request(key, treeUrl(url), false);
      expect((await store.documents.requested(key)).toSorted()).toEqual(['b', 'c', 'd'].map(treeUrl));
      expect(await store.documents.requested(collectionKey(`${key}0`))).toEqual([]);
      await store.documents.endRequests(key, ['a', 'b', 'c', 'none'].map(treeUrl));
      expect(await store.documents.requested(key)).toEqual([treeUrl('d')]);
      expect(await find(treeUrl('b'))).toEqual({
        collection: key,
        ...foundDocument('b'),
        isRequested: false,
      });
      await store.documents.request(key, treeUrl('b'), false);
      expect(await find(treeUrl('b'))).toMatchObject({ isRequested: true });
      expect(await all()).toEqual(['a', 'b', 'c', 'd'].map(treeUrl));
    });

    describe('a write', () => {
      const writes: [
        string,
        (documents: DocumentStore, key: CollectionKey, url: string) => Promise<unknown>,
      ][] = [
        ['a copy', (documents, key, url) => documents.record(key, url, arrived, cachedCopy('d2'))],
        ['a failure', (documents, key, url) => documents.record(key, url, failed)],
        ['a walk', (documents, key, url) => documents.describe(key, [{ ...foundDocument('a'), url }])],
        ['a request', (documents, key, url) => documents.request(key, url, true)],
        ['the end of a request', (documents, key, url) => documents.endRequests(key, [url])],
        ['forgetting', (documents, key, url) => documents.forget(key, [url])],
        ['forgetting a digest', (documents, key) => documents.forgetDigests(key, ['d1'])],
        ['what was merged', (documents, key, url) => documents.markMerged(key, url, 's1')],
        ['dropping', (documents, key, url) => documents.drop(key, 'm1', [url])],
      ];
      const read = async (url: string): Promise<TreeDocument[]> => [
        ...(await under.store.documents.load(under.key, [url])).values(),
      ];

      test.each(writes)('(%s) is known until it is acknowledged', async (_name, write) => {
        const { store, key } = under;
        const url = treeUrl('a');
        expect(await store.documents.hasChanged(key)).toBe(false);
        await store.documents.record(key, url, arrived, cachedCopy('d1'));
        expect(await store.documents.hasChanged(key)).toBe(true);
        await store.documents.acknowledge(key, await read(url));
        expect(await store.documents.hasChanged(key)).toBe(false);
        await write(store.documents, key, url);
        expect(await store.documents.hasChanged(key)).toBe(true);
        expect(await store.documents.hasChanged(collectionKey(`${key}0`))).toBe(false);
        const seen = await read(url);
        await write(store.documents, key, url);
        await store.documents.record(key, url, arrived, cachedCopy('d1'));
        await store.documents.acknowledge(key, seen);
        expect(await store.documents.hasChanged(key)).toBe(true);
      });

      test('says nothing if a copy is unchanged, but for a document that was removed', async () => {
        const { store, key } = under;
        const url = treeUrl('a');
        await store.documents.record(key, url, arrived, cachedCopy('d1'));
        await store.documents.acknowledge(key, await read(url));
        await store.documents.record(key, url, unchanged);
        expect(await store.documents.hasChanged(key)).toBe(false);
        await store.documents.remove(key, [url]);
        await store.documents.record(key, url, unchanged);
        expect(await store.documents.hasChanged(key)).toBe(true);
      });

      test('to one document is not acknowledged with another', async () => {
        const { store, key } = under;
        await store.documents.describe(key, ['a', 'b'].map(foundDocument));
        await store.documents.acknowledge(key, [...(await read(treeUrl('a'))), { url: treeUrl('none') }]);
        expect(await store.documents.hasChanged(key)).toBe(true);
        await store.documents.acknowledge(key, await read(treeUrl('b')));
        expect(await store.documents.hasChanged(key)).toBe(false);
      });
    });

    test('what was merged is marked on a document that is there', async () => {
      const { store, key } = under;
      await store.documents.describe(key, [foundDocument('a')]);
      await store.documents.markMerged(key, treeUrl('a'), 's1');
      await store.documents.markMerged(key, treeUrl('none'), 's1');
      expect((await find(treeUrl('a')))?.merged).toBe('s1');
      expect(await all()).toEqual([treeUrl('a')]);
    });

    describe('forgetting', () => {
      test('takes the copy and what was merged of it, and nothing else', async () => {
        const { store, key } = under;
        for (const url of ['a', 'b'].map(treeUrl)) {
          await store.documents.record(key, url, arrived, cachedCopy('d1'));
          await store.documents.markMerged(key, url, 's1');
        }
        const { copy: _copy, merged: _merged, ...rest } = (await find(treeUrl('a'))) ?? unseen('');
        await store.documents.forget(key, [treeUrl('a'), treeUrl('none')]);
        expect(await find(treeUrl('a'))).toStrictEqual(rest);
        expect(await find(treeUrl('b'))).toMatchObject({ copy: cachedCopy('d1'), merged: 's1' });
        expect(await all()).toEqual([treeUrl('a'), treeUrl('b')]);
      });

      test.each(['forget', 'forgetDigests'] as const)(
        'a copy of a document on demand requests it again (%s)',
        async (forgetting) => {
          const { store, key } = under;
          await store.documents.describe(
            key,
            ['cached', 'not cached'].map((url) => ({ ...foundDocument(url), onDemand: true })),
          );
          await store.documents.record(key, treeUrl('cached'), arrived, cachedCopy('d1'));
          await store.documents.record(key, treeUrl('not on demand'), arrived, cachedCopy('d1'));
          if (forgetting === 'forget')
            await store.documents.forget(key, ['cached', 'not cached', 'not on demand'].map(treeUrl));
          else await store.documents.forgetDigests(key, ['d1']);
          expect(await store.documents.requested(key)).toEqual([treeUrl('cached')]);
          expect(await store.documents.referring(key, ['d1'])).toEqual(new Map());
        },
      );

      test('by digest takes every copy that has it, and returns their documents', async () => {
        const { store, key } = under;
        for (const [url, digest] of [
          ['a', 'd1'],
          ['b', 'd2'],
          ['c', 'd1'],
          ['e', 'd3'],
        ] as const)
          await store.documents.record(key, treeUrl(url), arrived, cachedCopy(digest));
        await store.documents.markMerged(key, treeUrl('a'), 's1');
        expect((await store.documents.forgetDigests(key, ['d1', 'd3', 'none'])).sort()).toEqual(
          ['a', 'c', 'e'].map(treeUrl),
        );
        expect(await find(treeUrl('a'))).not.toHaveProperty('merged');
        expect(await store.documents.referring(key, ['d1', 'd2', 'd3'])).toEqual(new Map([['d2', 1]]));
        expect(await store.documents.forgetDigests(key, ['d1', 'd3'])).toEqual([]);
      });
    });

    test('how many documents have a copy with a digest is counted', async () => {
      const { store, key } = under;
      for (const [url, digest] of [
        ['a', 'd1'],
        ['b', 'd2'],
        ['c', 'd1'],
      ] as const)
        await store.documents.record(key, treeUrl(url), arrived, cachedCopy(digest));
      await store.documents.describe(key, [foundDocument('without a copy')]);
      expect(await store.documents.referring(key, ['d1', 'd2', 'd3'])).toEqual(
        new Map([
          ['d1', 2],
          ['d2', 1],
        ]),
      );
      expect(await store.documents.referring(key, [])).toEqual(new Map());
      expect(await store.documents.referring(collectionKey(`${key}0`), ['d1'])).toEqual(new Map());
    });

    test('what a copy was parsed to counts as a copy with that digest', async () => {
      const { store, key } = under;
      const copy = { ...cachedCopy('d1'), isFeed: true, parsed: 'p1' };
      for (const url of ['a', 'b']) await store.documents.record(key, treeUrl(url), arrived, copy);
      await store.documents.record(key, treeUrl('c'), arrived, cachedCopy('p1'));
      expect(await store.documents.referring(key, ['d1', 'p1'])).toEqual(
        new Map([
          ['d1', 2],
          ['p1', 3],
        ]),
      );
      expect((await store.documents.forgetDigests(key, ['p1'])).toSorted()).toEqual(
        ['a', 'b', 'c'].map(treeUrl),
      );
    });

    describe('what nothing refers to any more', () => {
      test('is returned by the fetch that found it, ascending, at most as many as requested', async () => {
        const { store, key } = under;
        await store.documents.describe(key, ['c', 'a', 'b', 'd', 'kept'].map(foundDocument));
        await store.documents.drop(key, 'm1', ['c', 'a', 'b', 'none'].map(treeUrl));
        await store.documents.drop(key, 'm2', [treeUrl('d')]);
        expect((await store.documents.dropped(key, 'm1', 10)).map(({ url }) => url)).toEqual(
          ['a', 'b', 'c'].map(treeUrl),
        );
        expect((await store.documents.dropped(key, 'm1', 1)).map(withoutChanged)).toEqual([
          { collection: key, isRequested: false, ...foundDocument('a'), dropped: 'm1' },
        ]);
        expect((await store.documents.dropped(key, 'm2', 10)).map(({ url }) => url)).toEqual([treeUrl('d')]);
        expect(await all()).toHaveLength(5);
      });

      test('is referred to again once a walk finds it', async () => {
        const { store, key } = under;
        await store.documents.describe(key, ['a', 'b'].map(foundDocument));
        await store.documents.drop(key, 'm1', ['a', 'b'].map(treeUrl));
        await store.documents.describe(key, [foundDocument('a')]);
        expect((await store.documents.dropped(key, 'm1', 10)).map(({ url }) => url)).toEqual([treeUrl('b')]);
        expect(await find(treeUrl('a'))).not.toHaveProperty('dropped');
      });

      test('is removed, thousands at once', async () => {
        const { store, key } = under;
        const urls = Array.from({ length: 2500 }, (_, index) => `${index}`).map(treeUrl);
        await store.documents.describe(
          key,
          ['kept', ...Array.from({ length: 2500 }, (_, index) => `${index}`)].map(foundDocument),
        );
        await store.documents.drop(key, 'm1', urls);
        expect(await store.documents.dropped(key, 'm1', 3000)).toHaveLength(2500);
        await store.documents.remove(key, urls);
        await store.documents.remove(key, urls);
        expect(await all()).toEqual([treeUrl('kept')]);
      });
    });

    const awkwardUrls = [
      'http://a.example/',
      'http://a.example/b//c?d=/e&f=$g.h',
      'http://a.example/__proto__',
      'https://[::1]:8080/%2F',
      'http://xn--e1afmkfd.example/é',
      'http://a.example/\uff5e',
      'http://a.example/😀',
      `http://a.example/${'x'.repeat(5000)}`,
    ];

    test.each(awkwardUrls)('the url %j is an ordinary url', async (url) => {
      const { store, key } = under;
      await store.documents.describe(key, [{ ...foundDocument(''), url }]);
      await store.documents.record(key, url, arrived, { ...cachedCopy('d1'), base: url });
      expect(await find(url)).toMatchObject({ url, copy: { base: url } });
      expect(await all()).toEqual([url]);
      expect(await store.documents.forgetDigests(key, ['d1'])).toEqual([url]);
      await store.documents.drop(key, 'm1', [url]);
      expect((await store.documents.dropped(key, 'm1', 5)).map(({ url }) => url)).toEqual([url]);
      await store.documents.remove(key, [url]);
      expect(await find(url)).toBeUndefined();
    });

    test('a list is in ascending order of url, by code point, page after page', async () => {
      const { store, key } = under;
      await store.documents.describe(
        key,
        awkwardUrls.map((url) => ({ ...foundDocument(''), url })),
      );
      const sorted = awkwardUrls.toSorted((one, other) =>
        Buffer.compare(Buffer.from(one), Buffer.from(other)),
      );
      expect(await all()).toEqual(sorted);
      const first = await store.documents.list(key, { limit: 3 });
      const rest = await store.documents.list(key, {
        limit: 100,
        after: first.at(-1)?.url ?? '',
      });
      expect(first).toHaveLength(3);
      expect([...first, ...rest].map(({ url }) => url)).toEqual(sorted);
    });

    test('collections whose names begin alike keep apart', async () => {
      const { store, key } = under;
      const alike = collectionKey(`${key}0`);
      try {
        await store.documents.describe(key, [foundDocument('a')]);
        await store.documents.describe(alike, ['a', 'b'].map(foundDocument));
        await store.documents.drop(alike, 'm1', [treeUrl('a')]);
        expect(await all()).toEqual([treeUrl('a')]);
        expect(await store.documents.dropped(key, 'm1', 5)).toEqual([]);
        await store.documents.remove(key, [treeUrl('a')]);
        expect(await store.documents.list(alike, { limit: 5 })).toHaveLength(2);
      } finally {
        await removeAll(store, alike);
      }
    });
  });
}
