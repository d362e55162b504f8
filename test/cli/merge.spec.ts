import { feedsyncDialect } from '#feedsync';
import { afterEach, describe, expect, test } from '@jest/globals';
import { createFeedDecoder, FeedScanner, fieldsOfPayload } from '#xml';
import { readItem } from '#feedsync';
import { run } from '../../apps/cli/src/run.ts';
import { atomEntry, atomFeed, rssFeed, rssItem } from './feeds.ts';
import { answerJson, closeServers, localServer } from './local-server.ts';
import { memoryIo } from './memory-io.ts';
import { temporaryFolder } from './temporary-folder.ts';

const folder = temporaryFolder();
afterEach(closeServers);

const allowed = ['--allow-network', '127.0.0.1/32'];

/** What a printed feed holds, read with the strict scanner: one text an item, its conflicts in brackets. */
function contentOf(xml: string): { titles: string[]; head: ReturnType<FeedScanner['end']> } {
  const decoder = createFeedDecoder();
  const scanner = new FeedScanner(feedsyncDialect);
  const fragments = [...scanner.write(decoder.write(Buffer.from(xml))), ...scanner.write(decoder.end())];
  const titles = fragments.map((fragment) => {
    const reading = readItem(fragment);
    if (reading.kind === 'plain') return `plain ${fieldsOfPayload(reading.payload).title ?? ''}`;
    if (reading.kind === 'rejected') throw new Error(reading.violations[0]?.message);
    const { data, conflicts } = reading.item;
    return [
      fieldsOfPayload(data).title,
      ...conflicts.map((conflict) => `[${fieldsOfPayload(conflict.data).title ?? ''}]`),
    ].join(' ');
  });
  return { titles, head: scanner.end() };
}

