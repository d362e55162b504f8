import type { DynamicModule } from '@nestjs/common';
import type { z } from 'zod';
import { BullServer, queuesOf } from '#queue';
import { queueSpans } from './telemetry/queue-spans.ts';
import type { Service } from './service.ts';
import type { serviceSettings } from './settings/service-settings.ts';
import { redisLocation } from './settings/redis-settings.ts';
import { workerSettings } from './settings/worker-settings.ts';

/**
 * A service that works on the queues of its handlers (`MessageController`) and serves nothing but its health
 * pages.
 */
export function workerService<Schema extends typeof serviceSettings>(
  name: string,
  settings: Schema,
  module: (configuration: z.output<Schema>) => DynamicModule,
): Service<Schema> {
  return {
    name,
    settings,
    module,
    port: ({ HEALTH_PORT }) => HEALTH_PORT,
    strategy: (_application, configuration) =>
      new BullServer({
        ...redisLocation(configuration),
        queues: Object.fromEntries(
          Object.entries(queuesOf(module(configuration).controllers ?? [])).map(([queue, setting]) => [
            queue,
            { concurrency: Number(configuration[setting as keyof z.output<Schema>]) },
          ]),
        ),
        settings: workerSettings(configuration),
        ...queueSpans(),
      }),
  };
}
