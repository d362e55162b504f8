import { describe, expect, test } from '@jest/globals';
import { appendFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { run } from '../../apps/cli/src/run.ts';
import { memoryIo } from './memory-io.ts';
import { syncFixture } from './sync-fixture.ts';
import { byPath, filesOf, foldersOf, siteFeed, siteItem } from './sync-site.ts';

const { site, folder, outside, commandLine, sync } = syncFixture('/news/root.xml');
const local = ['--allow-network', '127.0.0.0/8'];

const nested = (to: string) => ({ to, nestedFeed: true });

/** Three levels: a root, two sections, and a day in one of them; one file that two items share. */
function plantTree(): void {
  site.documents.set(
    '/news/root.xml',
    siteFeed(3, [
      siteItem('a', 3, [nested('a/feed.xml')]),
      siteItem('b', 2, [nested('b/feed.xml')]),
      siteItem('top', 1, ['logo.png']),
    ]),
  );
  site.documents.set(
    '/news/a/feed.xml',
    siteFeed(3, [siteItem('a1', 3, [nested('day/feed.xml')]), siteItem('a2', 1, ['1.jpg', '../shared.css'])]),
  );
  site.documents.set(
    '/news/a/day/feed.xml',
    siteFeed(3, [siteItem('d1', 3, ['x.txt']), siteItem('d2', 2, ['y.txt'])]),
  );
  site.documents.set(
    '/news/b/feed.xml',
    siteFeed(2, [siteItem('b1', 2, ['../shared.css', '/elsewhere/z.txt'])]),
  );
  for (const path of [
    '/news/logo.png',
    '/news/a/1.jpg',
    '/news/shared.css',
    '/news/a/day/x.txt',
    '/news/a/day/y.txt',
    '/elsewhere/z.txt',
  ])
    site.documents.set(path, `content of ${path}`);
}

/** The paths of the planted tree below a mirror. */
function mirrored(): Record<string, unknown> {
  const host = new URL(site.url).host.replace(':', '%3A');
  const paths = [...site.documents].map(([path, document]): [string, unknown] => [
    path.startsWith('/news/') ? path.slice('/news/'.length) : `_other/${host}${path}`,
    document,
  ]);
  return Object.fromEntries(paths.toSorted(byPath));
}

describe('sync', () => {
  test('mirrors a tree of three levels into a folder, each document once', async () => {
    plantTree();
    expect(await sync()).toMatchObject({
      code: 0,
      downloaded: 10,
      unchanged: 0,
      removed: 0,
      documents: 10,
      failures: [],
      warnings: [],
    });
    expect(site.takeAnswers()).toEqual([...site.documents.keys()].map((path) => `200 ${path}`).toSorted());
    expect(filesOf(folder)).toEqual(mirrored());
  });

  test('asks in a second run for the root alone, and for nothing that is as it was', async () => {
    plantTree();
    await sync();
    site.takeAnswers();
    expect(await sync()).toMatchObject({ code: 0, downloaded: 0, unchanged: 1, documents: 10 });
    expect(site.takeAnswers()).toEqual(['304 /news/root.xml']);
  });

  test('downloads after a change only the feeds on its path and the links of the changed item', async () => {
    plantTree();
    await sync();
    site.takeAnswers();
    site.documents.set('/news/a/day/x.txt', 'changed');
    site.documents.set(
      '/news/a/day/feed.xml',
      siteFeed(9, [siteItem('d1', 9, ['x.txt']), siteItem('d2', 2, ['y.txt'])]),
    );
    site.documents.set(
      '/news/a/feed.xml',
      siteFeed(9, [
        siteItem('a1', 9, [nested('day/feed.xml')]),
        siteItem('a2', 1, ['1.jpg', '../shared.css']),
      ]),
    );
    site.documents.set(
      '/news/root.xml',
      siteFeed(9, [
        siteItem('a', 9, [nested('a/feed.xml')]),
        siteItem('b', 2, [nested('b/feed.xml')]),
        siteItem('top', 1, ['logo.png']),
      ]),
    );
    expect(await sync()).toMatchObject({ code: 0, downloaded: 4, documents: 10 });
    expect(site.takeAnswers()).toEqual([
      '200 /news/a/day/feed.xml',
      '200 /news/a/day/x.txt',
      '200 /news/a/feed.xml',
      '200 /news/root.xml',
    ]);
    expect(filesOf(folder)).toEqual(mirrored());
  });

  test('deletes orphans with the folders that this leaves empty, and keeps what is shared', async () => {
    plantTree();
    await sync();
    site.documents.set(
      '/news/root.xml',
      siteFeed(9, [siteItem('b', 2, [nested('b/feed.xml')]), siteItem('top', 1, ['logo.png'])]),
    );
    for (const path of [
      '/news/a/feed.xml',
      '/news/a/day/feed.xml',
      '/news/a/1.jpg',
      '/news/a/day/x.txt',
      '/news/a/day/y.txt',
    ])
      site.documents.delete(path);
    expect(await sync('--keep')).toMatchObject({ code: 0, removed: 0, documents: 10 });
    expect(await sync()).toMatchObject({ code: 0, removed: 5, documents: 5 });
    expect(filesOf(folder)).toEqual(mirrored());
    expect(foldersOf(folder)).not.toContain('a');
  });

  test('keeps what a feed had brought while that feed fails, says why, and makes it good later', async () => {
    plantTree();
    await sync();
    const whole = site.documents.get('/news/b/feed.xml') ?? '';
    site.documents.set(
      '/news/root.xml',
      siteFeed(9, [
        siteItem('a', 3, [nested('a/feed.xml')]),
        siteItem('b', 9, [nested('b/feed.xml')]),
        siteItem('top', 1, ['logo.png']),
      ]),
    );
    site.documents.set('/news/b/feed.xml', '<rss version="2.0">\n<channel><item></channel></rss>');
    const { code, failures } = await sync();
    expect(code).toBe(1);
    expect(failures).toEqual([
      {
        url: `${site.url}/news/b/feed.xml`,
        rule: 'xml-well-formed',
        reason: expect.stringMatching(/^line 2, column \d+: Not well-formed/),
      },
    ]);
    site.documents.set('/news/b/feed.xml', whole);
    expect(filesOf(folder)).toEqual(mirrored());
    site.takeAnswers();
    expect(await sync()).toMatchObject({ code: 0, failures: [] });
    expect(site.takeAnswers()).toEqual(['304 /news/b/feed.xml', '304 /news/root.xml']);
  });

  test(
    'asks again for a file that failed although its item is not newer, and for one that was deleted in ' +
      'the folder',
    async () => {
      plantTree();
      site.documents.delete('/news/a/1.jpg');
      expect(await sync()).toMatchObject({
        code: 1,
        failures: [
          { url: `${site.url}/news/a/1.jpg`, rule: 'http-status', reason: 'the server responded with 404' },
        ],
      });
      site.documents.set('/news/a/1.jpg', 'now it is there');
      rmSync(`${folder}/logo.png`);
      site.takeAnswers();
      expect(await sync()).toMatchObject({ code: 0, downloaded: 2 });
      expect(site.takeAnswers()).toEqual(['200 /news/a/1.jpg', '200 /news/logo.png', '304 /news/root.xml']);
      expect(filesOf(folder)).toEqual(mirrored());
    },
  );

  test('visits each feed of a cycle once', async () => {
    site.documents.set(
      '/news/root.xml',
      siteFeed(1, [siteItem('a', 1, [nested('a.xml')]), siteItem('self', 1, [nested('root.xml')])]),
    );
    site.documents.set(
      '/news/a.xml',
      siteFeed(1, [siteItem('up', 1, [nested('root.xml')]), siteItem('b', 1, [nested('a.xml')])]),
    );
    expect(await sync()).toMatchObject({ code: 0, downloaded: 2, documents: 2 });
    expect(site.takeAnswers()).toEqual(['200 /news/a.xml', '200 /news/root.xml']);
  });

  test('leaves links on demand alone unless the option says to follow them', async () => {
    site.documents.set(
      '/news/root.xml',
      siteFeed(1, [
        siteItem('a', 1, [{ to: 'a.xml', nestedFeed: true, onDemand: true }]),
        siteItem('b', 1, [{ to: 'b.txt', onDemand: true }]),
      ]),
    );
    site.documents.set('/news/a.xml', siteFeed(1, [siteItem('c', 1, ['c.txt'])]));
    for (const name of ['b.txt', 'c.txt']) site.documents.set(`/news/${name}`, name);
    expect(await sync()).toMatchObject({ code: 0, documents: 1 });
    expect(await sync('--on-demand')).toMatchObject({ code: 0, documents: 4 });
    expect(filesOf(folder)).toEqual(mirrored());
    expect(await sync()).toMatchObject({ code: 0, documents: 4, removed: 0 });
  });

  test(
    'names the rule and the place of a link that cannot be followed, in every run, and follows the ' +
      'others',
    async () => {
      site.documents.set('/news/root.xml', siteFeed(1, [siteItem('a', 1, ['http://[', 'a.txt'])]));
      site.documents.set('/news/a.txt', 'a');
      for (let round = 0; round < 2; round += 1) {
        const { code, failures, documents } = await sync();
        expect({ code, documents }).toEqual({ code: 1, documents: 2 });
        expect(failures).toEqual([
          {
            url: `${site.url}/news/root.xml`,
            rule: 'cse-link-url',
            reason: expect.stringMatching(/^line 4, column \d+: /),
          },
        ]);
      }
    },
  );

  test('ends with 2 if the root cannot be read, and another URL may then have the folder', async () => {
    const { code, failures } = await sync();
    expect({ code, failures }).toEqual({
      code: 2,
      failures: [
        { url: `${site.url}/news/root.xml`, rule: 'http-status', reason: 'the server responded with 404' },
      ],
    });
    site.documents.set('/other.xml', siteFeed(1, []));
    expect(await run(['sync', `${site.url}/other.xml`, folder, ...local], memoryIo())).toBe(0);
    expect(Object.keys(filesOf(folder))).toEqual(['other.xml']);
  });

  test('takes a redirect for the same document, and resolves relative links against its target', async () => {
    site.documents.set('/news/root.xml', (response) =>
      response.writeHead(302, { location: '/moved/feed.xml' }).end(),
    );
    site.documents.set('/moved/feed.xml', siteFeed(1, [siteItem('a', 1, ['a.txt'])]));
    site.documents.set('/moved/a.txt', 'a');
    expect(await sync()).toMatchObject({ code: 0, downloaded: 2 });
    expect(site.takeAnswers()).toEqual(['200 /moved/a.txt', '200 /moved/feed.xml', 'own /news/root.xml']);
  });

  test('gives a warning of a rule once for each feed, with how often it was broken', async () => {
    site.documents.set(
      '/news/root.xml',
      siteFeed(1, [siteItem('a', 1, []), siteItem('a', 1, []), siteItem('a', 1, [])]),
    );
    const { code, warnings } = await sync();
    expect(code).toBe(0);
    expect(warnings).toEqual([
      {
        url: `${site.url}/news/root.xml`,
        rule: 'cse-guid-unique',
        line: 5,
        column: 1,
        count: 2,
        reason: expect.stringContaining('line 4'),
      },
    ]);
  });
});

describe('the folder of a mirror', () => {
  test('continues after a run that was cut short in the middle of a record', async () => {
    plantTree();
    await sync();
    appendFileSync(`${folder}/.feedmesh-sync/documents.jsonl`, '{"url":"http://exam');
    expect(await sync()).toMatchObject({ code: 0, downloaded: 0, unchanged: 1, documents: 10 });
  });

  test(
    'has no file left that arrived when a run was killed, was never recorded, and is not in the tree ' +
      'any more',
    async () => {
      plantTree();
      await sync();
      appendFileSync(`${folder}/.feedmesh-sync/documents.jsonl`, '{"arriving":"gone/file.txt"}\n');
      mkdirSync(`${folder}/gone`);
      writeFileSync(`${folder}/gone/file.txt`, 'it arrived');
      expect(await sync()).toMatchObject({ code: 0, documents: 10 });
      expect(filesOf(folder)).toEqual(mirrored());
      expect(foldersOf(folder)).not.toContain('gone');
    },
  );

  test('is refused if its records are damaged, with the file and the line', async () => {
    plantTree();
    await sync();
    appendFileSync(`${folder}/.feedmesh-sync/documents.jsonl`, 'not JSON\n');
    const io = memoryIo();
    expect(await run(commandLine(), io)).toBe(64);
    expect(io.err()).toMatch(/documents\.jsonl is damaged in line \d+;/);
  });

  test('is refused if it has other files in it, is the mirror of another tree, or is in use', async () => {
    plantTree();
    writeFileSync(`${outside}/other.txt`, 'mine');
    const cases: [string, string[], string][] = [
      ['other.txt', [`${site.url}/news/root.xml`, outside], 'files in it that are no mirror'],
    ];
    await sync();
    cases.push([
      'another tree',
      [`${site.url}/news/b/feed.xml`, folder],
      `is the mirror of ${site.url}/news/root.xml`,
    ]);
    for (const [name, places, reason] of cases) {
      const io = memoryIo();
      expect([name, await run(['sync', ...places, ...local], io)]).toEqual([name, 64]);
      expect(io.err()).toContain(reason);
    }
    writeFileSync(`${folder}/.feedmesh-sync/process`, String(process.ppid));
    const io = memoryIo();
    expect(await run(commandLine(), io)).toBe(64);
    expect(io.err()).toContain(`process ${process.ppid} is synchronising`);
  });
});

describe('what sync shows', () => {
  test('is one line on stderr, or a bar on a terminal', async () => {
    plantTree();
    const plain = memoryIo();
    const terminal = memoryIo({ terminal: true });
    expect(await run(commandLine(), plain)).toBe(0);
    expect(plain.out()).toBe('');
    expect(plain.err().replace(/\d\.\d kB/, 'x kB')).toBe(
      `${site.url}/news/root.xml: 10 downloaded (x kB), 0 unchanged, 0 removed, 0 failed; ` +
        '10 documents in the folder\n',
    );
    expect(await run(commandLine(), terminal)).toBe(0);
    expect(terminal.err()).toContain('\r\u001b[K[------------------------] 0/1 document');
  });

  test('is an error for what it does not understand', async () => {
    const cases: readonly [string[], string][] = [
      [['ftp://example.org/', folder], 'must be an http or https URL; got `ftp://example.org/`'],
      [
        ['example.org/root.xml', folder],
        '`example.org/root.xml` has no scheme; did you mean `https://example.org/root.xml`?',
      ],
      [
        ['http://example.org/', folder, '--allow-network', 'home'],
        '--allow-network: "home" is not a network',
      ],
      [['http://example.org/', folder, '--parallel', '0'], 'a whole number above 0'],
      [['http://example.org/'], "missing required argument 'directory'"],
    ];
    for (const [options, reason] of cases) {
      const io = memoryIo();
      expect([options, await run(['sync', ...options], io)]).toEqual([options, 64]);
      expect(io.err()).toContain(reason);
    }
  });
});
