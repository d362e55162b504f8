import { expect, jest, test } from '@jest/globals';
import { createMemoryStore } from '#in-memory';
import { defaultScanLimits, FeedScanner } from '#xml';
import { collectionKey, ContentError } from '#core';
import type { CachedCopy, ContentStore } from '#core';
import { keepFeed, readParsedFeed } from './parsed-feed.ts';

const paper = collectionKey('paper');

const at = new Date('2026-01-01T00:00:00Z');
const base = 'http://site.example/feed.xml';
const item = (guid: string, text = '') =>
  `<item><guid>${guid}</guid><description>${text}</description><csx:link>${guid}.jpg</csx:link></item>`;
const feed = (...items: readonly string[]) =>
  '<rss version="2.0" xmlns:csx="http://schemas.microsoft.com/rss/2007/contentsyncextensions"><channel>' +
  `<title>Paper</title>${items.join('')}</channel></rss>`;

async function* bodyOf(text: string, pieceLength = 1000) {
  const bytes = Buffer.from(text);
  for (let start = 0; start < bytes.length; start += pieceLength)
    yield bytes.subarray(start, start + pieceLength);
}

const newContents = (): ContentStore => createMemoryStore({ clock: { now: () => at } }).contents;

const copyOf = ({ content, parsed }: Awaited<ReturnType<typeof keepFeed>>): CachedCopy => ({
  lastBuildDate: '2026-01-01T00:00:00Z',
  digest: content.digest,
  length: content.length,
  base,
  isFeed: true,
  parsed,
});

test('what a feed was parsed to comes out as it went in, and no byte is scanned a second time', async () => {
  const scanned = jest.spyOn(FeedScanner.prototype, 'write');
  const contents = newContents();
  const text = feed(item('é'), item('b', 'x'.repeat(100_000)), item('b'));
  const copy = copyOf(await keepFeed(contents, paper, bodyOf(text, 777), { base }, { at }));
  const items: { line: number; guid: string; rules: readonly string[] }[] = [];
  const { feed: parsed, head } = await readParsedFeed(contents, paper, copy, (some) => {
    for (const { item, line, violations } of some)
      items.push({ line, guid: item.id, rules: violations.map(({ rule }) => rule) });
  });
  expect(items).toEqual([
    { line: 1, guid: 'é', rules: [] },
    { line: 1, guid: 'b', rules: [] },
    { line: 1, guid: 'b', rules: ['cse-guid-unique'] },
  ]);
  expect(head.title).toBe('Paper');
  expect(parsed.items.map(({ links }) => links.map(({ url }) => url))).toEqual([
    ['http://site.example/%C3%A9.jpg'],
    ['http://site.example/b.jpg'],
    ['http://site.example/b.jpg'],
  ]);
  expect(scanned.mock.calls.map(([piece]) => piece).join('')).toBe(text);
  scanned.mockRestore();
});

test.each([
  ['a document that is no feed', '<html></html>', {}, 'feed-root'],
  ['a feed that breaks off', feed(item('a')).slice(0, -5), {}, 'xml-well-formed'],
  ['a feed beyond a limit', feed(item('a'), item('b')), { limits: { items: 1 } }, 'limit-items'],
])('of %s nothing is kept', async (_of, text, limits, rule) => {
  const contents = newContents();
  await expect(
    keepFeed(contents, paper, bodyOf(text, 50), { base, ...limits }, { at }),
  ).rejects.toMatchObject({ violation: { rule } });
  expect(await contents.list(paper, { limit: 10 })).toEqual([]);
});

test.each([0, 1])(
  'a store that does not take write %i ends the other one, and its error is thrown',
  async (failing) => {
    const contents = newContents();
    const write = contents.write.bind(contents);
    let writes = 0;
    jest.spyOn(contents, 'write').mockImplementation(async (...details) => {
      writes += 1;
      if (writes - 1 === failing) throw new Error('away');
      return write(...details);
    });
    await expect(keepFeed(contents, paper, bodyOf(feed(item('a'))), { base }, { at })).rejects.toThrow(
      'away',
    );
    expect(await contents.list(paper, { limit: 10 })).toEqual([]);
  },
);

test('a feed that was parsed with other limits, or of which bytes are missing, is none', async () => {
  const contents = newContents();
  const copy = copyOf(await keepFeed(contents, paper, bodyOf(feed(item('a'))), { base }, { at }));
  const read = (one: CachedCopy, parsedWith?: Parameters<typeof readParsedFeed>[4]) =>
    readParsedFeed(contents, paper, one, () => {}, parsedWith);
  await expect(read(copy, { limits: undefined })).resolves.toMatchObject({ head: { title: 'Paper' } });
  const limits = { ...defaultScanLimits, items: 9 };
  const { parsed: _parsed, ...unparsed } = copy;
  const cutOff = await contents.write(paper, bodyOf('{"version":1}\n'), { at });
  for (const broken of [
    read(copy, { limits }),
    read(unparsed),
    read({ ...copy, parsed: copy.digest }),
    read({ ...copy, parsed: cutOff.digest }),
  ])
    await expect(broken).rejects.toThrow(ContentError);
});
