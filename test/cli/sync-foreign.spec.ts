import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { memoryIo } from './memory-io.ts';
import { syncFixture } from './sync-fixture.ts';
import { siteFeed, siteItem } from './sync-site.ts';

const { site, folder, outside, sync, syncWith } = syncFixture();

/** Plants a root that links to these files, whose content names them and the edition. */
function plant(edition: number, ...names: readonly string[]): void {
  site.documents.clear();
  for (const name of names) site.documents.set(`/${name}`, `${name} of edition ${edition}`);
  const items = names.map((name) => siteItem(name, edition, [name]));
  site.documents.set('/root.xml', siteFeed(edition, items));
}

const read = (path: string): string => readFileSync(path, 'utf8');

const notWritten = (name: string, path = name) => ({
  url: `${site.url}/${name}`,
  rule: 'file-conflict',
  reason:
    `"${path}" in the folder was not written by sync, so it is left as it is; ` +
    'move it away and run sync again',
});
const changed = (name: string) => ({
  url: `${site.url}/${name}`,
  rule: 'file-conflict',
  reason:
    `"${name}" in the folder has changed since sync wrote it, so it is left as it is; ` +
    'move it away and run sync again',
});

describe('what sync did not write', () => {
  beforeEach(async () => {
    plant(1, 'a.txt');
    await sync();
    plant(2, 'a.txt', 'b.txt', 'c/d.txt');
  });

  const things: readonly [string, () => void][] = [
    ['a file', () => writeFileSync(`${folder}/b.txt`, 'mine')],
    ['an empty file', () => writeFileSync(`${folder}/b.txt`, '')],
    ['a folder', () => mkdirSync(`${folder}/b.txt`)],
    [
      'a file that has another name elsewhere',
      () => {
        writeFileSync(`${outside}/x`, 'mine');
        linkSync(`${outside}/x`, `${folder}/b.txt`);
      },
    ],
    [
      'a symbolic link',
      () => {
        writeFileSync(`${outside}/x`, 'mine');
        symlinkSync(`${outside}/x`, `${folder}/b.txt`);
      },
    ],
    ['a symbolic link to nothing', () => symlinkSync(`${outside}/new`, `${folder}/b.txt`)],
    ['a FIFO', () => void execFileSync('mkfifo', [`${folder}/b.txt`])],
  ];
  test.each(things)('stays, and is named, if it is %s', async (_, put) => {
    put();
    const before = lstatSync(`${folder}/b.txt`);
    for (let round = 0; round < 2; round += 1) {
      const { code, failures } = await sync();
      expect({ code, failures }).toEqual({ code: 1, failures: [notWritten('b.txt')] });
      const { ino, size, mtimeMs } = lstatSync(`${folder}/b.txt`);
      expect({ ino, size, mtimeMs }).toEqual({ ino: before.ino, size: before.size, mtimeMs: before.mtimeMs });
    }
    if (existsSync(`${outside}/x`)) expect(read(`${outside}/x`)).toBe('mine');
    expect(existsSync(`${outside}/new`)).toBe(false);
    expect(read(`${folder}/c/d.txt`)).toBe('c/d.txt of edition 2');
    renameSync(`${folder}/b.txt`, `${outside}/moved`);
    expect(await sync()).toMatchObject({ code: 0, failures: [] });
    expect(read(`${folder}/b.txt`)).toBe('b.txt of edition 2');
  });

  test('stays if it is a symbolic link to a folder, or a file, where a folder is to be', async () => {
    symlinkSync(outside, `${folder}/c`);
    expect(await sync()).toMatchObject({ code: 1, failures: [notWritten('c/d.txt')] });
    expect(existsSync(`${outside}/d.txt`)).toBe(false);
    rmSync(`${folder}/c`);
    writeFileSync(`${folder}/c`, 'mine');
    expect(await sync()).toMatchObject({ code: 1, failures: [notWritten('c/d.txt')] });
    expect(read(`${folder}/c`)).toBe('mine');
  });

  test('stays even if it has the bytes that were to be written', async () => {
    writeFileSync(`${folder}/b.txt`, 'b.txt of edition 2');
    expect(await sync()).toMatchObject({ code: 1, failures: [notWritten('b.txt')] });
    plant(3, 'a.txt');
    expect(await sync()).toMatchObject({ code: 0 });
    expect(read(`${folder}/b.txt`)).toBe('b.txt of edition 2');
  });

  test('is not replaced through the folder of the state', async () => {
    rmSync(folder, { recursive: true });
    mkdirSync(`${outside}/incoming`);
    writeFileSync(`${outside}/incoming/x`, 'mine');
    mkdirSync(folder);
    symlinkSync(outside, `${folder}/.feedmesh-sync`);
    const io = memoryIo();
    expect(await syncWith(io)).toEqual({ code: 64 });
    expect(io.err()).toContain(`${folder}/.feedmesh-sync is not a folder of this program`);
    expect(read(`${outside}/incoming/x`)).toBe('mine');
  });
});

