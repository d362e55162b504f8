import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { Redis } from 'ioredis';
import { redis as redisServer } from '../../../../tools/databases/providers/server.ts';
import { realProgram } from '../../../launcher/programs.ts';
import { ServerProcess } from '../../../support/server-process.ts';
import { until } from '../../../support/until.ts';
import { dataFolder } from '../../../support/data-folder.ts';

/** The Redis of the test run. */
export function redisUrl(): string {
  const url = process.env['REDIS_URL'];
  if (!url) throw new Error('REDIS_URL is not set: npm test provides it');
  return url;
}

/** A name that no other test has. */
export function ownName(): string {
  return `{test-${randomBytes(6).toString('hex')}}`;
}

/** Removes every key that has the name in it. */
export async function removeKeys(redis: Redis, name: string): Promise<void> {
  let cursor = '0';
  do {
    const [next, keys] = await redis.scan(cursor, 'MATCH', `*${name}*`, 'COUNT', 1000);
    if (keys.length > 0) await redis.del(...keys);
    cursor = next;
  } while (cursor !== '0');
}

/** A Redis of the test's own, on loopback, that can be killed and come back with its data. */
export class PrivateRedis extends ServerProcess {
  readonly url: string;
  readonly #port: number;
  readonly #folder: string;

  private constructor(port: number, folder: string) {
    super();
    this.url = `redis://127.0.0.1:${port}`;
    this.#port = port;
    this.#folder = folder;
  }

  static async start(): Promise<PrivateRedis> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    server.close();
    await once(server, 'close');
    const redis = new PrivateRedis(port, await dataFolder('private-redis-'));
    await redis.restart();
    return redis;
  }

  async restart(): Promise<void> {
    const binary = await realProgram(redisServer);
    const options = [
      '--port',
      String(this.#port),
      '--bind',
      '127.0.0.1',
      '--dir',
      this.#folder,
      '--appendonly',
      'yes',
      '--appendfsync',
      'always',
    ];
    await this.run(binary, options).catch(async (error: unknown) => {
      await this.end();
      throw new Error(`cannot start ${binary}`, { cause: error });
    });
    const client = new Redis(this.url, { retryStrategy: () => 20, maxRetriesPerRequest: null });
    client.on('error', () => {});
    await until(async () => (await client.ping().catch(() => '')) === 'PONG');
    client.disconnect();
  }

  /** Runs a command, such as `CONFIG SET maxmemory 1mb`. */
  async command(line: string): Promise<void> {
    const client = new Redis(this.url);
    const [name = '', ...args] = line.split(' ');
    await client.call(name, ...args);
    client.disconnect();
  }

  async end(): Promise<void> {
    await this.kill();
    await rm(this.#folder, { recursive: true, force: true });
  }
}
