import { feedsyncDialect } from '#feedsync';
import { sseDialect } from '#sse';
import { expect, test } from '@jest/globals';
import { defaultScanLimits, FeedError } from '#xml';
import { readFeed } from './read-feed.ts';

async function* body(): AsyncGenerator<Uint8Array> {
  yield Buffer.from('<rss version="2.0"><channel><title>To do</title><item><title>milk</title></item>');
  yield Buffer.from('<item><title>bread</title></item></channel></rss>');
}

test('a feed within the limits hands on its items in order', async () => {
  const taken: string[] = [];
  const { head } = await readFeed(
    { body: body(), url: 'https://peer.example/feed' },
    { limits: { ...defaultScanLimits, items: 2 }, dialect: feedsyncDialect },
    async (fragments) => {
      taken.push(...fragments.map(({ xml }) => xml));
    },
  );
  expect(taken).toEqual([expect.stringContaining('milk'), expect.stringContaining('bread')]);
  expect(head).toMatchObject({ format: 'rss' });
});

test('a feed beyond a limit is refused with its name, after the items before it', async () => {
  let taken = 0;
  const reading = readFeed(
    { body: body(), url: 'https://peer.example/feed' },
    { limits: { ...defaultScanLimits, items: 1 }, dialect: feedsyncDialect },
    async (fragments) => {
      taken += fragments.length;
    },
  );
  await expect(reading).rejects.toThrow(FeedError);
  await expect(reading).rejects.toThrow('more than 1 items (limit "items")');
  expect(taken).toBe(1);
});

test('the outlines of an OPML document with Simple Sharing Extensions come with their place', async () => {
  const sync = (id: string): string => `<sx:sync id="${id}" version="1"><sx:history by="A"/></sx:sync>`;
  const opml = `<opml version="1.0" xmlns:sx="http://www.microsoft.com/schemas/rss/sse">
    <head><title>Feeds</title></head>
    <body>
      <outline text="News">${sync('news')}
        <outline text="One">${sync('one')}</outline>
        <outline text="Two">${sync('two')}</outline>
      </outline>
    </body>
  </opml>`;
  const places: unknown[] = [];
  async function* bytes(): AsyncGenerator<Uint8Array> {
    yield Buffer.from(opml);
  }
  const { head } = await readFeed(
    { body: bytes(), url: 'https://peer.example/feed' },
    { dialect: sseDialect },
    async (fragments) => {
      places.push(...fragments.map(({ id, place }) => ({ id, place })));
    },
  );
  expect(head).toMatchObject({ format: 'opml', title: 'Feeds' });
  expect(places).toHaveLength(3);
  expect(places).toEqual(
    expect.arrayContaining([
      { id: 'news', place: { after: '' } },
      { id: 'one', place: { parent: 'news', after: '', before: 'two' } },
      { id: 'two', place: { parent: 'news', after: 'one' } },
    ]),
  );
});
