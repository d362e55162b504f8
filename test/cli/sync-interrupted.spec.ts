import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { run } from '../../apps/cli/src/run.ts';
import { memoryIo } from './memory-io.ts';
import { syncFixture } from './sync-fixture.ts';
import { filesOf, siteFeed, siteItem } from './sync-site.ts';

const { site, folder, commandLine } = syncFixture();

/** Runs the built command and kills it once so many requests have been answered. */
async function runKilled(answers: number): Promise<void> {
  site.takeAnswers();
  const child = spawn(process.execPath, ['dist/apps/cli/src/main.js', ...commandLine()], {
    stdio: 'ignore',
  });
  const exit = once(child, 'exit');
  await site.answered(answers);
  child.kill('SIGKILL');
  expect(await exit).toEqual([null, 'SIGKILL']);
}

const sections = 5;
const filesPerSection = 8;

/**
 * A root, 5 sections and 40 files; in edition 2 three of the sections and some of their files differ, and a
 * file has gone.
 */
function plantEdition(edition: 1 | 2): void {
  const built = (section: number): number => (section < 3 ? edition : 1);
  site.documents.clear();
  const links = Array.from({ length: sections }, (_, section) =>
    siteItem(`section ${section}`, built(section), [{ to: `${section}/feed.xml`, nestedFeed: true }]),
  );
  site.documents.set('/root.xml', siteFeed(edition, links));
  for (let section = 0; section < sections; section += 1) {
    const files = Array.from(
      { length: built(section) === 2 ? filesPerSection - 1 : filesPerSection },
      (_, file) => file,
    );
    site.documents.set(
      `/${section}/feed.xml`,
      siteFeed(
        built(section),
        files.map((file) => siteItem(`file ${file}`, file % 2 === 0 ? built(section) : 1, [`${file}.txt`])),
      ),
    );
    for (const file of files)
      site.documents.set(
        `/${section}/${file}.txt`,
        `file ${file} of section ${section}, edition ${file % 2 === 0 ? built(section) : 1} `.repeat(500),
      );
  }
}

function planted(): Record<string, unknown> {
  return Object.fromEntries([...site.documents].map(([path, document]) => [path.slice(1), document]));
}

describe('sync that was killed', () => {
  test.each([1, 4, 12, 25])(
    'in its first run after %i responses is completed by the next, and by then nothing is left to do',
    async (answers) => {
      plantEdition(1);
      await runKilled(answers);
      expect(await run(commandLine(), memoryIo())).toBe(0);
      expect(filesOf(folder)).toEqual(planted());
      site.takeAnswers();
      expect(await run(commandLine(), memoryIo())).toBe(0);
      expect(site.takeAnswers()).toEqual(['304 /root.xml']);
      expect(readdirSync(`${folder}/.feedmesh-sync/incoming`)).toEqual([]);
    },
  );

  test.each([1, 2, 5, 9])(
    'in the middle of an update after %i responses is completed by the next',
    async (answers) => {
      plantEdition(1);
      expect(await run(commandLine(), memoryIo())).toBe(0);
      plantEdition(2);
      await runKilled(answers);
      expect(await run(commandLine(), memoryIo())).toBe(0);
      expect(filesOf(folder)).toEqual(planted());
    },
  );
});

describe('sync that is interrupted', () => {
  test('ends at once, says so, keeps what is done, and goes on from there the next time', async () => {
    site.documents.set(
      '/root.xml',
      siteFeed(1, [
        siteItem('a', 1, ['a.txt']),
        siteItem('slow', 1, ['slow.txt']),
        siteItem('z', 1, ['z.txt']),
      ]),
    );
    for (const name of ['a.txt', 'z.txt']) site.documents.set(`/${name}`, name);
    site.documents.set('/slow.txt', (response) => void response.writeHead(200).write('the beginning'));
    const io = memoryIo();
    const running = run(commandLine('-o', 'json', '--parallel', '1'), io);
    await site.answered('own /slow.txt');
    io.interrupt();
    expect(await running).toBe(1);
    expect(JSON.parse(io.out())).toMatchObject({
      interrupted: true,
      downloaded: 2,
      removed: 0,
      failures: [],
    });
    expect(Object.keys(filesOf(folder))).toEqual(['a.txt', 'root.xml']);
    expect(readdirSync(`${folder}/.feedmesh-sync`)).toEqual(['documents.jsonl', 'incoming']);
    site.documents.set('/slow.txt', 'slow.txt');
    site.takeAnswers();
    expect(await run(commandLine(), memoryIo())).toBe(0);
    expect(site.takeAnswers()).toEqual(['200 /slow.txt', '200 /z.txt', '304 /root.xml']);
  });
});
