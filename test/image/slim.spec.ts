import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';

const kept = [
  'dist/apps/gateway/src/main.js',
  'node_modules/@nestjs/swagger/dist/swagger-ui/swagger-ui.js',
  'node_modules/a/LICENSE',
  'node_modules/a/License.md',
  'node_modules/a/NOTICE.md',
  'node_modules/a/index.js',
  'node_modules/a/lib/docs/page.js',
  'node_modules/a/lib/test/equal.js',
  'node_modules/swagger-ui-dist/swagger-ui-bundle.js',
  'node_modules/test/index.js',
  'package.json',
];
const removed = [
  'dist/apps/gateway/src/main.js.map',
  'node_modules/@scope/b/docs/page.js',
  'node_modules/a/README.md',
  'node_modules/a/index.d.ts',
  'node_modules/a/lib/index.d.mts',
  'node_modules/a/node_modules/c/tests/c.js',
  'node_modules/a/test/a.js',
  'node_modules/swagger-ui-dist/swagger-ui-es-bundle.js',
];

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'feedmesh-slim-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test('removes maps, types, tests and documentation from an image, and no license or program', async () => {
  for (const path of [...kept, ...removed]) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), 'x');
  }
  const { status, stdout } = spawnSync(process.execPath, ['deploy/image/slim.mjs', folder], {
    encoding: 'utf8',
  });
  expect([status, stdout]).toEqual([0, expect.stringMatching(/^slim: \d+\.\d MB before, \d+\.\d MB now\n$/)]);
  const left = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = left
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1));
  expect(files.sort()).toEqual(kept.toSorted());
});
