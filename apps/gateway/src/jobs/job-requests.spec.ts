import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { fetchedTogether } from '#contracts';
import type { Job } from '#contracts';
import { collectionKey, subscriptionId } from '#core';
import type { JobQueue } from '#core';
import { JobRequests } from './job-requests.ts';

beforeAll(() => Logger.overrideLogger(false));
afterAll(() => Logger.overrideLogger(true));

/** A job by the key that makes it one of its kind, or else by the subscriptions that it names. */
function nameOf(job: Job): string {
  const { queue, deduplicate } = job;
  if (queue !== 'fetch' || deduplicate !== undefined) return `${queue} ${deduplicate}`;
  return `${queue} ${[job.data.subscription, ...(job.data.others ?? [])].join(' ')}`;
}

/** A queue that notes what is sent, and answers when a test says so. */
function byHand() {
  const sent: { readonly jobs: string[]; readonly answer: (error?: Error) => void }[] = [];
  const queue: Pick<JobQueue, 'send'> = {
    send: (jobs: readonly Job[]) =>
      new Promise((resolve, reject) => {
        const answer = (error?: Error): void => (error ? reject(error) : resolve());
        sent.push({ jobs: jobs.map(nameOf), answer });
      }),
  };
  return { requests: new JobRequests(queue as JobQueue), sent };
}

/** Waits until what was requested in this turn of the event loop, or waits for it, was sent. */
const turn = (): Promise<void> => new Promise((next) => void setImmediate(() => setImmediate(next)));
const [a, b] = [collectionKey('a'), collectionKey('b')];

test('what is requested together is sent together, each work once', async () => {
  const { requests, sent } = byHand();
  for (const id of ['one', 'two', 'one']) requests.fetch(a, subscriptionId(id));
  requests.publish(a);
  requests.publish(a);
  await turn();
  expect(sent.map(({ jobs }) => jobs.length)).toEqual([3]);
});

test('first fetches of new subscriptions of a collection share a job', async () => {
  const { requests, sent } = byHand();
  const names = Array.from({ length: fetchedTogether + 1 }, (_, place) => subscriptionId(`s-${place}`));
  for (const id of names) requests.fetchNew(a, id);
  requests.fetchNew(b, subscriptionId('other'));
  requests.fetch(a, subscriptionId('s-0'));
  await turn();
  expect(sent.map(({ jobs }) => jobs)).toEqual([
    ['fetch a/s-0', `fetch ${names.slice(0, -1).join(' ')}`, `fetch s-${fetchedTogether}`, 'fetch other'],
  ]);
});

test('what is requested during a send is sent after it, also if that fails', async () => {
  const { requests, sent } = byHand();
  requests.publish(a);
  await turn();
  requests.publish(a);
  requests.publish(b);
  await turn();
  expect(sent).toHaveLength(1);
  sent[0]?.answer(new Error('Redis is away'));
  await turn();
  expect(sent.map(({ jobs }) => jobs.length)).toEqual([1, 2]);
  sent[1]?.answer();
  await turn();
  requests.publish(b);
  await turn();
  expect(sent).toHaveLength(3);
});
