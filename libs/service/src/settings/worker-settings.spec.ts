import { expect, test } from '@jest/globals';
import { readConfiguration } from './configuration.ts';
import { serviceSettings } from './service-settings.ts';
import { workerSettings } from './worker-settings.ts';

test('by default the jobs of a dead worker are given to others within 30 seconds', () => {
  const { lockDuration, stalledInterval } = workerSettings(readConfiguration(serviceSettings, {}));
  expect(lockDuration + stalledInterval).toBeLessThan(30_000);
});
