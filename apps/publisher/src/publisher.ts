import { BullServer } from '#queue';
import { publisherSettings, workerSettings } from '#service';
import type { Service } from '#service';
import { PublisherModule } from './publisher.module.ts';

/** The publisher: the queue `publish`. */
export const publisher: Service<typeof publisherSettings> = {
  name: 'publisher',
  settings: publisherSettings,
  module: (configuration) => PublisherModule.register(configuration),
  port: ({ HEALTH_PORT }) => HEALTH_PORT,
  strategy: (_application, configuration) =>
    new BullServer({
      redisUrl: configuration.REDIS_URL,
      queues: { publish: { concurrency: configuration.PUBLISH_CONCURRENCY } },
      settings: workerSettings(configuration),
    }),
};
