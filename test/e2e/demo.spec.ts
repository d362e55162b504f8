import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { isStress } from '../support/stress.ts';

const data = mkdtempSync(join(tmpdir(), 'feedmesh-demo-'));

afterAll(() => rmSync(data, { recursive: true, force: true }));

/** What a killed service held is taken over soon. */
const impatient = {
  FETCH_LEASE_MS: '5000',
  FETCH_STALLED_MS: '5000',
  FETCH_RECONCILE_MS: '1000',
  JOB_LOCK_MS: '5000',
  JOB_STALLED_CHECK_MS: '1000',
} as const;

/** Runs the demo as `npm run demo` does, on the databases of this test run. */
async function demo(...parameters: string[]): Promise<{ code: number | null; story: string }> {
  const child = spawn(process.execPath, ['dist/apps/standalone/src/demo/demo.js', ...parameters], {
    env: { ...process.env, ...impatient, FEEDMESH_DATA: data, NODE_OPTIONS: '' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let story = '';
  child.stdout.on('data', (piece: Buffer) => (story += piece.toString()));
  child.stderr.on('data', (piece: Buffer) => (story += piece.toString()));
  const code = await new Promise<number | null>((ended) => child.once('close', ended));
  return { code, story };
}

// Each is killed after an edit that it has to bring to the other endpoint, or has to fetch; in the long form
// nobody is, too, and each at the last moment.
const inTurn = ['publisher', 'gateway', 'fetcher', 'merger'];
const victims = isStress ? [inTurn, [], ...inTurn.map((service) => [service])] : [inTurn];

test.each(victims.map((list) => [list]))(
  'two endpoints keep an item in step, show its conflict, and end with equal items (killed: %j)',
  async (list) => {
    const { code, story } = await demo(...(list.length > 0 ? ['--kill', list.join()] : []));
    for (const service of list) expect(story).toContain(`Ray's ${service} is killed`);
    expect(story).toContain('in conflict with "Buy groceries": Get milk, eggs, butter and rolls by JEO2000');
    expect(story).toContain('Both feeds end with the same item set.');
    expect(code).toBe(0);
  },
);

test('a service that does not exist is refused before anything starts', async () => {
  const { code, story } = await demo('--kill', 'merger,toaster');
  expect(story).toContain('there is no service "toaster"');
  expect(story).not.toContain('is ready');
  expect(code).toBe(2);
});