describe('a file that somebody has changed', () => {
  beforeEach(async () => {
    plant(1, 'a.txt', 'b.txt');
    await sync();
  });

  test.each(['longer than it was', 'A.txt of edition 1'])('to "%s" is not overwritten', async (text) => {
    writeFileSync(`${folder}/a.txt`, text);
    plant(2, 'a.txt', 'b.txt');
    for (let round = 0; round < 2; round += 1) {
      const { code, failures } = await sync();
      expect({ code, failures }).toEqual({ code: 1, failures: [changed('a.txt')] });
    }
    expect([read(`${folder}/a.txt`), read(`${folder}/b.txt`)]).toEqual([text, 'b.txt of edition 2']);
    rmSync(`${folder}/a.txt`);
    expect(await sync()).toMatchObject({ code: 0, failures: [] });
    expect(read(`${folder}/a.txt`)).toBe('a.txt of edition 2');
  });

  test('is named in every run, although its document is as it was, until it is removed', async () => {
    writeFileSync(`${folder}/a.txt`, 'mine');
    for (let round = 0; round < 2; round += 1)
      expect(await sync()).toMatchObject({ code: 1, downloaded: 0, failures: [changed('a.txt')] });
    expect(read(`${folder}/a.txt`)).toBe('mine');
    rmSync(`${folder}/a.txt`);
    expect(await sync()).toMatchObject({ code: 0, downloaded: 1 });
    expect(read(`${folder}/a.txt`)).toBe('a.txt of edition 1');
  });

  test('stays when nothing refers to it any more, and is named once', async () => {
    writeFileSync(`${folder}/a.txt`, 'a.txt of EDITION 1');
    plant(2, 'b.txt');
    expect(await sync()).toMatchObject({ code: 1, removed: 0, documents: 2, failures: [changed('a.txt')] });
    expect(await sync()).toMatchObject({ code: 0, failures: [] });
    expect(read(`${folder}/a.txt`)).toBe('a.txt of EDITION 1');
  });

  test('or moved behind a symbolic link stays', async () => {
    renameSync(`${folder}/a.txt`, `${outside}/a.txt`);
    symlinkSync(`${outside}/a.txt`, `${folder}/a.txt`);
    plant(2, 'b.txt');
    expect(await sync()).toMatchObject({ code: 1, failures: [changed('a.txt')] });
    expect(read(`${outside}/a.txt`)).toBe('a.txt of edition 1');
  });
});

describe('the records of a mirror', () => {
  const line = (path: string): object => ({ url: 'http://x.example/', path, length: 4, digest: 'x' });
  const records: readonly object[] = [
    ...['../x', 'a/../../x', '/x', 'a//x', '..', '', 'a\\..\\x', 'C:x', '.feedmesh-sync/process'].map(line),
    { arriving: '../x' },
    { arriving: '.Feedmesh-Sync/process' },
    { arriving: 1 },
  ];
  test.each(records)('are refused if they lead out of the folder: %p', async (record) => {
    plant(1, 'a.txt');
    await sync();
    writeFileSync(`${folder}/../x`, 'mine');
    appendFileSync(`${folder}/.feedmesh-sync/documents.jsonl`, `${JSON.stringify(record)}\n`);
    const io = memoryIo();
    expect(await syncWith(io)).toEqual({ code: 64 });
    expect(io.err()).toContain('documents.jsonl is damaged in line 6');
    expect(read(`${folder}/../x`)).toBe('mine');
  });

  test('of a file that was about to arrive do not remove another one', async () => {
    plant(1, 'a.txt');
    await sync();
    const records = ['b.txt', 'a.txt'].map((arriving) =>
      JSON.stringify({ arriving, digest: 'a'.repeat(64) }),
    );
    appendFileSync(`${folder}/.feedmesh-sync/documents.jsonl`, `${records.join('\n')}\n`);
    writeFileSync(`${folder}/b.txt`, 'mine');
    expect(await sync()).toMatchObject({ code: 0 });
    expect([read(`${folder}/a.txt`), read(`${folder}/b.txt`)]).toEqual(['a.txt of edition 1', 'mine']);
  });
});
