import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { openThrowaway } from '#databases';
import { processIdentity } from '../../tools/databases/process/process-identity.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** Has 200 folders in the folder of its run, and removes one and makes it again, without end. */
const changing = `
  const { mkdirSync, rmSync } = require('node:fs');
  for (let count = 0; ; count += 1) {
    const folder = process.argv[1] + '/run-' + process.pid + '/' + (count % 200);
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder + '/inner', { recursive: true });
    if (count === 200) console.log('changing');
  }`;

const dataFolder = temporaryFolder();
let other: ChildProcess;
let run = '';

/** A run whose files change, and which has no register yet. */
beforeEach(async () => {
  mkdirSync(dataFolder, { recursive: true });
  other = spawn(process.execPath, ['-e', changing, dataFolder], { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(other.stdout ?? other, 'data');
  run = join(dataFolder, `run-${other.pid}`);
});

afterEach(async () => {
  await endOther();
  rmSync(dataFolder, { recursive: true, force: true });
});

async function endOther(): Promise<void> {
  if (other.exitCode !== null || other.signalCode !== null) return;
  const ended = once(other, 'exit');
  other.kill('SIGKILL');
  await ended;
}

function register(): void {
  const launcher = { name: 'launcher', pid: other.pid, identity: processIdentity(other.pid ?? 0) };
  writeFileSync(join(run, 'processes.json'), JSON.stringify({ launcher, processes: [] }));
}

async function open(): Promise<void> {
  const { folder } = await openThrowaway(dataFolder, () => {}, 1000);
  expect(readdirSync(folder)).toEqual(['processes.json']);
  rmSync(folder, { recursive: true });
}

test('a run that is alive keeps its folder, whose files come and go', async () => {
  register();
  for (let count = 0; count < 100; count += 1) await open();
  expect(existsSync(run)).toBe(true);
});

test('so does one that has not made its register, or has removed it', async () => {
  await open();
  expect(existsSync(run)).toBe(true);
});

test.each([
  ['with a register', register],
  ['without one', () => {}],
])('the folder of a run that has ended is removed, %s', async (_, prepare) => {
  prepare();
  await endOther();
  await open();
  expect(existsSync(run)).toBe(false);
});
