import type { z } from 'zod';
import { BullServer } from '#queue';
import type { WorkQueue } from '#queue';
import type { Service } from './service.ts';
import type { serviceSettings } from './settings/service-settings.ts';
import { workerSettings } from './settings/worker-settings.ts';

/**
 * A service that works on queues and serves nothing but its health pages.
 * @param queues how many jobs of each queue it works on at the same time
 */
export function workerService<Schema extends typeof serviceSettings>(
  name: string,
  settings: Schema,
  module: Service<Schema>['module'],
  queues: (configuration: z.output<Schema>) => Readonly<Partial<Record<WorkQueue, number>>>,
): Service<Schema> {
  return {
    name,
    settings,
    module,
    port: ({ HEALTH_PORT }) => HEALTH_PORT,
    strategy: (_application, configuration) =>
      new BullServer({
        redisUrl: configuration.REDIS_URL,
        queues: Object.fromEntries(
          Object.entries(queues(configuration)).map(([queue, concurrency]) => [queue, { concurrency }]),
        ),
        settings: workerSettings(configuration),
      }),
  };
}
