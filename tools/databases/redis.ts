import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import type { Password } from './password.ts';

/**
 * The command line of a private Redis: on loopback, every write in its append-only file, nothing ever
 * evicted. Writes the password to a file in its folder, because everyone can read a command line.
 */
export function redisCommand(
  program: string,
  port: number,
  folder: string,
  password?: Password,
): [string, ...string[]] {
  const configuration = join(folder, 'redis.conf');
  if (password) writeFileSync(configuration, `requirepass ${password.text}\n`, { mode: 0o600 });
  const persistence = [
    '--databases',
    '64',
    '--appendonly',
    'yes',
    '--appendfsync',
    'everysec',
    '--save',
    '',
    '--maxmemory-policy',
    'noeviction',
  ];
  return [
    program,
    ...(password ? [configuration] : []),
    '--bind',
    '127.0.0.1',
    '--port',
    String(port),
    '--dir',
    folder,
    '--daemonize',
    'no',
    // The title would replace the environment, by which RunMark finds it.
    '--set-proc-title',
    'no',
    ...persistence,
  ];
}

/** The address of a private Redis. */
export function redisAddress(port: number, password?: Password): string {
  return `redis://${password ? `:${encodeURIComponent(password.text)}@` : ''}127.0.0.1:${port}/0`;
}

/**
 * Whether an address alone is enough to connect. With TLS, Sentinels or a cluster the settings of the
 * services say the rest, and their health pages how it goes.
 */
export function isPlainRedis(url: string): boolean {
  return url.startsWith('redis://');
}

/** Whether a Redis answers at this address and has loaded its data. Throws if it can't be reached. */
export async function redisAnswers(url: string): Promise<boolean> {
  const redis = new Redis(url, {
    lazyConnect: true,
    retryStrategy: () => null,
    enableReadyCheck: false,
    connectTimeout: 2000,
    commandTimeout: 2000,
  });
  let reason: Error | undefined;
  redis.on('error', (error: Error) => (reason = error));
  try {
    return (await redis.ping()) === 'PONG';
  } catch (error) {
    throw reason ?? error;
  } finally {
    redis.disconnect();
  }
}
