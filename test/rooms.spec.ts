import { execFile } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';

let house: string;

beforeAll(async () => {
  house = await mkdtemp(join(tmpdir(), 'feedmesh-rooms-'));
  await copyFile('.oxlintrc.json', join(house, '.oxlintrc.json'));
});

afterAll(async () => {
  await rm(house, { recursive: true });
});

/**
 * Lints one file that imports `target` from a house that has the project's rules; answers the rules that it
 * breaks.
 */
async function plant(room: string, target: string): Promise<string[]> {
  const file = join(house, room, 'planted.ts');
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, `import { planted } from '${target}';\nexport const used = planted;\n`);
  const output = await new Promise<string>((done) => {
    execFile(
      process.execPath,
      [resolve('node_modules/oxlint/bin/oxlint'), '--format=json', file],
      { cwd: house },
      (_error, stdout) => done(stdout),
    );
  });
  const { diagnostics } = JSON.parse(output) as { diagnostics: { code: string }[] };
  await rm(file);
  return diagnostics.map(({ code }) => code);
}

test.each([
  ['libs/feedsync/src', 'node:fs'],
  ['libs/feedsync/src', '#feed-xml'],
  ['libs/feed-xml/src', '#store'],
  ['libs/feed-xml/src', 'mongoose'],
  ['libs/messages/src', '#feedsync'],
  ['libs/ports/src', 'bullmq'],
  ['libs/items/src', '#store'],
  ['libs/store/src', 'ioredis'],
  ['libs/queue/src', 'mongoose'],
  ['libs/http-fetch/src', '#store'],
  ['libs/runtime/src', '#feedsync'],
  ['libs/client/src', 'bullmq'],
  ['libs/items/src', '../../store/src/index.ts'],
  ['apps/fetcher/src', '../../merger/src/merge-batch.ts'],
  ['apps/gateway/src/feeds', '../../../publisher/src/publish-collection.ts'],
  ['apps/gateway/src/feeds', '../../../../libs/items/src/edit-item.ts'],
  ['apps/fetcher/src', 'mongoose'],
  ['apps/fetcher/src', 'bullmq'],
  ['apps/cli/src', 'undici'],
])('a file in %s may not import %s', async (room, target) => {
  expect(await plant(room, target)).toContain('eslint(no-restricted-imports)');
});

test.each([
  ['libs/feed-xml/src', '#feedsync'],
  ['libs/store/src', 'mongoose'],
  ['apps/fetcher/src', '#items'],
  ['apps/gateway/src/feeds', '../gateway.module.ts'],
])('a file in %s may import %s', async (room, target) => {
  expect(await plant(room, target)).toEqual([]);
});
