import { Redis } from 'ioredis';

/**
 * The command line of a private Redis: on loopback, every write in its append-only file, nothing ever
 * evicted.
 */
export function redisCommand(program: string, port: number, folder: string): [string, ...string[]] {
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
    '--bind',
    '127.0.0.1',
    '--port',
    String(port),
    '--dir',
    folder,
    '--daemonize',
    'no',
    ...persistence,
  ];
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
