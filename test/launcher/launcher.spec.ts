import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Redis } from 'ioredis';
import mongoose from 'mongoose';
import { afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { freePort, ProcessRegister, provideDatabases, readLimits } from '#databases';
import { processIdentity } from '../../tools/databases/process/process-identity.ts';
import { registered, startLauncher, type RunningLauncher } from './launcher.ts';
import { folderOfServers } from './programs.ts';
import { temporaryFolder } from './temporary-folder.ts';

const folder = temporaryFolder();
const running: RunningLauncher[] = [];
let servers: string;
let runs = 0;

beforeAll(async () => {
  servers = await folderOfServers(join(folder, 'servers'));
});

afterEach(async () => {
  for (const { child, ended } of running.splice(0)) {
    child.kill('SIGTERM');
    await ended;
  }
});

const given = { REDIS_URL: process.env['REDIS_URL'], MONGODB_URI: process.env['MONGODB_URI'] };

/** An environment with private databases and a data folder of its own. */
async function freshEnvironment(): Promise<NodeJS.ProcessEnv & { FEEDMESH_DATA: string }> {
  runs += 1;
  const rest = { ...process.env };
  delete rest['REDIS_URL'];
  delete rest['MONGODB_URI'];
  return {
    ...rest,
    NODE_OPTIONS: '',
    PATH: `${servers}:${rest['PATH']}`,
    PORT: String(await freePort()),
    FEEDMESH_DATA: join(folder, `data-${runs}`),
  };
}

function start(environment: NodeJS.ProcessEnv): RunningLauncher {
  const launcher = startLauncher('./fake-start.mjs', [], environment);
  running.push(launcher);
  return launcher;
}

/** The private Redis of the launcher that runs with a data folder. */
function redisOf(dataFolder: string): Redis {
  return new Redis(ProcessRegister.find(dataFolder)?.redisUrl ?? '', { retryStrategy: () => null });
}

/** The port of a private server that a launcher has named. */
function portOf(server: 'Redis' | 'MongoDB', output: string): string {
  return new RegExp(`${server}: ready on 127.0.0.1:(\\d+)`).exec(output)?.[1] ?? '';
}

function passwordOf(dataFolder: string): string {
  return readFileSync(join(dataFolder, 'database-password'), 'utf8').trim();
}

const names = ['redis', 'mongodb', 'fetcher', 'merger', 'publisher', 'gateway'];

describe('npm start', () => {
  test('says where it listens; Ctrl-C stops services, databases and itself, with exit code 0', async () => {
    const environment = await freshEnvironment();
    const launcher = start(environment);
    const output = await launcher.says(/feeds .*atom/);
    expect(output).not.toMatch(/skipped|trying|found by/);
    expect(output).toContain(`API              http://127.0.0.1:${environment['PORT']}/`);
    expect(output).toContain(
      `feeds            http://127.0.0.1:${environment['PORT']}/feeds/{collection}.atom`,
    );
    const pids = registered(environment.FEEDMESH_DATA);
    expect(Object.keys(pids).sort()).toEqual(names.toSorted());
    const redis = redisOf(environment.FEEDMESH_DATA);
    const password = passwordOf(environment.FEEDMESH_DATA);
    expect(ProcessRegister.find(environment.FEEDMESH_DATA)).toEqual({
      pid: launcher.pid,
      url: `http://127.0.0.1:${environment['PORT']}`,
      redisUrl: `redis://:${password}@127.0.0.1:${portOf('Redis', output)}/0`,
      mongodbUri:
        `mongodb://__system:${password}@127.0.0.1:${portOf('MongoDB', output)}/` +
        'feedmesh?directConnection=true&authSource=local',
    });
    const settings = await redis.config('GET', 'append*', 'maxmemory-policy', 'bind');
    redis.disconnect();
    expect(settings).toEqual(
      expect.arrayContaining(['appendonly', 'yes', 'appendfsync', 'everysec', 'noeviction', '127.0.0.1']),
    );

    process.kill(-launcher.pid, 'SIGINT'); // the whole group, as a terminal does
    expect(await launcher.ended).toBe(0);
    expect(Object.values(pids).filter(processIdentity)).toEqual([]);
    expect(ProcessRegister.find(environment.FEEDMESH_DATA)).toBeUndefined();
    for (const service of names.slice(2)) expect(launcher.output()).toContain(`${service} has stopped`);
    expect(existsSync(join(environment.FEEDMESH_DATA, 'processes.json'))).toBe(false);
  });

  test(
    'after a launcher that was killed: ends what it left, never runs two servers on one data folder, ' +
      'and the data is there',
    async () => {
      const environment = await freshEnvironment();
      const first = start(environment);
      await first.says(/feeds .*atom/);
      const redis = redisOf(environment.FEEDMESH_DATA);
      await redis.set('kept', 'yes');
      redis.disconnect();
      const left = registered(environment.FEEDMESH_DATA);
      process.kill(first.pid, 'SIGKILL');
      await first.ended;
      expect(names.filter((name) => processIdentity(left[name] ?? 0))).toEqual(names);

      const second = start(environment);
      const output = await second.says(/feeds .*atom/);
      expect(names.filter((name) => processIdentity(left[name] ?? 0))).toEqual([]);
      for (const name of names)
        expect(output).toContain(
          `${name} (pid ${left[name]}) was left running by a launcher that died; stopping it`,
        );
      const again = redisOf(environment.FEEDMESH_DATA);
      expect(await again.get('kept')).toBe('yes');
      again.disconnect();
    },
  );

  test('refuses a data folder that another launcher uses, and does not disturb it', async () => {
    const environment = { ...(await freshEnvironment()), ...given };
    const first = start(environment);
    await first.says(/feeds .*atom/);
    const second = start({ ...environment, PORT: String(await freePort()) });
    expect(await second.ended).toBe(1);
    expect(second.output()).toContain(
      `another launcher (pid ${first.pid}) runs with the data folder ${environment.FEEDMESH_DATA}: stop ` +
        'it, or set FEEDMESH_DATA',
    );
    expect(Object.values(registered(environment.FEEDMESH_DATA)).filter(processIdentity)).toHaveLength(4);
    // Addresses that were given may hold passwords.
    expect(ProcessRegister.find(environment.FEEDMESH_DATA)).toEqual({
      pid: first.pid,
      url: expect.stringMatching(/^http:/),
    });
  });

  test('starts a killed database again on its port, and says so', async () => {
    const environment = await freshEnvironment();
    const launcher = start(environment);
    await launcher.says(/feeds .*atom/);
    const { redis = 0, mongodb = 0 } = registered(environment.FEEDMESH_DATA);
    process.kill(redis, 'SIGKILL');
    process.kill(mongodb, 'SIGKILL');
    await launcher.says(/redis \(pid \d+\) is ready again/);
    const output = await launcher.says(/mongodb \(pid \d+\) is ready again/);
    expect(output).toContain(`redis (pid ${redis}) has died (killed by SIGKILL); starting it again in 0.5 s`);
    expect(output).toContain(
      `mongodb (pid ${mongodb}) has died (killed by SIGKILL); starting it again in 0.5 s`,
    );
  });

  test('with a setting that makes no sense says which one', async () => {
    const launcher = start({ ...(await freshEnvironment()), FEEDMESH_STOP_SECONDS: 'soon' });
    expect(await launcher.ended).toBe(1);
    expect(launcher.output()).toContain(
      'FEEDMESH_STOP_SECONDS must be a number of seconds above 0 and at most 86400, not "soon"',
    );
  });

  test('with a database that does not start ends with the last words of its log', async () => {
    const environment = await freshEnvironment();
    const broken = startLauncher('./fake-start.mjs', [], {
      ...environment,
      PATH: `${fileURLToPath(new URL('./broken-servers', import.meta.url))}:${environment['PATH']}`,
    });
    expect(await broken.ended).toBe(1);
    expect(broken.output()).toContain('redis has died 4 times before it was ready (exit code 1). ');
    expect(broken.output()).toMatch(/\. The end of .*redis\.log:\nthis server never starts/);
  });
});

describe('other users of the machine', () => {
  test('can use neither database without the password, which no command line and no log has', async () => {
    const environment = await freshEnvironment();
    const launcher = start(environment);
    const output = await launcher.says(/ key /);
    const redis = new Redis(Number(portOf('Redis', output)), '127.0.0.1', { retryStrategy: () => null });
    redis.on('error', () => {});
    await expect(redis.get('x')).rejects.toThrow('NOAUTH');
    redis.disconnect();
    const mongodb = new mongoose.mongo.MongoClient(
      `mongodb://127.0.0.1:${portOf('MongoDB', output)}/?directConnection=true`,
    );
    for (const command of [{ find: 'items' }, { createUser: 'x', pwd: 'x', roles: [] }, { shutdown: 1 }])
      await expect(mongodb.db('admin').command(command)).rejects.toThrow('requires authentication');
    await mongodb.close();

    const password = passwordOf(environment.FEEDMESH_DATA);
    expect(password).toMatch(/^[0-9a-f]{64}$/);
    expect(output).toContain(`queue and events redis://:***@127.0.0.1:${portOf('Redis', output)}/0`);
    expect(output).toContain(`password in ${join(environment.FEEDMESH_DATA, 'database-password')}`);
    const commandLines = Object.values(registered(environment.FEEDMESH_DATA)).map((pid) =>
      execFileSync('ps', ['-o', 'args=', '-p', String(pid)], { encoding: 'utf8' }),
    );
    const logs = ['redis.log', 'mongodb.log'].map((name) =>
      readFileSync(join(environment.FEEDMESH_DATA, name), 'utf8'),
    );
    for (const text of [output, ...commandLines, ...logs]) expect(text).not.toContain(password);
  });

  test('can read nothing in the data folder', async () => {
    const environment = await freshEnvironment();
    const launcher = start(environment);
    await launcher.says(/feeds .*atom/);
    const redis = redisOf(environment.FEEDMESH_DATA);
    await redis.set('secret', 'yes');
    redis.disconnect();
    expect(readable(environment.FEEDMESH_DATA)).toEqual([]);
  });

  test('can read nothing of an earlier version either, whose data is still there', async () => {
    const environment = await freshEnvironment();
    const data = environment.FEEDMESH_DATA;
    const log = (): void => {};
    const signal = new AbortController().signal;
    const register = await ProcessRegister.open(data, log);
    const former = await provideDatabases({ environment, register, limits: readLimits({}), log, signal });
    const before = new Redis(former.redisUrl);
    await before.set('kept', 'yes');
    before.disconnect();
    await withMongodb(former.mongodbUri, (client) => client.db().collection('x').insertOne({ kept: 'yes' }));
    await former.stop();
    register.close();
    writeFileSync(join(data, 'access.json'), '{"AUTH_SECRETS":"x","AUTH_ADMIN_KEY":"y"}');
    mkdirSync(join(data, 'mine'));
    for (const name of ['', 'mine', 'redis', 'mongodb']) chmodSync(join(data, name), 0o755);
    expect(readable(data)).not.toEqual([]);

    const launcher = start(environment);
    await launcher.says(/feeds .*atom/);
    expect(readable(data)).toEqual(['mine']);
    expect(statSync(data).mode & 0o777).toBe(0o700);
    const redis = redisOf(data);
    expect(await redis.get('kept')).toBe('yes');
    redis.disconnect();
    const { mongodbUri = '' } = ProcessRegister.find(data) ?? {};
    await withMongodb(mongodbUri, async (client) => {
      expect(await client.db().collection('x').countDocuments({ kept: 'yes' })).toBe(1);
    });
  });

  test('do not keep the command line from the databases, which it finds by the data folder', async () => {
    const environment = await freshEnvironment();
    await start(environment).says(/feeds .*atom/);
    const cli = fileURLToPath(new URL('../../dist/apps/cli/src/main.js', import.meta.url));
    const { stdout } = spawnSync(process.execPath, [cli, 'doctor'], { env: environment, encoding: 'utf8' });
    expect(stdout).toContain('redis: responds\nmongodb: responds\n');
  });

  test('do not share the data folder', async () => {
    const environment = await freshEnvironment();
    mkdirSync(environment.FEEDMESH_DATA);
    chmodSync(environment.FEEDMESH_DATA, 0o1777);
    const launcher = start(environment);
    expect(await launcher.ended).toBe(1);
    expect(launcher.output()).toContain(
      `FEEDMESH_DATA must not be ${environment.FEEDMESH_DATA}, which users`,
    );
    expect(readdirSync(environment.FEEDMESH_DATA)).toEqual([]);
  });
});

/** What others could read below a folder, if they got into it. */
function readable(dataFolder: string): readonly string[] {
  return ['', ...readdirSync(dataFolder, { recursive: true, encoding: 'utf8' })].filter(
    (path) => ((lstatSync(join(dataFolder, path), { throwIfNoEntry: false })?.mode ?? 0) & 0o077) !== 0,
  );
}

async function withMongodb(
  uri: string,
  work: (client: mongoose.mongo.MongoClient) => Promise<unknown>,
): Promise<void> {
  const client = new mongoose.mongo.MongoClient(uri);
  try {
    await work(client);
  } finally {
    await client.close();
  }
}

describe('a program under databases of its own', () => {
  const program = '../../dist/apps/standalone/src/with-databases.js';

  test('gets their addresses; its exit code is ours; nothing is left', async () => {
    const environment = await freshEnvironment();
    const launcher = startLauncher(
      program,
      [
        process.execPath,
        '-e',
        'console.log(process.env.REDIS_URL, process.env.MONGODB_URI); process.exit(7)',
      ],
      environment,
    );
    expect(await launcher.ended).toBe(7);
    expect(launcher.output()).toMatch(
      /^redis:\/\/127\.0\.0\.1:\d+\/0 mongodb:\/\/127\.0\.0\.1:\d+\/feedmesh\?directConnection=true$/m,
    );
    expect(readdirSync(environment.FEEDMESH_DATA)).toEqual([]);
  });

  test('that was killed with its launcher is ended and cleared away by the next', async () => {
    const environment = { ...(await freshEnvironment()), MONGODB_URI: given.MONGODB_URI };
    const first = startLauncher(
      program,
      [process.execPath, '-e', 'console.log("it runs"); setInterval(() => {}, 1000)'],
      environment,
    );
    await first.says(/it runs/);
    const run = join(environment.FEEDMESH_DATA, `run-${first.pid}`);
    const left = registered(run);
    process.kill(first.pid, 'SIGKILL');
    await first.ended;

    const second = startLauncher(program, [process.execPath, '-e', ''], environment);
    expect(await second.ended).toBe(0);
    expect(Object.keys(left).sort()).toEqual(['program', 'redis']);
    expect(Object.values(left).filter(processIdentity)).toEqual([]);
    expect(readdirSync(environment.FEEDMESH_DATA)).toEqual([]);
  });
});
