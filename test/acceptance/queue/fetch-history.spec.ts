import { MemoryFetchHistory } from '#in-memory';
import { collectionKey, subscriptionId } from '#core';
import type { Completion, FetchHistory, FetchReport, FetchTransfer } from '#core';
import { openJobQueue } from '#queue';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { Redis } from 'ioredis';
import { ownName, redisUrl, removeKeys } from './support/redis.ts';
import { until } from '../../support/until.ts';

const notes = collectionKey('notes');
const peer = subscriptionId('peer');

interface Adapter {
  readonly history: FetchHistory;
  close(): Promise<void>;
}

async function openRedisHistory(): Promise<Adapter> {
  const prefix = ownName();
  const queue = openJobQueue({ redisUrl: redisUrl(), prefix });
  await queue.ping();
  return {
    history: queue,
    async close() {
      await queue.close();
      const redis = new Redis(redisUrl());
      await removeKeys(redis, prefix);
      redis.disconnect();
    },
  };
}

const second = (number: number): Date => new Date(Date.UTC(2026, 0, 1) + number * 1000);

function completion(report: Partial<FetchReport>, transfer?: Partial<FetchTransfer>, id = peer): Completion {
  return {
    collection: notes,
    id,
    manifest: 'm',
    result: {
      report: { at: second(1), outcome: 'not-modified', ...report },
      ...(transfer && { transfer: { startedAt: second(0), bytes: 0, ...transfer } }),
      nextFetchAt: second(60),
      nextFetchReason: 'soon',
    },
  };
}

describe.each([
  ['in memory', async (): Promise<Adapter> => ({ history: new MemoryFetchHistory(), close: async () => {} })],
  ['on Redis', openRedisHistory],
])('a history of fetches %s', (_name, open) => {
  let adapter: Adapter;
  beforeEach(async () => {
    adapter = await open();
  });
  afterEach(() => adapter.close());

  const fetches = (count: number) =>
    until(
      () => adapter.history.recentFetches(notes, peer),
      ({ length }) => length >= count,
    );

  test('has what each fetch came to and what it took, the last one first', async () => {
    const failed = { outcome: 'failed', rule: 'http-status', cause: 'http-500', reason: 'It answers 500.' };
    adapter.history.recordFetches([
      completion({ outcome: 'fetched', items: 3, rejected: 1, plain: 2 }, { status: 200, bytes: 1234 }),
      completion({ ...failed, at: second(9) } as FetchReport, { startedAt: second(8), status: 500 }),
      completion({ at: second(20) }, { startedAt: second(19), status: 304 }),
    ]);
    expect(await fetches(3)).toEqual([
      { startedAt: second(19), at: second(20), outcome: 'not-modified', status: 304, bytes: 0 },
      { startedAt: second(8), at: second(9), ...failed, status: 500, bytes: 0 },
      {
        startedAt: second(0),
        at: second(1),
        outcome: 'fetched',
        status: 200,
        bytes: 1234,
        items: 3,
        rejected: 1,
        plain: 2,
      },
    ]);
  });

  test('has the last 20 of each subscription, and none whose beginning is unknown', async () => {
    for (let number = 1; number <= 25; number += 1)
      adapter.history.recordFetches([
        completion({ at: second(number) }, { bytes: number }),
        completion({}, {}, subscriptionId('other')),
        completion({}),
      ]);
    const found = await until(
      () => adapter.history.recentFetches(notes, peer),
      ([last]) => last?.bytes === 25,
    );
    expect(found.map(({ bytes }) => bytes)).toEqual(Array.from({ length: 20 }, (_, place) => 25 - place));
    expect(await adapter.history.recentFetches(collectionKey('none'), peer)).toEqual([]);
  });
});
