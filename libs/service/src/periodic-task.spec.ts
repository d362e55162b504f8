import { expect, jest, test } from '@jest/globals';
import { PeriodicTask } from './periodic-task.ts';

test('a light task that failed waits for its pause only, however long it took', async () => {
  let now = 0;
  const clock = jest.spyOn(performance, 'now').mockImplementation(() => (now += 3_600_000));
  let runs = 0;
  let task: PeriodicTask | undefined;
  await new Promise<void>((resolve) => {
    const work = async (): Promise<void> => {
      runs += 1;
      if (runs === 1) throw new Error('Redis is away');
      resolve();
    };
    task = new PeriodicTask('a search', 1, work, { warn: () => {}, log: () => {} }, 1000, true);
    task.onApplicationBootstrap();
  });
  task?.onModuleDestroy();
  clock.mockRestore();
  expect(runs).toBe(2);
});
