import 'reflect-metadata';
import { rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { SubscriptionView } from '#contracts';
import { reliedReason } from '#core';
import { openThrowaway, readLimits } from '#databases';
import type { ProcessRegister } from '#databases';
import { PrivateRedis } from '../acceptance/queue/support/redis.ts';
import { Dice } from '../simulation/dice.ts';
import { ownMongodbDatabase } from '../support/mongodb-database.ts';
import { PrivateMongodb } from '../support/private-mongodb.ts';
import { isStress } from '../support/stress.ts';
import { until } from '../support/until.ts';
import { Consumer, failingItem } from './consumer.ts';
import { faultsInTurn } from './faults.ts';
import { Installation } from './installation.ts';
import { Ledger } from './ledger.ts';
import { Neighbours } from './neighbours.ts';
import { PeakMemory } from './peak-memory.ts';
import { SlowReaders } from './slow-readers.ts';
import { write } from './writer.ts';

/** How long faults go on to begin, in seconds; none in the short form, which has each fault once. */
const seconds = Number(process.env['CHAOS_SECONDS'] || (isStress ? 600 : 0));
const seed = Number(process.env['CHAOS_SEED'] || 1);

const largeItems = isStress ? 1000 : 200;
const slowReaderCount = isStress ? 100 : 10;
const silentSubscriptions = 10;
/** More than a fetcher has places for. */
const drippingSubscriptions = 24;
/** The pause: the story is about losing nothing, not about the most writes that there can be. */
const writing = { collections: ['shared'], items: 30, pause: isStress ? 50 : 250 };
/** What slow readers can ask for at worst: items near the limit of one. */
const heavyItems = { count: 12, characters: 1_900_000 };

/** What each service may have at most, in megabytes. */
const largestMemory = 350;

const collections = [
  'shared',
  'news',
  'announced',
  'poisoned',
  'large',
  'heavy',
  'silent',
  'dripping',
] as const;

const dice = new Dice(seed);
const ledger = new Ledger();
const memory = new PeakMemory();
const slowReaders = new SlowReaders();
const stopped = new AbortController();
let register: ProcessRegister;
let redis: PrivateRedis;
let mongodb: PrivateMongodb;
let neighbours: Neighbours;
let installations: readonly [Installation, Installation];
/** One of each installation. */
let consumers: readonly Consumer[];

beforeAll(async () => {
  register = await openThrowaway(
    resolve(process.env['FEEDMESH_DATA'] || '.feedmesh'),
    () => undefined,
    readLimits(process.env).stop,
  );
  [redis, mongodb, neighbours] = await Promise.all([
    PrivateRedis.start(),
    PrivateMongodb.start(),
    Neighbours.open(),
  ]);
  neighbours.publishItems('large', largeItems, 20_000);
  neighbours.publishItems('heavy', heavyItems.count, heavyItems.characters);
  const redisUrls = [`${redis.url}/0`, `${redis.url}/1`] as const;
  const start = async (name: string, redisUrl: string): Promise<Installation> =>
    Installation.start(name, { redisUrl, mongodbUri: await ownMongodbDatabase(mongodb.uri) }, register);
  installations = await Promise.all([start('left', redisUrls[0]), start('right', redisUrls[1])]);
  consumers = installations.map(
    (installation, place) => new Consumer(installation, { redisUrl: redisUrls[place] ?? '' }),
  );
  for (const [installation, other] of pairs()) await subscribe(installation, other);
  await neighbours.loseHub();
});

afterAll(async () => {
  stopped.abort();
  await Promise.all((consumers ?? []).map((consumer) => consumer.close()));
  await Promise.all((installations ?? []).map((installation) => installation.end()));
  await neighbours?.close();
  await Promise.all([redis?.end(), mongodb?.end()]);
  rmSync(register.folder, { recursive: true, force: true });
});

function pairs(): readonly (readonly [Installation, Installation])[] {
  const [left, right] = installations;
  return [
    [left, right],
    [right, left],
  ];
}

async function subscribe(installation: Installation, other: Installation): Promise<void> {
  const { feeds, silentUrl, drippingUrl } = neighbours;
  await installation.follow('dripping', numbered(drippingUrl, drippingSubscriptions));
  await installation.follow('shared', { other: other.feedUrl('shared') });
  await installation.follow('news', { healthy: feeds.url('/healthy') });
  await installation.follow('announced', { healthy: feeds.url(`/announced/${installation.name}`) });
  // These feeds are costly to parse, and nothing in them changes.
  await installation.follow('poisoned', { poison: feeds.url('/poisoned') }, isStress ? 5 : 40);
  await installation.follow('large', { large: feeds.url('/large') }, 5);
  await installation.follow('heavy', { heavy: feeds.url('/heavy') }, 5);
  await installation.follow('silent', numbered(silentUrl, silentSubscriptions));
}

/** The feeds of a host, as subscriptions `s0`, `s1` … */
function numbered(url: string, count: number): Record<string, string> {
  return Object.fromEntries(Array.from({ length: count }, (_, number) => [`s${number}`, `${url}/${number}`]));
}

/**
 * Waits until both installations have stored the next version of the healthy feeds; returns the milliseconds
 * that took.
 */
async function keepsUp(version: number): Promise<number> {
  const begun = performance.now();
  neighbours.tick(version);
  for (const installation of installations) {
    for (const collection of ['news', 'announced']) {
      await until(
        () => installation.items(collection).catch(() => []),
        (items) => items[0]?.sync.updates === version,
      );
    }
  }
  return performance.now() - begun;
}

/** Cuts the connections between the two, again and again. */
async function cutConnections(signal: AbortSignal): Promise<void> {
  const random = new Dice(seed + 1);
  while (!signal.aborted) {
    for (const { proxy } of installations) if (random.below(3) === 0) proxy.cut();
    await wait(200, undefined, { signal }).catch(() => {});
  }
}

test(
  `${seconds > 0 ? `${seconds} s of faults` : 'each fault once'} (seed ${seed}): no acknowledged write is ` +
    'lost, healthy feeds are kept up with, memory is bounded',
  async () => {
    const { signal } = stopped;
    const calm = new AbortController();
    const slow = AbortSignal.any([signal, calm.signal]);
    const processes = (): Record<string, number> =>
      Object.fromEntries(
        installations.flatMap(({ name, instance }) =>
          Object.entries(instance.processes).map(([service, pid]) => [`${name}/${service}`, pid]),
        ),
      );
    const watching = memory.watch(processes, signal);
    await keepsUp(2);
    for (const [collection, count] of [
      ['large', largeItems],
      ['heavy', heavyItems.count],
    ] as const) {
      await until(
        () => Promise.all(installations.map((installation) => installation.items(collection))),
        (both) => both.every((items) => items.length === count),
      );
    }
    const paths = [
      '/feeds/large/complete.atom',
      '/feeds/heavy/complete.atom',
      '/feeds/heavy.rss',
      '/v1/collections/large/changes?mode=stream',
      '/feeds/large/complete.rss',
    ];
    const background = [
      cutConnections(slow),
      ...installations.map(({ instance }) => slowReaders.read(instance.url, paths, slowReaderCount, slow)),
      ...installations.map((installation, number) =>
        write({ installations: [installation], ...writing }, ledger, new Dice(seed + 2 + number), slow),
      ),
    ];

    const struck: string[] = [];
    const waits: number[] = [];
    const faults = faultsInTurn({ installations, redis, mongodb, dice });
    const deadline = performance.now() + seconds * 1000;
    while (seconds > 0 ? performance.now() < deadline : struck.length < faults.length) {
      const fault = faults[struck.length % faults.length];
      if (!fault) throw new Error('there are no faults');
      await fault.strike();
      struck.push(fault.name);
      waits.push(await keepsUp(struck.length + 2));
    }
    calm.abort();
    await Promise.all(background);

    const [left, right] = installations;
    await until(
      async () => [await left.state('shared'), await right.state('shared')],
      ([a, b]) => a === b && a !== '',
    );
    for (const installation of installations) {
      expect(ledger.missingIn(await installation.items('shared'))).toEqual([]);
      await until(
        () => installation.items('poisoned'),
        (items) => items.length === 2,
      );
      expect((await installation.items('poisoned')).map(({ id }) => id).toSorted()).toEqual([
        'after',
        'before',
      ]);
      const { items: letters } = await installation.must<{ items: readonly object[] }>(
        'GET',
        '/v1/dead-letters?collection=poisoned',
      );
      expect(letters).toMatchObject([{ subscription: 'poison' }]);
      for (const collection of collections) await expectAnnounced(installation, collection);
      const { nextFetchReason, hub } = await installation.must<SubscriptionView>(
        'GET',
        '/v1/collections/announced/subscriptions/healthy',
      );
      expect(nextFetchReason).not.toBe(reliedReason);
      expect(hub?.reason).toBeDefined();
    }
    for (const [place, installation] of installations.entries())
      await expectConsumed(installation, consumers[place]);
    stopped.abort();
    await watching;
    const peaks = Object.fromEntries(
      [...memory.peaks].map(([name, bytes]) => [name, Math.round(bytes / 1e6)]),
    );
    if (isStress)
      console.log(
        JSON.stringify(
          {
            struck,
            acknowledged: ledger.count,
            slowReaders: slowReaders.served,
            slowestMs: Math.round(Math.max(...waits)),
            peaks,
          },
          undefined,
          1,
        ),
      );
    expect(ledger.count).toBeGreaterThan(Math.max(seconds / 10, faults.length / 2));
    expect(slowReaders.served).toBeGreaterThan(slowReaderCount);
    expect(Object.entries(peaks).filter(([, megabytes]) => megabytes >= largestMemory)).toEqual([]);
  },
  (seconds + 1200) * 1000,
);

/** Waits until a consumer has seen the current version of every item but the one that it can't take. */
async function expectConsumed(installation: Installation, consumer: Consumer | undefined): Promise<void> {
  if (consumer === undefined) throw new Error(`nobody consumes the events of ${installation.name}`);
  for (const collection of collections)
    await until(
      async () => consumer.missingOf(collection, await installation.items(collection)),
      (missing) => missing.length === 0,
    );
  const written = (await installation.items('shared')).filter(({ id }) => id === failingItem);
  await until(
    () => consumer.deadItems(),
    (dead) => [...dead].join() === written.map(({ id }) => id).join(),
  );
}

/** Whether the changes of a collection are in order, none twice, and name every item. */
async function expectAnnounced(installation: Installation, collection: string): Promise<void> {
  const changes = await installation.changes(collection);
  const numbers = changes.map(({ sequence }) => Number(sequence));
  const subjects = new Set(changes.map(({ subject }) => subject));
  expect(numbers.filter((number, index) => index > 0 && number <= (numbers[index - 1] ?? 0))).toEqual([]);
  for (const { id } of await installation.items(collection)) expect(subjects).toContain(id);
}
