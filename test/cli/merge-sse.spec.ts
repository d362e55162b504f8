import { sseDialect } from '#sse';
import { describe, expect, test } from '@jest/globals';
import { finish } from '#core';
import { readOutlineDocument } from '#xml';
import type { OutlineNode } from '#xml';
import { run } from '../../apps/cli/src/run.ts';
import { atomEntry, atomFeed } from './feeds.ts';
import { memoryIo } from './memory-io.ts';
import { outline, outlineDocument, sseFeed, sseItem } from './outlines.ts';
import { temporaryFolder } from './temporary-folder.ts';

const folder = temporaryFolder();

/** Merges documents; returns what is printed. */
async function merged(...documents: readonly string[]): Promise<string> {
  const files = await Promise.all(documents.map((document, index) => folder.write(`${index}.xml`, document)));
  const io = memoryIo();
  expect(await run(['merge', ...files], io)).toBe(0);
  return io.out();
}

/** The live outlines of a document as `parent(child child)`. */
function shape(document: string): string {
  const shown = (nodes: readonly OutlineNode[]): string =>
    nodes
      .map(({ id = '?', children }) => (children.length === 0 ? id : `${id}(${shown(children)})`))
      .join(' ');
  return shown(finish(readOutlineDocument(document, { synchronisation: sseDialect.namespaces })).outlines);
}

const created = [[1, 'me']] as const;
const movedByMe = [
  [2, 'me'],
  [1, 'me'],
] as const;
const movedByYou = [
  [3, 'you'],
  [1, 'me'],
] as const;

