import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Logger } from '@nestjs/common';
import type { Job } from '#contracts';
import { collectionKey, subscriptionId } from '#core';
import type { JobQueue } from '#core';
import { JobRequests } from './job-requests.ts';

beforeAll(() => Logger.overrideLogger(false));
afterAll(() => Logger.overrideLogger(true));

/** A queue that notes what is sent, and answers when a test says so. */
function byHand() {
  const sent: { readonly jobs: string[]; readonly answer: (error?: Error) => void }[] = [];
  const queue: Pick<JobQueue, 'send'> = {
    send: (jobs: readonly Job[]) =>
      new Promise((resolve, reject) => {
        const answer = (error?: Error): void => (error ? reject(error) : resolve());
        sent.push({ jobs: jobs.map((job) => `${job.queue} ${job.deduplicate}`), answer });
      }),
  };
  return { requests: new JobRequests(queue as JobQueue), sent };
}

const turn = (): Promise<void> => new Promise((next) => setImmediate(next));
const [a, b] = [collectionKey('a'), collectionKey('b')];

test('what is requested together is sent together, each work once', async () => {
  const { requests, sent } = byHand();
  for (const id of ['one', 'two', 'one']) requests.fetch(a, subscriptionId(id));
  requests.publish(a);
  requests.publish(a);
  await turn();
  expect(sent.map(({ jobs }) => jobs.length)).toEqual([3]);
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
