import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from '../../../apps/cli/src/run.ts';
import { memoryIo } from '../../cli/memory-io.ts';
import { startRedis } from '../../support/redis-servers.ts';
import type { RedisServer } from '../../support/redis-servers.ts';

const password = 'a password of 1 line/@%';

/** The command lines that make the users. */
const users = {
  services: ['services'],
  producer: ['producer', '--user', 'shop'],
  consumer: ['consumer', '--user', 'search', '--group', 'search'],
};

/** What `feedmesh redis-acl` prints for a user whose password is sent to stdin. */
export async function printedUser(role: keyof typeof users, ...options: string[]): Promise<string> {
  const io = memoryIo({ stdin: `${password}\n` });
  const code = await run(['redis-acl', ...users[role], '--password', '-', ...options], io);
  if (code !== 0) throw new Error(io.err());
  return io.out();
}

/** A server that has loaded the users of a file, and the URL for each. */
export interface GuardedRedis {
  readonly server: RedisServer;
  readonly urls: Readonly<Record<keyof typeof users, string>>;
  readonly end: () => Promise<void>;
}

/** Starts it; its own client is the user `default`, who may do everything. */
export async function startGuardedRedis(): Promise<GuardedRedis> {
  const folder = await mkdtemp(join(tmpdir(), 'feedmesh-users-'));
  const lines = await Promise.all(
    (['services', 'producer', 'consumer'] as const).map((role) => printedUser(role)),
  );
  const file = join(folder, 'users.acl');
  await writeFile(file, lines.join(''));
  const server = await startRedis(`aclfile ${file}`);
  const url = (user: string): string =>
    `redis://${user}:${encodeURIComponent(password)}@127.0.0.1:${server.port}/0`;
  return {
    server,
    urls: { services: url('feedmesh-services'), producer: url('shop'), consumer: url('search') },
    async end() {
      await server.end();
      await rm(folder, { recursive: true });
    },
  };
}
