import { rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { copyTree } from './copy-tree.ts';
import { findingSeed, plantedFaults, plantedIn } from './planted-faults.ts';

let root = '';
beforeAll(() => {
  ({ root } = copyTree(process.cwd()));
});
afterAll(() => rmSync(root, { recursive: true }));

test.each(plantedFaults)('the simulation finds within 500 seeds that $name', async (fault) => {
  const text = await readFile(fault.path, 'utf8');
  expect(plantedIn(text, fault)).not.toBe(text);
  expect(await findingSeed(root, fault)).toBeLessThanOrEqual(500);
});

test('refuses a fault whose code is no longer in the source', () => {
  const fault = { name: 'gone', path: 'libs/gone.ts', code: 'a < b', replacement: 'a > b' };
  expect(() => plantedIn('a <= b', fault)).toThrow('"gone": libs/gone.ts has 0 times `a < b`');
});
