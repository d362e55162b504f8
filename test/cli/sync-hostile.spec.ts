import type { ServerResponse } from 'node:http';
import { describe, expect, test } from '@jest/globals';
import { run } from '../../apps/cli/src/run.ts';
import { memoryIo } from './memory-io.ts';
import { syncFixture } from './sync-fixture.ts';
import { filesOf, siteFeed, siteItem } from './sync-site.ts';
import type { SiteLink } from './sync-site.ts';

const { site, folder, sync } = syncFixture();

/** Sends pieces for as long as they are taken. */
function endless(response: ServerResponse): void {
  const piece = Buffer.alloc(64 * 1024, 'a');
  const send = (): void => {
    while (!response.destroyed && response.write(piece));
    if (!response.destroyed) response.once('drain', send);
  };
  send();
}

/**
 * A root with links to these paths, each in an item of its own; those that are no documents yet become small
 * files.
 */
function plantRoot(links: readonly string[]): void {
  site.documents.set(
    '/root.xml',
    siteFeed(
      1,
      links.map((link, index) => siteItem(`item ${index}`, 1, [link])),
    ),
  );
  for (const link of links) {
    if (/^[a-z0-9.]+$/.test(link) && !site.documents.has(`/${link}`)) site.documents.set(`/${link}`, link);
  }
}

describe('sync of a hostile tree', () => {
  test('breaks off an endless file at the byte limit of the run, and the others arrive', async () => {
    site.documents.set('/endless.bin', endless);
    plantRoot(['endless.bin', 'a.txt', 'b.txt', 'c.txt']);
    const { code, failures, documents } = await sync('--maximum-bytes', '3000000');
    expect({ code, documents }).toEqual({ code: 1, documents: 4 });
    expect(failures).toEqual([
      {
        url: `${site.url}/endless.bin`,
        rule: 'limit-bytes',
        reason: expect.stringContaining('--maximum-bytes'),
      },
    ]);
    expect(Object.keys(filesOf(folder))).toEqual(['a.txt', 'b.txt', 'c.txt', 'root.xml']);
  });

  test('breaks off an endless file at the length that one document may have', async () => {
    site.documents.set('/endless.bin', endless);
    plantRoot(['endless.bin', 'a.txt']);
    const { code, failures } = await sync('--maximum-file-bytes', '1000000');
    expect(code).toBe(1);
    expect(failures).toEqual([
      {
        url: `${site.url}/endless.bin`,
        rule: 'body-too-large',
        reason: 'the body is larger than 1000000 bytes (--maximum-file-bytes)',
      },
    ]);
    expect(Object.keys(filesOf(folder))).toEqual(['a.txt', 'root.xml']);
  });

  test('ends 10,000 levels at the greatest depth, and the rest of the tree arrives', async () => {
    const levels = 10_000;
    for (let level = 0; level < levels; level += 1) {
      const path = level === 0 ? '/root.xml' : `/level${level}.xml`;
      site.documents.set(
        path,
        siteFeed(1, [
          siteItem(`level ${level}`, 1, [{ to: `level${level + 1}.xml`, nestedFeed: true }]),
          siteItem('file', 1, ['a.txt']),
        ]),
      );
    }
    site.documents.set('/a.txt', 'a');
    const { code, failures, documents } = await sync();
    expect({ code, documents }).toEqual({ code: 1, documents: 34 });
    expect(failures).toEqual([
      {
        url: `${site.url}/level33.xml`,
        rule: 'limit-depth',
        reason: expect.stringContaining('--maximum-depth'),
      },
    ]);
    expect(site.takeAnswers()).toHaveLength(34);
  });

  test('takes no more documents than it may', async () => {
    plantRoot(Array.from({ length: 50 }, (_, index) => `${index}.txt`));
    const { code, failures, documents } = await sync('--maximum-files', '11');
    expect({ code, documents }).toEqual({ code: 1, documents: 11 });
    expect(failures).toHaveLength(40);
    for (const { rule, reason } of failures)
      expect([rule, reason]).toEqual(['limit-documents', expect.stringContaining('--maximum-files')]);
  });

  test('takes no more items and links than allowed, and keeps its copy of a larger feed', async () => {
    const links = (count: number) =>
      Array.from({ length: count }, (_, index): SiteLink => ({ to: `${index}.txt`, onDemand: true }));
    const plant = (built: number, count: number): void => {
      site.documents.set(
        '/big.xml',
        siteFeed(built, [siteItem('big', built, [...links(count), 'kept.txt'])]),
      );
      site.documents.set(
        '/root.xml',
        siteFeed(built, [
          siteItem('1', built, [{ to: 'big.xml', nestedFeed: true }]),
          siteItem('2', 1, ['a.txt']),
        ]),
      );
    };
    for (const name of ['a.txt', 'kept.txt']) site.documents.set(`/${name}`, name);
    plant(1, 4);
    expect(await sync('--maximum-links', '10')).toMatchObject({ code: 0, documents: 4 });
    const before = filesOf(folder);
    plant(2, 50);
    const failures = [
      {
        url: `${site.url}/big.xml`,
        rule: 'limit-links',
        reason: 'The tree would have more than 10 items and links (--maximum-links).',
      },
    ];
    expect(await sync('--maximum-links', '10')).toMatchObject({
      code: 1,
      documents: 4,
      removed: 0,
      failures,
    });
    expect(filesOf(folder)).toEqual({ ...before, 'root.xml': site.documents.get('/root.xml') });
    // What is written of it is not read either if fewer are allowed; its file and what it refers to stay.
    expect(await sync('--maximum-links', '7')).toMatchObject({
      code: 1,
      documents: 4,
      removed: 0,
      failures: [{ rule: 'limit-links' }],
    });
    site.documents.delete('/big.xml');
    expect(await sync()).toMatchObject({ code: 1, documents: 4, removed: 0 });
    expect(filesOf(folder)).toMatchObject({ 'big.xml': before['big.xml'], 'kept.txt': 'kept.txt' });
    plant(2, 50);
    expect(await sync()).toMatchObject({ code: 0, documents: 4, removed: 0 });
    expect(filesOf(folder)).toMatchObject({ 'big.xml': site.documents.get('/big.xml') });
  });

  test('dials no address that is not public without permission, for the root and for a link', async () => {
    plantRoot(['http://169.254.169.254/latest/meta-data', 'http://[::1]:1/', 'file:///etc/passwd', 'a.txt']);
    const io = memoryIo();
    expect(await run(['sync', `${site.url}/root.xml`, folder], io)).toBe(2);
    expect(io.err()).toMatch(/failed: 127\.0\.0\.1 was not dialled: .*--allow-network.* \[address-refused\]/);
    expect(site.takeAnswers()).toEqual([]);
    const { code, failures, documents } = await sync();
    expect({ code, documents }).toEqual({ code: 1, documents: 2 });
    expect(failures.map(({ rule }) => rule).toSorted()).toEqual([
      'address-refused',
      'address-refused',
      'url-scheme',
    ]);
  });

  test('leaves an earlier file as it was if its successor breaks off half-way', async () => {
    plantRoot(['a.txt']);
    await sync();
    site.documents.set('/a.txt', (response) => {
      response.writeHead(200, { 'content-length': 100 }).write('half');
      response.destroy();
    });
    site.documents.set('/root.xml', siteFeed(2, [siteItem('item 0', 2, ['a.txt'])]));
    expect(await sync()).toMatchObject({ code: 1, failures: [{ rule: 'connection' }] });
    expect(filesOf(folder)).toEqual({ 'a.txt': 'a.txt', 'root.xml': site.documents.get('/root.xml') });
  });

  test('says where the example of the specification, as printed, stops being XML', async () => {
    site.documents.set(
      '/root.xml',
      '<?xml version="1.0" encoding="utf-8"?>\n<rss version="2.0" ' +
        'xmlns:csx=http://schemas.microsoft.com/rss/2007/contentsyncextensions >\n<channel/></rss>',
    );
    expect(await sync()).toMatchObject({
      code: 2,
      failures: [{ rule: 'xml-well-formed', reason: expect.stringMatching(/^line 2, column \d+: /) }],
    });
  });
});

