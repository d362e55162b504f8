import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, cp, mkdtemp, readFile, readdir, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { freePort } from '#databases';
import { respondsReady } from '../../apps/standalone/src/responds-ready.ts';
import { leaveMongodbDatabase, ownMongodbDatabase } from '../support/mongodb-database.ts';
import { ownRedisDatabase } from '../support/redis-database.ts';
import { until } from '../support/until.ts';

interface NestConfiguration {
  readonly monorepo: boolean;
  readonly projects: Readonly<Record<string, { readonly type: string; readonly sourceRoot: string }>>;
}

/** A copy of what the merger is built from: other tests use the `dist` of the checkout. */
let checkout: string;
let mongodbUri: string;

beforeAll(async () => {
  checkout = await mkdtemp(join(tmpdir(), 'feedmesh-nest-'));
  const files = ['nest-cli.json', 'package.json', 'tsconfig.json', 'tsconfig.build.json'];
  for (const path of [...files, 'apps/merger', 'libs'])
    await cp(path, join(checkout, path), { recursive: true });
  await symlink(resolve('node_modules'), join(checkout, 'node_modules'));
  mongodbUri = await ownMongodbDatabase();
});

afterAll(async () => {
  await rm(checkout, { recursive: true });
  await leaveMongodbDatabase(mongodbUri);
});

interface Command {
  readonly output: () => string;
  readonly ended: Promise<number | null>;
  end(): void;
}

/** Runs `npx nest` in the copy. */
function nest(args: readonly string[], environment: NodeJS.ProcessEnv = {}): Command {
  const child = spawn(process.execPath, [resolve('node_modules/@nestjs/cli/bin/nest.js'), ...args], {
    cwd: checkout,
    detached: true,
    env: { ...process.env, NODE_OPTIONS: '', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (bytes: Buffer) => (output += bytes.toString()));
  const ended = once(child, 'close').then(([code]) => code as number | null);
  // The whole group, as a terminal does.
  return { output: () => output, ended, end: () => void process.kill(-(child.pid ?? 0), 'SIGINT') };
}

test('every app and library is a project', async () => {
  const { monorepo, projects } = JSON.parse(await readFile('nest-cli.json', 'utf8')) as NestConfiguration;
  const found = Object.values(projects).map(({ type, sourceRoot }) => `${type} ${sourceRoot}`);
  const folders = async (parent: string, type: string): Promise<string[]> =>
    (await readdir(parent)).map((name) => `${type} ${parent}/${name}/src`);
  const expected = [...(await folders('apps', 'application')), ...(await folders('libs', 'library'))];
  expect(monorepo).toBe(true);
  expect(new Set(found)).toEqual(new Set(expected));
});

test('nest generate adds a module to a project', async () => {
  const generated = nest(['generate', 'module', 'reports', '--project', 'merger']);
  expect([await generated.ended, generated.output()]).toEqual([
    0,
    expect.stringContaining('apps/merger/src/reports/reports.module.ts'),
  ]);
  const module = await readFile(join(checkout, 'apps/merger/src/merger.module.ts'), 'utf8');
  expect(module).toContain('imports: [ReportsModule]');
});

test('nest build builds a service, which nest start --watch runs and restarts after a change', async () => {
  const built = nest(['build', 'merger']);
  expect([await built.ended, built.output()]).toEqual([0, '']);
  expect(await readdir(join(checkout, 'dist/apps/merger/src'))).toContain('main.js');

  const port = String(await freePort());
  const redisUrl = await ownRedisDatabase();
  const addresses = { REDIS_URL: redisUrl, MONGODB_URI: mongodbUri, HEALTH_PORT: port };
  const watched = nest(['start', 'merger', '--watch'], addresses);
  const isReady = (): Promise<boolean> =>
    respondsReady(`http://127.0.0.1:${port}/health/ready`).catch(() => false);
  const starts = (): number => watched.output().split('"message":"started"').length - 1;
  try {
    await until(() => starts() === 1 && isReady());
    await appendFile(join(checkout, 'apps/merger/src/main.ts'), '\n');
    await until(() => starts() === 2 && isReady());
  } finally {
    watched.end();
    await watched.ended;
  }
  expect(watched.output().trimEnd().split('\n').at(-1)).toContain('SIGINT: ending');
});
