import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { collectionKey } from '#core';
import { EditLoad } from '../../support/edit-load.ts';
import { startReplicaSet } from '../../support/replica-set.ts';
import type { Mongod } from '../../support/mongod.ts';
import type { ReplicaSet } from '../../support/replica-set.ts';
import { patientWithMongodb } from '../../support/patient-with-mongodb.ts';
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
  // The connection of the test itself may find the primary of before later than the gateway did.
  await until(() =>
    pipeline.store.check().then(
      () => true,
      () => false,
    ),
  );
  await pipeline.collect(name);
  load = new EditLoad(`${gateway ?? (await pipeline.healthUrl('gateway'))}/v1/collections/${name}/items`);
  await load.acknowledges(10);
}

/** Lets the members but the primary be elected in its place, or keeps them from that. */
async function othersStand(primary: Mongod, mayStand: boolean): Promise<void> {
  for (const member of set.members) if (member !== primary) await set.stands(member, mayStand);
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
  await othersStand(primary, false);
  await primary.kill();
  await until(health, (state) =>
    /no server takes writes: .*Unknown \(connect ECONNREFUSED.*RSSecondary/.test(state),
  );
  await othersStand(primary, true);
  await load.acknowledges(10);
  await expectAllInOrder();
  await primary.restart();
});

test('a primary that hangs loses nothing, and health says that it does not respond', async () => {
  await begin('hanging');
  const primary = await set.primary();
  await othersStand(primary, false);
  await primary.freeze();
  await until(health, (state) => state.includes(`${primary.host} is Unknown (connection <monitor>`));
  await othersStand(primary, true);
  await load.acknowledges(3);
  primary.thaw();
  await expectAllInOrder();
});

test('a new primary is not believed before a majority has stored something of it', async () => {
  await begin('unconfirmed');
  await load.endInOrder(() => pipeline.relayed(collection));
  const primary = await set.primary();
  const [next, other] = set.members.filter((member) => member !== primary);
  if (next === undefined || other === undefined) throw new Error('the set has three members');
  await set.stands(other, false);
  await set.copies(other, false);
  // It is elected only if the other one, which votes, has nothing that it does not have.
  await set.catchesUp(next);
  await primary.freeze();
  await until(
    () => set.primary(),
    (found) => found === next,
  );
  const find = () => pipeline.store.collections.find(collectionKey(collection));
  // Before the driver has met the new primary, it says that there is none, or that the former is silent.
  await until(
    () =>
      find().then(
        () => Promise.reject(new Error('it was believed')),
        (error: unknown) => String(error),
      ),
    (reason) => reason.includes('no majority of the replica set has confirmed its primary'),
  );
  expect(await health()).not.toBe('up');
  await set.copies(other, true);
  await until(
    () => find().catch(() => undefined),
    (found) => found !== undefined,
  );
  await set.stands(other, true);
  primary.thaw();
  await until(async () => (await health()) === 'up');
});

test('a primary that steps down fails no request', async () => {
  const [gateway] = await pipeline.startWith(patientWithMongodb, 'gateway');
  await begin('stepping-down', await gateway?.getUrl());
  await (await set.primary()).command({ replSetStepDown: 600, secondaryCatchUpPeriodSecs: 300 });
  await load.acknowledges(10);
  await expectAllInOrder();
  expect(load.failures).toBe(0);
});
