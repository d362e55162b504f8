import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { nameOf } from '../../apps/cli/src/sync/name.ts';
import { Places } from '../../apps/cli/src/sync/places.ts';
import { syncFixture } from './sync-fixture.ts';
import { filesOf, siteFeed, siteItem } from './sync-site.ts';

const { site, folder, outside, sync } = syncFixture();

/** A root with one item that links to all of these documents. */
function plant(documents: Readonly<Record<string, string>>, built = 1): void {
  site.documents.clear();
  for (const [path, content] of Object.entries(documents)) site.documents.set(path, content);
  site.documents.set('/root.xml', siteFeed(built, [siteItem('all', built, Object.keys(documents))]));
}

/** Every path of a mirror, of files and folders, without its state. */
function pathsOf(): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (path) => !path.startsWith('.feedmesh-sync'),
  );
}

/** The files of a repository whose configuration has git run a command, which makes the file `marker`. */
function repository(at: string, marker: string): Record<string, string> {
  const config =
    `[core]\n\trepositoryformatversion = 0\n\tbare = false\n\tworktree = ${folder}\n` +
    `\tfsmonitor = "touch ${marker}; false"\n`;
  const files = { HEAD: 'ref: refs/heads/main\n', config, 'objects/x': '', 'refs/x': '' };
  return Object.fromEntries(Object.entries(files).map(([name, content]) => [`${at}${name}`, content]));
}

/** Runs `git status`, whatever it says, without the configuration of this machine. */
function gitStatus(cwd: string): void {
  const env = { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_SYSTEM: '/dev/null' };
  try {
    execFileSync('git', ['status'], { cwd, env, stdio: 'pipe' });
  } catch (error) {
    expect(String(error)).toContain('not a git repository');
  }
}

describe('a tree with the files of a git repository', () => {
  const places = [
    ['/.git/'],
    ['/%2egit/'],
    ['/.GIT/'],
    ['/.g%E2%80%8Cit/'],
    ['/'],
    ['/sub/'],
    ['/sub/.git/'],
  ];
  test.each(places)('at %s makes git run nothing', async (at) => {
    const marker = `${outside}/marker`;
    plant(repository(at, marker));
    expect(await sync()).toMatchObject({ code: 0, failures: [], documents: 5 });
    for (const path of ['', ...pathsOf()]) {
      const file = `${folder}/${path}`;
      if (existsSync(`${file}/.`)) gitStatus(file);
    }
    expect(existsSync(marker)).toBe(false);
    expect(Object.values(filesOf(folder)).toSorted()).toEqual(
      [...site.documents.values()].map(String).toSorted(),
    );
  });

  test('would make git run the command with their own names', () => {
    const marker = `${outside}/marker`;
    for (const [path, content] of Object.entries(repository('/sub/.git/', marker))) {
      mkdirSync(dirname(folder + path), { recursive: true });
      writeFileSync(folder + path, content);
    }
    gitStatus(`${folder}/sub`);
    expect(existsSync(marker)).toBe(true);
  });
});

