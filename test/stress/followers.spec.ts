import 'reflect-metadata';
import { rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { ChangeEvent, ItemEvent } from '#contracts';
import { openThrowaway, readLimits } from '#databases';
import type { ProcessRegister } from '#databases';
import { Dice } from '../simulation/dice.ts';
import { builtServices } from '../support/built-services.ts';
import { leaveMongodbDatabase, ownMongodbDatabase } from '../support/mongodb-database.ts';
import { emptyRedis, ownRedisDatabase } from '../support/redis-database.ts';
import { isStress } from '../support/stress.ts';
import { until } from '../support/until.ts';
import { ChangeReader } from './change-reader.ts';
import { ConsumerGroup } from './consumer-group.ts';
import { signal as send } from './faults.ts';
import { FeedReader } from './feed-reader.ts';
import { Installation } from './installation.ts';
import { Ledger } from './ledger.ts';
import { write } from './writer.ts';

const seed = Number(process.env['FOLLOWERS_SEED'] || 1);
/** How many edits are acknowledged, and how often each process is killed. Mergers publish as much again. */
const [edits, rounds] = isStress ? [10_000, 10] : [200, 1];

/** Each subscribes to the other one, so that mergers write too. */
const collections = ['left', 'right'] as const;

const dice = new Dice(seed);
const ledger = new Ledger();
const stopped = new AbortController();
let following: readonly Promise<void>[] = [];
let register: ProcessRegister;
let consumers: ConsumerGroup;
let databases: { readonly redisUrl: string; readonly mongodbUri: string };
/** Both on the same databases: two gateways, mergers and publishers, and one fetcher. */
let installations: readonly [Installation, Installation];

beforeAll(async () => {
  register = await openThrowaway(
    resolve(process.env['FEEDMESH_DATA'] || '.feedmesh'),
    () => undefined,
    readLimits(process.env).stop,
  );
  databases = { redisUrl: await ownRedisDatabase(), mongodbUri: await ownMongodbDatabase() };
  const services = builtServices.filter(({ name }) => name !== 'fetcher');
  installations = await Promise.all([
    Installation.start('one', databases, register),
    Installation.start('two', databases, register, services),
  ]);
  const [one, two] = installations;
  const window = { settings: { windowItems: 20, windowLimit: 20 } };
  for (const collection of collections) await one.must('PUT', `/v1/collections/${collection}`, window);
  await one.follow('left', { right: one.feedUrl('right') });
  await one.follow('right', { left: two.feedUrl('left') });
  consumers = await ConsumerGroup.start(databases.redisUrl);
});

afterAll(async () => {
  stopped.abort();
  await Promise.all(following);
  await consumers?.end();
  await Promise.all((installations ?? []).map((installation) => installation.end()));
  await emptyRedis(databases.redisUrl);
  await leaveMongodbDatabase(databases.mongodbUri);
  rmSync(register.folder, { recursive: true, force: true });
});

/** Kills each process, in an order by accident, once so many edits more are acknowledged. */
async function killInTurn(): Promise<void> {
  const services = installations.flatMap(({ instance }) =>
    ['gateway', 'merger', 'publisher'].map((service) => async () => {
      send(await until(() => instance.processes[service]), 'SIGKILL');
    }),
  );
  const begun = ledger.count;
  const left = [...services, ...consumers.killings];
  const pause = Math.floor(edits / rounds / left.length);
  for (let killed = 0; left.length > 0; killed += 1) {
    const next = begun + killed * pause + dice.below(pause);
    await until(() => ledger.count >= next);
    await left.splice(dice.below(left.length), 1)[0]?.();
  }
}

function isOfItem(event: ChangeEvent): event is ItemEvent {
  return event.type.startsWith('feedmesh.item.');
}

test(`${edits} edits (seed ${seed}): who follows them misses nothing and sees them in order`, async () => {
  const [one] = installations;
  const urls = (path: string): string[] => installations.map(({ instance }) => `${instance.url}${path}`);
  const readers = collections.map((collection, place) => {
    const changes = urls(`/v1/collections/${collection}/changes`);
    const ownDice = (number: number): Dice => new Dice(seed * 100 + place * 10 + number);
    return {
      collection,
      feed: new FeedReader(urls(`/feeds/${collection}`), ownDice(0)),
      changes: (['longpoll', 'stream'] as const).map(
        (mode, number) => new ChangeReader(mode, changes, ownDice(1 + number)),
      ),
    };
  });
  following = readers.flatMap(({ feed, changes }) =>
    [feed, ...changes].map((reader) => reader.follow(stopped.signal)),
  );
  const written = new AbortController();
  const writing = { installations, collections, items: 100, pause: 0 };
  const writers = [1, 2, 3, 4].map((number) =>
    write(writing, ledger, new Dice(seed * 100 + 50 + number), written.signal),
  );
  for (let round = 0; round < rounds; round += 1) await killInTurn();
  await until(() => ledger.count >= edits);
  written.abort();
  await Promise.all(writers);

  await until(
    () => Promise.all(collections.map((collection) => one.state(collection))),
    ([left, right]) => left === right && left !== '',
  );
  for (const { collection, feed, changes } of readers) {
    const log = await one.changes(collection);
    expect(log.map(({ sequence }) => Number(sequence))).toEqual(log.map((_, place) => place + 1));
    const times = log.map(({ time }) => time);
    expect(times).toEqual(times.toSorted());
    const events = log.filter(isOfItem);
    const items = await one.items(collection);
    expect(ledger.missingIn(items)).toEqual([]);
    expect(ledger.lostIn(collection, events)).toEqual([]);

    await until(() => feed.until >= log.length && changes.every(({ seen }) => seen.length >= log.length));
    for (const { seen } of changes)
      expect(log.filter((change, place) => !isDeepStrictEqual(change, seen[place]))).toEqual([]);
    expect(feed.missingOf(events)).toEqual([]);
    const ids = new Set(events.map(({ id }) => id));
    const handled = await until(
      () => consumers.handled(),
      (all) => consumers.faults.length > 0 || [...ids].every((id) => all.has(id)),
    );
    expect(consumers.faults).toEqual([]);
    expect([...handled].filter((id) => ids.has(id))).toEqual([...ids]);
    for (const reader of [feed, ...changes]) {
      expect(reader.faults).toEqual([]);
      expect(reader.lives).toBeGreaterThan(0);
    }
    if (isStress)
      console.log(
        collection,
        log.length,
        [feed, ...changes].map(({ lives }) => lives),
      );
  }
}, 3_600_000);
