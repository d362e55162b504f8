import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { EditLoad } from '../../support/edit-load.ts';
import { startReplicaSet } from '../../support/replica-set.ts';
import type { ReplicaSet } from '../../support/replica-set.ts';
import { until } from '../../support/until.ts';
import { PipelineUnderTest } from '../pipeline/pipeline-under-test.ts';

let set: ReplicaSet;
let pipeline: PipelineUnderTest;
let collection: string;
let load: EditLoad;

beforeAll(async () => {
  set = await startReplicaSet();
  pipeline = await PipelineUnderTest.open({
    MONGODB_URI: set.uri('feedmesh'),
    MONGODB_SELECTION_SECONDS: '2',
  });
  await pipeline.start('gateway', 'publisher');
});
afterAll(async () => {
  await pipeline.close();
  await set.end();
});

/** Begins to edit a collection of its own over a gateway, by default that of the pipeline. */
async function begin(name: string, gateway?: string): Promise<void> {
  collection = name;
  await pipeline.collect(name);
  load = new EditLoad(`${gateway ?? (await pipeline.healthUrl('gateway'))}/v1/collections/${name}/items`);
  await load.acknowledges(10);
}

/** What the gateway's health page says of MongoDB. */
async function health(): Promise<string> {
  const response = await fetch(`${await pipeline.healthUrl('gateway')}/health/ready`);
  return ((await response.json()) as { checks: { mongodb: string } }).checks.mongodb;
}

/** Expects one event for each acknowledged item, and MongoDB to be up again. */
async function expectAllInOrder(): Promise<void> {
  await load.endInOrder(() => pipeline.relayed(collection));
  await until(async () => (await health()) === 'up');
}

test('a primary that is killed loses nothing, and health says what is missing meanwhile', async () => {
  await begin('killed');
  const primary = await set.primary();
  await set.holdElections(primary);
  await primary.kill();
  await until(health, (state) =>
    /no server takes writes: .*Unknown \(connect ECONNREFUSED.*RSSecondary/.test(state),
  );
  await set.holdElections();
  await load.acknowledges(10);
  await expectAllInOrder();
  await primary.restart();
});

test('a primary that hangs loses nothing, and health says that it does not respond', async () => {
  await begin('hanging');
  const primary = await set.primary();
  await set.holdElections(primary);
  await primary.freeze();
  await until(health, (state) => state.includes(`${primary.host} is Unknown (connection <monitor>`));
  await set.holdElections();
  await load.acknowledges(3);
  primary.thaw();
  await expectAllInOrder();
});

test('a primary that steps down fails no request', async () => {
  const [gateway] = await pipeline.startWith(
    { MONGODB_SELECTION_SECONDS: '60', GATEWAY_MONGODB_SECONDS: '60' },
    'gateway',
  );
  await begin('stepping-down', await gateway?.getUrl());
  await (await set.primary()).command({ replSetStepDown: 60 });
  await load.acknowledges(10);
  await expectAllInOrder();
  expect(load.failures).toBe(0);
});
