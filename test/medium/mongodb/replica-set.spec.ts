import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { setTimeout as wait } from 'node:timers/promises';
import type { ChangeEvent } from '#contracts';
import { startReplicaSet } from '../../support/replica-set.ts';
import type { ReplicaSet } from '../../support/replica-set.ts';
import { until } from '../../support/until.ts';
import { PipelineUnderTest } from '../pipeline/pipeline-under-test.ts';

let set: ReplicaSet;
let pipeline: PipelineUnderTest;
let collection: string;
let load: Load;

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
  load = new Load(`${gateway ?? (await pipeline.healthUrl('gateway'))}/v1/collections/${name}/items`);
  await load.acknowledges(10);
}

/** Creates items over the gateway, three at a time, each until it is acknowledged. */
class Load {
  readonly acknowledged: string[] = [];
  readonly #url: string;
  readonly #writers: readonly Promise<void>[];
  #begun = 0;
  #hasEnded = false;
  /** How many requests were not acknowledged. */
  failures = 0;

  constructor(url: string) {
    this.#url = url;
    this.#writers = [1, 2, 3].map(() => this.#write());
  }

  /** Waits until so many more are acknowledged. */
  async acknowledges(count: number): Promise<void> {
    const least = this.acknowledged.length + count;
    await until(() => this.acknowledged.length >= least);
  }

  /** Ends it once what it has begun is acknowledged. */
  async end(): Promise<void> {
    this.#hasEnded = true;
    await Promise.all(this.#writers);
  }

  async #write(): Promise<void> {
    while (!this.#hasEnded) {
      const id = `item-${(this.#begun += 1)}`;
      while (!(await this.#create(id))) await wait(100);
      this.acknowledged.push(id);
    }
  }

  async #create(id: string): Promise<boolean> {
    const response = await fetch(this.#url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'idempotency-key': id },
      body: JSON.stringify({ id, title: 'Written' }),
    });
    await response.text();
    if (response.ok) return true;
    expect(response.status).toBe(503);
    this.failures += 1;
    return false;
  }
}

/** What the gateway's health page says of MongoDB. */
async function health(): Promise<string> {
  const response = await fetch(`${await pipeline.healthUrl('gateway')}/health/ready`);
  return ((await response.json()) as { checks: { mongodb: string } }).checks.mongodb;
}

/** Ends the load, and waits until everything that was acknowledged has been relayed. */
async function relayed(): Promise<ChangeEvent[]> {
  await load.end();
  return until(
    () => pipeline.relayed(collection),
    ({ length }) => length >= load.acknowledged.length,
  );
}

/** Expects one event for each acknowledged item, without a gap and in the order of the log. */
async function expectAllInOrder(): Promise<void> {
  const events = await relayed();
  expect(events.map(({ sequence }) => Number(sequence))).toEqual(events.map((_event, place) => place + 1));
  expect(events.map(({ subject }) => subject).toSorted()).toEqual(load.acknowledged.toSorted());
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
