import { afterAll, beforeAll, test } from '@jest/globals';
import { EditLoad } from '../../support/edit-load.ts';
import { startSentinelGroup } from '../../support/redis-servers.ts';
import type { SentinelGroup } from '../../support/redis-servers.ts';
import { isStress } from '../../support/stress.ts';
import { until } from '../../support/until.ts';
import type { PipelineUnderTest, ServiceName } from '../pipeline/pipeline-under-test.ts';
import { openWatchedPipeline } from './watched-pipeline.ts';

let group: SentinelGroup;
let pipeline: PipelineUnderTest;
beforeAll(async () => {
  group = await startSentinelGroup('mymaster');
  pipeline = await openWatchedPipeline(group, { socketTimeout: 1000 });
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
  await group.letTakeOver();
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
