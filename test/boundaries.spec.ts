import { execFile } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { withBoundaries } from '../tools/boundaries/lint-rules.ts';
import { withTable } from '../tools/boundaries/page.ts';
import { modules } from '../tools/boundaries/table.ts';

const refused = [
  ['libs/feedsync/src', 'node:fs'],
  ['libs/feedsync/src/engine', '#xml'],
  ['libs/xml/src', '#feedsync'],
  ['libs/xml/src', '#store'],
  ['libs/xml/src', 'mongoose'],
  ['libs/contracts/src', '#feedsync'],
  ['libs/core/src', 'bullmq'],
  ['libs/items/src', '#store'],
  ['libs/items/src', '#in-memory'],
  ['libs/store/src', 'ioredis'],
  ['libs/queue/src', 'mongoose'],
  ['libs/http-fetch/src', '#store'],
  ['libs/service/src', '#feedsync'],
  ['libs/core/src', '#feedsync'],
  ['libs/protocol/src', '#sse'],
  ['libs/feedsync/src/service', '#items'],
  ['libs/service/src', '#databases'],
  ['libs/items/src', '../../store/src/index.ts'],
  ['apps/fetcher/src', '../../merger/src/merge-batch.ts'],
  ['apps/gateway/src/feeds', '../../../publisher/src/publish-collection.ts'],
  ['apps/gateway/src/feeds', '../../../../libs/items/src/edit-item.ts'],
  ['apps/gateway/src/feeds', '../../../../tools/databases/index.ts'],
  ['apps/fetcher/src', 'mongoose'],
  ['apps/fetcher/src', 'bullmq'],
  ['apps/fetcher/src', '#databases'],
  ['apps/merger/src', '#in-memory'],
  ['apps/cli/src', 'undici'],
  ['tools/databases', '#store'],
] as const;

const allowed = [
  ['libs/feedsync/src/xml', '#xml'],
  ['libs/store/src', 'mongoose'],
  ['apps/fetcher/src', '#items'],
  ['apps/gateway/src/feeds', '../gateway.module.ts'],
  ['apps/standalone/src', '#databases'],
] as const;

const naming = ['apps/gateway/src', 'apps/cli/src', 'libs/core/src', 'libs/store/src'] as const;

describe('lint', () => {
  let root: string;
  /** The rules that the planted files break, by their path. */
  const broken = new Map<string, string[]>();

  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'feedmesh-boundaries-'));
    for (const file of ['.oxlintrc.json', 'tools/boundaries/no-protocol-names.js']) {
      await mkdir(dirname(join(root, file)), { recursive: true });
      await copyFile(file, join(root, file));
    }
    for (const [folder, target] of [...refused, ...allowed]) {
      const file = join(root, plantedFile(folder, target));
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, `import { planted } from '${target}';\nexport const used = planted;\n`);
    }
    for (const folder of naming) {
      await mkdir(join(root, folder), { recursive: true });
      await writeFile(
        join(root, folder, 'planted-name.ts'),
        `export const isOrdered = (name: string): boolean => name === 'sse';\n`,
      );
    }
    const output = await new Promise<string>((done) => {
      execFile(
        process.execPath,
        [resolve('node_modules/oxlint/bin/oxlint'), '--format=json', '.'],
        { cwd: root, maxBuffer: 1 << 26 },
        (_error, stdout) => done(stdout),
      );
    });
    const { diagnostics } = JSON.parse(output) as { diagnostics: { code: string; filename: string }[] };
    for (const { code, filename } of diagnostics) {
      const path = relative(root, resolve(root, filename));
      broken.set(path, [...(broken.get(path) ?? []), code]);
    }
  });

  afterAll(async () => {
    await rm(root, { recursive: true });
  });

  test.each(refused)('does not let a file in %s import %s', (folder, target) => {
    expect(broken.get(plantedFile(folder, target))).toContain('eslint(no-restricted-imports)');
  });

  test.each(naming)('does not let a file in %s name a protocol', (folder) => {
    expect(broken.get(`${folder}/planted-name.ts`)).toEqual(['boundaries(no-protocol-names)']);
  });

  test('lets a protocol say its own name', () => {
    expect(broken.get('libs/items/src/planted-name.ts') ?? []).toEqual([]);
  });

  test.each(allowed)('lets a file in %s import %s', (folder, target) => {
    expect(broken.get(plantedFile(folder, target)) ?? []).toEqual([]);
  });
});

function plantedFile(folder: string, target: string): string {
  return `${folder}/planted-${target.replaceAll(/[^a-z]+/g, '-')}.ts`;
}

describe('what is made from the table of boundaries (npm run boundaries)', () => {
  test('are the rules of lint', async () => {
    const configuration = JSON.parse(await readFile('.oxlintrc.json', 'utf8')) as Record<string, unknown>;
    expect(configuration).toEqual(withBoundaries(configuration, modules));
  });

  test('is the table in the documentation', async () => {
    const page = await readFile('docs/ARCHITECTURE.md', 'utf8');
    expect(page).toBe(withTable(page, modules));
  });
});
