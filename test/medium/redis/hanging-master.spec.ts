import { afterAll, beforeAll, test } from '@jest/globals';
import { Redis } from 'ioredis';
import { EditLoad } from '../../support/edit-load.ts';
import { patient, startSentinelGroup } from '../../support/redis-servers.ts';
import type { SentinelGroup } from '../../support/redis-servers.ts';
import { isStress } from '../../support/stress.ts';
import { until } from '../../support/until.ts';
import { PipelineUnderTest } from '../pipeline/pipeline-under-test.ts';
import type { ServiceName } from '../pipeline/pipeline-under-test.ts';

let group: SentinelGroup;
let pipeline: PipelineUnderTest;
beforeAll(async () => {
  group = await startSentinelGroup('mymaster');
  const redis = new Redis({
    sentinels: [{ host: '127.0.0.1', port: group.sentinel.port }],
    name: 'mymaster',
    ...patient,
    socketTimeout: 1000,
  });
  redis.on('error', () => {});
  pipeline = await PipelineUnderTest.open(
    {
      REDIS_URL: `redis+sentinel://127.0.0.1:${group.sentinel.port}/mymaster`,
      // One of two replicas has every event, and it is the one that takes over.
      STREAM_REPLICAS: '1',
    },
    redis,
  );
});
afterAll(async () => {
  try {
    await pipeline.close();
  } finally {
    await group.end();
  }
});

async function health(service: ServiceName): Promise<string> {
  const response = await fetch(`${await pipeline.healthUrl(service)}/health/ready`);
  return ((await response.json()) as { checks: { redis: string } }).checks.redis;
}

test('a master that hangs under load is given up, and nothing is lost', async () => {
  await pipeline.collect('notes');
  await pipeline.start('gateway', 'publisher');
  const load = new EditLoad(`${await pipeline.healthUrl('gateway')}/v1/collections/notes/items`);
  await load.acknowledges(10);
  await until(async () => (await pipeline.relayed('notes')).length > 0);
  await group.master.freeze();
  for (const service of ['gateway', 'publisher'] as const)
    await until(async () => (await health(service)) !== 'up');
  for (const service of ['gateway', 'publisher'] as const)
    await until(async () => (await health(service)) === 'up');
  await load.acknowledges(10);
  if (isStress) await comesBack(load);
  await load.endInOrder(() => pipeline.relayed('notes'));
});

/** The old master goes on as if nothing had happened, until the Sentinel makes it a replica. */
async function comesBack(load: EditLoad): Promise<void> {
  group.master.thaw();
  await until(async () => /role:slave/.test(await group.master.client.info('replication')));
  await load.acknowledges(10);
}
