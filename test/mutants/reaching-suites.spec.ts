import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { copyTree } from './copy-tree.ts';
import type { PlacedMutant } from './draw-mutants.ts';
import { findMutants, plant } from './find-mutants.ts';
import { reachingSuites, runsOf } from './reaching-suites.ts';
import { runSuites } from './run-suites.ts';
import { until } from '../support/until.ts';

const folder = 'libs/core/src/tried';
const path = `${folder}/larger.ts`;
const sources = {
  [path]: [
    'export const isStrict = true;',
    'export function larger(a: number, b: number): number {',
    '  if (a > b) {',
    '    return a;',
    '  }',
    '  return b;',
    '}',
  ],
  [`${folder}/larger.spec.ts`]: suite('expect(larger(1, 2)).toBe(2);'),
  [`${folder}/second.spec.ts`]: suite('expect(larger(1, 2)).toBe(2);'),
  [`${folder}/both.spec.ts`]: suite('expect([larger(1, 2), larger(2, 1)]).toEqual([2, 2]);'),
  [`${folder}/wrong.spec.ts`]: suite('expect(larger(2, 1)).toBe(1);'),
  [`${folder}/other.spec.ts`]: suite('expect([typeof larger, larger.name]).toEqual(["function", "larger"]);'),
};

function suite(expectation: string): string[] {
  return [
    "import { expect, test } from '@jest/globals';",
    "import { larger } from './larger.ts';",
    `test('larger', () => { ${expectation} });`,
  ];
}

let root = '';
beforeAll(() => {
  ({ root } = copyTree(process.cwd()));
  mkdirSync(join(root, folder));
  for (const [file, lines] of Object.entries(sources))
    writeFileSync(join(root, file), `${lines.join('\n')}\n`);
});
afterAll(() => rmSync(root, { recursive: true }));

function mutants(): PlacedMutant[] {
  return findMutants(readFileSync(join(root, path), 'utf8')).map((mutant) => ({ ...mutant, path, area: '' }));
}

test('finds the suites that run the place of a mutant and pass without it, the narrowest first', async () => {
  // In one process, by size: `other`, which only loads the module, is the first, `both` the next.
  const { suites, failed } = await reachingSuites(root, mutants(), [folder], ['--runInBand']);
  const names = suites.map((found) => found.map((each) => each.path.slice(folder.length + 1)));
  // The one beside the source is always among them.
  expect(new Set(names.map(([first]) => first))).toEqual(new Set(['larger.spec.ts']));
  const [whole, ...inFunction] = names.map(([, ...others]) => others.toSorted());
  expect(whole).toEqual(['both.spec.ts', 'other.spec.ts', 'second.spec.ts']);
  const called = ['both.spec.ts', 'second.spec.ts'];
  expect(inFunction).toEqual([called, called, ['both.spec.ts'], called]);
  expect(failed).toEqual([`${folder}/wrong.spec.ts`]);
});

test('sees a fault fail, and a loop without an end', async () => {
  const options = { seconds: 300, options: ['--runInBand'] };
  const file = join(root, path);
  const text = readFileSync(file, 'utf8');
  for (const mutant of mutants().slice(1, 2)) writeFileSync(file, plant(text, mutant));
  expect(await runSuites(root, [`${folder}/both.spec.ts`], options)).toBe('failed');
  writeFileSync(file, 'export function larger(): never { for (;;); }');
  expect(await runSuites(root, [`${folder}/both.spec.ts`], { ...options, seconds: 5 })).toBe('hung');
  writeFileSync(file, text);
});

test('leaves no worker of a run that has failed', async () => {
  const at = join(root, 'worker');
  const tests = [
    `writeFileSync(${JSON.stringify(at)}, String(process.pid)); for (;;);`,
    `while (!existsSync(${JSON.stringify(at)})); throw new Error('fails');`,
  ];
  mkdirSync(join(root, folder, 'ended'));
  for (const [index, body] of tests.entries())
    writeFileSync(
      join(root, folder, 'ended', `${index}.spec.ts`),
      "import { existsSync, writeFileSync } from 'node:fs';\n" +
        `import { test } from '@jest/globals';\ntest('ends', () => { ${body} });\n`,
    );
  const options = { seconds: 300, options: ['--bail', '--maxWorkers=2'] };
  expect(await runSuites(root, [`${folder}/ended`], options)).toBe('failed');
  const worker = Number(readFileSync(at, 'utf8'));
  await until(() => !isRunning(worker));
});

function isRunning(id: number): boolean {
  try {
    return process.kill(id, 0);
  } catch {
    return false;
  }
}

test('runs the quickest suites alone at first, then more at a time', () => {
  const taking = (...seconds: number[]) =>
    seconds.map((each, index) => ({ path: `${index}`, seconds: each }));
  const lengths = (...seconds: number[]): number[][] =>
    runsOf(taking(...seconds), 60).map((run) => run.map((suite) => suite.seconds));
  expect(lengths()).toEqual([]);
  expect(lengths(1, 1, 1, 2, 5, 1, 40)).toEqual([[1, 1], [1, 2, 5], [1], [40]]);
  expect(lengths(30, 1, 1)).toEqual([[30], [1, 1]]);
  expect(lengths(2, 30, 40, 1)).toEqual([[2], [30]]);
  expect(lengths(70, 1)).toEqual([[70]]);
});
