import { readFileSync } from 'node:fs';
import { createHttpFetch } from '#http-fetch';
import { createMemoryStore, sampleCollection, sampleSubscription } from '#in-memory';
import { collectionKey, subscriptionId } from '#core';
import type { JobQueue } from '#core';
import { systemClock, systemRandom } from '#service';
import { fetchSubscription } from '../../../apps/fetcher/src/fetch-subscription.ts';
import { WorkProcess } from '../../../apps/fetcher/src/plain-work/work-process.ts';
import { usualFetch } from '../../support/fetch-settings.ts';
import { longDocuments } from './documents.ts';
import type { LongDocument } from './documents.ts';

/** What this program prints of each document, as one line of JSON. */
export interface TurnReport {
  readonly name: string;
  /** How many items were handed on, or the rule by which the document was refused. */
  readonly came: number | string;
  /** Processor time of the longest turn of the event loop, in milliseconds. */
  readonly longest: number;
}

/** The processor time of the main thread so far, in milliseconds. */
function workedUntilNow(): number {
  if (process.platform !== 'linux') return performance.eventLoopUtilization().active;
  const [nanoseconds = ''] = readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'utf8').split(' ');
  return Number(nanoseconds) / 1e6;
}

/** Watches the turns of the event loop; returns what ends the watch, and returns the longest one. */
function watchTurns(): () => number {
  let longest = 0;
  let isOver = false;
  let before = workedUntilNow();
  const turn = (): void => {
    const now = workedUntilNow();
    longest = Math.max(longest, now - before);
    before = now;
    if (!isOver) setImmediate(turn);
  };
  setImmediate(turn);
  return () => {
    turn();
    isOver = true;
    return longest;
  };
}

const [origin = '', ...names] = process.argv.slice(2);
const http = createHttpFetch({ allowNetworks: ['127.0.0.1/32'] });
const heap = process.env['TURNS_HEAP'];
const work = new WorkProcess(systemClock, heap === undefined ? undefined : Number(heap));
const collection = collectionKey('feeds');
const subscription = subscriptionId('one');

async function tryDocument({ name, discover }: LongDocument): Promise<TurnReport> {
  const store = createMemoryStore({ clock: systemClock });
  const createdAt = new Date();
  await store.collections.create(sampleCollection({ key: collection, createdAt, format: 'rss' }));
  const url = `${origin}/${encodeURIComponent(name)}`;
  await store.subscriptions.put(
    sampleSubscription({ collection, id: subscription, url, createdAt, ...(discover && { discover }) }),
  );
  let items = 0;
  const queue: JobQueue = {
    backlog: async () => 0,
    send: async (jobs) => {
      for (const job of jobs) if (job.queue === 'merge') items += job.data.fragments.length;
    },
  };
  const ports = {
    store,
    queue,
    http,
    clock: systemClock,
    random: systemRandom,
    work,
  };
  const endWatch = watchTurns();
  await fetchSubscription(
    ports,
    { ...usualFetch, batch: { items: 100, characters: 1_000_000, backlog: 100 } },
    {
      version: 1,
      collection,
      subscription,
    },
  );
  const longest = endWatch();
  const { last } = (await store.subscriptions.find(collection, subscription)) ?? {};
  return { name, came: last?.outcome === 'failed' ? (last.rule ?? 'none') : items, longest };
}

for (const document of longDocuments.filter(({ name }) => names.length === 0 || names.includes(name)))
  process.stdout.write(`${JSON.stringify(await tryDocument(document))}\n`);
work.close();
await http.close();
