import { expect, test } from '@jest/globals';
import { HealthChecks } from './health-checks.ts';

test('however many ask, a check runs once, and its outcome holds for a while', async () => {
  let runs = 0;
  const work = async (): Promise<void> => {
    runs += 1;
    throw new Error(`run ${runs}`);
  };
  const checks = new HealthChecks({ redis: work }, { limit: 60, reuse: 3600 });
  expect(await Promise.all([checks.run(), checks.run()])).toEqual([{ redis: 'run 1' }, { redis: 'run 1' }]);
  expect(await checks.run()).toEqual({ redis: 'run 1' });
  const impatient = new HealthChecks({ redis: work }, { limit: 60, reuse: 0 });
  expect([await impatient.run(), await impatient.run()]).toEqual([{ redis: 'run 2' }, { redis: 'run 3' }]);
});

test('a check that takes too long says how the last one failed', async () => {
  const outcomes = [Promise.reject(new Error('ECONNREFUSED')), new Promise(() => {})];
  const mongodb = (): Promise<unknown> => outcomes.shift() ?? Promise.resolve();
  const checks = new HealthChecks({ mongodb }, { limit: 0.05, reuse: 0 });
  expect(await checks.run()).toEqual({ mongodb: 'ECONNREFUSED' });
  expect(await checks.run()).toEqual({ mongodb: 'no answer within 0.05 s; before that: ECONNREFUSED' });
});