describe('the names of files', () => {
  test('are never outside the folder, and two documents never have the same', async () => {
    const paths = [
      '/a',
      '/a/b',
      '/A',
      '/..%2f..%2fup',
      '/%2e%2e%5cup',
      '/page?id=1',
      '/page?id=2',
      '/page@id=1',
      '/dir/',
      '/dir/index',
      '/con.txt',
      '/x%00y',
      '/.feedmesh-sync/documents.jsonl',
      '/_other/z',
      `/${'long'.repeat(200)}.jpg`,
      '/trailing.',
      '/a%2Fb',
      '/50%25',
      '/bad%ff',
    ];
    for (const path of paths) site.documents.set(path, `content of ${path}`);
    site.documents.set('/root.xml', siteFeed(1, [siteItem('all', 1, paths)]));
    expect(await sync()).toMatchObject({ code: 0, documents: paths.length + 1 });
    const files = filesOf(folder);
    const { 'root.xml': _, ...others } = files;
    expect(Object.values(others).toSorted()).toEqual(paths.map((path) => `content of ${path}`).toSorted());
    const names = Object.keys(files).map((path) => path.toLowerCase());
    expect(new Set(names).size).toBe(names.length);
    for (const path of names)
      expect(path).not.toMatch(/(^|\/)\.\.?(\/|$)|[<>:"\\|?*\p{Cc}]|[. ](\/|$)|(^|\/)con\./u);
    for (const path of names)
      for (const name of path.split('/')) expect(Buffer.byteLength(name)).toBeLessThan(256);
    // Where two have the same name at first, the one that arrives first gets it.
    expect(files).toMatchObject({
      'page@id=1': expect.stringMatching(/^content of \/page[?@]id=1$/),
      'dir/index': expect.stringMatching(/^content of \/dir\/(?:index)?$/),
      '50%25': 'content of /50%25',
    });
  });
});
