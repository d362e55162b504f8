import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { WorkQueue } from './work-queue.ts';

test('work runs in the order in which it comes, two at a time, whether it succeeds or not', async () => {
  const queue = new WorkQueue(2);
  const begun: number[] = [];
  const ends: ((error?: Error) => void)[] = [];
  const works = [0, 1, 2, 3, 4].map((number) =>
    queue.run(
      () =>
        new Promise<number>((resolve, reject) => {
          begun.push(number);
          ends[number] = (error) => (error ? reject(error) : resolve(number));
        }),
    ),
  );
  const outcomes = Promise.allSettled(works);
  expect(begun).toEqual([0, 1]);
  ends[1]?.(new Error('failed'));
  await turn();
  expect(begun).toEqual([0, 1, 2]);
  for (const number of [0, 2, 3, 4]) {
    ends[number]?.();
    await turn();
  }
  expect(begun).toEqual([0, 1, 2, 3, 4]);
  expect(
    (await outcomes).map((outcome) => (outcome.status === 'fulfilled' ? outcome.value : 'failed')),
  ).toEqual([0, 'failed', 2, 3, 4]);
  await expect(queue.run(async () => 'more')).resolves.toBe('more');
});