describe('merge', () => {
  test(
    'prints the items of the local feed in its order, each merged, then the new ones in the order they ' +
      'arrive',
    async () => {
      const local = await folder.write(
        'local.xml',
        atomFeed([atomEntry('a', 'A', [['me', 1]]), atomEntry('b', 'B', [['me', 1]])]),
      );
      const first = await folder.write(
        'first.xml',
        atomFeed([
          atomEntry('z', 'Z', [['you', 1]]),
          atomEntry('b', 'B2', [
            ['you', 2],
            ['me', 1],
          ]),
        ]),
      );
      const second = await folder.write(
        'second.xml',
        atomFeed([atomEntry('c', 'C', [['they', 1]]), atomEntry('a', 'A', [['me', 1]])]),
      );
      const io = memoryIo();
      expect(await run(['merge', local, first, second], io)).toBe(0);
      expect(contentOf(io.out()).titles).toEqual(['A', 'B2', 'Z', 'C']);
      expect(io.err()).toBe('');
    },
  );

  test('keeps what two endpoints did independently as a conflict', async () => {
    const local = await folder.write(
      'mine.xml',
      atomFeed([
        atomEntry('a', 'mine', [
          ['me', 2],
          ['creator', 1],
        ]),
      ]),
    );
    const incoming = await folder.write(
      'yours.xml',
      atomFeed([
        atomEntry('a', 'yours', [
          ['you', 2],
          ['creator', 1],
        ]),
      ]),
    );
    const io = memoryIo();
    expect(await run(['merge', local, incoming], io)).toBe(0);
    expect(contentOf(io.out()).titles).toEqual(['yours [mine]']);
  });

  test('merges all versions of an item that a feed contains more than once, and counts each', async () => {
    const version = (by: string, sequence: number): string => atomEntry('a', `by ${by}`, [[by, sequence]]);
    const local = await folder.write('once.xml', atomFeed([version('me', 1)]));
    const incoming = await folder.write(
      'often.xml',
      atomFeed([version('you', 2), version('they', 1), version('she', 1), version('he', 1)]),
    );
    const printed = memoryIo();
    expect(await run(['merge', local, incoming], printed)).toBe(0);
    expect(contentOf(printed.out()).titles).toEqual(['by you [by they] [by she] [by me] [by he]']);
    const counted = memoryIo();
    expect(await run(['merge', '-o', 'json', local, incoming, incoming], counted)).toBe(0);
    expect(JSON.parse(counted.out())).toMatchObject({
      itemCount: 1,
      feeds: [{ new: 1 }, { changed: 4, unchanged: 0 }, { changed: 0, unchanged: 4 }],
    });
  });

  test('keeps the head of the local feed with its foreign markup, but not sx:sharing', async () => {
    const extra = '<x:note xmlns:x="urn:x">kept <![CDATA[&]]></x:note><sx:sharing since="1" until="2"/>';
    const local = await folder.write(
      'head.xml',
      atomFeed([atomEntry('a', 'A', [['me', 1]])], { title: 'Mine &amp; ours', extra }),
    );
    const io = memoryIo();
    expect(await run(['merge', local, local], io)).toBe(0);
    const { head } = contentOf(io.out());
    expect(head.title).toBe('Mine & ours');
    expect(head.sharing).toBeUndefined();
    expect(head.children.find(({ namespace }) => namespace === 'urn:x')?.xml).toContain('kept <![CDATA[&]]>');
  });

  test('leaves plain items of the local feed in place and counts the incoming ones it left out', async () => {
    const plain = '<entry><title>plain</title><id>urn:p</id><updated>2005-05-21T11:43:33Z</updated></entry>';
    const local = await folder.write('plain.xml', atomFeed([plain, atomEntry('a', 'A', [['me', 1]])]));
    const incoming = await folder.write(
      'plain-too.xml',
      atomFeed([atomEntry('b', 'B', [['you', 1]]), plain, plain]),
    );
    const io = memoryIo();
    expect(await run(['merge', local, incoming], io)).toBe(0);
    expect(contentOf(io.out()).titles).toEqual(['plain plain', 'A', 'B']);
    expect(io.err()).toBe(`${incoming}: 2 items without sync data left out\n`);
  });

  test('merges RSS feeds, one of them from stdin', async () => {
    const local = await folder.write('local.rss', rssFeed([rssItem('a', 'A', 'me')]));
    const io = memoryIo({ stdin: rssFeed([rssItem('a', 'A2', 'me', 2), rssItem('b', 'B', 'you')]) });
    expect(await run(['merge', local, '-'], io)).toBe(0);
    const { titles, head } = contentOf(io.out());
    expect(titles).toEqual(['A2', 'B']);
    expect(head.format).toBe('rss');
    expect(head.title).toBe('To Do List');
  });

  test('merges an RSS feed into an Atom feed, whose format the result has', async () => {
    const local = await folder.write('mixed.xml', atomFeed([atomEntry('a', 'A', [['me', 1]])]));
    const incoming = await folder.write(
      'mixed.rss',
      rssFeed([rssItem('a', 'A2 &amp; more', 'me', 2), rssItem('b', 'B', 'you')]),
    );
    const io = memoryIo();
    expect(await run(['merge', local, incoming], io)).toBe(0);
    const { titles, head } = contentOf(io.out());
    expect(titles).toEqual(['A2 & more', 'B']);
    expect(head.format).toBe('atom');
    expect(io.out().match(/<entry\b/g)).toHaveLength(2);
    expect(io.out()).not.toContain('<item');
    expect(io.out().match(/<id>urn:feedmesh:item:[ab]<\/id><updated>/g)).toHaveLength(2);
  });

  test('gives an id to what came from RSS, and leaves an entry the one that it has', async () => {
    const entry = atomEntry('a', 'A', [['me', 1]]).replace('</entry>', '<id>urn:own</id></entry>');
    const item = rssItem('b', 'B', 'you').replace('</item>', '<x:id xmlns:x="urn:x">no</x:id></item>');
    const local = await folder.write('own-id.xml', atomFeed([entry]));
    const incoming = await folder.write('own-id.rss', rssFeed([item]));
    const io = memoryIo();
    expect(await run(['merge', local, incoming], io)).toBe(0);
    expect(io.out().match(/<id>urn:(?:own|feedmesh:item:.)<\/id>/g)).toEqual([
      '<id>urn:own</id>',
      '<id>urn:feedmesh:item:b</id>',
    ]);
  });

  test('merges an Atom feed into an RSS feed, conflicts and all', async () => {
    const local = await folder.write('mixed-too.rss', rssFeed([rssItem('a', 'mine', 'me', 2)]));
    const incoming = await folder.write(
      'mixed-too.xml',
      atomFeed([
        atomEntry('a', 'yours', [
          ['you', 2],
          ['they', 1],
        ]),
      ]),
    );
    const io = memoryIo();
    expect(await run(['merge', local, incoming], io)).toBe(0);
    const { titles, head } = contentOf(io.out());
    expect(titles).toEqual(['yours [mine]']);
    expect(head.format).toBe('rss');
    expect(io.out()).not.toContain('<entry');
    const again = await folder.write('merged.rss', io.out());
    const second = memoryIo();
    expect(await run(['merge', again, incoming, local], second)).toBe(0);
    expect(second.out()).toBe(io.out());
  });

  test('merges a feed that is fetched', async () => {
    const server = await localServer((_, response) => {
      response
        .setHeader('content-type', 'application/atom+xml')
        .end(atomFeed([atomEntry('b', 'B', [['you', 1]])]));
    });
    const local = await folder.write('before.xml', atomFeed([atomEntry('a', 'A', [['me', 1]])]));
    const io = memoryIo();
    expect(await run(['merge', local, `${server.url}/feed`, ...allowed], io)).toBe(0);
    expect(contentOf(io.out()).titles).toEqual(['A', 'B']);
  });

  test('prints the merge of the rest and ends with 1 if an item breaks a rule in some line', async () => {
    const local = await folder.write('good.xml', atomFeed([atomEntry('a', 'A', [['me', 1]])]));
    const incoming = await folder.write(
      'bad.xml',
      atomFeed([atomEntry('b', 'B', [['you', 0]]), atomEntry('c', 'C', [['you', 1]])]),
    );
    const io = memoryIo();
    expect(await run(['merge', local, incoming], io)).toBe(1);
    expect(contentOf(io.out()).titles).toEqual(['A', 'C']);
    expect(io.err()).toMatch(new RegExp(`^${incoming}:8:\\d+: error: .*updates.*FeedSync 2\\.4`, 'm'));
  });

  test('prints nothing and ends with 2 if a feed is cut short', async () => {
    const local = await folder.write('whole.xml', atomFeed([atomEntry('a', 'A', [['me', 1]])]));
    const incoming = await folder.write(
      'cut.xml',
      atomFeed([atomEntry('b', 'B', [['you', 1]])]).slice(0, -20),
    );
    const io = memoryIo();
    expect(await run(['merge', local, incoming], io)).toBe(2);
    expect(io.out()).toBe('');
    expect(io.err()).toContain(`cannot read ${incoming}:`);
  });

  test('ends with 2 if a file is missing or a server refuses', async () => {
    const local = await folder.write('atom.xml', atomFeed([]));
    const server = await localServer((_, response) => answerJson(response, {}, 404));
    const cases = [
      [folder.path('missing.xml'), /missing\.xml: .*no such file/],
      [`${server.url}/gone`, /the server responded with 404/],
    ] as const;
    for (const [incoming, reason] of cases) {
      const io = memoryIo();
      expect(await run(['merge', local, incoming, ...allowed], io)).toBe(2);
      expect(io.out()).toBe('');
      expect(io.err()).toMatch(reason);
    }
  });

  test('stops at the limit on bytes and at the limit on time, and names each', async () => {
    const server = await localServer((request, response) => {
      response.writeHead(200, { 'content-type': 'application/atom+xml' });
      if (request.url === '/long') response.end(atomFeed([atomEntry('a', 'A', [['me', 1]])]));
      else response.write('<feed');
    });
    const long = memoryIo();
    expect(await run(['merge', ...allowed, '--maximum-bytes', '50', `${server.url}/long`, '-'], long)).toBe(
      2,
    );
    expect(long.err()).toContain('larger than 50 bytes (--maximum-bytes)');
    const slow = memoryIo();
    expect(await run(['merge', ...allowed, '--timeout', '0.2', `${server.url}/slow`, '-'], slow)).toBe(2);
    expect(slow.err()).toContain('more than 0.2 s in all (--timeout)');
  });

  test('refuses stdin for two feeds', async () => {
    const io = memoryIo();
    expect(await run(['merge', '-', '-'], io)).toBe(64);
    expect(io.err()).toContain('only one of the feeds can be stdin');
  });

  test('prints a summary with the items as JSON', async () => {
    const local = await folder.write(
      'json.xml',
      atomFeed([
        atomEntry('a', 'mine', [
          ['me', 2],
          ['creator', 1],
        ]),
      ]),
    );
    const incoming = await folder.write(
      'json-too.xml',
      atomFeed([
        atomEntry('a', 'yours', [
          ['you', 2],
          ['creator', 1],
        ]),
        atomEntry('b', 'B', [['you', 1]]),
        atomEntry('c', 'C', [['you', 0]]),
      ]),
    );
    const io = memoryIo();
    expect(await run(['merge', '-o', 'json', local, incoming], io)).toBe(1);
    expect(JSON.parse(io.out())).toMatchObject({
      format: 'atom',
      title: 'To Do List',
      itemCount: 2,
      itemsInConflict: 1,
      feeds: [
        { source: local, new: 1, changed: 0, unchanged: 0, plain: 0, rejected: [] },
        {
          source: incoming,
          new: 1,
          changed: 1,
          unchanged: 0,
          plain: 0,
          rejected: [{ section: 'FeedSync 2.4' }, { section: 'FeedSync 2.5' }],
        },
      ],
      items: [
        {
          id: 'a',
          title: 'yours',
          deleted: false,
          sync: {
            updates: 2,
            history: [
              { sequence: 2, by: 'you' },
              { sequence: 1, by: 'creator' },
            ],
          },
          conflicts: [{ title: 'mine' }],
        },
        { id: 'b', title: 'B', conflicts: [] },
      ],
    });
  });

  test('merges two feeds of 5,000 items each', async () => {
    const numbers = Array.from({ length: 5000 }, (_, index) => index);
    const local = await folder.write(
      'many.xml',
      atomFeed(numbers.map((number) => atomEntry(`item-${number}`, `item ${number}`, [['me', 1]]))),
    );
    const incoming = await folder.write(
      'many-too.xml',
      atomFeed(
        numbers.map((number) =>
          atomEntry(`item-${number + 2500}`, `newer ${number + 2500}`, [
            ['you', 2],
            ['me', 1],
          ]),
        ),
      ),
    );
    const io = memoryIo();
    expect(await run(['merge', local, incoming], io)).toBe(0);
    const { titles } = contentOf(io.out());
    expect(titles).toHaveLength(7500);
    expect([titles[0], titles[2499], titles[2500], titles[7499]]).toEqual([
      'item 0',
      'item 2499',
      'newer 2500',
      'newer 7499',
    ]);
  });
});
