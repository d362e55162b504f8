import { once } from 'node:events';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { beforeAll, expect, test } from '@jest/globals';
import { freePort } from '#databases';
import { startLauncher } from './launcher.ts';
import { folderOfServers } from './programs.ts';
import { temporaryFolder } from './temporary-folder.ts';

const folder = temporaryFolder();
const data = join(folder, 'data');
let servers: string;

beforeAll(async () => {
  servers = await folderOfServers(join(folder, 'servers'));
});

/** Runs `npm start` in the data folder until it is ready, and returns what it has said before. */
async function start(level = 'info'): Promise<{ redis: string; mongodb: string; lines: string[] }> {
  const environment = { ...process.env, NODE_OPTIONS: '', LOG_LEVEL: level, FEEDMESH_DATA: data };
  const own = { PATH: `${servers}:${process.env['PATH']}`, PORT: String(await freePort()) };
  const launcher = startLauncher('./fake-start.mjs', [], {
    ...environment,
    ...own,
    REDIS_URL: '',
    MONGODB_URI: '',
  });
  const output = await launcher.says(/feeds .*atom/);
  launcher.child.kill('SIGTERM');
  await launcher.ended;
  const lines = output.slice(0, output.indexOf('Feedmesh is ready')).split('\n');
  const portOf = (server: string): string =>
    new RegExp(`${server}: ready on 127\\.0\\.0\\.1:(\\d+), data in ${data}`).exec(output)?.[1] ?? '';
  return {
    redis: portOf('Redis'),
    mongodb: portOf('MongoDB'),
    lines: lines.filter((line) => /Redis|MongoDB/.test(line)),
  };
}

test('Redis and MongoDB have the same ports at every start, and others if these are in use', async () => {
  const first = await start();
  expect(first).toMatchObject({ redis: expect.stringMatching(/^\d/), mongodb: expect.stringMatching(/^\d/) });
  expect(await start()).toEqual(first);

  const other = createServer().listen(Number(first.redis), '127.0.0.1');
  await once(other, 'listening');
  const moved = await start();
  other.close();
  expect(moved.redis).not.toBe(first.redis);
  expect(moved.lines[0]).toBe(
    `[feedmesh] Redis: port ${first.redis} is in use; using port ${moved.redis} from now on`,
  );
  expect(moved.mongodb).toBe(first.mongodb);
  expect((await start()).redis).toBe(moved.redis);
});

test('only LOG_LEVEL=debug shows where Redis and MongoDB are looked for', async () => {
  expect((await start()).lines).toHaveLength(2);
  expect((await start('debug')).lines).toEqual(
    expect.arrayContaining([
      '[feedmesh] Redis: skipped REDIS_URL: not set',
      '[feedmesh] Redis: trying PATH',
      '[feedmesh] MongoDB: trying PATH',
    ]),
  );
});
