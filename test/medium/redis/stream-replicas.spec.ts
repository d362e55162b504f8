import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startRedis } from '../../support/redis-servers.ts';
import type { RedisServer } from '../../support/redis-servers.ts';
import { until } from '../../support/until.ts';
import { PipelineUnderTest } from '../pipeline/pipeline-under-test.ts';

let master: RedisServer;
let replica: RedisServer;
let pipeline: PipelineUnderTest;

beforeAll(async () => {
  master = await startRedis();
  replica = await startRedis(`replicaof 127.0.0.1 ${master.port}`);
  pipeline = await PipelineUnderTest.open(
    { REDIS_URL: `redis://127.0.0.1:${master.port}`, STREAM_REPLICAS: '1' },
    master.client.duplicate(),
  );
  await pipeline.collect('notes');
  await pipeline.start('gateway', 'publisher');
});
afterAll(async () => {
  await pipeline.close();
  await Promise.all([master.end(), replica.end()]);
});

interface Health {
  readonly code: number;
  readonly status: string;
  readonly checks: Readonly<Record<string, string>>;
}

/** Waits until the publisher's health page has this status. */
async function health(status: string): Promise<Health> {
  const url = `${await pipeline.healthUrl('publisher')}/health/ready`;
  return until(
    async () => {
      const response = await fetch(url);
      return { code: response.status, ...((await response.json()) as Omit<Health, 'code'>) };
    },
    (found) => found.status === status,
  );
}

const up = { mongodb: 'up', redis: 'up' };

test('a publisher with too few replicas is degraded, and says so before an event comes', async () => {
  expect(await health('up')).toEqual({ code: 200, status: 'up', checks: { ...up, stream: 'up' } });
  await replica.end();
  const stream =
    'degraded: 0 replicas are connected, 1 must have each event (STREAM_REPLICAS): no events are relayed';
  expect(await health('degraded')).toEqual({ code: 200, status: 'degraded', checks: { ...up, stream } });
  replica = await startRedis(`replicaof 127.0.0.1 ${master.port}`);
  await health('up');
});

test('a replica that is connected but hangs shows once an event has not reached it', async () => {
  await replica.freeze();
  await pipeline.create('notes', 'one');
  expect((await health('degraded')).checks['stream']).toBe(
    'degraded: 0 replicas have the events, 1 must have them (STREAM_REPLICAS): no events are relayed',
  );
  replica.thaw();
  await until(async () => (await pipeline.relayed('notes')).length === 1);
  await health('up');
});
