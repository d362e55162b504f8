import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { bringUpReplicaSet, redisAnswers } from '#databases';
import { nodeAddress } from '../namespaces.ts';
import type { ClusterPrograms } from '../programs.ts';
import type { Background } from './background.ts';

const password = 'of-the-cluster';

export const addresses = {
  redisUrl: `redis://:${password}@${nodeAddress}:6379/0`,
  mongodbUri: `mongodb://${nodeAddress}:27017/feedmesh?directConnection=true`,
} as const;

/** Starts Redis and MongoDB beside the node, at an address that pods reach. */
export async function startDatabases(
  { redis, mongodb }: ClusterPrograms,
  background: Background,
  folder: string,
): Promise<void> {
  const data = { redis: join(folder, 'redis'), mongodb: join(folder, 'mongodb') };
  for (const path of Object.values(data)) await mkdir(path);
  const kept = ['--appendonly', 'yes', '--save', '', '--maxmemory-policy', 'noeviction'];
  const listening = ['--bind', nodeAddress, '--requirepass', password];
  await background.start('redis', [redis, ...listening, '--dir', data.redis, ...kept], () =>
    redisAnswers(addresses.redisUrl),
  );
  const network = ['--bind_ip', `127.0.0.1,${nodeAddress}`, '--nounixsocket'];
  const member = ['--replSet', 'feedmesh', '--oplogSize', '512'];
  await background.start('mongodb', [mongodb, '--dbpath', data.mongodb, ...network, ...member], () =>
    bringUpReplicaSet(27_017),
  );
}
