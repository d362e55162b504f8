import { describe, expect, test } from '@jest/globals';
import { collectionKey } from '#core';
import { cacheDocument } from '../../../../test/support/cache-document.ts';
import { at, createMirror } from './__fixtures__/mirror.ts';
import type { MirrorOptions } from './__fixtures__/mirror.ts';
import { feed, file, onDemand } from './__fixtures__/feed.ts';

const paperKey = collectionKey('paper');

describe('a document on demand', () => {
  const paper = {
    'root.xml': feed('Paper', ['old', 2, onDemand('archive.xml', true)], ['film', 2, onDemand('film.mp4')]),
    'archive.xml': feed('Archive', ['a', 2, file('a.jpg')]),
    'a.jpg': 'a',
    'film.mp4': 'film',
  };

  async function paperMirror(options: MirrorOptions = {}) {
    const mirror = createMirror(options);
    await mirror.subscribe();
    mirror.serve(paper);
    const first = await mirror.fetch();
    return { ...mirror, first };
  }

  test('is known, but not downloaded until it is requested; a feed brings what it names too', async () => {
    const { first, fetch, store, document } = await paperMirror();
    expect(first.asked).toEqual(['root.xml']);
    expect(await document('film.mp4')).toMatchObject({ onDemand: true, isRequested: false, isFeed: false });
    await store.documents.request(paperKey, at('archive.xml'), true);
    const { asked, mirrored } = await fetch();
    expect(asked).toEqual(['root.xml?', 'archive.xml', 'a.jpg']);
    expect(mirrored).toEqual(['archive.xml', 'root.xml']);
    expect(await document('archive.xml')).toMatchObject({
      onDemand: true,
      isRequested: true,
      copy: { isFeed: true },
    });
    expect(await document('a.jpg')).toMatchObject({ onDemand: false, copy: { length: 1 } });
  });

  test.each([
    [undefined, ['root.xml', 'film.mp4']],
    [false, ['root.xml']],
  ])(
    'is kept in step from then on unless the collection says otherwise (refreshOnDemand %s)',
    async (refreshOnDemand, expected) => {
      const { fetch, store, serve, document } = await paperMirror({
        settings: { ...(refreshOnDemand !== undefined && { refreshOnDemand }) },
      });
      await store.documents.request(paperKey, at('film.mp4'), false);
      expect((await fetch()).asked).toEqual(['root.xml?', 'film.mp4']);
      serve({ 'root.xml': feed('Paper', ['film', 4, onDemand('film.mp4')]), 'film.mp4': 'a longer film' });
      expect((await fetch()).asked).toEqual(expected);
      expect(await document('film.mp4')).toMatchObject({ copy: { length: expected.length === 2 ? 13 : 4 } });
    },
  );

  test(
    'that is a feed and is fetched once comes with what it names, also where the fetch that brought it ' +
      'broke off before that',
    async () => {
      const { fetch, store, serve, document } = await paperMirror({ settings: { refreshOnDemand: false } });
      await store.documents.request(collectionKey('paper'), at('archive.xml'), true);
      await cacheDocument(store, collectionKey('paper'), {
        url: at('archive.xml'),
        text: paper['archive.xml'],
        isFeed: true,
        lastBuildDate: '2026-01-02T00:00:00Z',
        manifest: 'one that broke off',
      });
      expect((await fetch()).asked).toEqual(['root.xml?', 'a.jpg']);
      serve({
        'root.xml': feed('Paper', ['old', 4, onDemand('archive.xml', true)]),
        'archive.xml': feed('Archive', ['a', 4, file('b.jpg')]),
      });
      expect((await fetch()).asked).toEqual(['root.xml']);
      expect(await document('a.jpg')).toMatchObject({ copy: { length: 1 } });
    },
  );

  test('is checked again only when it is requested again (refreshOnDemand false)', async () => {
    const { fetch, store, serve, document } = await paperMirror({ settings: { refreshOnDemand: false } });
    await store.documents.request(paperKey, at('film.mp4'), false);
    await fetch();
    expect(await document('film.mp4')).toMatchObject({ isRequested: false, copy: { length: 4 } });
    serve({ 'root.xml': feed('Paper', ['film', 4, onDemand('film.mp4')]), 'film.mp4': 'a longer film' });
    expect((await fetch()).asked).toEqual(['root.xml']);
    await store.documents.request(paperKey, at('film.mp4'), false);
    expect((await fetch()).asked).toEqual(['root.xml?', 'film.mp4']);
    expect(await document('film.mp4')).toMatchObject({ isRequested: false, copy: { length: 13 } });
  });

  test('stays requested until it is there with all that it names', async () => {
    const { fetch, store, serve, document } = await paperMirror({ settings: { refreshOnDemand: false } });
    serve({ 'a.jpg': undefined });
    await store.documents.request(paperKey, at('archive.xml'), true);
    await fetch();
    expect(await document('archive.xml')).toMatchObject({ isRequested: true, copy: { isFeed: true } });
    serve(paper);
    expect((await fetch()).asked).toEqual(['root.xml?', 'a.jpg']);
    expect(await document('archive.xml')).toMatchObject({ isRequested: false });
  });

  test(
    'is fetched again where its copy was lost, and so is what a feed on demand names (refreshOnDemand ' +
      'false)',
    async () => {
      const { fetch, store } = await paperMirror({ settings: { refreshOnDemand: false } });
      for (const path of ['archive.xml', 'film.mp4'])
        await store.documents.request(paperKey, at(path), path === 'archive.xml');
      await fetch();
      expect((await fetch()).asked).toEqual(['root.xml?']);
      await store.documents.forget(paperKey, [at('a.jpg'), at('film.mp4')]);
      expect((await fetch()).asked).toEqual(['root.xml?', 'film.mp4', 'a.jpg']);
      await store.documents.forget(paperKey, [at('archive.xml')]);
      expect((await fetch()).asked).toEqual(['root.xml?', 'archive.xml', 'a.jpg?']);
      expect((await fetch()).asked).toEqual(['root.xml?']);
    },
  );

  test('is downloaded again with what it names by the fetch that finds its copy damaged', async () => {
    const { fetch, store, serve, document } = await paperMirror({ settings: { refreshOnDemand: false } });
    await store.documents.request(paperKey, at('archive.xml'), true);
    await fetch();
    await store.contents.remove(paperKey, (await document('archive.xml'))?.copy?.digest ?? '');
    serve({ 'root.xml': feed('Paper', ['old', 4, onDemand('archive.xml', true)]) });
    expect((await fetch()).asked).toEqual(['root.xml', 'archive.xml', 'a.jpg?']);
    expect(await document('archive.xml')).toMatchObject({ isRequested: false, copy: { isFeed: true } });
  });

  test('is found in a feed that was fetched on demand once (refreshOnDemand false)', async () => {
    const { fetch, store, serve } = await paperMirror({ settings: { refreshOnDemand: false } });
    serve({
      'archive.xml': feed('Archive', ['a', 2, onDemand('deep.xml', true)]),
      'deep.xml': feed('Deep', ['d', 2, file('d.jpg')]),
      'd.jpg': 'd',
    });
    await store.documents.request(paperKey, at('archive.xml'), true);
    expect((await fetch()).asked).toEqual(['root.xml?', 'archive.xml']);
    await store.documents.request(paperKey, at('deep.xml'), true);
    expect((await fetch()).asked).toEqual(['root.xml?', 'deep.xml', 'd.jpg']);
    expect((await fetch()).asked).toEqual(['root.xml?']);
  });

  test(
    'that is requested again while a fetch is in progress makes the next one due at once, though it is ' +
      'there',
    async () => {
      const { fetch, store, serve, onPause } = await paperMirror({ settings: { refreshOnDemand: false } });
      await store.documents.request(paperKey, at('film.mp4'), false);
      await fetch();
      serve({
        'root.xml': feed('Paper', ['film', 3, onDemand('film.mp4')], ['x', 3, file('x.jpg')]),
        'x.jpg': 'x',
      });
      onPause(() => store.documents.request(paperKey, at('film.mp4'), false));
      expect((await fetch()).manifest?.seal).toMatchObject({
        nextFetchReason: 'a document on demand was requested meanwhile',
      });
      expect((await fetch()).asked).toEqual(['root.xml?', 'film.mp4?']);
    },
  );

  test('that is requested while a fetch is in progress makes the next one due at once', async () => {
    const { fetch, store, serve, onPause } = await paperMirror();
    serve({ 'root.xml': feed('Paper', ['film', 3, onDemand('film.mp4'), file('x.jpg')]), 'x.jpg': 'x' });
    onPause(() => store.documents.request(paperKey, at('film.mp4'), false));
    const { manifest } = await fetch();
    expect(manifest?.seal).toMatchObject({ nextFetchReason: 'a document on demand was requested meanwhile' });
    expect((await fetch()).asked).toEqual(['root.xml?', 'film.mp4']);
  });
});
