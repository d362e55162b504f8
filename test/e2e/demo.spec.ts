import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';

const data = mkdtempSync(join(tmpdir(), 'feedmesh-demo-'));

afterAll(() => rmSync(data, { recursive: true, force: true }));

/** Runs the demo as `npm run demo` does, on the databases of this test run. */
async function demo(...parameters: string[]): Promise<{ code: number | null; story: string }> {
  const child = spawn(process.execPath, ['dist/apps/standalone/src/demo/demo.js', ...parameters], {
    env: { ...process.env, FEEDMESH_DATA: data, NODE_OPTIONS: '' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let story = '';
  child.stdout.on('data', (piece: Buffer) => (story += piece.toString()));
  child.stderr.on('data', (piece: Buffer) => (story += piece.toString()));
  const code = await new Promise<number | null>((ended) => child.once('close', ended));
  return { code, story };
}

test('two endpoints keep an item in step, show its conflict on both, and end with equal item sets', async () => {
  const { code, story } = await demo();
  expect(story).toContain('in conflict with "Buy groceries": Get milk, eggs, butter and rolls by JEO2000');
  expect(story).toContain('Both feeds end with the same item set.');
  expect(code).toBe(0);
}, 180_000);

test.each(['fetcher', 'merger', 'publisher', 'gateway'])('a %s that is killed in the middle changes nothing about the end', async (service) => {
  const { code, story } = await demo('--kill', service);
  expect(story).toContain(`Ray's ${service} is killed`);
  expect(story).toContain('Both feeds end with the same item set.');
  expect(code).toBe(0);
}, 180_000);

test('a service that does not exist is refused', async () => {
  const { code, story } = await demo('--kill', 'toaster');
  expect(story).toContain('no running service "toaster"');
  expect(code).toBe(1);
}, 180_000);
