import { Redis } from 'ioredis';
import type { Connection } from 'mongoose';

/** The pids of the databases that an installation uses. */
export async function databasePids(
  connection: Connection,
  redisUrl: string,
): Promise<{ readonly mongod: number; readonly redis: number }> {
  return { mongod: await mongodPid(connection), redis: await redisPid(redisUrl) };
}

async function mongodPid(connection: Connection): Promise<number> {
  const { pid } = (await connection.db?.admin().serverStatus()) ?? {};
  return Number(pid ?? 0);
}

async function redisPid(url: string): Promise<number> {
  const redis = new Redis(url);
  try {
    return Number(/process_id:(\d+)/.exec(await redis.info('server'))?.[1] ?? 0);
  } finally {
    redis.disconnect();
  }
}
