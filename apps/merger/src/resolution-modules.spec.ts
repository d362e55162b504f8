import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { readConfiguration, mergerSettings } from '#service';
import { loadResolutionModules, ResolutionModuleError } from './resolution-modules.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'feedmesh-test-'));
});
afterEach(() => rm(folder, { recursive: true }));

/** Writes a module and loads it under the name `mine`. */
async function load(source: string) {
  const path = join(folder, 'mine.mjs');
  await writeFile(path, source);
  return (await loadResolutionModules(new Map([['mine', path]]))).get('mine');
}

describe('resolution modules', () => {
  test('are loaded with the digest of their file', async () => {
    const module = await load('export const choose = (versions) => versions.length - 1;');
    expect(module?.choose([])).toBe(-1);
    expect(module?.digest).toMatch(/^[0-9a-f]{64}$/);
  });

  test.each([
    ['exports nothing', 'export const other = 1;', 'exports no function "choose"'],
    ['exports no function', 'export const choose = 1;', 'exports no function "choose"'],
    ['throws', 'throw new Error("no policy today");', "can't be loaded: no policy today"],
  ])('are refused where one %s', async (_, source, message) => {
    await expect(load(source)).rejects.toThrow(message);
    await expect(load(source)).rejects.toThrow(
      /^MERGE_RESOLUTION_MODULES: the module "mine" \(.*mine\.mjs\) /,
    );
  });

  test('are refused if there is no such file', async () => {
    await expect(loadResolutionModules(new Map([['mine', join(folder, 'absent.mjs')]]))).rejects.toThrow(
      ResolutionModuleError,
    );
  });
});

describe('the setting MERGE_RESOLUTION_MODULES', () => {
  const read = (text: string) =>
    readConfiguration(mergerSettings, { MERGE_RESOLUTION_MODULES: text }).MERGE_RESOLUTION_MODULES;

  test('names files, and none by default', () => {
    expect(read('')).toEqual([]);
    expect(read('newest=policies/newest.mjs, b2=/srv/a=b.mjs')).toEqual([
      ['newest', 'policies/newest.mjs'],
      ['b2', '/srv/a=b.mjs'],
    ]);
  });

  test.each(['newest', 'newest=', '=a.mjs', 'New=a.mjs', 'a=b.mjs,', 'a=b.mjs,a=c.mjs'])(
    'refuses "%s"',
    (text) => {
      expect(() => read(text)).toThrow(/MERGE_RESOLUTION_MODULES must/);
    },
  );
});
