import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { processIdentity } from '../../tools/databases/process/process-identity.ts';
import { until } from '../support/until.ts';
import { folderOfServers } from './programs.ts';
import { temporaryFolder } from './temporary-folder.ts';

const folder = temporaryFolder();
const root = join(folder, 'clone');
const data = join(folder, 'data');
const withDatabases = resolve('dist/apps/standalone/src/with-databases.js');
let servers: string;
let npm: ChildProcess;
let output: string;

function write(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

/** Says its pid, and ends only by SIGKILL. */
const deaf = `
process.on('SIGTERM', () => {}).on('SIGINT', () => {});
setInterval(() => {}, 1000);
console.log('pid ' + process.pid);
`;

/** A test run with a worker, a service in a group of its own, and a Redis and a launcher of its own. */
const jest = `
const { spawn } = require('node:child_process');
const run = (args, more) => spawn(process.execPath, args, { stdio: 'inherit', ...more });
console.log('pid ' + process.pid);
run(['deaf.js']);
run(['deaf.js'], { detached: true });
run([${JSON.stringify(withDatabases)}, process.execPath, 'deaf.js'], {
  detached: true,
  env: { ...process.env, REDIS_URL: '' },
});
`;

/** A check that leaves the work to another program, as tsc and oxlint do. */
const check = `
require('node:child_process').spawnSync(process.execPath, ['deaf.js'], { stdio: 'inherit' });
`;

beforeAll(async () => {
  servers = await folderOfServers(join(folder, 'servers'));
});

beforeEach(() => {
  rmSync(root, { recursive: true, force: true });
  const packages = JSON.stringify({ packages: { '': {} } });
  const test = 'exec node apps/standalone/bootstrap.mjs test';
  write('package.json', JSON.stringify({ type: 'commonjs', scripts: { test } }));
  write('package-lock.json', packages);
  write('node_modules/.package-lock.json', packages);
  for (const file of ['tsconfig.json', 'tsconfig.build.json']) write(file, '{}');
  for (const file of ['oxfmt/bin/oxfmt', 'oxlint/bin/oxlint', '@typescript/native/bin/tsc'])
    write(`node_modules/${file}`, '');
  for (const folder of ['', 'dist/'])
    write(`${folder}apps/standalone/src/with-databases.js`, `import(${JSON.stringify(withDatabases)});`);
  write('node_modules/jest/bin/jest.js', jest);
  write('deaf.js', deaf);
  copyFileSync('apps/standalone/bootstrap.mjs', join(root, 'apps/standalone/bootstrap.mjs'));
});

afterEach(() => {
  for (const pid of started()) if (processIdentity(pid) !== undefined) process.kill(pid, 'SIGKILL');
});

/** Starts `npm test` as the leader of a process group, as a shell does. */
function startTests(): void {
  output = '';
  const environment = { ...process.env, NODE_OPTIONS: '', REDIS_URL: '', MONGODB_URI: '' };
  npm = spawn('npm', ['test'], {
    cwd: root,
    detached: true,
    env: { ...environment, PATH: `${servers}:${process.env['PATH']}`, FEEDMESH_DATA: data },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  for (const stream of [npm.stdout, npm.stderr])
    stream?.on('data', (bytes: Buffer) => (output += bytes.toString()));
}

/** npm, the processes that have said their pid, and those that a launcher has recorded. */
function started(): number[] {
  const registers = readdirSync(data, { recursive: true, encoding: 'utf8' }).filter((path) =>
    path.endsWith('processes.json'),
  );
  const recorded = registers.flatMap((path) => {
    const { launcher, processes } = JSON.parse(readFileSync(join(data, path), 'utf8')) as {
      launcher: { pid: number };
      processes: { pid: number }[];
    };
    return [launcher.pid, ...processes.map(({ pid }) => pid)];
  });
  const said = [...output.matchAll(/^pid (\d+)$/gm)].map(([, pid]) => Number(pid));
  return [...new Set([npm.pid ?? 0, ...recorded, ...said])];
}

/** The processes that are left of these. */
function left(pids: readonly number[]): number[] {
  return pids.filter((pid) => processIdentity(pid) !== undefined);
}

const interrupts = [
  ['the process group', () => process.kill(-(npm.pid ?? 0), 'SIGINT')],
  ['npm', () => npm.kill('SIGINT')],
] as const;

test.each(interrupts)('an interrupt of %s leaves no process of the tests', async (_, interrupt) => {
  startTests();
  await until(() => output.match(/^pid /gm)?.length === 4);
  const pids = started();
  // npm, two launchers, two Redis, MongoDB, jest with worker, service and a program
  expect(left(pids)).toHaveLength(10);
  interrupt();
  await until(() => left(pids).length === 0);
});

test.each(interrupts)('an interrupt of %s leaves no process of the checks', async (_, interrupt) => {
  write('node_modules/oxlint/bin/oxlint', check.replace('deaf.js', 'checker.js'));
  write('checker.js', "setInterval(() => {}, 1000); console.log('pid ' + process.pid);");
  startTests();
  await until(() => output.includes('pid '));
  const pids = started();
  interrupt();
  await until(() => left(pids).length === 0);
});
