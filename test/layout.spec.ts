import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';

const columns = 110;
const tooLong = new RegExp(`.{${columns + 1}}`, 'u');

async function sourceFiles(): Promise<string[]> {
  const isSource = (path: string): boolean => /\.(?:ts|mjs|cjs|js)$/.test(path);
  const folders = ['apps', 'libs', 'test', 'tools'].map(async (folder) =>
    (await readdir(folder, { recursive: true })).map((path) => join(folder, path)),
  );
  return [...(await readdir('.')), ...(await Promise.all(folders)).flat()].filter(isSource);
}

async function longLines(path: string): Promise<string[]> {
  const lines = (await readFile(path, 'utf8')).split('\n');
  return lines.flatMap((line, index) => (tooLong.test(line) ? [`${path}:${index + 1}`] : []));
}

// The formatter breaks code, but no text, regular expression or comment.
test(`no line of the source has more than ${columns} characters`, async () => {
  const long = await Promise.all((await sourceFiles()).map(longLines));
  expect(long.flat()).toEqual([]);
});
