import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { readCases } from './read-cases.ts';
import { runCase } from './run-case.ts';

let root = '';
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'feedmesh-cases-'));
});
afterEach(() => rm(root, { recursive: true }));

async function write(path: string, ...lines: readonly (string | Uint8Array)[]): Promise<void> {
  const file = join(root, path);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, Buffer.concat(lines.flatMap((line) => [Buffer.from(line), Buffer.from('\n')])));
}

const merge = ['title: A merge', 'operation: merge'];
const entry = (name: string): string[] => [`=== ${name}`, `title: ${name}`, '--- input.xml', '<a/>'];

test('names cases by section and file, or by section and line in a list, in natural order', async () => {
  await write('10.1/b.txt', ...merge);
  await write('2.1/b-10.txt', ...merge);
  await write('2.1/valid.txt', 'operation: validate', 'violations: none', ...entry('c'), ...entry('b-9'));
  expect(readCases(root).map(({ name, section, title }) => ({ name, section, title }))).toEqual([
    { name: '2.1/b-9', section: '2.1', title: 'b-9' },
    { name: '2.1/b-10', section: '2.1', title: 'A merge' },
    { name: '2.1/c', section: '2.1', title: 'c' },
    { name: '10.1/b', section: '10.1', title: 'A merge' },
  ]);
});

test('takes what a document must violate from its lines', async () => {
  await write(
    '2.1/invalid.txt',
    'operation: validate',
    '=== a',
    'title: A',
    'violations:',
    '  7:3 error sync-id-required',
    '--- input.xml',
  );
  expect(readCases(root)).toMatchObject([
    { expected: { violations: [{ rule: 'sync-id-required', severity: 'error', line: 7, column: 3 }] } },
  ]);
});

test.each([
  ['what is no text file', 'case.json', ['{}'], 'case.json: a case is a text file, NAME.txt'],
  ['a title that is missing', 'a.txt', ['operation: merge'], 'a.txt: a: `title` is missing'],
  ['an operation that is missing', 'a.txt', ['title: A'], 'a.txt: a: `operation` is missing'],
  ['a line that is wrong', 'a.txt', [...merge, '<a/>'], 'a.txt: line 3: expected `key: value`; got `<a/>`'],
  [
    'bytes that are not UTF-8',
    'a.txt',
    [...merge, '--- a', new Uint8Array([0xc3])],
    'a.txt: the file is not UTF-8',
  ],
])('refuses %s, with the path', async (_what, name, lines, message) => {
  await write(join('2.1', name), ...lines);
  expect(() => readCases(root)).toThrow(join(root, '2.1', message));
});

test('refuses a folder for a case', async () => {
  await write('2.1/a/case.json', '{}');
  expect(() => readCases(root)).toThrow('a: a case is a text file, NAME.txt');
});

test('refuses two cases of one name in a section', async () => {
  await write('2.1/a.txt', ...merge);
  await write('2.1/valid.txt', 'operation: validate', 'violations: none', ...entry('a'));
  expect(() => readCases(root)).toThrow('two cases are called 2.1/a');
});

test('gives a case that expects nothing, which fails when it is run', async () => {
  await write('2.1/invalid.txt', 'operation: validate', ...entry('a'));
  await write('2.1/b.txt', ...merge, '--- local.xml', '<a/>', '--- incoming.xml', '<a/>');
  const [first, second, ...others] = readCases(root);
  expect(others).toEqual([]);
  if (first === undefined || second === undefined) throw new Error('The cases were not read.');
  await expect(runCase(first)).rejects.toThrow('the case expects nothing');
  await expect(runCase(second)).rejects.toThrow('the document expected.xml is missing');
});
