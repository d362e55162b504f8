import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { drawMutants } from './draw-mutants.ts';
import { equivalentMutants } from './equivalent-mutants.ts';
import { findMutants } from './find-mutants.ts';

let root = '';
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'feedmesh-draw-'));
});
afterEach(() => rm(root, { recursive: true }));

const paths = [
  'libs/feedsync/src/engine/merge.ts',
  'libs/feedsync/src/engine/merge.spec.ts',
  'libs/feedsync/src/index.ts',
  'libs/items/src/edit.ts',
  'apps/merger/src/main.ts',
  'apps/cli/src/run.ts',
];

async function writeSources(): Promise<void> {
  for (const path of paths) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), 'a < b;\n'.repeat(20));
  }
}

test('takes as many from each area that has any, and the same for a seed', async () => {
  await writeSources();
  const drawn = drawMutants(root, paths, { count: 5, seed: 7 });
  expect(drawn.map(({ path }) => path)).toEqual([
    'libs/feedsync/src/engine/merge.ts',
    'libs/feedsync/src/engine/merge.ts',
    'libs/items/src/edit.ts',
    'libs/items/src/edit.ts',
    'libs/items/src/edit.ts',
  ]);
  expect(drawMutants(root, paths, { count: 5, seed: 7 })).toEqual(drawn);
  expect(drawMutants(root, paths, { count: 5, seed: 8 })).not.toEqual(drawn);
});

test('takes all if there are fewer, none of them twice', async () => {
  await writeSources();
  const drawn = drawMutants(root, paths, { count: 1000, seed: 1 });
  expect(new Set(drawn.map(({ path, start }) => `${path} ${start}`)).size).toBe(40);
  expect(drawn).toHaveLength(40);
});

test('leaves out a fault that is known to change nothing', async () => {
  const known = equivalentMutants.find(({ path }) => path === 'libs/xml/src/prefixes.ts');
  const path = known?.path ?? '';
  await mkdir(dirname(join(root, path)), { recursive: true });
  await writeFile(join(root, path), `${known?.code} f();\nif (code < 0x81) f();\n${known?.code}\n  g();\n`);
  const lines = drawMutants(root, [path], { count: 9, seed: 1 }).map(({ line }) => line);
  expect(new Set(lines)).toEqual(new Set([1, 2]));
});

test.each(equivalentMutants)('$path has "$code", which $change would not change', async (known) => {
  const text = await readFile(known.path, 'utf8');
  const lines = text.split('\n');
  const [found, ...others] = findMutants(text).filter(
    ({ line, change }) => lines[line - 1]?.trim() === known.code && change === known.change,
  );
  expect([found?.change, others]).toEqual([known.change, []]);
});