describe('merge of SSE', () => {
  test(
    'prints RSS items in the order of the local feed, then the new ones, with what was lost as a ' +
      'conflict',
    async () => {
      const text = await merged(
        sseFeed([
          sseItem('b', 'B', created),
          sseItem('a', 'mine', [
            [2, 'me'],
            [1, 'me'],
          ]),
        ]),
        sseFeed([
          sseItem('z', 'Z', created),
          sseItem('a', 'yours', [
            [3, 'you'],
            [1, 'me'],
          ]),
          sseItem('b', 'B', created),
        ]),
      );
      expect([...text.matchAll(/<title>(.*?)<\/title>/g)].map(([, title]) => title)).toEqual([
        'To Do List',
        'B',
        'yours',
        'mine',
        'Z',
      ]);
      expect(text).toMatch(/<sx:sync id="a" version="2" conflict="true">/);
      expect(text).toMatch(
        /<sx:conflict version="2" when="Sat, 21 May 2005 09:43:02 GMT" by="me"><item><title>mine<\/title>/,
      );
    },
  );

  test('prints outlines nested and in order, moved ones at the position of the winner', async () => {
    const local = outlineDocument([
      outline('news', created, [outline('a', created), outline('b', created)]),
      outline('blogs', created),
    ]);
    const incoming = outlineDocument([
      outline('news', created, [outline('b', created), outline('c', created)]),
      outline('blogs', created, [outline('a', movedByYou)]),
    ]);
    expect(shape(await merged(local, incoming))).toBe('news(b c) blogs(a)');
  });

  test('brings two outlines that were moved into each other to one tree, whichever is local', async () => {
    const mine = outlineDocument([outline('blogs', created, [outline('news', movedByMe)])]);
    const yours = outlineDocument([outline('news', created, [outline('blogs', movedByYou)])]);
    const [here, there] = [await merged(mine, yours), await merged(yours, mine)];
    expect([shape(here), shape(there)]).toEqual(['blogs(news)', 'blogs(news)']);
    expect(here).toMatch(/<sx:sync [^>]*id="blogs"[^>]*conflict="true"/);
  });

  test('says the same again when what was merged is merged once more', async () => {
    const local = outlineDocument([
      outline('news', created, [outline('a', movedByMe)]),
      outline('b', created),
    ]);
    const incoming = outlineDocument([
      outline('b', created, [outline('a', movedByYou), outline('c', created)]),
      outline('news', created),
    ]);
    const once = await merged(local, incoming);
    expect(await merged(once, incoming, local)).toBe(once);
  });

  test('keeps the head of the local document, but not sx:sharing', async () => {
    const text = await merged(
      outlineDocument([outline('a', created)], {
        extra: '<ownerName>Ada</ownerName><sx:sharing version="0.91" until="Sat, 21 May 2005 09:43:33 GMT"/>',
      }),
      outlineDocument([]),
    );
    expect(text).toContain('<ownerName>Ada</ownerName>');
    expect(text).not.toContain('sx:sharing');
  });

  test(
    'keeps local outlines without sync data after the others, and says how many incoming ones it left ' +
      'out',
    async () => {
      const plain = '<outline text="plain" xmlUrl="http://example.com/feed"/>';
      const local = await folder.write('plain.opml', outlineDocument([plain, outline('a', created)]));
      const incoming = await folder.write(
        'plain-too.opml',
        outlineDocument([plain, plain, outline('b', created)]),
      );
      const io = memoryIo();
      expect(await run(['merge', local, incoming], io)).toBe(0);
      expect(shape(io.out())).toBe('a b ?');
      expect(io.out()).toContain('xmlUrl="http://example.com/feed"');
      expect(io.err()).toBe(`${incoming}: 2 items without sync data left out\n`);
    },
  );

  test('prints a summary with the items as JSON, with parent, version and conflicts', async () => {
    const local = await folder.write(
      'mine.opml',
      outlineDocument([outline('news', created), outline('a', movedByMe)]),
    );
    const incoming = await folder.write(
      'yours.opml',
      outlineDocument([outline('news', created, [outline('a', movedByYou)])]),
    );
    const io = memoryIo();
    expect(await run(['merge', '-o', 'json', local, incoming], io)).toBe(0);
    expect(JSON.parse(io.out())).toMatchObject({
      format: 'opml',
      title: 'Subscriptions',
      itemCount: 2,
      itemsInConflict: 1,
      feeds: [
        { new: 2, changed: 0 },
        { new: 0, changed: 1, unchanged: 1 },
      ],
      items: expect.arrayContaining([
        expect.objectContaining({
          id: 'a',
          parent: 'news',
          deleted: false,
          sync: {
            version: 2,
            conflict: true,
            history: [
              { when: '2005-05-21T09:43:03Z', by: 'you' },
              { when: '2005-05-21T09:43:01Z', by: 'me' },
            ],
          },
          conflicts: [expect.objectContaining({ version: 2, when: '2005-05-21T09:43:02Z', by: 'me' })],
        }),
      ]),
    });
  });

  test('refuses to merge SSE with FeedSync, or RSS with OPML, with 2 and without output', async () => {
    const atom = await folder.write('feed.atom', atomFeed([atomEntry('a', 'A', [['me', 1]])]));
    const rss = await folder.write('feed.rss', sseFeed([sseItem('a', 'A', created)]));
    const opml = await folder.write('feed.opml', outlineDocument([outline('a', created)]));
    const cases = [
      [atom, rss, 'items of Simple Sharing Extensions 0.91'],
      [opml, atom, 'items of FeedSync 1.0.2'],
      [rss, opml, 'the format opml'],
      [opml, rss, 'the format rss'],
    ] as const;
    for (const [local, incoming, reason] of cases) {
      const io = memoryIo();
      expect(await run(['merge', local, incoming], io)).toBe(2);
      expect(io.out()).toBe('');
      expect(io.err()).toContain(`cannot merge ${incoming}, which has ${reason}, into ${local}`);
    }
  });

  test('leaves out an item that breaks a rule, and ends with 1', async () => {
    const local = await folder.write('good.opml', outlineDocument([outline('a', created)]));
    const incoming = await folder.write(
      'bad.opml',
      outlineDocument([outline('b', created).replace('version="1"', 'version="0"'), outline('c', created)]),
    );
    const io = memoryIo();
    expect(await run(['merge', local, incoming], io)).toBe(1);
    expect(shape(io.out())).toBe('a c');
    expect(io.err()).toMatch(/bad\.opml:5:\d+: error: .*version.*\[sse-sync-version-range, SSE 2\.3\]/);
  });

  test('merges two outlines of 5,000 nodes each', async () => {
    const numbers = Array.from({ length: 5000 }, (_, index) => index);
    const folders = (from: number): string[] =>
      Array.from({ length: 50 }, (_, index) =>
        outline(
          `f${from + index}`,
          created,
          numbers.slice(0, 99).map((number) => outline(`f${from + index}.${number}`, created)),
        ),
      );
    const text = await merged(outlineDocument(folders(0)), outlineDocument(folders(25)));
    expect(text.match(/<outline /g)).toHaveLength(7500);
    expect(
      finish(readOutlineDocument(text, { synchronisation: sseDialect.namespaces }))
        .outlines.map(({ id }) => id)
        .slice(0, 50),
    ).toEqual(numbers.slice(0, 50).map((number) => `f${number}`));
  });
});