describe('names', () => {
  const nasty = [
    ['.git', '%2Egit'],
    ['.envrc', '%2Eenvrc'],
    ['...', '%2E.%2E'],
    ['-rf', '%2Drf'],
    ['%20lead', '%20lead'],
    ['trail.', 'trail%2E'],
    ['trail%20', 'trail%20'],
    ['CON', '%43ON'],
    ['nul.txt', '%6Eul.txt'],
    ['NUL%20.txt', '%4EUL .txt'],
    ['COM%C2%B9', '%43OM¹'],
    ['LPT9.', 'LPT9%2E'],
    ['LPT9.x', '%4CPT9.x'],
    ['CONIN$', '%43ONIN$'],
    ['Head', '%48ead'],
    ['_darcs', '%5Fdarcs'],
    ['a:b', 'a%3Ab'],
    ['a%5Cb', 'a%5Cb'],
    ['a%00b%7F', 'a%00b%7F'],
    ['.g%E2%80%8Cit', '%2Eg%E2%80%8Cit'],
    ['a%E2%80%AEb', 'a%E2%80%AEb'],
    ['GIT~1', 'GIT%7E1'],
    ['gi7d29~12.txt', 'gi7d29%7E12.txt'],
    ['%EF%BC%8Egit', '%EF%BC%8Egit'],
    ['%2Egit', '%2Egit'],
    ['%252Egit', '%252Egit'],
    ['caf%C3%A9', 'café'],
    ['cafe%CC%81', 'café'],
    ['bad%ff', 'bad%25ff'],
    ['', '_'],
  ] as const;
  test.each(nasty)('of %s is %s', (segment, name) => {
    expect(nameOf(segment)).toBe(name);
  });

  test('are safe and short enough', () => {
    const piece = fc.constantFrom(
      '.',
      ' ',
      '~1',
      '%',
      ':',
      'con',
      'HEAD',
      '\u200d',
      '\ufe0f',
      'é',
      'a',
      '😀',
    );
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 300 }),
      fc.array(piece).map((a) => a.join('')),
    );
    fc.assert(
      fc.property(text, (segment) => {
        const name = nameOf(encodeURIComponent(segment));
        expect(Buffer.byteLength(name)).toBeLessThan(256);
        expect(name).not.toMatch(/^[.\- ]|[. ]$|[<>:"/\\|?*\p{Cc}\p{Cf}\p{DI}]/u);
      }),
    );
  });

  /** Groups of which each file system takes some for the same. */
  const alike = [
    ['/a', '/A', '/%61'],
    ['/caf%C3%A9', '/cafe%CC%81', '/CAFE%CC%81'],
    ['/stra%C3%9Fe', '/strasse', '/STRASSE', '/stra%E1%BA%9Ee'],
    ['/k', '/K', '/%E2%84%AA'],
    ['/i', '/I', '/%C4%B1'],
    ['/.git/x', '/%2Egit/x', '/%2egit/x', '/%252Egit/x', '/.GIT/x'],
    ['/Dir/1', '/dir/2', '/DIR/2'],
    ['/f', '/F/g', '/f~folder', '/f~folder/g'],
    ['/dir//x', '/dir/_/x'],
    ['http://~/%s', '/x'],
  ].map((group) =>
    group.map((path) =>
      path.replace('%s', createHash('sha256').update('https://news.example/x').digest('hex')),
    ),
  );

  test.each(alike)('of %s and its like differ on every file system', (...paths) => {
    for (const order of [paths, paths.toReversed()]) {
      const places = new Places('https://news.example/root.xml');
      const found = order.map((path) => places.assign(new URL(path, 'https://news.example/').href));
      expect(new Set(found.map(folded)).size).toBe(paths.length);
      // Nor do two folders in one differ in case alone.
      const parts = new Set(
        found.flatMap((path) => path.split('/').map((_, i, all) => all.slice(0, i + 1).join('/'))),
      );
      expect(new Set([...parts].map(folded)).size).toBe(parts.size);
    }
  });

  test('stay in the next runs, which find nothing to do', async () => {
    const paths = alike.flat().filter((path) => path.startsWith('/') && path !== '/x');
    plant(Object.fromEntries(paths.map((path) => [path, `content of ${path}`])));
    expect(await sync()).toMatchObject({ code: 0, documents: paths.length + 1, failures: [] });
    const files = filesOf(folder);
    expect(Object.values(files)).toEqual(expect.arrayContaining(paths.map((path) => `content of ${path}`)));
    expect(await sync()).toMatchObject({ code: 0, downloaded: 0, removed: 0 });
    expect(filesOf(folder)).toEqual(files);
  });
});

/** A name as a file system without case keeps it. */
function folded(path: string): string {
  return path.normalize('NFD').toUpperCase().toLowerCase().normalize('NFC');
}
