import { expect, jest, test } from '@jest/globals';
import { collectionKey, subscriptionId } from '#core';
import type { FetchResult, Store } from '#core';
import { loggedFetches } from './logged-fetches.ts';

const collection = collectionKey('todo');
const id = subscriptionId('peer');
const nextFetchAt = new Date('2026-01-01T00:15:00Z');

function result(report: Partial<FetchResult['report']>): FetchResult {
  return {
    report: { at: new Date('2026-01-01'), outcome: 'fetched', ...report },
    nextFetchAt,
    nextFetchReason: 'the feed was read',
  };
}

/** What is logged of the ends of fetches, of which one that lost its lease. */
async function logged(work: (store: Store) => Promise<unknown>, isDone = true): Promise<unknown[][]> {
  const subscriptions = { complete: async () => isDone, completeAll: async () => 2 };
  const log = jest.fn<(message: string, fields: object) => void>();
  await work(loggedFetches({ subscriptions } as unknown as Store, log));
  return log.mock.calls;
}

test('one line tells of each fetch that has ended', async () => {
  const schedule = { nextFetchAt: nextFetchAt.toISOString(), nextFetchReason: 'the feed was read' };
  const failed = result({ outcome: 'failed', rule: 'http-status', reason: 'The server answered 500.' });
  expect(await logged(({ subscriptions }) => subscriptions.complete(collection, id, 'm', failed))).toEqual([
    [
      'failed',
      {
        collection: 'todo',
        subscription: 'peer',
        rule: 'http-status',
        reason: 'The server answered 500.',
        ...schedule,
      },
    ],
  ]);
  const completion = { collection, id, manifest: 'm' };
  const unchanged = { ...completion, result: result({ outcome: 'not-modified' }) };
  const read = { ...completion, result: result({ items: 3, rejected: 1 }) };
  expect(await logged(({ subscriptions }) => subscriptions.completeAll([unchanged, read]))).toEqual([
    ['not-modified', { collection: 'todo', subscription: 'peer', ...schedule }],
    ['fetched', { collection: 'todo', subscription: 'peer', items: 3, rejected: 1, ...schedule }],
  ]);
});

test('a fetch that had lost its lease is not logged', async () => {
  const late = result({});
  expect(
    await logged(({ subscriptions }) => subscriptions.complete(collection, id, 'm', late), false),
  ).toEqual([]);
});
